/* test_dtype.c: every 16-bit float there and back, every rounding boundary
 * between neighbours, and the conversion rules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "ir/ir.h"

static Scalar f(double value) { return (Scalar){.f = value}; }
static Scalar i(int64_t value) { return (Scalar){.i = value}; }
static Scalar u(uint64_t value) { return (Scalar){.u = value}; }

static void assert_same_float(double got, double expected) {
  if (isnan(expected)) {
    assert_true(isnan(got));
    return;
  }
  assert_memory_equal(&got, &expected, sizeof got);
}

static void names_and_kinds(void **state) {
  (void)state;
  static const char *const names[] = {"bool", "i8",  "i16", "i32", "i64",
                                      "u8",   "u16", "u32", "u64", "f16",
                                      "bf16", "f32", "f64"};
  static const int bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  for (int d = 0; d < DT_COUNT; d++) {
    DType found;
    assert_string_equal(ir_dtype_name((DType)d), names[d]);
    assert_true(ir_dtype_find(names[d], strlen(names[d]), &found));
    assert_int_equal(found, d);
    assert_int_equal(ir_dtype_bytes((DType)d), bytes[d]);
    assert_int_equal(ir_is_float((DType)d), strchr(names[d], 'f') != NULL);
    assert_int_equal(ir_is_signed((DType)d), names[d][0] == 'i');
    assert_int_equal(ir_is_int((DType)d),
                     names[d][0] == 'i' || names[d][0] == 'u');
  }
  DType none;
  assert_false(ir_dtype_find("f3", 2, &none));
  assert_false(ir_dtype_find("f32x", 4, &none));
  assert_int_equal(ir_accumulator(DT_BF16), DT_F32);
  assert_int_equal(ir_accumulator(DT_F64), DT_F64);
  assert_int_equal(ir_accumulator(DT_I8), DT_I8);
}

typedef struct Half {
  uint16_t (*narrow)(double);
  double (*widen)(uint16_t);
  uint16_t infinity;
  double beyond; /* where the next finite number would be */
} Half;
static const Half halves[] = {
    {ir_f16_from_f64, ir_f64_from_f16, 0x7c00, 0x1p16},
    {ir_bf16_from_f64, ir_f64_from_bf16, 0x7f80, 0x1p128},
};

static void there_and_back(void **state) {
  (void)state;
  for (int h = 0; h < 2; h++) {
    const Half *half = &halves[h];
    for (unsigned bits = 0; bits < 0x10000; bits++) {
      double value = half->widen((uint16_t)bits);
      unsigned again = half->narrow(value);
      if ((bits & 0x7fff) > half->infinity) {
        assert_true(isnan(value));
        assert_true((again & 0x7fff) > half->infinity);
      } else {
        assert_int_equal(again, bits);
        assert_int_equal(signbit(value) != 0, bits >> 15);
      }
    }
  }
}

static double value_at(const Half *half, unsigned bits) {
  return bits == half->infinity ? half->beyond : half->widen((uint16_t)bits);
}

/* Between any two neighbours: the midpoint goes to the even one, whatever is
 * nearer to one of them goes there. */
static void every_boundary(void **state) {
  (void)state;
  for (int h = 0; h < 2; h++) {
    const Half *half = &halves[h];
    for (unsigned bits = 0; bits < half->infinity; bits++) {
      double low = value_at(half, bits), high = value_at(half, bits + 1);
      double middle = (low + high) / 2;
      unsigned even = bits & 1 ? bits + 1 : bits;
      assert_int_equal(half->narrow(middle), even);
      assert_int_equal(half->narrow(-middle), even | 0x8000);
      assert_int_equal(half->narrow(nextafter(middle, 0)), bits);
      assert_int_equal(half->narrow(nextafter(middle, INFINITY)), bits + 1);
      assert_int_equal(half->narrow(-nextafter(middle, INFINITY)),
                       (bits + 1) | 0x8000);
    }
  }
}

static void extremes(void **state) {
  (void)state;
  for (int h = 0; h < 2; h++) {
    const Half *half = &halves[h];
    assert_int_equal(half->narrow(INFINITY), half->infinity);
    assert_int_equal(half->narrow(-INFINITY), half->infinity | 0x8000);
    assert_int_equal(half->narrow(1.7e308), half->infinity);
    assert_int_equal(half->narrow(5e-324), 0);
    assert_int_equal(half->narrow(-5e-324), 0x8000);
    assert_int_equal(half->narrow(0x1p-1022), 0);
  }
}

/* f64 to f16 by way of f32 would round these twice, and wrongly. */
static void rounds_once(void **state) {
  (void)state;
  assert_int_equal(ir_f16_from_f64(1 + 0x1p-11 + 0x1p-40), 0x3c01);
  assert_int_equal(ir_f16_from_f64(1 + 0x1p-11), 0x3c00);
  assert_int_equal(ir_f16_from_f64(1 + 0x3p-11 - 0x1p-40), 0x3c01);
  assert_int_equal(ir_bf16_from_f64(1 + 0x1p-8 + 0x1p-40), 0x3f81);
  assert_int_equal(ir_bf16_from_f64(-1 - 0x1p-8 - 0x1p-40), 0xbf81);
  assert_int_equal(ir_f16_from_f64(65519.999999), 0x7bff);
  assert_int_equal(ir_f16_from_f64(65520), 0x7c00);
}

static void int_to_float_rounds_once(void **state) {
  (void)state;
  int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 54);
  assert_same_float(ir_scalar_convert(DT_BF16, DT_I64, i(tie)).f, 0x1p62);
  assert_same_float(ir_scalar_convert(DT_BF16, DT_I64, i(tie + 1)).f,
                    0x1p62 + 0x1p55);
  assert_same_float(ir_scalar_convert(DT_BF16, DT_I64, i(-tie - 1)).f,
                    -0x1p62 - 0x1p55);
  int64_t tie32 = (INT64_C(1) << 62) + (INT64_C(1) << 38);
  assert_same_float(ir_scalar_convert(DT_F32, DT_I64, i(tie32)).f, 0x1p62);
  assert_same_float(ir_scalar_convert(DT_F32, DT_I64, i(tie32 + 1)).f,
                    0x1p62 + 0x1p39);
  assert_same_float(ir_scalar_convert(DT_F32, DT_U64, u(UINT64_MAX)).f, 0x1p64);
  assert_same_float(ir_scalar_convert(DT_F64, DT_U64, u(UINT64_MAX)).f, 0x1p64);
  assert_same_float(ir_scalar_convert(DT_F16, DT_I32, i(65520)).f, INFINITY);
  assert_same_float(ir_scalar_convert(DT_F16, DT_I64, i(INT64_MIN)).f,
                    -INFINITY);
  assert_same_float(ir_scalar_convert(DT_F16, DT_I32, i(2049)).f, 2048);
  assert_same_float(ir_scalar_convert(DT_F64, DT_I64, i(INT64_MIN)).f, -0x1p63);
  for (int64_t k = -70000; k < 70000; k++) {
    double direct = (double)(float)k;
    assert_same_float(ir_scalar_convert(DT_F32, DT_I64, i(k)).f, direct);
  }
}

typedef struct Saturation {
  DType to;
  double value;
  int64_t expected;
} Saturation;

static void float_to_int_saturates(void **state) {
  (void)state;
  static const Saturation cases[] = {
      {DT_I8, 127.9, 127},
      {DT_I8, 128, 127},
      {DT_I8, -128.9, -128},
      {DT_I8, -1e300, -128},
      {DT_I8, -0.9, 0},
      {DT_I8, NAN, 0},
      {DT_U8, 255.9, 255},
      {DT_U8, 256, 255},
      {DT_U8, -3, 0},
      {DT_U8, NAN, 0},
      {DT_I16, 40000, 32767},
      {DT_U16, 65535.5, 65535},
      {DT_I32, 3e9, INT32_MAX},
      {DT_I32, -3e9, INT32_MIN},
      {DT_U32, 5e9, UINT32_MAX},
      {DT_U32, -INFINITY, 0},
      {DT_I64, 0x1p63, INT64_MAX},
      {DT_I64, -INFINITY, INT64_MIN},
      {DT_I64, 0x1.fffffffffffffp62, INT64_C(0x7ffffffffffffc00)},
      {DT_I64, -0x1p63, INT64_MIN},
      {DT_I32, -7.9, -7},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Scalar got = ir_scalar_convert(cases[k].to, DT_F64, f(cases[k].value));
    assert_int_equal(got.i, cases[k].expected);
  }
  assert_true(ir_scalar_convert(DT_U64, DT_F64, f(INFINITY)).u == UINT64_MAX);
  assert_true(ir_scalar_convert(DT_U64, DT_F64, f(0x1p63)).u == 1ULL << 63);
  assert_true(ir_scalar_convert(DT_U64, DT_F64, f(0x1p64)).u == UINT64_MAX);
  assert_true(ir_scalar_convert(DT_U64, DT_F32, f(-1)).u == 0);
}

static void int_to_int_wraps(void **state) {
  (void)state;
  assert_int_equal(ir_scalar_convert(DT_I8, DT_I32, i(200)).i, -56);
  assert_int_equal(ir_scalar_convert(DT_U8, DT_I32, i(-1)).i, 255);
  assert_int_equal(ir_scalar_convert(DT_I16, DT_U16, u(0x8000)).i, -32768);
  assert_int_equal(ir_scalar_convert(DT_U32, DT_I64, i(-1)).i, UINT32_MAX);
  assert_true(ir_scalar_convert(DT_U64, DT_I8, i(-1)).u == UINT64_MAX);
  assert_int_equal(ir_scalar_convert(DT_I64, DT_U8, u(255)).i, 255);
  assert_int_equal(ir_scalar_convert(DT_I32, DT_BOOL, u(1)).i, 1);
}

static void to_and_from_bool(void **state) {
  (void)state;
  assert_int_equal(ir_scalar_convert(DT_BOOL, DT_F64, f(-0.0)).u, 0);
  assert_int_equal(ir_scalar_convert(DT_BOOL, DT_F64, f(NAN)).u, 1);
  assert_int_equal(ir_scalar_convert(DT_BOOL, DT_F64, f(5e-324)).u, 1);
  assert_int_equal(ir_scalar_convert(DT_BOOL, DT_I32, i(256)).u, 1);
  assert_same_float(ir_scalar_convert(DT_F16, DT_BOOL, u(1)).f, 1);
}

static void memory_is_canonical(void **state) {
  (void)state;
  for (int d = 0; d < DT_COUNT; d++) {
    DType dtype = (DType)d;
    unsigned char memory[9];
    Scalar most = ir_scalar_greatest(dtype), least = ir_scalar_least(dtype);
    memset(memory, 0x5a, sizeof memory);
    ir_scalar_store(dtype, memory, most);
    assert_int_equal(memory[ir_dtype_bytes(dtype)], 0x5a);
    assert_true(ir_scalar_load(dtype, memory).u == most.u);
    ir_scalar_store(dtype, memory, least);
    assert_true(ir_scalar_load(dtype, memory).u == least.u);
  }
  assert_true(ir_scalar_least(DT_I16).i == -32768);
  assert_true(ir_scalar_greatest(DT_I64).i == INT64_MAX);
  assert_true(ir_scalar_greatest(DT_U32).u == UINT32_MAX);
  assert_true(ir_scalar_bitcast(DT_U32, DT_F32, f(1)).u == 0x3f800000);
  assert_same_float(ir_scalar_bitcast(DT_F16, DT_I16, i(-32768)).f, -0.0);
  assert_true(ir_scalar_bitcast(DT_I8, DT_U8, u(255)).i == -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_kinds),
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(every_boundary),
      cmocka_unit_test(extremes),
      cmocka_unit_test(rounds_once),
      cmocka_unit_test(int_to_float_rounds_once),
      cmocka_unit_test(float_to_int_saturates),
      cmocka_unit_test(int_to_int_wraps),
      cmocka_unit_test(to_and_from_bool),
      cmocka_unit_test(memory_is_canonical),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
