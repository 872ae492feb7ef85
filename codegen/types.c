/* types.c: dtypes in registers and in memory, conversions and two-operand
 * arithmetic, on scalars and on vectors alike. */
#include "emit.h"

#include <math.h>
#include <string.h>

static LLVMTypeRef int_type(Gen *gen, DType dtype) {
  switch (ir_dtype_bytes(dtype)) {
    case 1:
      return gen->i8;
    case 2:
      return gen->i16;
    case 4:
      return gen->i32;
    default:
      return gen->i64;
  }
}

LLVMTypeRef register_type(Gen *gen, DType dtype) {
  if (dtype == DT_BOOL) return gen->i1;
  if (dtype == DT_F64) return gen->f64;
  if (ir_is_float(dtype)) return gen->f32;
  return int_type(gen, dtype);
}

LLVMTypeRef memory_type(Gen *gen, DType dtype) {
  if (dtype == DT_F64) return gen->f64;
  if (dtype == DT_F32) return gen->f32;
  return int_type(gen, dtype);
}

/* -- 16-bit floats, by integer arithmetic ------------------------------ */

static Ssa reals_as_bits(Gen *gen, Ssa value) {
  return LLVMBuildBitCast(gen->b, value, lane_type(gen, gen->i32, value), "");
}

static Ssa bits_as_reals(Gen *gen, Ssa bits) {
  return LLVMBuildBitCast(gen->b, bits, lane_type(gen, gen->f32, bits), "");
}

static Ssa bits_and(Gen *gen, Ssa x, int64_t mask) {
  return LLVMBuildAnd(gen->b, x, int_like(gen, x, mask), "");
}

static Ssa shift_right(Gen *gen, Ssa x, int n) {
  return LLVMBuildLShr(gen->b, x, int_like(gen, x, n), "");
}

static Ssa shift_left(Gen *gen, Ssa x, int n) {
  return LLVMBuildShl(gen->b, x, int_like(gen, x, n), "");
}

static Ssa is_greater(Gen *gen, Ssa x, int64_t limit) {
  return LLVMBuildICmp(gen->b, LLVMIntUGT, x, int_like(gen, x, limit), "");
}

/* f16 bits (in i32) to f32: exponent moved by a product that is exact, also
 * for subnormals; infinities and NaN mended. */
static Ssa f16_to_f32(Gen *gen, Ssa half) {
  Ssa magnitude = shift_left(gen, bits_and(gen, half, 0x7fff), 13);
  Ssa sign = shift_left(gen, bits_and(gen, half, 0x8000), 16);
  Ssa scaled = LLVMBuildFMul(
      gen->b, bits_as_reals(gen, magnitude),
      constant_like(gen, bits_as_reals(gen, magnitude), 0x1p112), "");
  Ssa special =
      LLVMBuildOr(gen->b, magnitude, int_like(gen, magnitude, 0x7f800000), "");
  Ssa bits = choose(gen, is_greater(gen, magnitude, 0x0f7fffff), special,
                    reals_as_bits(gen, scaled));
  return bits_as_reals(gen, LLVMBuildOr(gen->b, bits, sign, ""));
}

/* f32 to f16 bits (in i32), to nearest even. */
static Ssa f32_to_f16(Gen *gen, Ssa value) {
  Ssa bits = reals_as_bits(gen, value);
  Ssa sign = bits_and(gen, bits, 0x80000000);
  Ssa a = LLVMBuildXor(gen->b, bits, sign, "");
  Ssa special = choose(gen, is_greater(gen, a, 0x7f800000),
                       int_like(gen, a, 0x7e00), int_like(gen, a, 0x7c00));
  Ssa half = constant_like(gen, value, 0.5); /* aligns a subnormal's bits */
  Ssa small = LLVMBuildSub(
      gen->b,
      reals_as_bits(gen,
                    LLVMBuildFAdd(gen->b, bits_as_reals(gen, a), half, "")),
      int_like(gen, a, 0x3f000000), "");
  Ssa odd = bits_and(gen, shift_right(gen, a, 13), 1);
  Ssa normal = LLVMBuildAdd(gen->b, a, odd, "");
  normal = LLVMBuildAdd(gen->b, normal,
                        int_like(gen, a, 0xfff - (INT64_C(112) << 23)), "");
  normal = shift_right(gen, normal, 13);
  Ssa result = choose(gen, is_greater(gen, a, 0x387fffff), normal, small);
  result = choose(gen, is_greater(gen, a, 0x477fffff), special, result);
  return LLVMBuildOr(gen->b, result, shift_right(gen, sign, 16), "");
}

static Ssa f32_to_bf16(Gen *gen, Ssa value) {
  Ssa bits = reals_as_bits(gen, value);
  Ssa odd = bits_and(gen, shift_right(gen, bits, 16), 1);
  Ssa rounded = LLVMBuildAdd(gen->b, bits, odd, "");
  rounded = shift_right(
      gen, LLVMBuildAdd(gen->b, rounded, int_like(gen, bits, 0x7fff), ""), 16);
  Ssa nan = LLVMBuildOr(gen->b, shift_right(gen, bits, 16),
                        int_like(gen, bits, 0x40), "");
  Ssa is_nan = is_greater(gen, bits_and(gen, bits, 0x7fffffff), 0x7f800000);
  return choose(gen, is_nan, nan, rounded);
}

static Ssa to_half_bits(Gen *gen, DType dtype, Ssa value) {
  return dtype == DT_F16 ? f32_to_f16(gen, value) : f32_to_bf16(gen, value);
}

static Ssa from_half_bits(Gen *gen, DType dtype, Ssa bits) {
  if (dtype == DT_F16) return f16_to_f32(gen, bits);
  return bits_as_reals(gen, shift_left(gen, bits, 16));
}

static bool is_half(DType dtype) { return dtype == DT_F16 || dtype == DT_BF16; }

Ssa round_to(Gen *gen, DType dtype, Ssa value) {
  if (!is_half(dtype)) return value;
  return from_half_bits(gen, dtype, to_half_bits(gen, dtype, value));
}

/* -- memory ------------------------------------------------------------ */

Ssa from_memory(Gen *gen, DType dtype, Ssa loaded) {
  if (dtype == DT_BOOL)
    return LLVMBuildICmp(gen->b, LLVMIntNE, loaded, int_like(gen, loaded, 0),
                         "");
  if (!is_half(dtype)) return loaded;
  Ssa wide =
      LLVMBuildZExt(gen->b, loaded, lane_type(gen, gen->i32, loaded), "");
  return from_half_bits(gen, dtype, wide);
}

Ssa to_memory(Gen *gen, DType dtype, Ssa value) {
  if (dtype == DT_BOOL)
    return LLVMBuildZExt(gen->b, value, lane_type(gen, gen->i8, value), "");
  if (!is_half(dtype)) return value;
  return LLVMBuildTrunc(gen->b, to_half_bits(gen, dtype, value),
                        lane_type(gen, gen->i16, value), "");
}

Ssa literal(Gen *gen, DType dtype, Scalar value) {
  LLVMTypeRef type = register_type(gen, dtype);
  if (ir_is_float(dtype)) return LLVMConstReal(type, value.f);
  return LLVMConstInt(type, value.u, ir_is_signed(dtype));
}

/* -- conversions ------------------------------------------------------- */

/* f64 to f32, inexact results made odd, so that a second rounding to 16 bits
 * is as good as one. */
static Ssa round_to_odd(Gen *gen, Ssa value) {
  Ssa near =
      LLVMBuildFPTrunc(gen->b, value, lane_type(gen, gen->f32, value), "");
  Ssa back = LLVMBuildFPExt(gen->b, near, LLVMTypeOf(value), "");
  Ssa inexact = LLVMBuildFCmp(gen->b, LLVMRealONE, back, value, "");
  Ssa bits = reals_as_bits(gen, near);
  Ssa even = LLVMBuildICmp(gen->b, LLVMIntEQ, bits_and(gen, bits, 1),
                           int_like(gen, bits, 0), "");
  Ssa too_large =
      LLVMBuildFCmp(gen->b, LLVMRealOGT, intrinsic(gen, "llvm.fabs", &back, 1),
                    intrinsic(gen, "llvm.fabs", &value, 1), "");
  Ssa step =
      choose(gen, too_large, int_like(gen, bits, -1), int_like(gen, bits, 1));
  Ssa moved = LLVMBuildAdd(gen->b, bits, step, "");
  Ssa mend = LLVMBuildAnd(gen->b, inexact, even, "");
  return bits_as_reals(gen, choose(gen, mend, moved, bits));
}

static Ssa float_to_float(Gen *gen, DType to, DType from, Ssa value) {
  if (to == DT_F64)
    return from == DT_F64 ? value
                          : LLVMBuildFPExt(gen->b, value,
                                           lane_type(gen, gen->f64, value), "");
  if (from == DT_F64)
    value = is_half(to) ? round_to_odd(gen, value)
                        : LLVMBuildFPTrunc(gen->b, value,
                                           lane_type(gen, gen->f32, value), "");
  return round_to(gen, to, value);
}

/* Integers of 64 bits to 16-bit floats go through f64; low bits that f64
 * would round are joined into one that it keeps. */
static Ssa int_to_half(Gen *gen, DType to, DType from, Ssa value) {
  LLVMTypeRef wide = lane_type(gen, gen->f64, value);
  if (ir_dtype_bytes(from) == 8) {
    Ssa low = bits_and(gen, value, 0x7fff);
    Ssa high = bits_and(gen, value, ~INT64_C(0x7fff));
    Ssa any = LLVMBuildICmp(gen->b, LLVMIntNE, low, int_like(gen, low, 0), "");
    Ssa sticky = LLVMBuildOr(gen->b, high, int_like(gen, high, 0x4000), "");
    Ssa large = LLVMBuildICmp(
        gen->b, LLVMIntUGT,
        LLVMBuildAdd(gen->b, value, int_like(gen, value, INT64_C(1) << 52), ""),
        int_like(gen, value, INT64_C(1) << 53), "");
    Ssa mend = LLVMBuildAnd(gen->b, any, large, "");
    value = choose(gen, mend, sticky, value);
  }
  Ssa real = ir_is_signed(from) ? LLVMBuildSIToFP(gen->b, value, wide, "")
                                : LLVMBuildUIToFP(gen->b, value, wide, "");
  return float_to_float(gen, to, DT_F64, real);
}

static Ssa to_float(Gen *gen, DType to, DType from, Ssa value) {
  if (ir_is_float(from)) return float_to_float(gen, to, from, value);
  if (is_half(to) && ir_is_int(from)) return int_to_half(gen, to, from, value);
  LLVMTypeRef type = lane_type(gen, register_type(gen, to), value);
  return ir_is_signed(from) ? LLVMBuildSIToFP(gen->b, value, type, "")
                            : LLVMBuildUIToFP(gen->b, value, type, "");
}

/* Saturating, NaN to 0. */
static Ssa float_to_int(Gen *gen, DType to, Ssa value) {
  const char *name = ir_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  LLVMTypeRef types[] = {lane_type(gen, register_type(gen, to), value),
                         LLVMTypeOf(value)};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  Ssa callee = LLVMGetIntrinsicDeclaration(gen->module, id, types, 2);
  LLVMTypeRef signature = LLVMIntrinsicGetType(gen->context, id, types, 2);
  return LLVMBuildCall2(gen->b, signature, callee, &value, 1, "");
}

static Ssa to_bool(Gen *gen, DType from, Ssa value) {
  if (ir_is_float(from))
    return LLVMBuildFCmp(gen->b, LLVMRealUNE, value,
                         constant_like(gen, value, 0), "");
  return LLVMBuildICmp(gen->b, LLVMIntNE, value, int_like(gen, value, 0), "");
}

Ssa convert(Gen *gen, DType to, DType from, Ssa value) {
  if (to == from) return value;
  if (to == DT_BOOL) return to_bool(gen, from, value);
  if (ir_is_float(to)) return to_float(gen, to, from, value);
  if (ir_is_float(from)) return float_to_int(gen, to, value);
  LLVMTypeRef type = lane_type(gen, register_type(gen, to), value);
  size_t have = from == DT_BOOL ? 0 : ir_dtype_bytes(from);
  size_t want = ir_dtype_bytes(to);
  if (want < have) return LLVMBuildTrunc(gen->b, value, type, "");
  if (want == have) return value;
  return ir_is_signed(from) ? LLVMBuildSExt(gen->b, value, type, "")
                            : LLVMBuildZExt(gen->b, value, type, "");
}

Ssa bitcast(Gen *gen, DType to, DType from, Ssa value) {
  if (to == from) return value;
  if (is_half(from) || is_half(to)) {
    Ssa bits =
        is_half(from)
            ? to_half_bits(gen, from, value)
            : LLVMBuildZExt(gen->b, value, lane_type(gen, gen->i32, value), "");
    if (is_half(to)) return from_half_bits(gen, to, bits);
    return LLVMBuildTrunc(gen->b, bits, lane_type(gen, gen->i16, bits), "");
  }
  return LLVMBuildBitCast(gen->b, value,
                          lane_type(gen, register_type(gen, to), value), "");
}

/* -- arithmetic of two operands ---------------------------------------- */

static Ssa float_op(Gen *gen, Op op, Ssa a, Ssa b) {
  Ssa both[] = {a, b};
  switch (op) {
    case OP_add:
      return LLVMBuildFAdd(gen->b, a, b, "");
    case OP_sub:
      return LLVMBuildFSub(gen->b, a, b, "");
    case OP_mul:
      return LLVMBuildFMul(gen->b, a, b, "");
    case OP_div:
      return LLVMBuildFDiv(gen->b, a, b, "");
    case OP_rem:
      return LLVMBuildFRem(gen->b, a, b, "");
    case OP_max:
      return intrinsic(gen, "llvm.maximum", both, 2);
    default:
      return intrinsic(gen, "llvm.minimum", both, 2);
  }
}

/* x / 0 is all ones, x % 0 is x, MIN / -1 is MIN with remainder 0: the
 * operands are changed where the machine would trap, then the result. */
static Ssa int_division(Gen *gen, Op op, bool is_signed, Ssa a, Ssa b) {
  Ssa zero = int_like(gen, b, 0), one = int_like(gen, b, 1);
  Ssa by_zero = LLVMBuildICmp(gen->b, LLVMIntEQ, b, zero, "");
  Ssa bad = by_zero;
  Ssa minus_one = int_like(gen, b, -1);
  Ssa by_minus_one = LLVMBuildICmp(gen->b, LLVMIntEQ, b, minus_one, "");
  if (is_signed) bad = LLVMBuildOr(gen->b, bad, by_minus_one, "");
  Ssa safe = LLVMBuildSelect(gen->b, bad, one, b, "");
  Ssa result;
  if (op == OP_div)
    result = is_signed ? LLVMBuildSDiv(gen->b, a, safe, "")
                       : LLVMBuildUDiv(gen->b, a, safe, "");
  else
    result = is_signed ? LLVMBuildSRem(gen->b, a, safe, "")
                       : LLVMBuildURem(gen->b, a, safe, "");
  if (op == OP_rem) return LLVMBuildSelect(gen->b, by_zero, a, result, "");
  if (is_signed)
    result = LLVMBuildSelect(gen->b, by_minus_one, LLVMBuildNeg(gen->b, a, ""),
                             result, "");
  return LLVMBuildSelect(gen->b, by_zero, minus_one, result, "");
}

static Ssa int_shift(Gen *gen, Op op, Ssa a, Ssa b) {
  unsigned width = LLVMGetIntTypeWidth(
      is_vector(a) ? LLVMGetElementType(LLVMTypeOf(a)) : LLVMTypeOf(a));
  Ssa inside = LLVMBuildICmp(gen->b, LLVMIntULT, b,
                             int_like(gen, b, (int64_t)width), "");
  Ssa most = int_like(gen, b, (int64_t)width - 1);
  Ssa by = LLVMBuildSelect(gen->b, inside, b, most, "");
  if (op == OP_shift_right_arithmetic) return LLVMBuildAShr(gen->b, a, by, "");
  Ssa shifted = op == OP_shift_left ? LLVMBuildShl(gen->b, a, by, "")
                                    : LLVMBuildLShr(gen->b, a, by, "");
  return LLVMBuildSelect(gen->b, inside, shifted, int_like(gen, a, 0), "");
}

static Ssa int_op(Gen *gen, Op op, bool is_signed, Ssa a, Ssa b) {
  Ssa both[] = {a, b};
  switch (op) {
    case OP_add:
      return LLVMBuildAdd(gen->b, a, b, "");
    case OP_sub:
      return LLVMBuildSub(gen->b, a, b, "");
    case OP_mul:
      return LLVMBuildMul(gen->b, a, b, "");
    case OP_and:
      return LLVMBuildAnd(gen->b, a, b, "");
    case OP_or:
      return LLVMBuildOr(gen->b, a, b, "");
    case OP_xor:
      return LLVMBuildXor(gen->b, a, b, "");
    case OP_max:
      return intrinsic(gen, is_signed ? "llvm.smax" : "llvm.umax", both, 2);
    case OP_min:
      return intrinsic(gen, is_signed ? "llvm.smin" : "llvm.umin", both, 2);
    case OP_div:
    case OP_rem:
      return int_division(gen, op, is_signed, a, b);
    default:
      return int_shift(gen, op, a, b);
  }
}

Ssa arithmetic(Gen *gen, Op op, DType dtype, Ssa a, Ssa b) {
  match(gen, &a, &b);
  if (ir_is_float(dtype)) {
    Ssa result = float_op(gen, op, a, b);
    bool exact = op == OP_max || op == OP_min;
    return exact ? result : round_to(gen, dtype, result);
  }
  return int_op(gen, op, ir_is_signed(dtype), a, b);
}

/* a * b + sum: one rounding for floats (in the accumulator's dtype). */
Ssa multiply_add(Gen *gen, DType dtype, Ssa a, Ssa b, Ssa sum) {
  if (dtype == DT_BOOL) {
    match(gen, &a, &b);
    Ssa both = LLVMBuildAnd(gen->b, a, b, "");
    match(gen, &both, &sum);
    return LLVMBuildOr(gen->b, both, sum, "");
  }
  if (!ir_is_float(dtype)) {
    match(gen, &a, &b);
    Ssa product = LLVMBuildMul(gen->b, a, b, "");
    match(gen, &product, &sum);
    return LLVMBuildAdd(gen->b, product, sum, "");
  }
  if (gen->has_fma || gen->strict)
    return intrinsic(gen, "llvm.fma", (Ssa[]){a, b, sum}, 3);
  match(gen, &a, &b);
  Ssa product = LLVMBuildFMul(gen->b, a, b, "");
  match(gen, &product, &sum);
  return LLVMBuildFAdd(gen->b, product, sum, "");
}
