/* test_function: trace once for each shape.  Counters over a million calls,
 * keys (dtypes, dims, axes), errors of a trace, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "lockstep.h"

/* y = 2 x + 1 */
static void affine(ls_builder *b, const ls_value *inputs, int n, void *user) {
  int *traces = user;
  if (traces) ++*traces;
  assert_int_equal(n, 1);
  ls_value doubled = ls_mul(b, ls_number(b, 2), inputs[0]);
  ls_output(b, "y", ls_add(b, doubled, ls_number(b, 1)));
}

static void total(ls_builder *b, const ls_value *inputs, int n, void *user) {
  (void)n, (void)user;
  ls_output(b, "sum", ls_psum(b, inputs[0], "devices"));
}

static void expect_counts(const ls_function *f, int64_t traces,
                          int64_t compiles, int64_t hits) {
  ls_function_counts counts = ls_function_counters(f);
  assert_int_equal(counts.traces, traces);
  assert_int_equal(counts.compiles, compiles);
  assert_int_equal(counts.hits, hits);
}

static ls_function *create(ls_trace *trace, void *user) {
  ls_error error;
  ls_function *f = ls_function_create("step", trace, user, NULL, &error);
  if (f == NULL) fail_msg("%s", error.text);
  return f;
}

static void test_million_calls(void **state) {
  (void)state;
  enum { CALLS = 1000000 };
  int traces = 0;
  ls_function *f = create(affine, &traces);
  double x[2] = {1, 2}, y[2];
  ls_array in = ls_array_of(x, LS_F64, 2), out = ls_array_of(y, LS_F64, 2);
  for (int i = 0; i < CALLS; i++) {
    x[0] = i;
    if (ls_function_call(f, &in, 1, &out, 1, NULL) != LS_OK) fail();
    if (y[0] != 2.0 * i + 1 || y[1] != 5) fail();
  }
  assert_int_equal(traces, 1);
  expect_counts(f, 1, 1, CALLS - 1);
  ls_function_destroy(f);
}

static void test_shapes(void **state) {
  (void)state;
  ls_function *f = create(affine, NULL);
  float x[6] = {0, 1, 2, 3, 4, 5}, y[6];
  int32_t n[6] = {0, 1, 2, 3, 4, 5}, m[6];
  for (int round = 0; round < 3; round++) {
    ls_array in[] = {ls_array_of(x, LS_F32, 6), ls_array_of(x, LS_F32, 2, 3),
                     ls_array_of(x, LS_F32, 3, 2), ls_array_of(n, LS_I32, 6),
                     ls_array_of(x, LS_F32)};
    for (int i = 0; i < 5; i++) {
      ls_array out = in[i];
      out.data = i == 3 ? (void *)m : (void *)y;
      y[0] = m[5] = 0;
      assert_int_equal(ls_function_call(f, &in[i], 1, &out, 1, NULL), LS_OK);
      assert_true(i == 3 ? m[5] == 11 : y[0] == 1);
    }
  }
  expect_counts(f, 5, 5, 10);
  ls_function_destroy(f);
}

static void test_axes(void **state) {
  (void)state;
  ls_error error;
  ls_function *f = create(total, NULL);
  double x[12], sum[12];
  for (int i = 0; i < 12; i++) x[i] = i;
  for (int n = 2; n <= 4; n++) {
    ls_array in = ls_array_over(ls_array_of(x, LS_F64, n, 3), "devices");
    ls_array out = ls_array_of(sum, LS_F64, 3);
    ls_status status = ls_function_call(f, &in, 1, &out, 1, &error);
    if (status != LS_OK) fail_msg("%s", error.text);
    assert_true(sum[0] == 3.0 * n * (n - 1) / 2);
    in.axes = " devices ";
    assert_int_equal(ls_function_call(f, &in, 1, &out, 1, NULL), LS_OK);
    const ls_executable *run = ls_function_executable(f, &in, 1, &error);
    const ls_program *program = ls_executable_program(run);
    assert_string_equal(ls_program_input_type(program, 0).axes, "devices");
    assert_int_equal(ls_program_input_type(program, 0).rank, 1);
    assert_string_equal(ls_program_result_name(program, 0), "sum");
  }
  expect_counts(f, 3, 3, 6);
  /* without axes the trace's psum has none to sum over */
  ls_array plain = ls_array_of(x, LS_F64, 3), out = ls_array_of(sum, LS_F64, 3);
  assert_int_equal(ls_function_call(f, &plain, 1, &out, 1, &error),
                   LS_BAD_PROGRAM);
  assert_non_null(strstr(error.text, "test_function.c:"));
  assert_non_null(strstr(error.text, "ls_psum: no axis is called 'devices'"));
  assert_int_equal(ls_function_call(f, &plain, 1, &out, 1, NULL),
                   LS_BAD_PROGRAM);
  expect_counts(f, 5, 3, 6);
  /* an axis that was declared is there, also for an invariant operand */
  ls_function *g = create(total, NULL);
  assert_int_equal(ls_function_axis(g, "devices", 5), LS_OK);
  assert_int_equal(ls_function_axis(g, "devices", 6), LS_BAD_ARGUMENT);
  assert_int_equal(ls_function_axis(g, "two words", 6), LS_BAD_ARGUMENT);
  assert_int_equal(ls_function_axis(g, "none", 0), LS_BAD_ARGUMENT);
  assert_int_equal(ls_function_call(g, &plain, 1, &out, 1, NULL), LS_OK);
  assert_true(sum[2] == 10);
  ls_array over = ls_array_over(ls_array_of(x, LS_F64, 4, 3), "devices");
  assert_int_equal(ls_function_call(g, &over, 1, &out, 1, &error),
                   LS_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "axis devices is 5, but dim 0"));
  assert_int_equal(ls_function_axis(g, "late", 2), LS_BAD_ARGUMENT);
  ls_function_destroy(f);
  ls_function_destroy(g);
}

static void sum_both(ls_builder *b, const ls_value *inputs, int n, void *user) {
  (void)user;
  assert_int_equal(n, 2);
  ls_output(b, "y", ls_psum(b, ls_add(b, inputs[0], inputs[1]), "r,c"));
}

static void test_axis_order(void **state) {
  (void)state;
  ls_error error;
  ls_function *f = create(sum_both, NULL);
  double x[6] = {1, 2, 3, 4, 5, 6}, y = 0;
  ls_array in[] = {ls_array_over(ls_array_of(x, LS_F64, 2, 3), "r,c"),
                   ls_array_over(ls_array_of(x, LS_F64, 3), "c")};
  ls_array out = ls_array_of(&y, LS_F64);
  if (ls_function_call(f, in, 2, &out, 1, &error) != LS_OK)
    fail_msg("%s", error.text);
  assert_true(y == 21 + 2 * 6);
  in[1] = ls_array_over(ls_array_of(x, LS_F64, 3, 2), "c,r");
  assert_int_equal(ls_function_call(f, in, 2, &out, 1, &error),
                   LS_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "order"));
  in[1] = ls_array_over(ls_array_of(x, LS_F64, 3), "c,r");
  assert_int_equal(ls_function_call(f, in, 2, &out, 1, &error),
                   LS_BAD_ARGUMENT);
  assert_non_null(strstr(error.text, "more axes"));
  ls_function_destroy(f);
}

static void mistaken(ls_builder *b, const ls_value *inputs, int n, void *user) {
  (void)n;
  *(int *)user = __LINE__ + 1;
  ls_output(b, "y", ls_convert(b, ls_sqrt(b, inputs[0]), LS_F64));
}

static ls_function *itself;

static void recursive(ls_builder *b, const ls_value *inputs, int n,
                      void *user) {
  (void)n;
  float x = 1, y;
  ls_array in = ls_array_of(&x, LS_F32), out = ls_array_of(&y, LS_F32);
  *(ls_status *)user = ls_function_call(itself, &in, 1, &out, 1, NULL);
  ls_output(b, "y", inputs[0]);
}

static void test_errors(void **state) {
  (void)state;
  ls_error error;
  int line = 0;
  char place[64];
  ls_function *f = create(mistaken, &line);
  int32_t n = 4;
  double y = 0;
  ls_array in = ls_array_of(&n, LS_I32), out = ls_array_of(&y, LS_F64);
  assert_int_equal(ls_function_call(f, &in, 1, &out, 1, &error),
                   LS_BAD_PROGRAM);
  snprintf(place, sizeof place, "test_function.c:%d: error: ls_sqrt", line);
  assert_non_null(strstr(error.text, place));
  double x = 4;
  in = ls_array_of(&x, LS_F64);
  assert_int_equal(ls_function_call(f, &in, 1, &out, 1, &error), LS_OK);
  assert_true(y == 2);
  out.dtype = LS_F32;
  assert_int_equal(ls_function_call(f, &in, 1, &out, 1, &error), LS_BAD_FILE);
  in.dtype = LS_NO_DTYPE;
  assert_int_equal(ls_function_call(f, &in, 1, &out, 1, &error), LS_BAD_FILE);
  in.dtype = LS_F64;
  in.rank = 99;
  assert_int_equal(ls_function_call(f, &in, 1, &out, 1, &error), LS_BAD_FILE);
  assert_int_equal(ls_function_call(f, NULL, 1, &out, 1, NULL),
                   LS_BAD_ARGUMENT);
  assert_int_equal(ls_function_call(NULL, &in, 1, &out, 1, NULL),
                   LS_BAD_ARGUMENT);
  assert_null(ls_function_create("x", NULL, NULL, NULL, &error));
  assert_null(ls_function_create("no name", mistaken, NULL, NULL, &error));
  ls_options wrong = {.without = "nonsense"};
  assert_null(ls_function_create("x", mistaken, NULL, &wrong, &error));
  assert_int_equal(error.status, LS_BAD_ARGUMENT);
  ls_function_destroy(f);

  ls_status inner = LS_OK;
  itself = create(recursive, &inner);
  in = ls_array_of(&x, LS_F64);
  out = ls_array_of(&y, LS_F64);
  assert_int_equal(ls_function_call(itself, &in, 1, &out, 1, NULL), LS_OK);
  assert_int_equal(inner, LS_BAD_ARGUMENT);
  ls_function_destroy(itself);
}

/* -- threads ----------------------------------------------------------- */

enum { SHAPES = 4, ROUNDS = 200 };

static void *call_all(void *context) {
  ls_function *f = context;
  double x[SHAPES], y[SHAPES];
  for (int round = 0; round < ROUNDS; round++)
    for (int n = 1; n <= SHAPES; n++) {
      for (int i = 0; i < n; i++) x[i] = round + i;
      ls_array in = ls_array_of(x, LS_F64, n), out = ls_array_of(y, LS_F64, n);
      if (ls_function_call(f, &in, 1, &out, 1, NULL) != LS_OK) return NULL;
      for (int i = 0; i < n; i++)
        if (y[i] != 2 * x[i] + 1) return NULL;
    }
  return f;
}

static void test_threads(void **state) {
  (void)state;
  pthread_t threads[8];
  ls_function *f = create(affine, NULL);
  for (int i = 0; i < 8; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, call_all, f), 0);
  for (int i = 0; i < 8; i++) {
    void *fine;
    pthread_join(threads[i], &fine);
    assert_ptr_equal(fine, f);
  }
  expect_counts(f, SHAPES, SHAPES, 8 * SHAPES * ROUNDS - SHAPES);
  ls_function_destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_million_calls), cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_axes),          cmocka_unit_test(test_axis_order),
      cmocka_unit_test(test_errors),        cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
