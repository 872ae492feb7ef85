/* test_integer_pow.c: pow of integers, compiled and folded, against repeated
 * multiplication modulo 2^n.  A negative exponent gives the true quotient cut
 * towards 0: 1 for base 1, 1 or -1 for base -1, else 0 (base 0 too). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "frontend/lockstep.h"
#include "ir/ir.h"

enum { PAIRS = 4096 };

/* What language.md says, in the dtype's width. */
static Scalar expected(DType dtype, Scalar base, Scalar exponent) {
  uint64_t power = 1;
  if (ir_is_signed(dtype) && exponent.i < 0) {
    bool odd = exponent.i % 2 != 0;
    if (base.i == 1) return (Scalar){.i = 1};
    return (Scalar){.i = base.i == -1 ? (odd ? -1 : 1) : 0};
  }
  if (exponent.u < 300) {
    for (uint64_t i = 0; i < exponent.u; i++) power *= base.u;
    return ir_scalar_wrap(dtype, power);
  }
  /* from the top bit down; the library goes up */
  for (int bit = 63; bit >= 0; bit--) {
    power *= power;
    if (exponent.u >> bit & 1) power *= base.u;
  }
  return ir_scalar_wrap(dtype, power);
}

static const Scalar corners[] = {
    {.i = 0},  {.i = 1},         {.i = 2},         {.i = 3},
    {.i = 7},  {.i = 8},         {.i = 63},        {.i = 64},
    {.i = 31}, {.i = -1},        {.i = -2},        {.i = -3},
    {.i = 10}, {.i = INT64_MIN}, {.i = INT64_MAX}, {.i = INT32_MIN}};

/* Every pair of corners; then bases and exponents of all sizes. */
static void operands(DType dtype, int at, Scalar *base, Scalar *exponent) {
  uint64_t z = (uint64_t)at * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  uint64_t b = z >> (at % 61), e = (z * 0x2545f491 + 99) >> (at % 63);
  if (at < 256) {
    b = corners[at / 16].u;
    e = corners[at % 16].u;
  } else if (at % 2) {
    e = 0 - (e & 15);
  }
  *base = ir_scalar_wrap(dtype, b);
  *exponent = ir_scalar_wrap(dtype, e);
}

/* base to the power exponent, both inputs or both constants, into result. */
static void compute(ls_type type, char *const data[2], bool constants,
                    bool evaluated, char *result) {
  ls_error error;
  ls_builder *b = ls_builder_create("power");
  ls_value x[2];
  for (int i = 0; i < 2; i++)
    x[i] = constants ? ls_constant(b, type, data[i])
                     : ls_input(b, i ? "exponent" : "base", type);
  ls_output(b, "y", ls_pow(b, x[0], x[1]));
  ls_program *program = ls_builder_finish(b);
  assert_non_null(program);
  ls_builder_destroy(b);
  ls_array arrays[] = {ls_array_of(data[0], type.dtype, PAIRS),
                       ls_array_of(data[1], type.dtype, PAIRS)};
  ls_array results[] = {ls_array_of(result, type.dtype, PAIRS)};
  int n = constants ? 0 : 2;
  if (evaluated) {
    assert_int_equal(ls_evaluate(program, arrays, n, results, 1, &error),
                     LS_OK);
  } else {
    ls_executable *run = ls_compile(program, NULL, &error);
    assert_non_null(run);
    assert_int_equal(ls_run(run, arrays, n, results, 1, NULL, &error), LS_OK);
    ls_executable_destroy(run);
  }
  ls_program_destroy(program);
}

static void check(DType dtype, ls_dtype public) {
  size_t bytes = ir_dtype_bytes(dtype);
  char *data[2] = {malloc(PAIRS * 8), malloc(PAIRS * 8)};
  char *wanted = malloc(PAIRS * 8), *got = malloc(PAIRS * 8);
  assert_true(data[0] && data[1] && wanted && got);
  assert_string_equal(ir_dtype_name(dtype), ls_dtype_name(public));
  for (int at = 0; at < PAIRS; at++) {
    Scalar base, exponent;
    size_t offset = (size_t)at * bytes;
    operands(dtype, at, &base, &exponent);
    ir_scalar_store(dtype, data[0] + offset, base);
    ir_scalar_store(dtype, data[1] + offset, exponent);
    ir_scalar_store(dtype, wanted + offset, expected(dtype, base, exponent));
  }
  ls_type type = ls_type_of(public, PAIRS);
  for (int way = 0; way < 3; way++) {
    compute(type, data, way == 1, way == 2, got);
    assert_memory_equal(got, wanted, PAIRS * bytes);
  }
  free(data[0]);
  free(data[1]);
  free(wanted);
  free(got);
}

static void powers(void **state) {
  (void)state;
  check(DT_I8, LS_I8);
  check(DT_I16, LS_I16);
  check(DT_I32, LS_I32);
  check(DT_I64, LS_I64);
  check(DT_U8, LS_U8);
  check(DT_U16, LS_U16);
  check(DT_U32, LS_U32);
  check(DT_U64, LS_U64);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(powers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
