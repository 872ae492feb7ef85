/* test_collision: an ls_function whose hash is the same for every key.  Two
 * shapes must still be two programs: the whole key is compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* function.c as it is, but for the hash. */
#define HASH_FUNCTION(key, length, hash) \
  do {                                   \
    (void)(key), (void)(length);         \
    (hash) = 7;                          \
  } while (0)
#include "../../frontend/function.c"

static void square(ls_builder *b, const ls_value *inputs, int n, void *user) {
  (void)n, (void)user;
  ls_output(b, "y", ls_mul(b, inputs[0], inputs[0]));
}

static void test_equal_hashes(void **state) {
  (void)state;
  ls_function *f = ls_function_create("square", square, NULL, NULL, NULL);
  assert_non_null(f);
  for (int round = 0; round < 2; round++)
    for (int n = 1; n <= 40; n++) {
      double x[40], y[40];
      for (int i = 0; i < n; i++) x[i] = i + n, y[i] = -1;
      ls_array in = ls_array_of(x, LS_F64, n), out = ls_array_of(y, LS_F64, n);
      assert_int_equal(ls_function_call(f, &in, 1, &out, 1, NULL), LS_OK);
      for (int i = 0; i < n; i++) assert_true(y[i] == x[i] * x[i]);
    }
  ls_function_counts counts = ls_function_counters(f);
  assert_int_equal(counts.compiles, 40);
  assert_int_equal(counts.hits, 40);
  ls_function_destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_hashes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
