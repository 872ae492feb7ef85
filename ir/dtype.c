/* dtype.c: the element types and single elements of them.
 *
 * Owns: names, widths and kinds of dtypes; how an element lies in memory; the
 * conversions between dtypes, each rounding once, to nearest even.  Comes in:
 * raw elements, Scalars.  Goes out: Scalars in the canonical form that ir.h
 * promises.  The rounding to the 16-bit formats is done on the bits, so that
 * neither the host's instructions nor its rounding mode has a say.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ir.h"

typedef enum Kind { BOOLEAN, SIGNED, UNSIGNED, FLOATING } Kind;

static const struct {
  const char *name;
  uint8_t bytes;
  uint8_t kind;
} dtypes[DT_COUNT] = {
    [DT_BOOL] = {"bool", 1, BOOLEAN},  [DT_I8] = {"i8", 1, SIGNED},
    [DT_I16] = {"i16", 2, SIGNED},     [DT_I32] = {"i32", 4, SIGNED},
    [DT_I64] = {"i64", 8, SIGNED},     [DT_U8] = {"u8", 1, UNSIGNED},
    [DT_U16] = {"u16", 2, UNSIGNED},   [DT_U32] = {"u32", 4, UNSIGNED},
    [DT_U64] = {"u64", 8, UNSIGNED},   [DT_F16] = {"f16", 2, FLOATING},
    [DT_BF16] = {"bf16", 2, FLOATING}, [DT_F32] = {"f32", 4, FLOATING},
    [DT_F64] = {"f64", 8, FLOATING},
};

const char *ir_dtype_name(DType dtype) { return dtypes[dtype].name; }

bool ir_dtype_find(const char *name, size_t length, DType *dtype) {
  for (int i = 0; i < DT_COUNT; i++) {
    if (strlen(dtypes[i].name) == length &&
        memcmp(dtypes[i].name, name, length) == 0) {
      *dtype = (DType)i;
      return true;
    }
  }
  return false;
}

size_t ir_dtype_bytes(DType dtype) { return dtypes[dtype].bytes; }
bool ir_is_float(DType dtype) { return dtypes[dtype].kind == FLOATING; }
bool ir_is_signed(DType dtype) { return dtypes[dtype].kind == SIGNED; }

bool ir_is_int(DType dtype) {
  return dtypes[dtype].kind == SIGNED || dtypes[dtype].kind == UNSIGNED;
}

DType ir_accumulator(DType dtype) {
  return dtype == DT_F16 || dtype == DT_BF16 ? DT_F32 : dtype;
}

/* -- the 16-bit floats ------------------------------------------------- */

/* A format of 1 sign bit, 15 - mantissa exponent bits, mantissa bits. */
typedef struct Format {
  int mantissa;
  int bias;
} Format;
static const Format f16 = {10, 15};
static const Format bf16 = {7, 127};

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t shift_to_even(uint64_t significand, int shift) {
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((UINT64_C(1) << shift) - 1);
  uint64_t half = UINT64_C(1) << (shift - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

static uint16_t narrow(Format format, double value) {
  uint64_t bits = bits_of(value);
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  unsigned sign = (unsigned)(bits >> 63) << 15;
  unsigned infinity = 0x7fffu & ~0u << format.mantissa;
  if (exponent == 0x7ff) {
    unsigned quiet = 1u << (format.mantissa - 1);
    unsigned payload = (unsigned)(fraction >> (52 - format.mantissa));
    return (uint16_t)(sign | infinity | (fraction ? quiet | payload : 0));
  }
  int scale = exponent - 1023;
  int least = 1 - format.bias;
  int shift = 52 - format.mantissa + (scale < least ? least - scale : 0);
  if (exponent == 0 || shift > 53) return (uint16_t)sign;
  uint64_t kept = shift_to_even(fraction | UINT64_C(1) << 52, shift);
  /* kept holds the leading one, which the addition turns into one step of the
   * exponent; a carry out of the fraction does the same. */
  if (scale > least) kept += (uint64_t)(scale - least) << format.mantissa;
  return (uint16_t)(sign | (kept < infinity ? (unsigned)kept : infinity));
}

static double widen(Format format, uint16_t bits) {
  uint64_t sign = (uint64_t)(bits >> 15) << 63;
  unsigned most = (1u << (15 - format.mantissa)) - 1;
  unsigned exponent = (bits & 0x7fffu) >> format.mantissa;
  uint64_t fraction = bits & ((1u << format.mantissa) - 1);
  if (exponent == 0) {
    double size = ldexp((double)fraction, 1 - format.bias - format.mantissa);
    return sign ? -size : size;
  }
  uint64_t wide = exponent == most ? 0x7ff : exponent + 1023 - format.bias;
  if (exponent == most && fraction) fraction |= 1u << (format.mantissa - 1);
  return from_bits(sign | wide << 52 | fraction << (52 - format.mantissa));
}

uint16_t ir_f16_from_f64(double value) { return narrow(f16, value); }
uint16_t ir_bf16_from_f64(double value) { return narrow(bf16, value); }
double ir_f64_from_f16(uint16_t bits) { return widen(f16, bits); }
double ir_f64_from_bf16(uint16_t bits) { return widen(bf16, bits); }

double ir_round_to(DType dtype, double value) {
  assert(ir_is_float(dtype));
  if (dtype == DT_F64) return value;
  if (dtype == DT_F32) return (double)(float)value;
  Format format = dtype == DT_F16 ? f16 : bf16;
  return widen(format, narrow(format, value));
}

double ir_below_one(DType dtype) {
  static const double gaps[DT_COUNT] = {[DT_F16] = 0x1p-11,
                                        [DT_BF16] = 0x1p-8,
                                        [DT_F32] = 0x1p-24,
                                        [DT_F64] = 0x1p-53};
  return 1 - gaps[dtype];
}

/* -- memory ------------------------------------------------------------ */

#define LOAD(type, field)                     \
  {                                           \
    type element;                             \
    memcpy(&element, memory, sizeof element); \
    return (Scalar){.field = element};        \
  }

Scalar ir_scalar_load(DType dtype, const void *memory) {
  switch (dtype) {
    case DT_BOOL:
      return (Scalar){.u = *(const uint8_t *)memory != 0};
    case DT_I8:
      LOAD(int8_t, i)
    case DT_I16:
      LOAD(int16_t, i)
    case DT_I32:
      LOAD(int32_t, i)
    case DT_I64:
      LOAD(int64_t, i)
    case DT_U8:
      LOAD(uint8_t, u)
    case DT_U16:
      LOAD(uint16_t, u)
    case DT_U32:
      LOAD(uint32_t, u)
    case DT_U64:
      LOAD(uint64_t, u)
    case DT_F32:
      LOAD(float, f)
    case DT_F64:
      LOAD(double, f)
    case DT_F16:
    case DT_BF16: {
      uint16_t bits;
      memcpy(&bits, memory, sizeof bits);
      return (Scalar){.f = widen(dtype == DT_F16 ? f16 : bf16, bits)};
    }
    default:
      assert(!"a dtype");
      return (Scalar){.u = 0};
  }
}

void ir_scalar_store(DType dtype, void *memory, Scalar value) {
  if (dtype == DT_F64) {
    memcpy(memory, &value.f, sizeof value.f);
  } else if (dtype == DT_F32) {
    float element = (float)value.f;
    memcpy(memory, &element, sizeof element);
  } else if (ir_is_float(dtype)) {
    uint16_t bits = narrow(dtype == DT_F16 ? f16 : bf16, value.f);
    memcpy(memory, &bits, sizeof bits);
  } else {
    uint8_t u1 = (uint8_t)value.u;
    uint16_t u2 = (uint16_t)value.u;
    uint32_t u4 = (uint32_t)value.u;
    switch (dtypes[dtype].bytes) {
      case 1:
        memcpy(memory, &u1, sizeof u1);
        break;
      case 2:
        memcpy(memory, &u2, sizeof u2);
        break;
      case 4:
        memcpy(memory, &u4, sizeof u4);
        break;
      default:
        memcpy(memory, &value.u, sizeof value.u);
        break;
    }
  }
}

/* -- conversion -------------------------------------------------------- */

Scalar ir_scalar_wrap(DType dtype, uint64_t bits) {
  if (dtype == DT_BOOL) return (Scalar){.u = bits & 1};
  int unused = 64 - 8 * dtypes[dtype].bytes;
  if (!ir_is_signed(dtype)) {
    return (Scalar){.u = bits << unused >> unused};
  }
  uint64_t sign = UINT64_C(1) << (63 - unused);
  bits = bits << unused >> unused;
  return (Scalar){.u = (bits ^ sign) - sign};
}

Scalar ir_scalar_least(DType dtype) {
  if (ir_is_float(dtype)) return (Scalar){.f = -INFINITY};
  if (!ir_is_signed(dtype)) return (Scalar){.u = 0};
  return ir_scalar_wrap(dtype, UINT64_C(1) << (8 * dtypes[dtype].bytes - 1));
}

Scalar ir_scalar_greatest(DType dtype) {
  if (ir_is_float(dtype)) return (Scalar){.f = INFINITY};
  if (!ir_is_signed(dtype)) return ir_scalar_wrap(dtype, UINT64_MAX);
  return (Scalar){.i = INT64_MAX >> (64 - 8 * dtypes[dtype].bytes)};
}

/* The bounds are compared as floats: a power of two is exact in f64, and
 * whatever lies strictly between them survives the cast. */
static Scalar int_from_float(DType to, double value) {
  int bits = 8 * dtypes[to].bytes;
  if (isnan(value)) return (Scalar){.u = 0};
  if (!ir_is_signed(to)) {
    if (value >= ldexp(1, bits)) return ir_scalar_greatest(to);
    return (Scalar){.u = value <= 0 ? 0 : (uint64_t)value};
  }
  if (value >= ldexp(1, bits - 1)) return ir_scalar_greatest(to);
  if (value <= -ldexp(1, bits - 1)) return ir_scalar_least(to);
  return (Scalar){.i = (int64_t)value};
}

/* Large integers do not fit f64; the bits that are cut off are kept as one
 * sticky bit, so that the second rounding, to a format of at most 24 bits,
 * goes the way a single one would. */
static double sticky(uint64_t size) {
  if (size >> 53 == 0) return (double)size;
  uint64_t odd = (size & 0x7ff) != 0;
  return ldexp((double)(size >> 11 | odd), 11);
}

static Scalar float_from_int(DType to, DType from, Scalar value) {
  bool negative = ir_is_signed(from) && value.i < 0;
  if (to == DT_F64) {
    double wide = ir_is_signed(from) ? (double)value.i : (double)value.u;
    return (Scalar){.f = wide};
  }
  double size = sticky(negative ? 0 - value.u : value.u);
  return (Scalar){.f = ir_round_to(to, negative ? -size : size)};
}

Scalar ir_scalar_convert(DType to, DType from, Scalar value) {
  bool source_float = ir_is_float(from);
  if (to == DT_BOOL) {
    return (Scalar){.u = source_float ? value.f != 0 : value.u != 0};
  }
  if (source_float) {
    if (!ir_is_float(to)) return int_from_float(to, value.f);
    return (Scalar){.f = ir_round_to(to, value.f)};
  }
  if (ir_is_float(to)) return float_from_int(to, from, value);
  return ir_scalar_wrap(to, value.u);
}

Scalar ir_scalar_bitcast(DType to, DType from, Scalar value) {
  unsigned char memory[8];
  assert(dtypes[to].bytes == dtypes[from].bytes);
  ir_scalar_store(from, memory, value);
  return ir_scalar_load(to, memory);
}
