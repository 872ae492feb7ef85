/* test_parts: programs whose code is cut into several functions
 * (codegen/parts.c): the values are those of the evaluator, and the number of
 * functions grows with the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "codegen/codegen.h"
#include "lockstep.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SLOW 1
#endif
#ifdef SLOW
enum { ADDS = 20000 };
#else
enum { ADDS = 1000000 };
#endif

static ls_error error;

/* -- texts ------------------------------------------------------------- */

typedef struct Text {
  char *at;
  size_t length, room;
} Text;

static void put(Text *text, const char *format, ...) {
  va_list list;
  if (text->room - text->length < 200) {
    text->room = text->room * 2 + 4096;
    text->at = realloc(text->at, text->room);
    assert_non_null(text->at);
  }
  va_start(list, format);
  int n = vsnprintf(text->at + text->length, text->room - text->length, format,
                    list);
  va_end(list);
  assert_true(n >= 0 && n < 200);
  text->length += (size_t)n;
}

/* About n nodes from %FROM to %LAST; some have an operand far before, and each
 * that adds up an array starts a kernel.  %half is 0.5. */
static void put_work(Text *text, const char *from, const char *last, int n) {
  put(text, "  %%%s_0 = add %%%s, %%%s\n", last, from, from);
  for (int i = 1; i <= n; i++) {
    put(text, "  %%%s_%d = ", last, i);
    if (i % 16 == 0)
      put(text, "reduce_max %%%s_%d, dims=[0]\n  %%%s_%d_1 = sub %%%s_%d, ",
          last, i - 1, last, i, last, i - 2);
    if (i % 16 == 0)
      put(text, "%%%s_%d\n", last, i);
    else if (i % 16 == 1 && i > 1)
      put(text, "add %%%s_%d_1, %%%s\n", last, i - 1, from);
    else if (i % 3 == 0)
      put(text, "mul %%%s_%d, %%half\n", last, i - 1);
    else
      put(text, "%s %%%s_%d, %%%s_%d\n", i % 3 == 1 ? "sub" : "max", last,
          i - 1, last, i > 40 ? (i - i * 7 % 40) / 16 * 16 + 3 : 0);
  }
  put(text, "  %%%s = add %%%s_%d, %%%s\n", last, last, n, from);
}

/* -- runs -------------------------------------------------------------- */

/* Compiled in both numerics, and by the evaluator: two results of 4. */
static void check(Text *text) {
  ls_program *program =
      ls_program_parse(text->at, text->length, "parts", NULL, 0, &error);
  if (program == NULL) fail_msg("%s", error.text);
  double x[] = {1, -2, 3, 0.5}, want[2][4] = {{0}}, got[2][4];
  ls_array in = ls_array_of(x, LS_F64, 4);
  ls_array out[] = {ls_array_of(want[0], LS_F64, 4),
                    ls_array_of(want[1], LS_F64, 4)};
  if (ls_evaluate(program, &in, 1, out, 2, &error)) fail_msg("%s", error.text);
  for (int strict = 0; strict < 2; strict++) {
    ls_options options = {.numerics = strict ? LS_STRICT : LS_FAST};
    ls_executable *run = ls_compile(program, &options, &error);
    if (run == NULL) fail_msg("%s", error.text);
    out[0].data = got[0];
    out[1].data = got[1];
    if (ls_run(run, &in, 1, out, 2, NULL, &error)) fail_msg("%s", error.text);
    assert_memory_equal(got, want, sizeof got);
    ls_executable_destroy(run);
  }
  ls_program_destroy(program);
  free(text->at);
}

enum { MANY = 1501, FEW = 9 };

/* Levels of parts: main calls parts that call parts. */
static void test_straight(void **state) {
  (void)state;
  Text text = {0};
  put(&text, "program @p(%%x: f64[4]) {\n  %%half = constant 0.5 : f64[]\n");
  put_work(&text, "x", "a", 4 * MANY + 1);
  put_work(&text, "a", "b", MANY);
  put(&text, "  return %%a, %%b\n}\n");
  check(&text);
}

/* Carries in turn, slices of xs and ys, a scan in a part of a scan. */
static void test_scan(void **state) {
  (void)state;
  Text text = {0};
  put(&text, "program @p(%%x: f64[4]) {\n  %%half = constant 0.5 : f64[]\n");
  put(&text, "  %%m = broadcast %%x, dims=[1] : f64[5,4]\n");
  put(&text,
      "  %%c, %%ys = scan length=5, carry(%%k = %%x), xs(%%s = %%m) {\n");
  put_work(&text, "k", "a", MANY);
  put(&text, "  %%t = tanh %%a\n  %%u = add %%t, %%s\n");
  put(&text, "  %%d = scan length=3, carry(%%e = %%u) {\n");
  put(&text, "  %%g = reverse %%e, dims=[0]\n");
  put(&text, "  %%h = sub %%g, %%k\n  yield carry(%%h)\n  }\n");
  put_work(&text, "d", "b", MANY);
  put(&text, "  %%n = tanh %%b\n  %%r = reverse %%n, dims=[0]\n");
  put(&text, "  %%y = mul %%r, %%t\n  yield carry(%%r), ys(%%y)\n  }\n");
  put(&text, "  %%z = reduce_max %%ys, dims=[0]\n  return %%c, %%z\n}\n");
  check(&text);
}

/* A while between parts, whose result may lie in either of its places, and
 * whose step is in parts itself; a cond with a long branch. */
static void test_control(void **state) {
  (void)state;
  for (int odd = 0; odd < 2; odd++) {
    Text text = {0};
    put(&text, "program @p(%%x: f64[4]) {\n  %%half = constant 0.5 : f64[]\n");
    put(&text, "  %%0 = constant 0 : i32[]\n  %%1 = constant 1 : i32[]\n");
    put(&text, "  %%2 = constant %d : i32[]\n", 2 + odd);
    put_work(&text, "x", "a", MANY);
    put(&text, "  %%i, %%w = while carry(%%j = %%0, %%v = %%a) cond {\n");
    put(&text, "  %%p = compare %%j, %%2, op=lt\n  yield %%p\n  } do {\n");
    put(&text, "  %%q = add %%j, %%1\n  %%g = reverse %%v, dims=[0]\n");
    put_work(&text, "g", "b", odd ? MANY : FEW);
    put(&text, "  %%h = tanh %%b\n  %%l = sub %%h, %%v\n");
    put(&text, "  yield carry(%%q, %%l)\n  }\n");
    put_work(&text, "w", "d", MANY);
    put(&text, "  %%e = compare %%i, %%1, op=gt\n  %%o = cond %%e then {\n");
    put_work(&text, "w", "t", MANY);
    put(&text, "  yield %%t\n  } else {\n  yield %%d\n  }\n");
    put(&text, "  return %%d, %%o\n}\n");
    check(&text);
  }
}

/* -- how many ---------------------------------------------------------- */

static int functions(int n) {
  Text text = {0};
  put(&text, "program @p(%%x: f64[4]) {\n  %%half = constant 0.5 : f64[]\n");
  put_work(&text, "x", "a", n);
  put(&text, "  return %%a\n}\n");
  Program *program = ir_parse(text.at, text.length, "parts", NULL, 0);
  Options options = {0};
  Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
  char *message = NULL;
  char *code = cg_text(planned, &options, CODE_LLVM, &message);
  if (code == NULL) fail_msg("%s", message);
  int count = 0;
  for (const char *at = code; (at = strstr(at, "\ndefine ")); at++) count++;
  free(code);
  free(text.at);
  ir_program_destroy(planned);
  ir_program_destroy(program);
  return count;
}

/* A usual program is one function; the others have parts in proportion. */
static void test_counts(void **state) {
  (void)state;
  assert_int_equal(functions(9), 1);
  assert_int_equal(functions(501), 1);
  int once = functions(5001), twice = functions(10001);
  assert_true(once > 8);
  assert_in_range(twice, once * 16 / 10, once * 24 / 10);
}

/* -- a million --------------------------------------------------------- */

/* Built, compiled, run and freed with a stack of 256 KiB. */
static void *million(void *user) {
  ls_builder *b = ls_builder_create("million");
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 4)), y = x;
  for (int i = 0; i < ADDS; i++) y = i % 3 ? ls_add(b, y, x) : ls_sub(b, y, x);
  ls_output(b, "y", y);
  ls_program *program = ls_builder_finish(b);
  ls_builder_destroy(b);
  ls_executable *run = ls_compile(program, NULL, user);
  double in[] = {1, 2, 3, 4}, out[4] = {0};
  ls_array from = ls_array_of(in, LS_F64, 4), to = ls_array_of(out, LS_F64, 4);
  bool fine = run && ls_run(run, &from, 1, &to, 1, NULL, user) == LS_OK;
  int sum = 1;
  for (int i = 0; i < ADDS; i++) sum += i % 3 ? 1 : -1;
  for (int i = 0; i < 4; i++) fine = fine && out[i] == in[i] * sum;
  ls_executable_destroy(run);
  ls_program_destroy(program);
  return fine ? user : NULL;
}

static void test_million(void **state) {
  (void)state;
  pthread_attr_t attributes;
  pthread_t thread;
  void *fine = NULL;
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  assert_int_equal(pthread_create(&thread, &attributes, million, &error), 0);
  pthread_join(thread, &fine);
  pthread_attr_destroy(&attributes);
  if (fine == NULL) fail_msg("%s", error.text);
}

/* 20,000 results, all of one name. */
static void test_results(void **state) {
  (void)state;
  enum { RESULTS = 20000 };
  Text text = {0};
  put(&text, "program @p(%%x: f64[]) {\n  return %%x");
  for (int i = 1; i < RESULTS; i++) put(&text, ", %%x");
  put(&text, "\n}\n");
  ls_program *program =
      ls_program_parse(text.at, text.length, "parts", NULL, 0, &error);
  if (program == NULL) fail_msg("%s", error.text);
  assert_int_equal(ls_program_results(program), RESULTS);
  assert_string_equal(ls_program_result_name(program, RESULTS - 1), "x_20000");
  ls_program_destroy(program);
  free(text.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight), cmocka_unit_test(test_scan),
      cmocka_unit_test(test_control),  cmocka_unit_test(test_counts),
      cmocka_unit_test(test_million),  cmocka_unit_test(test_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
