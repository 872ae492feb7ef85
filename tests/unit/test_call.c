/* test_call: C functions of the host's in a program: from C and from text, once
 * a device, in scans, twice, on arrays that do not lie row-major; their errors.
 * And sort, whose scratch is part of the workspace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lockstep.h"

/* -- functions --------------------------------------------------------- */

static atomic_int calls;

/* f64[3], f64[] -> f64[3]: reversed, scaled, and *user added. */
static void turn(void *result, const void *const *operands, void *user) {
  const double *x = operands[0], *scale = operands[1];
  double *y = result;
  for (int i = 0; i < 3; i++)
    y[i] = x[2 - i] * *scale + (user ? *(const double *)user : 0);
  calls++;
}

/* f64[2,3] -> f64[2,3]: row-major, 0 to 5 subtracted. */
static void count_off(void *result, const void *const *operands, void *user) {
  const double *x = operands[0];
  double *y = result;
  (void)user;
  for (int i = 0; i < 6; i++) y[i] = x[i] - i;
  calls++;
}

/* -- helpers ----------------------------------------------------------- */

static ls_program *finish(ls_builder *b) {
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

static void expect(const double *got, const double *want, int n) {
  for (int i = 0; i < n; i++)
    if (got[i] != want[i])
      fail_msg("element %d is %g, expected %g", i, got[i], want[i]);
}

/* Run and evaluate; both give `want`, with so many calls each. */
static void check(const ls_program *program, const double *input,
                  const double *want, int n_calls) {
  ls_error error;
  ls_array in = ls_program_input_array(program, 0);
  ls_array out = ls_program_result_array(program, 0);
  int n = (int)(ls_array_bytes(out) / sizeof(double));
  double *data = calloc((size_t)n, sizeof *data);
  in.data = (void *)(uintptr_t)input;
  out.data = data;
  for (int strict = 0; strict < 2; strict++) {
    ls_options options = {.numerics = strict ? LS_STRICT : LS_FAST};
    ls_executable *run = ls_compile(program, &options, &error);
    if (run == NULL) fail_msg("%s", error.text);
    calls = 0;
    memset(data, 0xff, (size_t)n * sizeof *data);
    assert_int_equal(ls_run(run, &in, 1, &out, 1, NULL, &error), LS_OK);
    expect(data, want, n);
    assert_int_equal(calls, n_calls);
    ls_executable_destroy(run);
  }
  calls = 0;
  assert_int_equal(ls_evaluate(program, &in, 1, &out, 1, &error), LS_OK);
  expect(data, want, n);
  assert_int_equal(calls, n_calls);
  free(data);
}

/* -- from C ------------------------------------------------------------ */

static void called_for_each_device(void **state) {
  (void)state;
  double one = 1;
  ls_builder *b = ls_builder_create("devices");
  ls_axis_declare(b, "a", 2);
  ls_axis_declare(b, "b", 2);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 3), "a"));
  ls_value s = ls_convert(b, ls_axis_index(b, "b"), LS_F64);
  ls_value y = ls_call(b, "turn", turn, &one, ls_type_of(LS_F64, 3), x, s);
  assert_string_equal(ls_value_type(b, y).axes, "a,b");
  ls_output(b, "y", y);
  ls_program *program = finish(b);
  const double input[] = {1, 2, 3, 4, 5, 6};
  const double want[] = {1, 1, 1, 4, 3, 2, 1, 1, 1, 7, 6, 5};
  check(program, input, want, 4);
  ls_program_destroy(program);
}

/* In a branch of a cond, and inside a while, of the devices that are there. */
static void not_called_for_who_is_out(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("out");
  ls_axis_declare(b, "a", 4);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 3), "a"));
  ls_value index = ls_axis_index(b, "a");
  ls_value two = ls_number(b, 2);
  ls_cond *branch = ls_cond_begin(b, ls_lt(b, index, two));
  ls_while *loop = ls_while_begin(b);
  ls_value v = ls_while_carry(loop, x);
  ls_value n = ls_while_carry(loop, ls_i32(b, 0));
  ls_while_test(loop, ls_lt(b, n, index));
  ls_type type = ls_type_of(LS_F64, 3);
  ls_while_next(loop, v,
                ls_call(b, "turn", turn, NULL, type, v, ls_f64(b, 10)));
  ls_while_next(loop, n, ls_add(b, n, ls_number(b, 1)));
  ls_while_end(loop);
  ls_cond_yield(branch, ls_while_result(loop, v));
  ls_cond_else(branch);
  ls_cond_yield(branch,
                ls_call(b, "turn", turn, NULL, type, x, ls_f64(b, 100)));
  ls_cond_end(branch);
  ls_output(b, "y", ls_cond_result(branch, 0));
  ls_program *program = finish(b);
  const double input[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const double want[] = {1, 2, 3, 60, 50, 40, 900, 800, 700, 1200, 1100, 1000};
  check(program, input, want, 3); /* devices 1; 2 and 3 */
  ls_program_destroy(program);
}

static void called_once_a_step(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("steps");
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 3));
  ls_scan *scan = ls_scan_begin(b, 5);
  ls_value c = ls_scan_carry(scan, x);
  /* The second is the same in each step, and is called in each. */
  ls_value y =
      ls_call(b, "turn", turn, NULL, ls_type_of(LS_F64, 3), c, ls_f64(b, 2));
  ls_value z =
      ls_call(b, "turn", turn, NULL, ls_type_of(LS_F64, 3), x, ls_f64(b, 1));
  ls_scan_next(scan, c, ls_add(b, y, z));
  ls_scan_end(scan);
  ls_output(b, "c", ls_scan_result(scan, c));
  ls_program *program = finish(b);
  double input[] = {1, 2, 3}, want[] = {1, 2, 3};
  for (int t = 0; t < 5; t++) {
    double next[3];
    for (int i = 0; i < 3; i++) next[i] = 2 * want[2 - i] + input[2 - i];
    memcpy(want, next, sizeof want);
  }
  check(program, input, want, 10);
  ls_program_destroy(program);
}

static void equal_calls_are_two(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("twice");
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 3)), y[3];
  for (int i = 0; i < 3; i++)
    y[i] =
        ls_call(b, "turn", turn, NULL, ls_type_of(LS_F64, 3), x, ls_f64(b, 1));
  ls_output(b, "y", ls_add(b, y[0], ls_mul(b, y[1], y[1])));
  ls_program *program = finish(b);
  ls_executable *run = ls_compile(program, NULL, NULL);
  double input[] = {1, 2, 3}, data[3];
  const double want[] = {12, 6, 2};
  ls_array in = ls_array_of(input, LS_F64, 3),
           out = ls_array_of(data, LS_F64, 3);
  calls = 0;
  assert_int_equal(ls_run(run, &in, 1, &out, 1, NULL, NULL), LS_OK);
  expect(data, want, 3);
  assert_int_equal(calls, 2); /* no one needs the third */
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

/* Operands and results that are slices of what a scan reads and stacks, and a
 * constant that is one number: the function sees them row-major. */
static void arrays_lie_row_major(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("slices");
  ls_axis_declare(b, "a", 2);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 2, 2, 3), "a"));
  ls_value one = ls_splat(b, ls_type_of(LS_F64, 2, 3), 1);
  ls_scan *scan = ls_scan_begin(b, LS_FROM_XS);
  ls_value step = ls_scan_xs(scan, x); /* strided: the axis leads */
  ls_value q =
      ls_call(b, "count_off", count_off, NULL, ls_type_of(LS_F64, 2, 3), step);
  ls_value p =
      ls_call(b, "count_off", count_off, NULL, ls_type_of(LS_F64, 2, 3), one);
  ls_value ticket = ls_scan_y(scan, q), other = ls_scan_y(scan, p);
  ls_scan_end(scan);
  ls_output(
      b, "y",
      ls_add(b, ls_scan_result(scan, ticket), ls_scan_result(scan, other)));
  ls_program *program = finish(b);
  double input[24], want[24];
  for (int i = 0; i < 24; i++) input[i] = 10 * i;
  for (int i = 0; i < 24; i++) want[i] = 10 * i - 2 * (i % 6) + 1;
  check(program, input, want, 6);
  ls_program_destroy(program);
}

static ls_program *parse(const char *text) {
  ls_callee callees[] = {{"count_off", count_off, NULL}, {"turn", turn, NULL}};
  ls_error error;
  ls_program *program = ls_program_parse_calling(text, strlen(text), "text.ls",
                                                 NULL, 0, callees, 2, &error);
  if (program == NULL) fail_msg("%s", error.text);
  return program;
}

/* The same in a branch, which writes where the scan stacks. */
static void branches_write_slices(void **state) {
  (void)state;
  ls_program *program = parse(
      "program @branch(%x: f64[2,2,3]) {\n"
      "  %limit = constant 100 : f64[]\n"
      "  %ys, %fs = scan ys_dims=[1,1], xs(%s = %x) {\n"
      "    %m = reduce_max %s\n"
      "    %low = compare %m, %limit, op=lt\n"
      "    %r = cond %low then {\n"
      "      %q = call %s, symbol=\"count_off\" : f64[2,3]\n"
      "      yield %q\n"
      "    } else {\n"
      "      %n = neg %s\n"
      "      yield %n\n"
      "    }\n"
      "    %c = call %r, symbol=\"count_off\" : f64[2,3]\n"
      "    %d = sub %r, %c\n"
      "    %f = add %d, %r\n"
      "    yield ys(%r, %f)\n"
      "  }\n"
      "  %y = add %ys, %fs\n"
      "  return %y\n"
      "}\n");
  double input[12], want[12];
  for (int i = 0; i < 6; i++) {
    int at = i / 3 * 6 + i % 3; /* the step is dim 1 */
    input[i] = 10 * i;
    input[6 + i] = 100 + 10 * i;
    want[at] = 2 * (input[i] - i) + i;
    want[3 + at] = -2 * input[6 + i] + i;
  }
  check(program, input, want, 3);
  ls_program_destroy(program);
}

/* Slices of slices. */
static void steps_within_steps(void **state) {
  (void)state;
  ls_program *program = parse(
      "program @steps(%x: f64[2,3,2]) {\n"
      "  %two = constant 2 : f64[]\n"
      "  %ys = scan xs_dims=[2], ys_dims=[2], xs(%s = %x) {\n"
      "    %zs = scan xs(%t = %s) {\n"
      "      %z = call %t, %two, symbol=\"turn\" : f64[3]\n"
      "      yield ys(%z)\n"
      "    }\n"
      "    yield ys(%zs)\n"
      "  }\n"
      "  return %ys\n"
      "}\n");
  double input[12], want[12];
  for (int i = 0; i < 12; i++) input[i] = i;
  for (int i = 0; i < 12; i++)
    want[i] = 2 * input[i / 6 * 6 + (2 - i / 2 % 3) * 2 + i % 2];
  check(program, input, want, 4);
  ls_program_destroy(program);
}

/* -- from text --------------------------------------------------------- */

static const char named[] =
    "program @named(%x: f64[3]) {\n"
    "  %s = constant 3 : f64[]\n"
    "  %y = call %x, %s, symbol=\"turn\" : f64[3]\n"
    "  return %y\n"
    "}\n";

static void parsed_with_functions(void **state) {
  (void)state;
  double half = 0.5;
  ls_callee callees[] = {{"count_off", count_off, NULL}, {"turn", turn, &half}};
  ls_error error;
  ls_program *program = ls_program_parse_calling(
      named, sizeof named - 1, "named.ls", NULL, 0, callees, 2, &error);
  if (program == NULL) fail_msg("%s", error.text);
  char *after = ls_program_print(program, "plan", NULL, false, NULL);
  assert_non_null(strstr(after, "call %x, %s, symbol=\"turn\" : f64[3]"));
  assert_non_null(strstr(after, "form=call"));
  ls_free(after);
  const double input[] = {1, 2, 3}, want[] = {9.5, 6.5, 3.5};
  check(program, input, want, 1);
  ls_program_destroy(program);
}

static void refuse(const ls_callee *callees, int n, const char *why) {
  ls_error error;
  ls_program *program = ls_program_parse_calling(
      named, sizeof named - 1, "named.ls", NULL, 0, callees, n, &error);
  assert_null(program);
  assert_int_equal(error.status, LS_BAD_PROGRAM);
  if (strstr(error.text, why) == NULL) fail_msg("%s", error.text);
}

static void unknown_functions_are_named(void **state) {
  (void)state;
  double x = 0, y = 0;
  ls_callee close = {"turns", turn, NULL}, far = {"abc", turn, NULL};
  ls_callee nothing = {"turn", NULL, NULL}, odd = {"turn it", turn, NULL};
  ls_callee two[] = {{"turn", turn, &x}, {"turn", turn, &y}};
  refuse(NULL, 0,
         "named.ls:3:8: error: call: no function is registered as \"turn\"; "
         "the program has no functions");
  refuse(&close, 1, "\"turn\"; did you mean turns?");
  refuse(&far, 1, "\"turn\"; there is abc");
  refuse(&nothing, 1, "call: the function turn is NULL");
  refuse(&odd, 1,
         "call: a function's name is up to 200 letters, digits and _, not "
         "'turn it'");
  refuse(two, 2,
         "call: another function, or the same with another user pointer, is "
         "registered as turn");
}

/* -- misuse ------------------------------------------------------------ */

static void wrong_call(const char *name, ls_call_function *function, void *user,
                       ls_type type, ls_status status, const char *why) {
  ls_builder *b = ls_builder_create("wrong");
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 3));
  ls_call(b, "turn", turn, NULL, ls_type_of(LS_F64, 3), x, x);
  ls_value y = ls_call(b, name, function, user, type, x);
  assert_false(ls_value_valid(y));
  assert_int_equal(ls_builder_status(b), status);
  if (strstr(ls_builder_error(b), why) == NULL)
    fail_msg("%s", ls_builder_error(b));
  assert_null(ls_builder_finish(b));
  ls_builder_destroy(b);
}

static void misuse_is_told(void **state) {
  (void)state;
  double x = 0;
  ls_type type = ls_type_of(LS_F64, 3);
  wrong_call("none", NULL, NULL, type, LS_BAD_ARGUMENT,
             "ls_call: the function none is NULL");
  wrong_call(NULL, turn, NULL, type, LS_BAD_ARGUMENT,
             "ls_call: a name is letters, digits and _, not 'NULL'");
  wrong_call("a b", turn, NULL, type, LS_BAD_ARGUMENT, "not 'a b'");
  wrong_call("turn", count_off, NULL, type, LS_BAD_PROGRAM,
             "ls_call: another function");
  wrong_call("turn", turn, &x, type, LS_BAD_PROGRAM,
             "ls_call: another function");
  wrong_call("other", turn, NULL, ls_varying(type, "a"), LS_BAD_ARGUMENT,
             "axes are inferred here");
  wrong_call("other", turn, NULL, ls_type_of(LS_NO_DTYPE), LS_BAD_ARGUMENT,
             "no dtype");
  ls_builder *b = ls_builder_create("sorts");
  ls_sort(b, 0, NULL, ls_f64(b, 1));
  assert_non_null(strstr(ls_builder_error(b), "ls_sort: the results are NULL"));
  ls_builder_destroy(b);
}

/* -- sort -------------------------------------------------------------- */

enum { N = 3000 };

static ls_program *sort_program(void) {
  ls_builder *b = ls_builder_create("sort");
  ls_value keys = ls_input(b, "keys", ls_type_of(LS_F32, N)), sorted[2];
  ls_sort(b, -1, sorted, keys, ls_iota(b, ls_type_of(LS_I32, N), 0));
  ls_output(b, "keys", sorted[0]);
  ls_output(b, "order", sorted[1]);
  return finish(b);
}

typedef struct Job {
  const ls_executable *run;
  unsigned seed;
  bool fine;
} Job;

static void *sort_often(void *context) {
  Job *job = context;
  ls_workspace *workspace = ls_workspace_create(job->run, NULL);
  float *keys = calloc(2 * N, sizeof *keys), *sorted = keys + N;
  int32_t *order = calloc(N, sizeof *order);
  ls_array in = ls_array_of(keys, LS_F32, N);
  ls_array out[] = {ls_array_of(sorted, LS_F32, N),
                    ls_array_of(order, LS_I32, N)};
  job->fine = true;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < N; i++)
      keys[i] = (float)(rand_r(&job->seed) % 1000) - 500;
    job->fine &= ls_run(job->run, &in, 1, out, 2, workspace, NULL) == LS_OK;
    for (int i = 0; i < N; i++) {
      job->fine &= sorted[i] == keys[order[i]];
      if (i == 0) continue;
      job->fine &= sorted[i - 1] < sorted[i] ||
                   (sorted[i - 1] == sorted[i] && order[i - 1] < order[i]);
    }
  }
  free(keys);
  free(order);
  ls_workspace_destroy(workspace);
  return NULL;
}

static void sorts_run_side_by_side(void **state) {
  (void)state;
  ls_program *program = sort_program();
  ls_executable *run = ls_compile(program, NULL, NULL);
  assert_true(ls_workspace_bytes(run, false) > 32 * N);
  Job jobs[4];
  pthread_t threads[4];
  for (unsigned i = 0; i < 4; i++) {
    jobs[i] = (Job){run, i + 1, false};
    assert_int_equal(pthread_create(&threads[i], NULL, sort_often, &jobs[i]),
                     0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    assert_true(jobs[i].fine);
  }
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(called_for_each_device),
      cmocka_unit_test(not_called_for_who_is_out),
      cmocka_unit_test(called_once_a_step),
      cmocka_unit_test(equal_calls_are_two),
      cmocka_unit_test(arrays_lie_row_major),
      cmocka_unit_test(branches_write_slices),
      cmocka_unit_test(steps_within_steps),
      cmocka_unit_test(parsed_with_functions),
      cmocka_unit_test(unknown_functions_are_named),
      cmocka_unit_test(misuse_is_told),
      cmocka_unit_test(sorts_run_side_by_side),
  };
  return cmocka_run_group_tests_name("call", tests, NULL, NULL);
}
