/* test_builder_control: while and cond from C: the text that they become, what
 * it computes, compiled and in the evaluator, and what may not leave a body.
 * Further messages are in test_messages_axes.c. */
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

static ls_program *finish(ls_builder *b) {
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

static void expect_text(const ls_program *program, const char *expected) {
  ls_error error;
  char *text = ls_program_print(program, NULL, NULL, false, &error);
  assert_non_null(text);
  assert_string_equal(text, expected);
  ls_program *again =
      ls_program_parse(text, strlen(text), "again.ls", NULL, 0, &error);
  if (again == NULL) fail_msg("%s", error.text);
  char *second = ls_program_print(again, NULL, NULL, false, &error);
  assert_string_equal(second, text);
  ls_free(text);
  ls_free(second);
  ls_program_destroy(again);
}

/* One input, n results, each a row-major array of what it wants there; the
 * evaluator and both numerics must give the bits of `expected`.  Destroys the
 * program. */
static void expect_values(ls_program *program, const void *input, int n,
                          const void *const *expected) {
  ls_error error;
  double room[4][16];
  ls_array in = ls_program_input_array(program, 0), out[4];
  in.data = (void *)(uintptr_t)input;
  for (int i = 0; i < n; i++) {
    out[i] = ls_program_result_array(program, i);
    out[i].data = room[i];
  }
  for (int way = 0; way < 3; way++) {
    ls_options options = {.numerics = way == 1 ? LS_STRICT : LS_FAST};
    ls_executable *x = way ? ls_compile(program, &options, &error) : NULL;
    ls_status status = x     ? ls_run(x, &in, 1, out, n, NULL, &error)
                       : way ? error.status
                             : ls_evaluate(program, &in, 1, out, n, &error);
    if (status != LS_OK) fail_msg("%s", error.text);
    for (int i = 0; i < n; i++)
      assert_memory_equal(room[i], expected[i], ls_array_bytes(out[i]));
    ls_executable_destroy(x);
  }
  ls_program_destroy(program);
}

/* The builder's error stands at this line and says all of `message`, in which
 * N is any number and FILE this file. */
static void expect_error(ls_builder *b, int line, const char *message) {
  char begin[64];
  assert_null(ls_builder_finish(b));
  assert_int_equal(ls_builder_status(b), LS_BAD_ARGUMENT);
  const char *text = ls_builder_error(b);
  snprintf(begin, sizeof begin, "test_builder_control.c:%d: error: ", line);
  const char *at = strstr(text, begin);
  if (at == NULL) fail_msg("no '%s' in: %s", begin, text);
  at += strlen(begin);
  for (const char *p = message; *p || *at;) {
    if (strncmp(p, "FILE:N", 6) == 0) {
      p += 6;
      at = strstr(at, "test_builder_control.c:");
      assert_non_null(at);
      at = strchr(at, ':') + 1;
      at += strspn(at, "0123456789");
    } else if (*p++ != *at++) {
      fail_msg("not '%s': %s", message, text);
    }
  }
  ls_builder_destroy(b);
}

static ls_value vector(ls_builder *b, const char *name) {
  return ls_input(b, name, ls_type_of(LS_F64, 2));
}

/* -- while ------------------------------------------------------------- */

/* Names given in the step; a C scalar as the next value and beside a carry;
 * a carry that nobody names; a value of the test that the step repeats. */
static void test_halving(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("halving");
  ls_axis_declare(b, "a", 3);
  ls_value x0 = ls_input(b, "x0", ls_varying(ls_type_of(LS_F32), "a"));
  ls_while *w = ls_while_begin(b);
  ls_value x = ls_while_carry(w, x0);
  ls_value n = ls_while_carry(w, ls_i32(b, 0));
  ls_value last = ls_while_carry(w, ls_f64(b, 1));
  ls_named(b, n, "n");
  ls_while_test(w, ls_ge(b, x, ls_number(b, 1)));
  ls_named(b, x, "x");
  ls_while_next(w, x, ls_mul(b, x, ls_number(b, 0.5)));
  ls_while_next(w, n, ls_add(b, n, ls_number(b, 1)));
  ls_while_next(w, last, ls_number(b, 2));
  ls_while_end(w);
  ls_output(b, "small", ls_while_result(w, x));
  ls_output(b, "steps", ls_while_result(w, n));
  ls_output(b, "last", ls_while_result(w, last));
  ls_program *program = finish(b);
  expect_text(program,
              "axis a = 3\n"
              "\n"
              "program @halving(%x0: f32[]{a}) {\n"
              "  %0 = constant 0 : i32[]\n"
              "  %1 = constant 1 : f64[]\n"
              "  %small, %steps, %last = while carry(%x = %x0, %n = %0, "
              "%2 = %1) cond {\n"
              "    %3 = constant 1 : f32[]\n"
              "    %4 = compare %x, %3, op=ge : bool[]{a}\n"
              "    yield %4\n"
              "  } do {\n"
              "    %5 = constant 0.5 : f32[]\n"
              "    %6 = mul %x, %5 : f32[]{a}\n"
              "    %7 = constant 1 : i32[]\n"
              "    %8 = add %n, %7 : i32[]{a}\n"
              "    %9 = constant 2 : f64[]\n"
              "    yield carry(%6, %8, %9)\n"
              "  } : f32[]{a}, i32[]{a}, f64[]{a}\n"
              "  return %small, %steps, %last\n"
              "}\n");
  const float input[3] = {5, 0.25f, 1}, small[3] = {0.625f, 0.25f, 0.5f};
  const int32_t steps[3] = {3, 0, 1};
  const double lasts[3] = {2, 1, 2};
  expect_values(program, input, 3, (const void *[]){small, steps, lasts});
}

/* Carries that swap; a loop inside a scan; a carry used by an inner body. */
static void test_nested(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("nested");
  ls_value x0 = ls_input(b, "x0", ls_type_of(LS_I32));
  ls_scan *scan = ls_scan_begin(b, 3);
  ls_value sum = ls_scan_carry(scan, ls_i32(b, 0));
  ls_while *w = ls_while_begin(b);
  ls_value i = ls_while_carry(w, ls_i32(b, 0));
  ls_value p = ls_while_carry(w, x0), q = ls_while_carry(w, sum);
  ls_while_test(w, ls_lt(b, i, ls_number(b, 3)));
  ls_cond *k = ls_cond_begin(b, ls_gt(b, p, q));
  ls_cond_yield(k, ls_sub(b, p, q));
  ls_cond_else(k);
  ls_cond_yield(k, i);
  ls_cond_end(k);
  ls_while_next(w, i, ls_add(b, i, ls_number(b, 1)));
  ls_while_next(w, p, q);
  ls_while_next(w, q, ls_cond_result(k, 0));
  ls_while_end(w);
  ls_scan_next(scan, sum, ls_add(b, sum, ls_while_result(w, q)));
  ls_scan_end(scan);
  ls_output(b, "y", ls_scan_result(scan, sum));
  int32_t x = 7, y = 0;
  for (int32_t t = 0; t < 3; t++) {
    int32_t u = x, v = y;
    for (int32_t s = 0; s < 3; s++) {
      int32_t old = u;
      u = v;
      v = old > v ? old - v : s;
    }
    y += v;
  }
  expect_values(finish(b), &x, 1, (const void *[]){&y});
}

/* No carry: it never steps, or never ends. */
static void test_no_carry(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("none");
  ls_value x = vector(b, "x");
  ls_while *w = ls_while_begin(b);
  ls_while_test(w, ls_bool(b, false));
  ls_while_end(w);
  ls_output(b, "y", x);
  ls_program *program = finish(b);
  expect_text(program,
              "program @none(%x: f64[2]) {\n"
              "  while cond {\n"
              "    %0 = constant false : bool[]\n"
              "    yield %0\n"
              "  } do {\n"
              "    yield\n"
              "  }\n"
              "  return %x as y\n"
              "}\n");
  const double values[2] = {1, 2};
  expect_values(program, values, 1, (const void *[]){values});
}

/* -- cond -------------------------------------------------------------- */

/* A C scalar in either branch takes the other one's dtype; one beside another
 * C scalar keeps its own, or takes it from there. */
static void test_branches(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("branches");
  ls_axis_declare(b, "a", 2);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F32), "a"));
  ls_cond *k = ls_cond_begin(b, ls_lt(b, x, ls_number(b, 0)));
  ls_cond_yield(k, ls_number(b, 1));
  ls_cond_yield(k, ls_neg(b, x));
  ls_cond_yield(k, ls_number(b, 4));
  ls_cond_else(k);
  ls_cond_yield(k, x);
  ls_cond_yield(k, ls_f64(b, 2));
  ls_cond_yield(k, ls_i32(b, 5));
  ls_cond_end(k);
  for (int i = 0; i < 3; i++) ls_output(b, "y", ls_cond_result(k, i));
  ls_program *program = finish(b);
  expect_text(program,
              "axis a = 2\n"
              "\n"
              "program @branches(%x: f32[]{a}) {\n"
              "  %0 = constant 0 : f32[]\n"
              "  %1 = compare %x, %0, op=lt : bool[]{a}\n"
              "  %y, %y_2, %y_3 = cond %1 then {\n"
              "    %2 = neg %x : f32[]{a}\n"
              "    %3 = constant 1 : f32[]\n"
              "    %4 = constant 4 : i32[]\n"
              "    yield %3, %2, %4\n"
              "  } else {\n"
              "    %5 = constant 2 : f32[]\n"
              "    %6 = constant 5 : i32[]\n"
              "    yield %x, %5, %6\n"
              "  } : f32[]{a}, f32[]{a}, i32[]{a}\n"
              "  return %y, %y_2, %y_3\n"
              "}\n");
  const float input[2] = {-3, 6}, first[2] = {1, 6}, second[2] = {3, 2};
  const int32_t third[2] = {4, 5};
  expect_values(program, input, 3, (const void *[]){first, second, third});
}

/* A loop that would not end for the devices of the other branch. */
static void test_masked(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("masked");
  ls_axis_declare(b, "a", 4);
  ls_value n = ls_input(b, "n", ls_varying(ls_type_of(LS_I32), "a"));
  ls_cond *k = ls_cond_begin(b, ls_ge(b, n, ls_number(b, 0)));
  ls_while *w = ls_while_begin(b);
  ls_value i = ls_while_carry(w, n);
  ls_while_test(w, ls_ne(b, i, ls_number(b, 0)));
  ls_while_next(w, i,
                ls_div(b, i,
                       ls_select(b, ls_lt(b, n, ls_number(b, 0)),
                                 ls_number(b, 1), ls_i32(b, 2))));
  ls_while_end(w);
  ls_cond_yield(k, ls_while_result(w, i));
  ls_cond_else(k);
  ls_cond_yield(k, n);
  ls_cond_end(k);
  ls_output(b, "y", ls_cond_result(k, 0));
  const int32_t input[4] = {9, -4, 0, -1}, y[4] = {0, -4, 0, -1};
  expect_values(finish(b), input, 1, (const void *[]){y});
}

/* -- mistakes ---------------------------------------------------------- */

static void test_scopes(void **state) {
  (void)state;
  static const char *const messages[] = {
      "ls_neg: operand 1 (d) was made inside the test of the while at FILE:N "
      "and is not visible here; only a carry leaves a body of a while",
      "ls_neg: operand 1 (e) was made inside the step of the while at FILE:N "
      "and is not visible here; only a carry leaves a body of a while",
      "ls_neg: operand 1 (c) was made inside the step of the while at FILE:N "
      "and is not visible here; ls_while_result gives its last value",
      "ls_neg: operand 1 (t) was made inside then of the cond at FILE:N and is "
      "not visible here; give it to ls_cond_yield, in both branches",
      "ls_neg: operand 1 (f) was made inside else of the cond at FILE:N and is "
      "not visible here; give it to ls_cond_yield, in both branches",
      "ls_input: not inside a while: the one at FILE:N is open",
      "ls_output: not inside a cond: the one at FILE:N is open",
      "ls_while_next: the cond at FILE:N is still open inside this one",
      "ls_cond_else: the while at FILE:N is still open inside this one",
      "ls_while_test: the predicate (s) was made inside the scan at FILE:N and "
      "is not visible here; stack it with ls_scan_y",
  };
  for (int i = 0; i < 10; i++) {
    ls_builder *b = ls_builder_create("scopes");
    int line = 0;
    ls_value x = vector(b, "x"), p = ls_bool(b, true);
    ls_scan *scan = ls_scan_begin(b, 1);
    ls_value s = ls_named(b, ls_not(b, p), "s");
    ls_scan_end(scan);
    ls_while *w = ls_while_begin(b);
    ls_value c = ls_named(b, ls_while_carry(w, x), "c");
    ls_value d = ls_named(b, ls_neg(b, c), "d");
    if (i == 5) ls_input(b, "y", ls_type_of(LS_F64)), line = __LINE__;
    if (i == 9) ls_while_test(w, s), line = __LINE__;
    ls_while_test(w, p);
    if (i == 0) ls_neg(b, d), line = __LINE__;
    ls_cond *k = ls_cond_begin(b, p);
    ls_value t = ls_named(b, ls_neg(b, c), "t");
    if (i == 6) ls_output(b, "y", x), line = __LINE__;
    if (i == 7) ls_while_next(w, c, c), line = __LINE__;
    if (i == 8) ls_while_begin(b);
    if (i == 8) ls_cond_else(k), line = __LINE__;
    ls_cond_else(k);
    if (i == 3) ls_neg(b, t), line = __LINE__;
    ls_value f = ls_named(b, ls_neg(b, c), "f");
    ls_cond_end(k);
    if (i == 4) ls_neg(b, f), line = __LINE__;
    ls_value e = ls_named(b, ls_neg(b, c), "e");
    ls_while_next(w, c, e);
    ls_while_end(w);
    if (i == 1) ls_neg(b, e), line = __LINE__;
    if (i == 2) ls_neg(b, c), line = __LINE__;
    expect_error(b, line, messages[i]);
  }
}

/* After an error, and with NULL, every call is quiet. */
static void test_quiet(void **state) {
  (void)state;
  ls_value none = {0, 0};
  assert_null(ls_while_begin(NULL));
  assert_null(ls_cond_begin(NULL, none));
  assert_false(ls_value_valid(ls_while_carry(NULL, none)));
  ls_while_test(NULL, none);
  ls_while_next(NULL, none, none);
  ls_while_end(NULL);
  assert_false(ls_value_valid(ls_while_result(NULL, none)));
  ls_cond_yield(NULL, none);
  ls_cond_else(NULL);
  ls_cond_end(NULL);
  assert_false(ls_value_valid(ls_cond_result(NULL, 0)));
  ls_builder *b = ls_builder_create("quiet");
  ls_value x = vector(b, "x");
  ls_while *w = ls_while_begin(b);
  ls_value c = ls_while_carry(w, x);
  ls_cond *k = ls_cond_begin(b, c);
  int line = __LINE__ - 1;
  assert_null(k);
  ls_while_test(w, c);
  ls_while_next(w, c, x);
  ls_while_end(w);
  assert_false(ls_value_valid(ls_while_result(w, c)));
  assert_int_equal(ls_builder_status(b), LS_BAD_PROGRAM);
  char place[64];
  snprintf(place, sizeof place, "test_builder_control.c:%d: error: ", line);
  assert_non_null(strstr(ls_builder_error(b), place));
  ls_builder_destroy(b);
}

/* Whiles and conds in turn, deeper than is allowed. */
static void test_deep(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("deep");
  ls_value p = ls_bool(b, true);
  for (int i = 0; i < 35 && ls_builder_status(b) == LS_OK; i++) {
    ls_while *w = ls_while_begin(b);
    ls_while_test(w, p);
    ls_cond_begin(b, p);
  }
  assert_null(ls_builder_finish(b));
  assert_non_null(strstr(ls_builder_error(b), "64"));
  ls_builder_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_halving),  cmocka_unit_test(test_nested),
      cmocka_unit_test(test_no_carry), cmocka_unit_test(test_branches),
      cmocka_unit_test(test_masked),   cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_quiet),    cmocka_unit_test(test_deep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
