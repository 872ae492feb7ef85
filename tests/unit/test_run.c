/* test_run: compiling and running from C.  Arrays that do not fit, strides,
 * overlap and donation, workspaces (a run allocates nothing), many threads,
 * fork. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lockstep.h"

/* -- counting allocations
 * --------------------------------------------------------- malloc and its kin
 * are replaced by ones that count while `counting` is set; the sanitizers have
 * their own, so there the counts stay 0. */

static atomic_int counting, allocations;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
void *malloc(size_t bytes) {
  allocations += counting;
  return __libc_malloc(bytes);
}
void *calloc(size_t n, size_t bytes) {
  allocations += counting;
  return __libc_calloc(n, bytes);
}
void *realloc(void *old, size_t bytes) {
  allocations += counting;
  return __libc_realloc(old, bytes);
}
#endif

/* -- programs ---------------------------------------------------------- */

/* y = 2 A + B and s = sum of A, over f64[3,4]. */
static ls_program *small_program(void) {
  ls_builder *b = ls_builder_create("small");
  ls_value A = ls_input(b, "A", ls_type_of(LS_F64, 3, 4));
  ls_value B = ls_input(b, "B", ls_type_of(LS_F64, 3, 4));
  ls_output(b, "y", ls_add(b, ls_mul(b, ls_f64(b, 2), A), B));
  ls_output(b, "s", ls_reduce_sum(b, A, ls_dims()));
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

static ls_program *average_program(int64_t m, int64_t steps) {
  ls_builder *b = ls_builder_create("average");
  ls_axis_declare(b, "devices", 8);
  ls_value J =
      ls_input(b, "J", ls_varying(ls_type_of(LS_F64, m, m), "devices"));
  ls_value y0 =
      ls_input(b, "y0", ls_varying(ls_type_of(LS_F64, m, 1), "devices"));
  ls_scan *scan = ls_scan_begin(b, steps);
  ls_value y = ls_scan_carry(scan, y0);
  ls_value d = ls_mul(b, ls_f64(b, 1e-6), ls_einsum(b, "mn,ni->mi", J, y));
  ls_scan_next(scan, y, ls_add(b, y, ls_psum(b, d, "devices")));
  ls_scan_end(scan);
  ls_output(b, "y", ls_scan_result(scan, y));
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

typedef struct Small {
  ls_program *program;
  ls_executable *run;
  double A[12], B[12], y[12], s;
  ls_array in[2], out[2];
} Small;

static int set_up(void **state) {
  Small *t = calloc(1, sizeof *t);
  ls_error error;
  t->program = small_program();
  t->run = ls_compile(t->program, NULL, &error);
  if (t->run == NULL) fail_msg("%s", error.text);
  for (int i = 0; i < 12; i++) t->A[i] = i, t->B[i] = 100 * i;
  t->in[0] = ls_array_of(t->A, LS_F64, 3, 4);
  t->in[1] = ls_array_of(t->B, LS_F64, 3, 4);
  t->out[0] = ls_array_of(t->y, LS_F64, 3, 4);
  t->out[1] = ls_array_of(&t->s, LS_F64);
  *state = t;
  return 0;
}

static int tear_down(void **state) {
  Small *t = *state;
  ls_program_destroy(t->program);
  ls_executable_destroy(t->run);
  free(t);
  return 0;
}

static ls_status run(Small *t, ls_workspace *workspace, ls_error *error) {
  return ls_run(t->run, t->in, 2, t->out, 2, workspace, error);
}

static void expect_right(const double *y, double s) {
  for (int i = 0; i < 12; i++) assert_true(y[i] == 102 * i);
  assert_true(s == 66);
}

/* -- plain runs -------------------------------------------------------- */

static void test_plain(void **state) {
  Small *t = *state;
  ls_error error;
  assert_int_equal(run(t, NULL, &error), LS_OK);
  assert_string_equal(error.text, "");
  expect_right(t->y, t->s);
  memset(t->y, 0, sizeof t->y);
  assert_int_equal(ls_evaluate(t->program, t->in, 2, t->out, 2, &error), LS_OK);
  expect_right(t->y, t->s);
  ls_counters counters = ls_executable_counters(t->run);
  assert_int_equal(counters.compiles, 1);
  assert_int_equal(counters.runs, 1);
  assert_true(counters.passes_ms > 0);
}

static void expect_failure(Small *t, ls_status status, const char *words) {
  char copy[256];
  ls_error error;
  t->y[0] = -1;
  assert_int_equal(run(t, NULL, &error), status);
  assert_int_equal(error.status, status);
  snprintf(copy, sizeof copy, "%s", words);
  for (char *save, *word = strtok_r(copy, "|", &save); word;
       word = strtok_r(NULL, "|", &save))
    if (strstr(error.text, word) == NULL)
      fail_msg("no '%s' in: %s", word, error.text);
  assert_true(t->y[0] == -1);
  assert_int_equal(ls_evaluate(t->program, t->in, 2, t->out, 2, &error),
                   status);
}

static void test_wrong_arrays(void **state) {
  Small *t = *state;
  ls_error error;
  t->in[0].dtype = LS_F32;
  expect_failure(t, LS_BAD_FILE, "input A|f64[3,4]|f32[3,4]");
  t->in[0] = ls_array_of(t->A, LS_F64, 4, 3);
  expect_failure(t, LS_BAD_FILE, "input A|f64[3,4]|f64[4,3]");
  t->in[0] = ls_array_of(NULL, LS_F64, 3, 4);
  expect_failure(t, LS_BAD_ARGUMENT, "input A|NULL");
  t->in[0] = ls_array_of(t->A, LS_F64, 3, 4);
  t->out[1] = ls_array_of(&t->s, LS_F64, 1);
  expect_failure(t, LS_BAD_FILE, "result s|f64[]|f64[1]");
  t->out[1] = ls_array_of((char *)&t->s + 1, LS_F64);
  expect_failure(t, LS_BAD_FILE, "result s|multiple of 8");
  t->out[1] = ls_array_of(&t->s, LS_F64);
  int64_t strides[] = {8, 24};
  t->out[0].strides = strides;
  expect_failure(t, LS_BAD_FILE, "result y|strides");
  t->out[0].strides = NULL;
  assert_int_equal(ls_run(t->run, t->in, 1, t->out, 2, NULL, &error),
                   LS_BAD_ARGUMENT);
  assert_int_equal(ls_run(t->run, t->in, 2, NULL, 2, NULL, NULL),
                   LS_BAD_ARGUMENT);
  assert_int_equal(ls_run(NULL, t->in, 2, t->out, 2, NULL, NULL),
                   LS_BAD_ARGUMENT);
}

/* -- strides ----------------------------------------------------------- */

static void test_strides(void **state) {
  Small *t = *state;
  double fortran[12], backwards[12];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) fortran[k * 3 + i] = t->A[i * 4 + k];
  for (int i = 0; i < 12; i++) backwards[11 - i] = t->B[i];
  int64_t columns[] = {8, 24}, reversed[] = {-32, -8};
  t->in[0] = ls_array_of(fortran, LS_F64, 3, 4);
  t->in[0].strides = columns;
  t->in[1] = ls_array_of(backwards + 11, LS_F64, 3, 4);
  t->in[1].strides = reversed;
  assert_int_equal(run(t, NULL, NULL), LS_OK);
  expect_right(t->y, t->s);
  memset(t->y, 0, sizeof t->y);
  assert_int_equal(ls_evaluate(t->program, t->in, 2, t->out, 2, NULL), LS_OK);
  expect_right(t->y, t->s);
  /* an address that is no multiple of 8; one element for all */
  char shifted[sizeof t->A + 1];
  double one = 7;
  int64_t still[] = {0, 0};
  memcpy(shifted + 1, t->A, sizeof t->A);
  t->in[0] = ls_array_of(shifted + 1, LS_F64, 3, 4);
  t->in[1] = ls_array_of(&one, LS_F64, 3, 4);
  t->in[1].strides = still;
  assert_int_equal(run(t, NULL, NULL), LS_OK);
  for (int i = 0; i < 12; i++) assert_true(t->y[i] == 2 * i + 7);
  int64_t far[] = {INT64_MAX, 8};
  t->in[1].strides = far;
  expect_failure(t, LS_BAD_FILE, "input B|strides");
}

/* -- overlap ----------------------------------------------------------- */

static void test_overlap(void **state) {
  Small *t = *state;
  t->out[0].data = t->A;
  expect_failure(t, LS_BAD_ARGUMENT, "result y|input A|donated");
  t->out[0].data = t->y;
  t->out[1].data = t->y + 3;
  expect_failure(t, LS_BAD_ARGUMENT, "results y and s overlap");
  t->out[1].data = t->B + 11;
  expect_failure(t, LS_BAD_ARGUMENT, "result s|input B");
  t->out[1].data = &t->s;
  /* strides reach further than the dims say */
  double wide[64] = {0};
  int64_t strides[] = {128, 8};
  t->in[0] = ls_array_of(wide, LS_F64, 3, 4);
  t->in[0].strides = strides;
  t->out[0].data = wide + 24;
  expect_failure(t, LS_BAD_ARGUMENT, "result y|input A");
}

static void test_donation(void **state) {
  Small *t = *state;
  t->in[0] = ls_donate(t->in[0]);
  t->out[0].data = t->A;
  assert_int_equal(run(t, NULL, NULL), LS_OK);
  expect_right(t->A, t->s);
  /* both results over both inputs, shifted by one element */
  double memory[16];
  for (int i = 0; i < 12; i++) memory[i] = i;
  t->in[0] = ls_donate(ls_array_of(memory, LS_F64, 3, 4));
  t->out[0].data = memory + 1;
  t->out[1].data = memory;
  assert_int_equal(run(t, NULL, NULL), LS_OK);
  expect_right(memory + 1, memory[0]);
}

/* -- workspaces -------------------------------------------------------- */

static void test_allocates_nothing(void **state) {
  Small *t = *state;
  ls_error error;
  ls_workspace *workspace = ls_workspace_create(t->run, &error);
  assert_non_null(workspace);
  assert_int_equal(run(t, workspace, &error), LS_OK);
  allocations = 0;
  counting = 1;
  for (int i = 0; i < 1000; i++) run(t, workspace, &error);
  counting = 0;
  assert_int_equal(allocations, 0);
  expect_right(t->y, t->s);
  /* packing allocates once */
  int64_t strides[] = {8, 24};
  t->in[0].strides = strides;
  counting = 1;
  for (int i = 0; i < 1000; i++) run(t, workspace, &error);
  counting = 0;
  assert_true(allocations <= 1);
  ls_workspace_destroy(workspace);
}

static void test_place(void **state) {
  Small *t = *state;
  ls_error error;
  size_t least = ls_workspace_bytes(t->run, false);
  size_t most = ls_workspace_bytes(t->run, true);
  assert_true(most >= least + 2 * sizeof t->A);
  char *memory = malloc(most + 2);
  assert_null(ls_workspace_place(t->run, memory, least - 1, &error));
  assert_int_equal(error.status, LS_BAD_ARGUMENT);
  assert_null(ls_workspace_place(t->run, NULL, least, &error));
  int64_t strides[] = {8, 24};
  for (int shift = 0; shift < 2; shift++) {
    memory[shift + (shift ? most : least)] = 77;
    ls_workspace *workspace = ls_workspace_place(t->run, memory + shift,
                                                 shift ? most : least, &error);
    assert_non_null(workspace);
    t->in[0].strides = strides;
    allocations = 0;
    counting = 1;
    assert_int_equal(run(t, workspace, &error), LS_OK);
    counting = 0;
    if (shift == 1) assert_int_equal(allocations, 0);
    t->in[0].strides = NULL;
    assert_int_equal(run(t, workspace, &error), LS_OK);
    expect_right(t->y, t->s);
    if (shift == 1) assert_int_equal(memory[shift + most], 77);
    ls_workspace_destroy(workspace);
  }
  free(memory);
}

static void test_wrong_workspace(void **state) {
  Small *t = *state;
  ls_error error;
  ls_executable *other = ls_compile(t->program, NULL, &error);
  ls_workspace *workspace = ls_workspace_create(other, &error);
  assert_int_equal(run(t, workspace, &error), LS_BAD_ARGUMENT);
  ls_workspace_destroy(workspace);
  ls_executable_destroy(other);
}

/* -- options ----------------------------------------------------------- */

static void test_options(void **state) {
  Small *t = *state;
  ls_error error;
  static const ls_options wrong[] = {{.numerics = (ls_numerics)7},
                                     {.gemm = (ls_gemm)-1},
                                     {.threads = -1},
                                     {.without = "simplify,nonsense"},
                                     {.without = "plan"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_null(ls_compile(t->program, &wrong[i], &error));
    assert_int_equal(error.status, LS_BAD_ARGUMENT);
  }
  ls_options options = {
      .numerics = LS_STRICT, .threads = 1, .without = "simplify"};
  ls_executable *strict = ls_compile(t->program, &options, &error);
  if (strict == NULL) fail_msg("%s", error.text);
  assert_int_equal(ls_run(strict, t->in, 2, t->out, 2, NULL, &error), LS_OK);
  expect_right(t->y, t->s);
  ls_executable_destroy(strict);
  assert_null(ls_program_print(t->program, "nonsense", NULL, false, &error));
  assert_int_equal(error.status, LS_BAD_ARGUMENT);
  for (int i = 0; ls_pass_name(i); i++) {
    char *text =
        ls_program_print(t->program, ls_pass_name(i), NULL, true, &error);
    if (text == NULL) fail_msg("%s", error.text);
    ls_free(text);
  }
  char *dot = ls_program_dot(t->program, NULL, NULL, &error);
  assert_non_null(strstr(dot, "digraph"));
  ls_free(dot);
}

/* -- threads and processes --------------------------------------------- */

typedef struct Shared {
  const ls_program *program;
  const ls_executable *run;
  const double *J, *y0;
  int m;
} Shared;

static void *run_average(void *context) {
  const Shared *shared = context;
  int64_t m = shared->m;
  double *y = calloc((size_t)(8 * m), sizeof *y);
  ls_array in[] = {ls_array_of(shared->J, LS_F64, 8, m, m),
                   ls_array_of(shared->y0, LS_F64, 8, m, 1)};
  ls_array out[] = {ls_array_of(y, LS_F64, 8, m, 1)};
  for (int i = 0; i < 20; i++)
    if (ls_run(shared->run, in, 2, out, 1, NULL, NULL) != LS_OK) {
      free(y);
      return NULL;
    }
  return y;
}

static void *compile_average(void *context) {
  const Shared *shared = context;
  Shared mine = *shared;
  ls_executable *run = ls_compile(shared->program, NULL, NULL);
  mine.run = run;
  void *y = run ? run_average(&mine) : NULL;
  ls_executable_destroy(run);
  return y;
}

/* All threads get the bits that one alone gets. */
static void expect_same(void *(*work)(void *), Shared *shared, int n) {
  pthread_t threads[8];
  size_t bytes = (size_t)shared->m * 8 * sizeof(double);
  double *expected = run_average(shared);
  assert_non_null(expected);
  for (int i = 0; i < n; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, shared), 0);
  for (int i = 0; i < n; i++) {
    void *y;
    pthread_join(threads[i], &y);
    assert_non_null(y);
    assert_memory_equal(y, expected, bytes);
    free(y);
  }
  free(expected);
}

static void test_threads(void **state) {
  (void)state;
  enum { M = 12 };
  static double J[8 * M * M], y0[8 * M];
  for (int i = 0; i < 8 * M * M; i++) J[i] = (i * 7 % 23) * 0.01 - 0.1;
  for (int i = 0; i < 8 * M; i++) y0[i] = (i * 5 % 11) * 0.1;
  ls_program *program = average_program(M, 50);
  ls_error error;
  ls_executable *run = ls_compile(program, NULL, &error);
  if (run == NULL) fail_msg("%s", error.text);
  Shared shared = {program, run, J, y0, M};
  expect_same(run_average, &shared, 8);
  expect_same(compile_average, &shared, 4);
  ls_program_destroy(program);
  assert_string_equal(ls_program_name(ls_executable_program(run)), "average");
  ls_executable_destroy(run);
}

/* Run, fork, run in the child, and compile there. */
static void test_fork(void **state) {
  Small *t = *state;
  assert_int_equal(run(t, NULL, NULL), LS_OK);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool fine = run(t, NULL, NULL) == LS_OK && t->y[11] == 1122;
    ls_executable *again = ls_compile(t->program, NULL, NULL);
    fine = fine && again &&
           ls_run(again, t->in, 2, t->out, 2, NULL, NULL) == LS_OK;
    _exit(fine ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(run(t, NULL, NULL), LS_OK);
}

/* -- empty and whole arrays -------------------------------------------- */

static void test_edges(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("edges");
  ls_value empty = ls_input(b, "empty", ls_type_of(LS_F32, 0, 3));
  ls_value x = ls_input(b, "x", ls_type_of(LS_I32, 3));
  ls_output(b, "sum", ls_reduce_sum(b, empty, ls_dims(0)));
  ls_output(b, "same", x);
  ls_output(b, "again", x);
  ls_output(b, "nothing", empty);
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  ls_error error;
  ls_executable *run = ls_compile(program, NULL, &error);
  if (run == NULL) fail_msg("%s", error.text);
  int32_t data[] = {1, 2, 3}, same[3] = {0}, again[3] = {0};
  float sum[3] = {9, 9, 9};
  ls_array in[] = {ls_array_of(NULL, LS_F32, 0, 3),
                   ls_array_of(data, LS_I32, 3)};
  ls_array out[] = {ls_array_of(sum, LS_F32, 3), ls_array_of(same, LS_I32, 3),
                    ls_array_of(again, LS_I32, 3),
                    ls_array_of(NULL, LS_F32, 0, 3)};
  assert_int_equal(ls_run(run, in, 2, out, 4, NULL, &error), LS_OK);
  assert_memory_equal(same, data, sizeof data);
  assert_memory_equal(again, data, sizeof data);
  for (int i = 0; i < 3; i++) assert_true(sum[i] == 0);
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_plain),
      TEST(test_wrong_arrays),
      TEST(test_strides),
      TEST(test_overlap),
      TEST(test_donation),
      TEST(test_allocates_nothing),
      TEST(test_place),
      TEST(test_wrong_workspace),
      TEST(test_options),
      TEST(test_fork),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
