/* test_builder: recording from C.  What a mistake answers (status, file and
 * line, entry point, types, axes), what a right program looks like as text. */
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

/* The builder's error has the status, stands at this file and line, and says
 * every word (words are separated by '|'). */
static void expect_error(ls_builder *b, ls_status status, int line,
                         const char *words) {
  char place[64], copy[512];
  assert_null(ls_builder_finish(b));
  const char *text = ls_builder_error(b);
  assert_int_equal(ls_builder_status(b), status);
  snprintf(place, sizeof place, "test_builder.c:%d: error: ls_", line);
  if (line > 0 && strstr(text, place) == NULL)
    fail_msg("no '%s' in: %s", place, text);
  snprintf(copy, sizeof copy, "%s", words);
  for (char *save, *word = strtok_r(copy, "|", &save); word;
       word = strtok_r(NULL, "|", &save))
    if (strstr(text, word) == NULL) fail_msg("no '%s' in: %s", word, text);
  ls_builder_destroy(b);
}

static void expect_text(ls_builder *b, const char *expected) {
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
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
  ls_program_destroy(program);
}

static ls_value vector(ls_builder *b, const char *name, ls_dtype dtype) {
  return ls_input(b, name, ls_type_of(dtype, 4));
}

/* -- right programs ---------------------------------------------------- */

static void test_average(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("average");
  ls_axis_declare(b, "devices", 8);
  ls_value J =
      ls_input(b, "J", ls_varying(ls_type_of(LS_F64, 64, 64), "devices"));
  ls_value y0 =
      ls_input(b, "y0", ls_varying(ls_type_of(LS_F64, 64, 1), "devices"));
  ls_scan *scan = ls_scan_begin(b, 1000);
  ls_value c = ls_named(b, ls_scan_carry(scan, y0), "c");
  ls_value eps = ls_named(b, ls_f64(b, 1e-6), "eps");
  ls_value d = ls_mul(b, eps, ls_einsum(b, "mn,ni->mi", J, c));
  ls_value u = ls_named(b, ls_psum(b, d, "devices"), "u");
  ls_scan_next(scan, c, ls_add(b, c, u));
  ls_scan_end(scan);
  ls_output(b, "y", ls_scan_result(scan, c));
  expect_text(b,
              "axis devices = 8\n"
              "\n"
              "program @average(%J: f64[64,64]{devices}, "
              "%y0: f64[64,1]{devices}) {\n"
              "  %y = scan length=1000, carry(%c = %y0) {\n"
              "    %0 = einsum %J, %c, spec=\"mn,ni->mi\" : "
              "f64[64,1]{devices}\n"
              "    %eps = constant 1e-06 : f64[]\n"
              "    %1 = mul %eps, %0 : f64[64,1]{devices}\n"
              "    %u = psum %1, axis=devices : f64[64,1]\n"
              "    %2 = add %c, %u : f64[64,1]{devices}\n"
              "    yield carry(%2)\n"
              "  } : f64[64,1]{devices}\n"
              "  return %y\n"
              "}\n");
}

/* xs before carries, ys, reverse, a nested scan, a carry that widens. */
static void test_scan_forms(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("forms");
  ls_axis_declare(b, "a", 2);
  ls_value xs = ls_input(b, "xs", ls_varying(ls_type_of(LS_F32, 5), "a"));
  ls_scan *outer = ls_scan_begin(b, LS_FROM_XS, .reverse = true);
  ls_value x = ls_named(b, ls_scan_xs(outer, xs), "x");
  ls_value c = ls_named(b, ls_scan_carry(outer, ls_f32(b, 0)), "c");
  ls_scan *inner = ls_scan_begin(b, 3);
  ls_value d = ls_named(b, ls_scan_carry(inner, c), "d");
  ls_scan_next(inner, d, ls_add(b, d, x));
  ls_scan_end(inner);
  ls_scan_next(outer, c, ls_scan_result(inner, d));
  ls_value ticket = ls_scan_y(outer, c);
  ls_scan_end(outer);
  ls_output(b, "last", ls_scan_result(outer, c));
  ls_output(b, "ys", ls_scan_result(outer, ticket));
  expect_text(b,
              "axis a = 2\n"
              "\n"
              "program @forms(%xs: f32[5]{a}) {\n"
              "  %0 = constant 0 : f32[]\n"
              "  %last, %ys = scan length=5, reverse=true, carry(%c = %0), "
              "xs(%x = %xs) {\n"
              "    %1 = scan length=3, carry(%d = %c) {\n"
              "      %2 = add %d, %x : f32[]{a}\n"
              "      yield carry(%2)\n"
              "    } : f32[]{a}\n"
              "    yield carry(%1), ys(%c)\n"
              "  } : f32[]{a}, f32[5]{a}\n"
              "  return %last, %ys\n"
              "}\n");
}

static void test_scalar_takes_dtype(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("scalars");
  ls_value x = vector(b, "x", LS_F32), n = vector(b, "n", LS_I8);
  ls_value half = ls_f64(b, 0.5);
  ls_value y = ls_mul(b, half, ls_add(b, x, half));
  ls_output(b, "y", y);
  ls_output(b, "m", ls_max(b, n, ls_number(b, -7)));
  ls_output(b, "k",
            ls_select(b, ls_lt(b, n, ls_i32(b, 3)), n, ls_number(b, 1)));
  ls_output(b, "t", ls_take(b, x, ls_number(b, 2), 0));
  assert_int_equal(ls_value_type(b, y).dtype, LS_F32);
  assert_int_equal(ls_value_type(b, half).dtype, LS_F64);
  expect_text(b,
              "program @scalars(%x: f32[4], %n: i8[4]) {\n"
              "  %0 = constant 0.5 : f32[]\n"
              "  %1 = add %x, %0 : f32[4]\n"
              "  %y = mul %0, %1 : f32[4]\n"
              "  %2 = constant -7 : i8[]\n"
              "  %m = max %n, %2 : i8[4]\n"
              "  %3 = constant 3 : i8[]\n"
              "  %4 = compare %n, %3, op=lt : bool[4]\n"
              "  %5 = constant 1 : i8[]\n"
              "  %k = select %4, %n, %5 : i8[4]\n"
              "  %6 = constant 2 : i32[]\n"
              "  %t = take %x, %6, dim=0 : f32[]\n"
              "  return %y, %m, %k, %t\n"
              "}\n");
}

/* Every form of call once; the program must be right. */
static void test_every_form(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("forms");
  ls_axis_declare(b, "r", 2);
  ls_axis_declare(b, "c", 4);
  ls_value m = ls_input(b, "m", ls_varying(ls_type_of(LS_F64, 4, 4), "r, c"));
  const int32_t data[] = {3, 1, 2};
  ls_value index = ls_constant(b, ls_type_of(LS_I32, 3), data);
  ls_value sum = ls_reduce_sum(b, m, ls_dims());
  ls_value bits = ls_bitcast(b, m, LS_U64);
  const int64_t groups[] = {0, 2, 3, 1}, sizes[] = {1, 3};
  const int64_t ring[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  ls_value k = ls_random_fold_in(b, ls_random_key(b, 7), ls_axis_index(b, "c"));
  ls_value outs[] = {
      ls_neg(b, m),
      ls_not(b, ls_is_finite(b, m)),
      ls_clamp(b, ls_number(b, 0), m, ls_number(b, 1)),
      ls_select(b, ls_bool(b, true), m, ls_f64(b, 0)),
      ls_popcount(b, ls_shift_right_logical(b, bits, ls_number(b, 52))),
      ls_convert(b, m, LS_BF16),
      ls_broadcast(b, sum, ls_dims(2, 3), ls_dims()),
      ls_reshape(b, m, ls_dims(2, 8)),
      ls_transpose(b, m, ls_dims(1, 0)),
      ls_reverse(b, m, ls_dims(-1)),
      ls_slice(b, m, ls_dims(0, 1), ls_dims(4, 4), ls_dims(2, 1)),
      ls_pad(b, m, ls_number(b, 0), ls_dims(1, 0), ls_dims(0, 1), ls_dims()),
      ls_concatenate(b, 0, m, m, m),
      ls_dynamic_slice(b, m, ls_dims(2, 2), ls_i32(b, 1),
                       ls_axis_index(b, "c")),
      ls_dynamic_update_slice(b, m, ls_splat(b, ls_type_of(LS_F64, 1, 1), 3),
                              ls_number(b, 0), ls_number(b, 9)),
      ls_take(b, m, index, 1),
      ls_reduce_max(b, m, ls_dims(0)),
      ls_einsum_wide(
          b, LS_F64, "ij,j->i", ls_convert(b, m, LS_F32),
          ls_convert(b, ls_iota(b, ls_type_of(LS_I32, 4), 0), LS_F32)),
      ls_random_uniform(b, k, ls_type_of(LS_F16, 3), -1, 1),
      ls_random_bits(b, k, ls_type_of(LS_U8, 3)),
      ls_psum(b, m, "r,c"),
      ls_pmean(b, m, "c", .n_groups = 2, .groups = groups,
               .group_sizes = sizes),
      ls_pmax(b, m, "c", .n_groups = 2, .groups = groups),
      ls_all_gather(b, m, "c", .dim = 1, .tiled = true),
      ls_psum_scatter(b, m, "c", .dim = 1),
      ls_all_to_all(b, m, "c", .split = 0, .concat = 1, .tiled = true),
      ls_ppermute(b, m, "c", 4, ring),
      ls_pbroadcast(b, m, "c", 2),
      ls_axis_size(b, "c"),
      ls_unmap(b, m, "c", 1),
      ls_map(b, ls_iota(b, ls_type_of(LS_F32, 2), 0), "r", 0),
      ls_random_split(b, k, 2),
      ls_random_normal(b, k, ls_type_of(LS_F32, 3)),
      ls_argmax(b, m, 0),
      ls_argmin(b, m, -1),
  };
  size_t n = sizeof outs / sizeof *outs;
  for (size_t i = 0; i < n; i++) {
    assert_true(ls_value_valid(outs[i]));
    ls_output(b, "out", outs[i]);
  }
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  assert_int_equal(ls_program_results(program), n);
  assert_string_equal(ls_program_result_name(program, 1), "out_2");
  assert_string_equal(ls_program_input_type(program, 0).axes, "r,c");
  assert_int_equal(ls_program_input_array(program, 0).rank, 4);
  assert_null(ls_program_result_type(program, 20).axes);
  assert_string_equal(ls_program_result_type(program, 23).axes, "r");
  assert_int_equal(ls_program_result_type(program, 99).dtype, LS_NO_DTYPE);
  ls_builder_destroy(b);
  ls_program_destroy(program);
}

/* -- mistakes ---------------------------------------------------------- */

static void test_sticky(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("sticky");
  ls_value x = vector(b, "x", LS_F64), n = vector(b, "n", LS_F32);
  assert_int_equal(ls_builder_status(b), LS_OK);
  assert_string_equal(ls_builder_error(b), "");
  ls_value y = ls_add(b, x, n);
  int line = __LINE__ - 1;
  assert_false(ls_value_valid(y));
  assert_false(ls_value_valid(ls_mul(b, y, x)));
  ls_scan *scan = ls_scan_begin(b, -7);
  assert_null(scan);
  assert_false(ls_value_valid(ls_scan_carry(scan, x)));
  ls_scan_next(scan, x, y);
  ls_scan_end(scan);
  ls_output(b, NULL, ls_scan_result(scan, y));
  expect_error(b, LS_BAD_PROGRAM, line, "ls_add|f64[4]|f32[4]|%x|%n");
}

static void test_axis_errors(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    ls_builder *b = ls_builder_create("axes");
    ls_axis_declare(b, "rows", 4);
    ls_axis_declare(b, "columns", 2);
    ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 3), "rows"));
    int line = __LINE__ + 1;
    if (i == 0) ls_psum(b, x, "row"), line = __LINE__;
    if (i == 1) ls_pmax(b, x, "rows,rows"), line = __LINE__;
    if (i == 2) ls_psum_scatter(b, x, "rows"), line = __LINE__;
    if (i == 3) ls_axis_declare(b, "rows", 3), line = __LINE__;
    if (i == 4) ls_psum(b, x, "rows", .dim = 1), line = __LINE__;
    static const char *const words[] = {
        "ls_psum|row|rows = 4|columns = 2|did you mean rows?",
        "ls_pmax|rows|twice", "ls_psum_scatter|rows|3|4",
        "ls_axis_declare|rows|twice", "ls_psum|dim"};
    expect_error(b, LS_BAD_PROGRAM, line, words[i]);
  }
}

static void test_scope(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("scope");
  ls_value x = vector(b, "x", LS_F64);
  int begun = __LINE__ + 1;
  ls_scan *scan = ls_scan_begin(b, 3);
  ls_value c = ls_scan_carry(scan, x);
  ls_value inside = ls_neg(b, c);
  ls_scan_next(scan, c, inside);
  ls_scan_end(scan);
  ls_neg(b, inside);
  int line = __LINE__ - 1;
  char words[128];
  snprintf(words, sizeof words,
           "ls_neg|operand 1|scan at|test_builder.c:%d|"
           "ls_scan_y",
           begun);
  expect_error(b, LS_BAD_ARGUMENT, line, words);
}

static void test_carry_outside(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("scope");
  ls_value x = vector(b, "x", LS_F64);
  ls_scan *scan = ls_scan_begin(b, 3);
  ls_value c = ls_scan_carry(scan, x);
  ls_scan_next(scan, c, x);
  ls_scan_end(scan);
  ls_output(b, "y", c);
  int line = __LINE__ - 1;
  expect_error(b, LS_BAD_ARGUMENT, line, "ls_output|ls_scan_result");
}

static void test_other_builder(void **state) {
  (void)state;
  ls_builder *a = ls_builder_create("a"), *b = ls_builder_create("b");
  ls_value x = vector(a, "x", LS_F64), y = vector(b, "y", LS_F64);
  ls_add(b, y, x);
  int line = __LINE__ - 1;
  expect_error(b, LS_BAD_ARGUMENT, line, "ls_add|operand 2|another builder");
  ls_builder_destroy(a);
}

static void test_carry_errors(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("carry");
  ls_value x = vector(b, "x", LS_F64);
  ls_value init = ls_neg(b, x);
  int made = __LINE__ - 1;
  ls_scan *scan = ls_scan_begin(b, 3);
  ls_value c = ls_named(b, ls_scan_carry(scan, init), "speed");
  ls_value wrong = ls_convert(b, c, LS_F32);
  int other = __LINE__ - 1;
  ls_scan_next(scan, c, wrong);
  int line = __LINE__ - 1;
  ls_scan_end(scan);
  char words[256];
  snprintf(words, sizeof words,
           "ls_scan_next|carry speed|f64[4]|f32[4]|test_builder.c:%d|"
           "test_builder.c:%d",
           made, other);
  expect_error(b, LS_BAD_PROGRAM, line, words);
}

static void test_scan_misuse(void **state) {
  (void)state;
  static const char *const words[] = {"ls_scan_end|number 0|no next value",
                                      "ls_builder_finish|no ls_scan_end",
                                      "ls_scan_next|has its next value already",
                                      "ls_scan_carry|still open inside",
                                      "ls_input|not inside a scan",
                                      "ls_neg|operand 1|ls_scan_result",
                                      "ls_scan_end|neither length",
                                      "ls_scan_xs|scalar",
                                      "ls_scan_result|has not ended"};
  for (int i = 0; i < 9; i++) {
    ls_builder *b = ls_builder_create("misuse");
    ls_value x = vector(b, "x", LS_F64);
    ls_scan *scan = ls_scan_begin(b, i == 6 ? LS_FROM_XS : 3);
    int line = __LINE__ - 1;
    ls_value c = ls_scan_carry(scan, x);
    if (i != 0) ls_scan_next(scan, c, c);
    if (i == 2) ls_scan_next(scan, c, c), line = __LINE__;
    if (i == 3) ls_scan_begin(b, 2);
    if (i == 3) ls_scan_carry(scan, x), line = __LINE__;
    if (i == 4) vector(b, "z", LS_F64), line = 0;
    if (i == 5) ls_neg(b, ls_scan_y(scan, c)), line = __LINE__;
    if (i == 7) ls_scan_xs(scan, ls_f64(b, 1)), line = __LINE__;
    if (i == 8) ls_scan_result(scan, c), line = __LINE__;
    if (i == 0) ls_scan_end(scan), line = __LINE__;
    if (i == 6) ls_scan_end(scan); /* stands where the scan begins */
    ls_status status = i == 6 || i == 7 ? LS_BAD_PROGRAM : LS_BAD_ARGUMENT;
    expect_error(b, status, line, words[i]);
  }
}

static void test_bad_arguments(void **state) {
  (void)state;
  static const char *const words[] = {
      "ls_add|operand 2|all zeros", "ls_einsum|spec is NULL",
      "ls_psum|axis is NULL",       "ls_input|already",
      "ls_input|negative|-3",       "ls_scalar|i8 cannot hold|300",
      "ls_mul|i8 cannot hold|0.5",  "ls_add|ls_number",
      "ls_frobnicate|no such op",   "ls_compare|eq ne lt",
      "ls_constant|NULL",           "ls_constant|65536|100000",
      "ls_input|rank 65",           "ls_output|no name",
      "ls_input|letters",           "ls_scan|no such op"};
  for (int i = 0; i < 16; i++) {
    ls_builder *b = ls_builder_create("bad");
    ls_value n = vector(b, "n", LS_I8);
    ls_value none = {0, 0};
    ls_type large = {.dtype = LS_F64, .rank = LS_MAX_RANK + 1};
    if (i == 0) ls_add(b, n, none);
    if (i == 1) ls_einsum(b, NULL, n);
    if (i == 2) ls_psum(b, n, NULL);
    if (i == 3) vector(b, "n", LS_I8);
    if (i == 4) ls_input(b, "z", ls_type_of(LS_F64, 2, -3));
    if (i == 5) ls_scalar(b, LS_I8, 300);
    if (i == 6) ls_mul(b, n, ls_f64(b, 0.5));
    if (i == 7) ls_add(b, ls_number(b, 1), ls_number(b, 2));
    if (i == 8) ls_unary_at(LS_HERE, b, "frobnicate", n);
    if (i == 9) ls_compare(b, "less", n, n);
    if (i == 10) ls_constant(b, ls_type_of(LS_F64, 3), NULL);
    if (i == 11) ls_constant(b, ls_type_of(LS_F64, 100000), "");
    if (i == 12) ls_input(b, "z", large);
    if (i == 13) ls_output(b, NULL, ls_neg(b, n));
    if (i == 14) vector(b, "0", LS_I8);
    if (i == 15) ls_unary_at(LS_HERE, b, "scan", n);
    assert_int_not_equal(ls_builder_status(b), LS_OK);
    expect_error(b, ls_builder_status(b), 0, words[i]);
  }
}

static void test_nulls(void **state) {
  (void)state;
  ls_value x = ls_input(NULL, "x", ls_type_of(LS_F64));
  assert_false(ls_value_valid(x));
  assert_false(ls_value_valid(ls_add(NULL, x, x)));
  ls_output(NULL, "x", x);
  assert_null(ls_builder_finish(NULL));
  assert_int_equal(ls_builder_status(NULL), LS_FAILED);
  ls_builder_destroy(NULL);
  ls_program_destroy(NULL);
  ls_executable_destroy(NULL);
  ls_workspace_destroy(NULL);
  ls_function_destroy(NULL);
  ls_free(NULL);
  assert_null(ls_program_name(NULL));
  assert_string_equal(ls_version(), "0.1.0");
}

static void test_after_finish(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("done");
  ls_value x = vector(b, "x", LS_F64);
  ls_output(b, "y", x);
  ls_program *program = ls_builder_finish(b);
  assert_non_null(program);
  assert_false(ls_value_valid(ls_neg(b, x)));
  int line = __LINE__ - 1;
  expect_error(b, LS_BAD_ARGUMENT, line, "ls_neg|finished");
  assert_string_equal(ls_program_name(program), "done");
  ls_program_destroy(program);
}

/* -- reading ----------------------------------------------------------- */

static void test_parse_errors(void **state) {
  (void)state;
  ls_error error;
  const char *wrong =
      "program @p(%x: f64[3]) {\n  %y = ad %x, %x\n"
      "  return %y\n}\n";
  assert_null(ls_program_parse(wrong, strlen(wrong), "p.ls", NULL, 0, &error));
  assert_int_equal(error.status, LS_BAD_PROGRAM);
  assert_non_null(strstr(error.text, "p.ls:2:8: error:"));
  assert_null(ls_program_read("/nonexistent/p.ls", NULL, 0, &error));
  assert_int_equal(error.status, LS_BAD_FILE);
  assert_null(ls_program_parse(NULL, 0, NULL, NULL, 0, &error));
  assert_int_equal(error.status, LS_BAD_ARGUMENT);
  const char *sized =
      "size m = 4\nprogram @p(%x: f64[m]) {\n"
      "  return %x\n}\n";
  ls_size size = {"m", 9}, other = {"k", 9};
  ls_program *p =
      ls_program_parse(sized, strlen(sized), NULL, &size, 1, &error);
  assert_non_null(p);
  assert_int_equal(ls_program_input_type(p, 0).dims[0], 9);
  ls_program_destroy(p);
  assert_null(ls_program_parse(sized, strlen(sized), NULL, &other, 1, &error));
  assert_int_equal(error.status, LS_BAD_ARGUMENT);
}

/* -- size -------------------------------------------------------------- */

/* A chain of a million nodes: recorded, finished, freed. */
static void test_long_chain(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("chain");
  ls_value x = vector(b, "x", LS_F64);
  for (int i = 0; i < 1000000; i++) x = ls_neg(b, x);
  ls_output(b, "y", x);
  ls_program *program = ls_builder_finish(b);
  assert_non_null(program);
  ls_program_destroy(program);
  ls_builder_destroy(b);
}

static void test_deep_nesting(void **state) {
  (void)state;
  ls_builder *b = ls_builder_create("deep");
  ls_value x = vector(b, "x", LS_F64);
  int line = 0;
  for (int i = 0; i < 70 && ls_builder_status(b) == LS_OK; i++) {
    ls_scan_begin(b, 1);
    line = __LINE__ - 1;
  }
  ls_neg(b, x);
  expect_error(b, LS_BAD_PROGRAM, line, "ls_scan_begin|64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_average),
      cmocka_unit_test(test_scan_forms),
      cmocka_unit_test(test_scalar_takes_dtype),
      cmocka_unit_test(test_every_form),
      cmocka_unit_test(test_sticky),
      cmocka_unit_test(test_axis_errors),
      cmocka_unit_test(test_scope),
      cmocka_unit_test(test_carry_outside),
      cmocka_unit_test(test_other_builder),
      cmocka_unit_test(test_carry_errors),
      cmocka_unit_test(test_scan_misuse),
      cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_nulls),
      cmocka_unit_test(test_after_finish),
      cmocka_unit_test(test_parse_errors),
      cmocka_unit_test(test_long_chain),
      cmocka_unit_test(test_deep_nesting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
