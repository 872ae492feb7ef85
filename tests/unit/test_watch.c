/* test_watch: a long run reports how far it is, and ends when it is told to; a
 * short one, and one that no one watches, never call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "lockstep.h"
#include "runtime/runtime.h"

static ls_error error;

/* -- programs ---------------------------------------------------------- */

/* Steps of a matrix-vector product of 400 x 400: some microseconds each. */
static const char scan_program[] =
    "size steps = 1000\n"
    "program @p(%x: f64[400]) {\n"
    "  %k = random_key seed=0\n"
    "  %A = random_uniform %k, low=-0.04, high=0.04 : f64[400,400]\n"
    "  %y = scan length=steps, carry(%c = %x) {\n"
    "    %n = einsum %A, %c, spec=\"mn,n->m\"\n"
    "    yield carry(%n)\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* Sorts until it is told to stop: nothing gets below 0. */
static const char while_program[] =
    "program @p(%x: f64[400]) {\n"
    "  %0 = constant 0 : f64[]\n"
    "  %y = while carry(%c = %x) cond {\n"
    "    %least = reduce_min %c, dims=[0]\n"
    "    %p = compare %least, %0, op=ge\n"
    "    yield %p\n"
    "  } do {\n"
    "    %n = sort %c, dim=0\n"
    "    yield carry(%n)\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* Draws, and two sums of them: rows of a sweep. */
static const char sweep_program[] =
    "program @p(%x: f64[400]) {\n"
    "  %k = random_key seed=0\n"
    "  %J = random_uniform %k : f64[400,400,2000]\n"
    "  %s = reduce_sum %J, dims=[1,2]\n"
    "  %t = reduce_max %J, dims=[2]\n"
    "  %u = reduce_sum %t, dims=[1]\n"
    "  %v = add %s, %u\n"
    "  %w = add %v, %x\n"
    "  return %w\n"
    "}\n";

/* -- watchers ---------------------------------------------------------- */

typedef struct Seen {
  int calls, cancel_at;
  double last;
  bool falls;
} Seen;

static bool look(void *user, double done) {
  Seen *seen = user;
  seen->falls |= done < seen->last || done > 1;
  seen->last = done;
  return ++seen->calls != seen->cancel_at;
}

static ls_status watched(const char *text, const char *steps, Seen *seen,
                         double *y) {
  double x[400];
  for (int i = 0; i < 400; i++) x[i] = 1;
  ls_size size = {"steps", atoll(steps)};
  ls_program *program = ls_program_parse(text, strlen(text), "watch", &size,
                                         *steps != '0', &error);
  if (program == NULL) fail_msg("%s", error.text);
  ls_executable *run = ls_compile(program, NULL, &error);
  if (run == NULL) fail_msg("%s", error.text);
  ls_workspace *workspace = ls_workspace_create(run, &error);
  assert_non_null(workspace);
  if (seen) ls_workspace_watch(workspace, look, seen);
  ls_array in = ls_array_of(x, LS_F64, 400), out = ls_array_of(y, LS_F64, 400);
  ls_status status = ls_run(run, &in, 1, &out, 1, workspace, &error);
  if (seen && seen->cancel_at == 0) { /* and once more, unwatched */
    int calls = seen->calls;
    ls_workspace_watch(workspace, NULL, NULL);
    assert_int_equal(ls_run(run, &in, 1, &out, 1, workspace, &error), LS_OK);
    assert_int_equal(seen->calls, calls);
  }
  ls_workspace_destroy(workspace);
  ls_executable_destroy(run);
  ls_program_destroy(program);
  return status;
}

/* -- tests ------------------------------------------------------------- */

static void test_progress(void **state) {
  (void)state;
  double y[400], z[400];
  Seen seen = {0};
  assert_int_equal(watched(scan_program, "40000", &seen, y), LS_OK);
  assert_int_equal(watched(scan_program, "40000", NULL, z), LS_OK);
  assert_memory_equal(y, z, sizeof y);
  assert_false(seen.falls);
  assert_true(seen.calls > 0);
}

/* Too short to be watched. */
static void test_short(void **state) {
  (void)state;
  double y[400];
  Seen seen = {.cancel_at = 1};
  assert_int_equal(watched(scan_program, "100", &seen, y), LS_OK);
  assert_int_equal(seen.calls, 0);
}

static void test_cancel(void **state) {
  (void)state;
  double y[400];
  Seen seen = {.cancel_at = 1};
  assert_int_equal(watched(scan_program, "100000000", &seen, y), LS_CANCELLED);
  assert_int_equal(seen.calls, 1);
  assert_true(seen.last < 0.1);
  assert_string_equal(error.text, "ls_run: cancelled");
  assert_int_equal(error.status, LS_CANCELLED);
  assert_string_equal(ls_status_text(LS_CANCELLED), "cancelled");
}

static void test_cancel_while(void **state) {
  (void)state;
  double y[400];
  Seen seen = {.cancel_at = 2};
  assert_int_equal(watched(while_program, "0", &seen, y), LS_CANCELLED);
  assert_int_equal(seen.calls, 2);
}

static void test_cancel_rows(void **state) {
  (void)state;
  double y[400];
  Seen seen = {.cancel_at = 1};
  assert_int_equal(watched(sweep_program, "0", &seen, y), LS_CANCELLED);
  assert_int_equal(seen.calls, 1);
}

/* Short loops hold no call; long ones one each. */
static void test_counts(void **state) {
  (void)state;
  for (int64_t length = 100; length <= 100000000; length *= 1000000) {
    SizeOverride size = {"steps", length};
    Program *program =
        ir_parse(scan_program, strlen(scan_program), "watch", &size, 1);
    Options options = {0};
    Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
    char *message = NULL;
    char *code = cg_text(planned, &options, CODE_LLVM, &message);
    if (code == NULL) fail_msg("%s", message);
    int calls = 0;
    for (char *at = code; (at = strstr(at, "call i32 @lockstep_watch")); at++)
      calls++;
    assert_int_equal(calls, length > 100);
    free(code);
    ir_program_destroy(planned);
    ir_program_destroy(program);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_progress),    cmocka_unit_test(test_short),
      cmocka_unit_test(test_cancel),      cmocka_unit_test(test_cancel_while),
      cmocka_unit_test(test_cancel_rows), cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
