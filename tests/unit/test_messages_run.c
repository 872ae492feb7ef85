/* test_messages_run: what wrong arrays, options, workspaces, functions and
 * files answer, to the letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lockstep.h"

/* -- helpers ----------------------------------------------------------- */

static ls_error error;

static void said(const char *expected) {
  if (getenv("SHOW_MESSAGES"))
    printf("@@%s@@\n", error.text);
  else
    assert_string_equal(error.text, expected);
}

/* The expression fails with this status, or gives NULL, and says the text. */
#define FAILS(text, status_, ...)                 \
  do {                                            \
    memset(&error, 0, sizeof error);              \
    (void)(__VA_ARGS__);                          \
    assert_int_equal(error.status, LS_##status_); \
    said(text);                                   \
  } while (0)

static ls_program *parsed(const char *text) {
  ls_program *program =
      ls_program_parse(text, strlen(text), "p.ls", NULL, 0, &error);
  if (program == NULL) fail_msg("%s", error.text);
  return program;
}

static const char step_text[] =
    "axis rows = 2\n"
    "program @step(%x: f64[3]{rows}, %s: f64[]) {\n"
    "  %y = mul %x, %s\n"
    "  %z = neg %s\n"
    "  return %y, %z\n"
    "}\n";

/* -- arrays ------------------------------------------------------------ */

static void test_arrays(void **state) {
  (void)state;
  ls_program *program = parsed(step_text);
  ls_executable *run = ls_compile(program, NULL, &error);
  assert_non_null(run);
  double X[8] = {0}, s = 2, Y[8], z;
  const int64_t far[] = {INT64_MAX, 8}, apart[] = {32, 8};
  const ls_array x = ls_array_of(X, LS_F64, 2, 3);
  const ls_array y = ls_array_of(Y, LS_F64, 2, 3);
  const ls_array scalar = ls_array_of(&s, LS_F64);
  const ls_array last = ls_array_of(&z, LS_F64);
#define RUN(X_, S_, Y_, Z_) \
  ls_run(run, (ls_array[]){X_, S_}, 2, (ls_array[]){Y_, Z_}, 2, NULL, &error)
  ls_array wrong = ls_array_of(X, LS_F64, 3);
  FAILS(
      "step: input x is f64[2,3] (the devices of rows come first), but the "
      "array is f64[3]",
      BAD_FILE, RUN(wrong, scalar, y, last));
  wrong = ls_array_of(&s, LS_F32);
  FAILS("step: input s is f64[], but the array is f32[]", BAD_FILE,
        RUN(x, wrong, y, last));
  wrong = ls_array_of(NULL, LS_F64, 2, 3);
  FAILS("step: input x has no data (NULL)", BAD_ARGUMENT,
        RUN(wrong, scalar, y, last));
  wrong = x;
  wrong.strides = far;
  FAILS("step: the strides of input x reach past 2^63 bytes", BAD_FILE,
        RUN(wrong, scalar, y, last));
  wrong = ls_array_of(Y, LS_F64, 3, 2);
  FAILS(
      "step: result y is f64[2,3] (the devices of rows come first), but the "
      "array is f64[3,2]",
      BAD_FILE, RUN(x, scalar, wrong, last));
  wrong = y;
  wrong.strides = apart;
  FAILS("step: result y has strides, but results are row-major", BAD_FILE,
        RUN(x, scalar, wrong, last));
  wrong = ls_array_of((char *)Y + 4, LS_F64, 2, 3);
  FAILS("step: result y does not lie at a multiple of 8 bytes", BAD_FILE,
        RUN(x, scalar, wrong, last));
  wrong = ls_array_of(X + 1, LS_F64, 2, 3);
  FAILS("step: result y overlaps input x, which is not donated (ls_donate)",
        BAD_ARGUMENT, RUN(x, scalar, wrong, last));
  wrong = ls_array_of(Y + 2, LS_F64);
  FAILS("step: results y and z overlap", BAD_ARGUMENT,
        RUN(x, scalar, y, wrong));
#undef RUN
  FAILS("step has 2 inputs and 2 results, not 1 and 1", BAD_ARGUMENT,
        ls_run(run, &x, 1, &y, 1, NULL, &error));
  FAILS("step: the inputs are NULL", BAD_ARGUMENT,
        ls_run(run, NULL, 2, &y, 2, NULL, &error));
  FAILS("ls_run: the executable is NULL", BAD_ARGUMENT,
        ls_run(NULL, NULL, 0, NULL, 0, NULL, &error));
  FAILS("the program is NULL", BAD_ARGUMENT,
        ls_evaluate(NULL, NULL, 0, NULL, 0, &error));
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

/* -- compiling, workspaces --------------------------------------------- */

static void test_options(void **state) {
  (void)state;
  ls_program *program = parsed(step_text);
#define COMPILE(...) ls_compile(program, &(ls_options){__VA_ARGS__}, &error)
  FAILS("options: numerics is no ls_numerics", BAD_ARGUMENT,
        COMPILE(.numerics = (ls_numerics)7));
  FAILS("options: gemm is no ls_gemm", BAD_ARGUMENT,
        COMPILE(.gemm = (ls_gemm)-1));
  FAILS("options: threads is negative", BAD_ARGUMENT, COMPILE(.threads = -2));
  FAILS(
      "options: there is no pass simplfy; did you mean simplify?; without may "
      "name raise hoist simplify interchange",
      BAD_ARGUMENT, COMPILE(.without = "simplfy"));
  FAILS(
      "options: there is no pass frobnicate; without may name raise hoist "
      "simplify interchange",
      BAD_ARGUMENT, COMPILE(.without = "simplify,frobnicate"));
  FAILS(
      "options: no compilation goes without the pass plan; without may name "
      "raise hoist simplify interchange",
      BAD_ARGUMENT, COMPILE(.without = "plan"));
#undef COMPILE
  FAILS("ls_compile: the program is NULL", BAD_ARGUMENT,
        ls_compile(NULL, NULL, &error));
  FAILS(
      "there is no pass simplfy; did you mean simplify?; the passes are "
      "raise hoist lower_axes simplify contract interchange fuse schedule plan",
      BAD_ARGUMENT, ls_program_print(program, "simplfy", NULL, false, &error));
  FAILS("the program is NULL", BAD_ARGUMENT,
        ls_program_print(NULL, NULL, NULL, false, &error));
  ls_program_destroy(program);
}

static void test_workspaces(void **state) {
  (void)state;
  ls_program *program = parsed(step_text);
  ls_executable *run = ls_compile(program, NULL, &error);
  ls_executable *other = ls_compile(program, NULL, &error);
  ls_workspace *workspace = ls_workspace_create(other, &error);
  assert_true(run != NULL && workspace != NULL);
  char little[8];
  FAILS("ls_workspace_create: the executable is NULL", BAD_ARGUMENT,
        ls_workspace_create(NULL, &error));
  FAILS("ls_workspace_place: the executable is NULL", BAD_ARGUMENT,
        ls_workspace_place(NULL, little, 8, &error));
  FAILS("ls_workspace_place: the memory is NULL", BAD_ARGUMENT,
        ls_workspace_place(run, NULL, 8, &error));
  char needs[128];
  snprintf(needs, sizeof needs,
           "ls_workspace_place: the workspace needs %zu bytes, not 8",
           ls_workspace_bytes(run, false));
  FAILS(needs, BAD_ARGUMENT, ls_workspace_place(run, little, 8, &error));
  FAILS("ls_run: the workspace is another executable's", BAD_ARGUMENT,
        ls_run(run, NULL, 0, NULL, 0, workspace, &error));
  ls_workspace_destroy(workspace);
  ls_executable_destroy(run);
  ls_executable_destroy(other);
  ls_program_destroy(program);
}

/* Arrays that no memory holds. */
static void test_sizes(void **state) {
  (void)state;
  ls_program *program = parsed(
      "program @large(%x: i8[4611686018427387904]) {\n  %y = reduce_sum %x\n"
      "  return %y\n}\n");
  FAILS("large: its inputs or its arena take 2^62 bytes or more", FAILED,
        ls_compile(program, NULL, &error));
  ls_program_destroy(program);
}

/* A run from inside the run that holds the workspace. */
typedef struct Again {
  ls_executable *run;
  ls_workspace *workspace;
  ls_status status;
} Again;

static void run_again(void *result, const void *const *operands, void *user) {
  Again *again = user;
  double x = 0, y = 0;
  (void)operands;
  ls_array in = ls_array_of(&x, LS_F64), out = ls_array_of(&y, LS_F64);
  again->status = ls_run(again->run, &in, 1, &out, 1, again->workspace, &error);
  *(double *)result = 0;
}

static void test_busy(void **state) {
  (void)state;
  Again again = {0};
  ls_builder *b = ls_builder_create("busy");
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64));
  ls_output(b, "y",
            ls_call(b, "again", run_again, &again, ls_type_of(LS_F64), x));
  ls_program *program = ls_builder_finish(b);
  again.run = ls_compile(program, NULL, &error);
  again.workspace = ls_workspace_create(again.run, &error);
  assert_non_null(again.workspace);
  double in = 1, out = 1;
  ls_array from = ls_array_of(&in, LS_F64), to = ls_array_of(&out, LS_F64);
  assert_int_equal(ls_run(again.run, &from, 1, &to, 1, again.workspace, NULL),
                   LS_OK);
  assert_int_equal(again.status, LS_BAD_ARGUMENT);
  said("ls_run: another run is using the workspace");
  ls_workspace_destroy(again.workspace);
  ls_executable_destroy(again.run);
  ls_builder_destroy(b);
  ls_program_destroy(program);
}

/* -- functions --------------------------------------------------------- */

static void trace(ls_builder *b, const ls_value *inputs, int n, void *user) {
  ls_value sum = ls_collective_at((ls_place){"trace.c", 7}, b, "psum",
                                  inputs[0], (ls_collective){.axis = "rows"});
  if (user == NULL) {
    ls_output(b, "y", n > 1 ? ls_add(b, sum, inputs[1]) : sum);
    return;
  }
  ls_function *self = *(ls_function **)user;
  double x[4] = {0};
  ls_array in = ls_array_over(ls_array_of(x, LS_F64, 4), "rows");
  FAILS("self: its own trace may not call the function", BAD_ARGUMENT,
        ls_function_executable(self, &in, 1, &error));
  ls_output(b, "y", sum);
}

static void test_functions(void **state) {
  (void)state;
  FAILS("ls_function_create: trace is NULL", BAD_ARGUMENT,
        ls_function_create("f", NULL, NULL, NULL, &error));
  FAILS("ls_function_create: a name is letters, digits and _", BAD_ARGUMENT,
        ls_function_create("two words", trace, NULL, NULL, &error));
  ls_function *f = ls_function_create("sums", trace, NULL, NULL, &error);
  assert_non_null(f);
  double x[8] = {0}, y[4];
  ls_array out = ls_array_of(y, LS_F64);
  ls_array plain = ls_array_of(x, LS_F64, 4);
  ls_array rows = ls_array_over(plain, "rows");
#define CALL(...)                                                           \
  ls_function_call(                                                         \
      f, (ls_array[]){__VA_ARGS__},                                         \
      (int)(sizeof((ls_array[]){__VA_ARGS__}) / sizeof(ls_array)), &out, 1, \
      &error)
  FAILS(
      "trace.c:7: error: ls_psum: no axis is called 'rows'; the program "
      "declares no axes",
      BAD_PROGRAM, CALL(plain));
  FAILS("ls_function: input 0 names more axes than it has dims (1): rows,cols",
        BAD_ARGUMENT, CALL(ls_array_over(plain, "rows,cols")));
  FAILS("ls_function: axis rows is 4, but dim 0 of input 1 is 3", BAD_ARGUMENT,
        CALL(rows, ls_array_over(ls_array_of(x, LS_F64, 3), "rows")));
  FAILS(
      "ls_function: input 1 lists its axes (rows,rows) twice, or in another "
      "order than they were declared or first seen",
      BAD_ARGUMENT,
      CALL(rows, ls_array_over(ls_array_of(x, LS_F64, 4, 4), "rows,rows")));
  FAILS("ls_function: input 0 has no dtype, or rank 0 (the most is 64)",
        BAD_FILE, CALL((ls_array){.dtype = LS_NO_DTYPE}));
  FAILS("ls_function: input 1 has no dtype, or rank 99 (the most is 64)",
        BAD_FILE, CALL(rows, (ls_array){.dtype = LS_F64, .rank = 99}));
#undef CALL
  FAILS("ls_function: the inputs are NULL", BAD_ARGUMENT,
        ls_function_call(f, NULL, 1, &out, 1, &error));
  FAILS("ls_function_call: the function is NULL", BAD_ARGUMENT,
        ls_function_call(NULL, NULL, 0, NULL, 0, &error));
  FAILS("ls_function_executable: the function is NULL", BAD_ARGUMENT,
        ls_function_executable(NULL, NULL, 0, &error));
  ls_function_destroy(f);

  ls_function *self = NULL;
  self = ls_function_create("self", trace, &self, NULL, &error);
  assert_non_null(ls_function_executable(self, &rows, 1, NULL));
  ls_function_destroy(self);
}

/* -- files ------------------------------------------------------------- */

static void test_files(void **state) {
  (void)state;
  static const char text[] =
      "size m = 3\nprogram @p(%x: f64[m]) {\n"
      "  %y = sqrtt %x\n  return %y\n}\n";
  const ls_size size = {"n", 4};
  FAILS("ls_program_parse: text is NULL", BAD_ARGUMENT,
        ls_program_parse(NULL, 0, "f", NULL, 0, &error));
  FAILS("ls_program_parse: sizes is NULL", BAD_ARGUMENT,
        ls_program_parse(text, 9, "f", NULL, 1, &error));
  FAILS(
      "f.ls:3:8: error: no op is called sqrtt; did you mean sqrt?\n"
      "  %y = sqrtt %x\n"
      "       ^\n",
      BAD_PROGRAM,
      ls_program_parse(text, strlen(text), "f.ls", NULL, 0, &error));
  FAILS(
      "f.ls: error: no size is called n, so it cannot be set; the sizes are "
      "m\n",
      BAD_ARGUMENT,
      ls_program_parse(text, strlen(text), "f.ls", &size, 1, &error));
  FAILS("ls_program_read: the path is NULL", BAD_ARGUMENT,
        ls_program_read(NULL, NULL, 0, &error));
  FAILS("/: cannot be read", BAD_FILE, ls_program_read("/", NULL, 0, &error));
  FAILS("/nowhere/at/all: No such file or directory", BAD_FILE,
        ls_program_read("/nowhere/at/all", NULL, 0, &error));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arrays),     cmocka_unit_test(test_options),
      cmocka_unit_test(test_workspaces), cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_busy),       cmocka_unit_test(test_functions),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
