/* test_scalar.c: one element through every elementwise op: integer edges
 * (x / 0, MIN / -1), float specials (NaN, -0, halves), the
 * rounding of each dtype, and that no op of ops.def lacks a rule. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "ir/ir.h"

static int64_t ints(Op op, DType dtype, int64_t a, int64_t b) {
  Scalar x[3] = {ir_scalar_wrap(dtype, (uint64_t)a),
                 ir_scalar_wrap(dtype, (uint64_t)b)};
  return ir_scalar_apply(op, WORD_NONE, dtype, x).i;
}

static double floats(Op op, DType dtype, double a, double b) {
  Scalar x[3] = {{.f = a}, {.f = b}};
  return ir_scalar_apply(op, WORD_NONE, dtype, x).f;
}

static void assert_bits(double got, double expected) {
  if (isnan(expected)) {
    assert_true(isnan(got));
  } else {
    assert_memory_equal(&got, &expected, sizeof got);
  }
}

static void no_op_lacks_a_rule(void **state) {
  (void)state;
  for (int op = 0; op < OP_COUNT; op++) {
    bool elementwise = ir_ops[op].class == ELEMENTWISE;
    bool elsewhere = op == OP_convert || op == OP_bitcast;
    assert_int_equal(ir_scalar_has_rule((Op)op), elementwise && !elsewhere);
  }
}

static void integers_wrap(void **state) {
  (void)state;
  assert_int_equal(ints(OP_add, DT_I8, 100, 100), -56);
  assert_int_equal(ints(OP_add, DT_U8, 200, 100), 44);
  assert_int_equal(ints(OP_sub, DT_U16, 0, 1), 65535);
  assert_int_equal(ints(OP_mul, DT_I32, 65536, 65536), 0);
  assert_int_equal(ints(OP_mul, DT_I64, INT64_MAX, 2), -2);
  assert_int_equal(ints(OP_neg, DT_I8, -128, 0), -128);
  assert_int_equal(ints(OP_neg, DT_U8, 1, 0), 255);
  assert_int_equal(ints(OP_abs, DT_I64, INT64_MIN, 0), INT64_MIN);
  assert_int_equal(ints(OP_sign, DT_I8, -7, 0), -1);
  assert_int_equal(ints(OP_sign, DT_U8, 200, 0), 1);
}

static void division(void **state) {
  (void)state;
  assert_int_equal(ints(OP_div, DT_I32, 5, 0), -1);
  assert_int_equal(ints(OP_div, DT_U8, 5, 0), 255);
  assert_int_equal(ints(OP_rem, DT_I32, 5, 0), 5);
  assert_int_equal(ints(OP_rem, DT_U64, 5, 0), 5);
  assert_int_equal(ints(OP_div, DT_I8, -128, -1), -128);
  assert_int_equal(ints(OP_rem, DT_I8, -128, -1), 0);
  assert_int_equal(ints(OP_div, DT_I64, INT64_MIN, -1), INT64_MIN);
  assert_int_equal(ints(OP_rem, DT_I64, INT64_MIN, -1), 0);
  assert_int_equal(ints(OP_div, DT_I32, -7, 2), -3);
  assert_int_equal(ints(OP_rem, DT_I32, -7, 2), -1);
  assert_int_equal(ints(OP_div, DT_U8, 200, 3), 66);
}

static void shifts(void **state) {
  (void)state;
  Op left = OP_shift_left, logical = OP_shift_right_logical,
     arithmetic = OP_shift_right_arithmetic;
  assert_int_equal(ints(left, DT_I8, 1, 7), -128);
  assert_int_equal(ints(left, DT_I8, 1, 8), 0);
  assert_int_equal(ints(left, DT_I8, 1, -1), 0);
  assert_int_equal(ints(left, DT_U64, 1, 64), 0);
  assert_int_equal(ints(logical, DT_I8, -1, 1), 127);
  assert_int_equal(ints(logical, DT_I8, -1, 0), -1);
  assert_int_equal(ints(logical, DT_I32, -1, 32), 0);
  assert_int_equal(ints(arithmetic, DT_I8, -128, 3), -16);
  assert_int_equal(ints(arithmetic, DT_I8, -128, 100), -1);
  assert_int_equal(ints(arithmetic, DT_I8, -128, -1), -1);
  assert_int_equal(ints(arithmetic, DT_I8, 64, 99), 0);
  assert_int_equal(ints(arithmetic, DT_U8, 128, 1), 192);
  assert_int_equal(ints(arithmetic, DT_U8, 128, 8), 255);
  assert_int_equal(ints(arithmetic, DT_I64, INT64_MIN, 63), -1);
  assert_int_equal(ints(arithmetic, DT_I64, INT64_MIN, 0), INT64_MIN);
}

static void bits(void **state) {
  (void)state;
  assert_int_equal(ints(OP_popcount, DT_I8, -1, 0), 8);
  assert_int_equal(ints(OP_popcount, DT_I64, -1, 0), 64);
  assert_int_equal(ints(OP_not, DT_BOOL, 1, 0), 0);
  assert_int_equal(ints(OP_not, DT_BOOL, 0, 0), 1);
  assert_int_equal(ints(OP_not, DT_U8, 1, 0), 254);
  assert_int_equal(ints(OP_xor, DT_I8, -1, 1), -2);
  assert_int_equal(ints(OP_max, DT_U8, 200, 100), 200);
  assert_int_equal(ints(OP_max, DT_I8, -56, 100), 100);
  assert_int_equal(ints(OP_min, DT_BOOL, 1, 0), 0);
}

static void float_extremes(void **state) {
  (void)state;
  for (int d = DT_F16; d <= DT_F64; d++) {
    DType dtype = (DType)d;
    assert_bits(floats(OP_max, dtype, -0.0, 0.0), 0.0);
    assert_bits(floats(OP_max, dtype, 0.0, -0.0), 0.0);
    assert_bits(floats(OP_min, dtype, 0.0, -0.0), -0.0);
    assert_bits(floats(OP_max, dtype, NAN, 1), NAN);
    assert_bits(floats(OP_max, dtype, 1, NAN), NAN);
    assert_bits(floats(OP_min, dtype, -INFINITY, NAN), NAN);
    assert_bits(floats(OP_max, dtype, -INFINITY, -INFINITY), -INFINITY);
    assert_bits(floats(OP_sign, dtype, NAN, 0), NAN);
    assert_bits(floats(OP_sign, dtype, -0.0, 0), -0.0);
    assert_bits(floats(OP_sign, dtype, -INFINITY, 0), -1);
    assert_bits(floats(OP_abs, dtype, -0.0, 0), 0.0);
    assert_bits(floats(OP_neg, dtype, 0.0, 0), -0.0);
  }
}

static void rounding_ops(void **state) {
  (void)state;
  static const double cases[][2] = {{0.5, 0},     {1.5, 2},
                                    {2.5, 2},     {-0.5, -0.0},
                                    {-1.5, -2},   {0.49, 0},
                                    {-0.0, -0.0}, {7, 7},
                                    {-2.5, -2},   {0x1p53, 0x1p53},
                                    {-0.3, -0.0}, {0x1.fffffffffffffp-2, 0},
                                    {NAN, NAN},   {INFINITY, INFINITY}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_bits(floats(OP_round, DT_F64, cases[k][0], 0), cases[k][1]);
    assert_bits(floats(OP_round, DT_F64, cases[k][0], 0), rint(cases[k][0]));
  }
  assert_bits(floats(OP_floor, DT_F32, -0.5, 0), -1);
  assert_bits(floats(OP_ceil, DT_F32, -0.5, 0), -0.0);
  assert_bits(floats(OP_rem, DT_F32, -7.5, 2), -1.5);
  assert_bits(floats(OP_rem, DT_F64, 4, -2), 0.0);
  assert_bits(floats(OP_rem, DT_F64, 1, 0), NAN);
}

/* The f64 detour gives what f32 instructions give, subnormals included. */
static void f32_is_f32(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < 200000; k++) {
    float x[2];
    for (int j = 0; j < 2; j++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint32_t word = (uint32_t)(seed >> 32);
      memcpy(&x[j], &word, sizeof word);
    }
    float sum = x[0] + x[1], product = x[0] * x[1], quotient = x[0] / x[1];
    float root = sqrtf(fabsf(x[0]));
    assert_bits(floats(OP_add, DT_F32, x[0], x[1]), sum);
    assert_bits(floats(OP_mul, DT_F32, x[0], x[1]), product);
    assert_bits(floats(OP_div, DT_F32, x[0], x[1]), quotient);
    assert_bits(floats(OP_sqrt, DT_F32, fabsf(x[0]), 0), root);
    assert_bits(floats(OP_rem, DT_F32, x[0], x[1]), fmodf(x[0], x[1]));
  }
}

static void small_floats_round(void **state) {
  (void)state;
  assert_bits(floats(OP_add, DT_F16, 2048, 1), 2048);
  assert_bits(floats(OP_add, DT_F16, 2048, 3), 2052);
  assert_bits(floats(OP_mul, DT_F16, 300, 300), INFINITY);
  assert_bits(floats(OP_add, DT_BF16, 256, 1), 256);
  assert_bits(floats(OP_div, DT_BF16, 1, 3), 0x1.56p-2);
  assert_bits(floats(OP_mul, DT_F64, 1e-310, 1e100), 1e-310 * 1e100);
}

static bool compares(Word relation, DType dtype, Scalar a, Scalar b) {
  return ir_scalar_apply(OP_compare, relation, dtype, (Scalar[]){a, b}).u;
}

static void comparisons(void **state) {
  (void)state;
  Scalar one = {.f = 1}, two = {.f = 2}, nan = {.f = NAN};
  static const bool less[] = {0, 1, 1, 1, 0, 0}, same[] = {1, 0, 0, 1, 0, 1},
                    more[] = {0, 1, 0, 0, 1, 1}, none[] = {0, 1, 0, 0, 0, 0};
  for (int k = 0; k < 6; k++) {
    Word relation = (Word)(WORD_eq + k);
    assert_int_equal(compares(relation, DT_F32, one, two), less[k]);
    assert_int_equal(compares(relation, DT_F32, two, two), same[k]);
    assert_int_equal(compares(relation, DT_F32, two, one), more[k]);
    assert_int_equal(compares(relation, DT_F64, nan, one), none[k]);
    assert_int_equal(compares(relation, DT_F64, nan, nan), none[k]);
  }
  assert_true(compares(WORD_lt, DT_I8, (Scalar){.i = -1}, (Scalar){.i = 1}));
  assert_true(
      compares(WORD_gt, DT_U64, (Scalar){.u = UINT64_MAX}, (Scalar){.u = 1}));
  assert_true(
      compares(WORD_eq, DT_F64, (Scalar){.f = -0.0}, (Scalar){.f = 0.0}));
}

static void three_operands(void **state) {
  (void)state;
  Scalar clamp[3] = {{.f = 5}, {.f = 3}, {.f = 4}};
  assert_bits(ir_scalar_apply(OP_clamp, WORD_NONE, DT_F64, clamp).f, 4);
  clamp[1].f = NAN;
  assert_bits(ir_scalar_apply(OP_clamp, WORD_NONE, DT_F64, clamp).f, NAN);
  Scalar bytes[3] = {{.i = -3}, {.i = -100}, {.i = 7}};
  assert_int_equal(ir_scalar_apply(OP_clamp, WORD_NONE, DT_I8, bytes).i, -3);
  Scalar choice[3] = {{.u = 0}, {.f = 1}, {.f = 2}};
  assert_bits(ir_scalar_apply(OP_select, WORD_NONE, DT_F32, choice).f, 2);
  Scalar number = {.f = INFINITY};
  assert_int_equal(ir_scalar_apply(OP_is_finite, WORD_NONE, DT_F32, &number).u,
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_op_lacks_a_rule),
      cmocka_unit_test(integers_wrap),
      cmocka_unit_test(division),
      cmocka_unit_test(shifts),
      cmocka_unit_test(bits),
      cmocka_unit_test(float_extremes),
      cmocka_unit_test(rounding_ops),
      cmocka_unit_test(f32_is_f32),
      cmocka_unit_test(small_floats_round),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(three_operands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
