/* test_memory: the out-of-memory loop.  Record, finish, print, parse and
 * evaluate with the n-th allocation failing, for n = 1, 2, ... until all goes
 * well: each time LS_FAILED or a right answer, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lockstep.h"

/* The sanitizers have an allocator of their own: nothing fails there. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

static long until_failure = -1; /* -1: none */
static bool failed;

#if !defined(__SANITIZE_ADDRESS__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static bool fails(void) {
  if (until_failure < 0 || until_failure-- > 0) return false;
  failed = true;
  return true;
}
void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) {
  return fails() ? NULL : __libc_calloc(n, bytes);
}
void *realloc(void *old, size_t bytes) {
  return fails() ? NULL : __libc_realloc(old, bytes);
}
#endif

static ls_program *record(ls_status *status) {
  ls_builder *b = ls_builder_create("memory");
  ls_axis_declare(b, "a", 2);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 3), "a"));
  ls_scan *scan = ls_scan_begin(b, 4);
  ls_value c = ls_named(b, ls_scan_carry(scan, x), "c");
  ls_value u = ls_psum(b, ls_mul(b, c, ls_number(b, 0.5)), "a");
  ls_scan_next(scan, c, ls_add(b, u, x));
  ls_value ticket = ls_scan_y(scan, c);
  ls_scan_end(scan);
  ls_output(b, "y", ls_scan_result(scan, c));
  ls_output(b, "ys", ls_scan_result(scan, ticket));
  ls_program *program = ls_builder_finish(b);
  *status = program ? LS_OK : ls_builder_status(b);
  ls_builder_destroy(b);
  return program;
}

static double evaluate(const ls_program *program, ls_status *status) {
  double x[6] = {1, 2, 3, 4, 5, 6}, y[6], ys[24];
  ls_array in = ls_array_of(x, LS_F64, 2, 3);
  ls_array out[] = {ls_array_of(y, LS_F64, 2, 3),
                    ls_array_of(ys, LS_F64, 2, 4, 3)};
  ls_error error;
  *status = ls_evaluate(program, &in, 1, out, 2, &error);
  return *status == LS_OK ? y[5] : 0;
}

/* The status of the step that failed; LS_OK and *y if none did. */
static ls_status whole_way(double *y) {
  ls_status status;
  ls_error error;
  ls_program *program = record(&status);
  if (program == NULL) return status;
  char *text = ls_program_print(program, NULL, NULL, true, &error);
  ls_program_destroy(program);
  if (text == NULL) return error.status;
  program = ls_program_parse(text, strlen(text), "m.ls", NULL, 0, &error);
  ls_free(text);
  if (program == NULL) return error.status;
  *y = evaluate(program, &status);
  ls_program_destroy(program);
  return status;
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  double right, y;
  assert_int_equal(whole_way(&right), LS_OK);
  for (long n = 0;; n++) {
    assert_true(n < 100000);
    failed = false;
    until_failure = n;
    ls_status status = whole_way(&y);
    until_failure = -1;
    assert_true(status == LS_OK || status == LS_FAILED);
    if (status == LS_OK) assert_true(y == right);
    if (!failed) break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_allocation_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
