/* test_survive: what compilers of this kind got wrong in public, from C.
 * Aliasing, denormals, positions and alignments, fork, threads, locales, deep
 * programs on a small stack. */
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
#include <locale.h>
#include <pthread.h>
#include <sched.h>

#include "lockstep.h"

/* -- helpers ----------------------------------------------------------- */

static ls_program *parsed(const char *text) {
  ls_error error;
  ls_program *program =
      ls_program_parse(text, strlen(text), "survive.ls", NULL, 0, &error);
  if (program == NULL) fail_msg("%s", error.text);
  return program;
}

/* Takes the program over. */
static ls_executable *compiled(ls_program *program) {
  ls_error error;
  ls_executable *executable = ls_compile(program, NULL, &error);
  if (executable == NULL) fail_msg("%s", error.text);
  ls_program_destroy(program);
  return executable;
}

static void run(const ls_executable *executable, const ls_array *inputs,
                int n_inputs, const ls_array *results, int n_results) {
  ls_error error;
  if (ls_run(executable, inputs, n_inputs, results, n_results, NULL, &error))
    fail_msg("%s", error.text);
}

static void same(const double *got, const double *want, int count) {
  for (int i = 0; i < count; i++)
    if (memcmp(got + i, want + i, sizeof *got) != 0)
      fail_msg("element %d is %.17g, not %.17g", i, got[i], want[i]);
}

/* -- aliasing ---------------------------------------------------------- */

/* Two results made from one donor, which is a result itself, twice. */
static void test_one_donor(void **state) {
  (void)state;
  ls_executable *x =
      compiled(parsed("program @p(%x: f64[4], %u: f64[2]) {\n"
                      "  %0 = constant 0 : i32[]\n  %1 = constant 2 : i32[]\n"
                      "  %a = dynamic_update_slice %x, %u, %0\n"
                      "  %b = dynamic_update_slice %x, %u, %1\n"
                      "  return %a, %b, %x as y, %x as z\n}\n"));
  double in[] = {1, 2, 3, 4}, u[] = {8, 9}, out[4][4];
  ls_array inputs[] = {ls_array_of(in, LS_F64, 4), ls_array_of(u, LS_F64, 2)};
  ls_array results[4];
  for (int i = 0; i < 4; i++) results[i] = ls_array_of(out[i], LS_F64, 4);
  run(x, inputs, 2, results, 4);
  same(out[0], (double[]){8, 9, 3, 4}, 4);
  same(out[1], (double[]){1, 2, 8, 9}, 4);
  same(out[2], in, 4);
  same(out[3], in, 4);

  inputs[0].donated = true; /* the result may lie over its donor */
  results[0] = ls_array_of(in, LS_F64, 4);
  run(x, inputs, 2, results, 4);
  same(in, (double[]){8, 9, 3, 4}, 4);
  same(out[1], (double[]){1, 2, 8, 9}, 4);
  same(out[2], (double[]){1, 2, 3, 4}, 4);
  ls_executable_destroy(x);
}

/* -- numbers ------------------------------------------------------------ */

static const char denormal_text[] =
    "program @p(%x: f64[67], %A: f64[96,96]) {\n"
    "  %big = constant 1e100 : f64[]\n"
    "  %B = einsum %A, %A, spec=\"ij,jk->ik\"\n"
    "  %y = mul %x, %big\n"
    "  return %y, %B\n}\n";

static void *denormals(void *user) {
  double(*A)[96] = calloc(96, sizeof *A), (*B)[96] = calloc(96, sizeof *B);
  double x[67], y[67];
  bool fine = A != NULL && B != NULL;
  for (int i = 0; i < 67; i++) x[i] = 1e-310;
  for (int i = 0; fine && i < 3; i++) {
    ls_array inputs[] = {ls_array_of(x, LS_F64, 67),
                         ls_array_of(A, LS_F64, 96, 96)};
    ls_array results[] = {ls_array_of(y, LS_F64, 67),
                          ls_array_of(B, LS_F64, 96, 96)};
    fine = ls_run(user, inputs, 2, results, 2, NULL, NULL) == LS_OK;
    for (int j = 0; j < 67; j++) fine = fine && y[j] == 1e-310 * 1e100;
  }
  free(A);
  free(B);
  return fine ? user : NULL;
}

/* On every thread, also after a BLAS call. */
static void test_denormals(void **state) {
  (void)state;
  ls_executable *x = compiled(parsed(denormal_text));
  pthread_t threads[8];
  for (int i = 0; i < 8; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, denormals, x), 0);
  for (int i = 0; i < 8; i++) {
    void *fine = NULL;
    pthread_join(threads[i], &fine);
    assert_non_null(fine);
  }
  ls_executable_destroy(x);
}

/* A value depends neither on its position nor on the buffers' alignment. */
static void test_position(void **state) {
  (void)state;
  static const char form[] =
      "program @p(%%x: f32[%d]) {\n  %%c = constant 3 : f32[]\n"
      "  %%d = div %%c, %%x\n  %%m = mul %%d, %%d\n  %%s = sub %%m, %%x\n"
      "  %%y = sqrt %%s\n  return %%y\n}\n";
  char in[64 * 4 + 64], out[64 * 4 + 64];
  float value = 0.7310585f, first = 0;
  for (int n = 1; n <= 37; n++) {
    char text[200];
    snprintf(text, sizeof text, form, n);
    ls_executable *x = compiled(parsed(text));
    for (int shift = 0; shift < 32; shift += 4) {
      for (int i = 0; i < n; i++)
        memcpy(in + shift + 4 * i, &value, sizeof value);
      ls_array inputs[] = {ls_array_of(in + shift, LS_F32, n)};
      ls_array results[] = {ls_array_of(out + 28 - shift, LS_F32, n)};
      run(x, inputs, 1, results, 1);
      if (n == 1) memcpy(&first, out + 28 - shift, sizeof first);
      for (int i = 0; i < n; i++)
        assert_memory_equal(out + 28 - shift + 4 * i, &first, sizeof first);
    }
    ls_executable_destroy(x);
  }
}

/* -- processes and threads ----------------------------------------------- */

static const char step_text[] =
    "axis d = 4\n"
    "program @p(%A: f64[80,80]{d}, %y0: f64[80]{d}) {\n"
    "  %s = constant 0.001 : f64[]\n"
    "  %y = scan length=20, carry(%c = %y0) {\n"
    "    %v = einsum %A, %c, spec=\"ij,j->i\"\n    %u = psum %v, axis=d\n"
    "    %w = mul %s, %u\n    %n = add %c, %w\n    yield carry(%n)\n  }\n"
    "  %B = einsum %A, %A, spec=\"ij,jk->ik\"\n"
    "  return %y, %B\n}\n";

enum { STEP_A = 4 * 80 * 80, STEP_Y = 4 * 80 };
typedef struct Step {
  double A[STEP_A], y0[STEP_Y], y[STEP_Y], B[STEP_A];
} Step;

static bool run_step(const ls_executable *x, Step *step) {
  for (int i = 0; i < STEP_A; i++) step->A[i] = (i * 7 % 13) / 13.0;
  for (int i = 0; i < STEP_Y; i++) step->y0[i] = (i * 5 % 11) / 11.0;
  ls_array inputs[] = {ls_array_of(step->A, LS_F64, 4, 80, 80),
                       ls_array_of(step->y0, LS_F64, 4, 80)};
  ls_array results[] = {ls_array_of(step->y, LS_F64, 4, 80),
                        ls_array_of(step->B, LS_F64, 4, 80, 80)};
  return ls_run(x, inputs, 2, results, 2, NULL, NULL) == LS_OK;
}

/* Run, fork, run in the child: the same bits, and no waiting for ever. */
static void test_fork(void **state) {
  (void)state;
  ls_executable *x = compiled(parsed(step_text));
  Step *parent = malloc(sizeof *parent), *own = malloc(sizeof *own);
  assert_true(parent != NULL && own != NULL && run_step(x, parent));
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(60);
    bool fine = run_step(x, own) &&
                memcmp(parent->y, own->y, sizeof own->y) == 0 &&
                memcmp(parent->B, own->B, sizeof own->B) == 0;
    ls_program *again =
        ls_program_parse(step_text, strlen(step_text), "f", NULL, 0, NULL);
    ls_executable *fresh = ls_compile(again, NULL, NULL);
    fine = fine && fresh != NULL && run_step(fresh, own);
    _exit(fine ? 0 : 1);
  }
  int how = 0;
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  assert_true(run_step(x, parent));
  free(parent);
  free(own);
  ls_executable_destroy(x);
}

static void *run_often(void *user) {
  Step *first = malloc(sizeof *first), *step = malloc(sizeof *step);
  bool fine = first != NULL && step != NULL && run_step(user, first);
  for (int i = 0; fine && i < 10; i++)
    fine = run_step(user, step) &&
           memcmp(first->y, step->y, sizeof step->y) == 0 &&
           memcmp(first->B, step->B, sizeof step->B) == 0;
  free(first);
  free(step);
  return fine ? user : NULL;
}

static void *compile_and_run(void *user) {
  ls_program *program =
      ls_program_parse(user, strlen(user), "t", NULL, 0, NULL);
  ls_executable *x = ls_compile(program, NULL, NULL);
  void *fine = x != NULL ? run_often(x) : NULL;
  ls_executable_destroy(x);
  ls_program_destroy(program);
  return fine != NULL ? user : NULL;
}

static void on_threads(int count, void *(*body)(void *), void *user) {
  pthread_t threads[8];
  for (int i = 0; i < count; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, body, user), 0);
  for (int i = 0; i < count; i++) {
    void *fine = NULL;
    pthread_join(threads[i], &fine);
    assert_non_null(fine);
  }
}

static void test_eight_threads(void **state) {
  (void)state;
  ls_executable *x = compiled(parsed(step_text));
  on_threads(8, run_often, x);
  on_threads(4, compile_and_run, (void *)(uintptr_t)step_text);
  ls_executable_destroy(x);
}

/* Bound to one processor, as by taskset. */
static void test_one_processor(void **state) {
  (void)state;
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &all)) cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_non_null(compile_and_run((void *)(uintptr_t)step_text));
  assert_true(sched_getaffinity(0, sizeof one, &one) == 0 &&
              CPU_COUNT(&one) == 1);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* A locale with a decimal comma, if the machine has one. */
static void test_locale(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                      "fr_FR.UTF-8", "fr_FR.utf8"};
  static const char text[] =
      "program @p() {\n  %c = constant [1.5,1e-06] : f64[2]\n  return %c\n}\n";
  ls_program *program = parsed(text);
  char *plain = ls_program_print(program, NULL, NULL, false, NULL);
  ls_program_destroy(program);
  bool found = false;
  for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
    found = setlocale(LC_ALL, names[i]) != NULL;
  program = parsed(text);
  char *dump = ls_program_print(program, NULL, NULL, false, NULL);
  ls_executable *x = compiled(program);
  setlocale(LC_ALL, "C");
  double out[2];
  ls_array results[] = {ls_array_of(out, LS_F64, 2)};
  run(x, NULL, 0, results, 1);
  same(out, (double[]){1.5, 1e-06}, 2);
  assert_string_equal(plain, dump);
  ls_free(plain);
  ls_free(dump);
  ls_executable_destroy(x);
  if (!found) print_message("no locale with a decimal comma here\n");
}

/* -- depth on a small stack ---------------------------------------------- */

typedef struct Deep {
  const char *type, *line; /* in line, N is the new number, O the old one */
  int count;
  char message[2048];
} Deep;

static char *deep_text(const Deep *deep) {
  size_t room = (size_t)deep->count * 100 + 200, at = 0;
  char *text = malloc(room);
  if (text == NULL) return NULL;
  at += (size_t)snprintf(text, room, "program @p(%%x0: %s) {\n", deep->type);
  for (int i = 0; i < deep->count; i++)
    for (const char *c = deep->line; *c != '\0'; c++)
      if (*c == 'N' || *c == 'O')
        at += (size_t)snprintf(text + at, room - at, "%d", i + (*c == 'N'));
      else
        text[at++] = *c;
  snprintf(text + at, room - at, "return %%x%d }\n", deep->count);
  return text;
}

/* Reads, prints, compiles and runs, or refuses, with a 256 KiB stack. */
static void *deep_body(void *user) {
  Deep *deep = user;
  char *text = deep_text(deep), *dump = NULL;
  ls_error error = {0};
  ls_program *program =
      ls_program_parse(text, strlen(text), "deep", NULL, 0, &error);
  ls_executable *x = NULL;
  bool fine = program != NULL;
  if (fine) dump = ls_program_print(program, "plan", NULL, false, &error);
  fine = fine && dump != NULL;
  if (fine) x = ls_compile(program, NULL, &error);
  fine = fine && (x != NULL || error.text[0] != '\0');
  if (x != NULL) {
    double in[6] = {0}, out[6];
    ls_array inputs[] = {ls_program_input_array(program, 0)};
    ls_array results[] = {ls_program_result_array(program, 0)};
    inputs[0].data = in;
    results[0].data = out;
    fine = ls_run(x, inputs, 1, results, 1, NULL, &error) == LS_OK &&
           ls_evaluate(program, inputs, 1, results, 1, &error) == LS_OK;
  }
  snprintf(deep->message, sizeof deep->message, "%s", error.text);
  ls_executable_destroy(x);
  ls_program_destroy(program);
  ls_free(dump);
  free(text);
  return fine ? user : NULL;
}

static void deep_run(const char *type, const char *line, int count) {
  Deep deep = {.type = type, .line = line, .count = count};
  pthread_attr_t attributes;
  pthread_t thread;
  void *fine = NULL;
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  assert_int_equal(pthread_create(&thread, &attributes, deep_body, &deep), 0);
  pthread_join(thread, &fine);
  pthread_attr_destroy(&attributes);
  if (fine == NULL) fail_msg("%s", deep.message);
}

static void test_deep_adds(void **state) {
  (void)state;
  deep_run("f64[4]", "%xN = add %xO, %x0\n", 20000);
}

/* Views are read through, not stored: their chain must not be the stack's. */
static void test_deep_views(void **state) {
  (void)state;
  deep_run("f64[2,2]",
           "%tN = transpose %xO, perm=[1,0]\n%xN = reverse %tN, dims=[0]\n",
           5000);
}

static void test_deep_pieces(void **state) {
  (void)state;
  deep_run("f64[2]",
           "%cN = concatenate %xO, %x0, dim=0\n"
           "%xN = slice %cN, start=[1], limit=[3]\n",
           500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_donor),
      cmocka_unit_test(test_denormals),
      cmocka_unit_test(test_position),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_eight_threads),
      cmocka_unit_test(test_one_processor),
      cmocka_unit_test(test_locale),
      cmocka_unit_test(test_deep_adds),
      cmocka_unit_test(test_deep_views),
      cmocka_unit_test(test_deep_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
