/* element_functions.c: the functions of functions.def.
 *
 * Comes in: operands of a float dtype, uniform or one vector of gen->lanes.
 * Goes out: calls of the one routine for the op, the dtype and the CPU.  That
 * is a vector routine of a fixed number of lanes, whatever gen->lanes is: wider
 * operands are split, narrower ones (tails, uniform values) padded with copies
 * of their lanes, which costs no more and raises no flag of its own.
 *
 *   exp of <8 x double> with AVX2: two calls of lockstep_exp_f64x4
 *   exp of one double              lanes x, x, x, x; lane 0 of the result
 *
 * Where there is no vector routine, lockstep_OP of f64, lane by lane.  The
 * names are none that LLVM knows, so that it folds and replaces no call. */
#include "emit.h"

#include <stdio.h>

static Ssa call_named(Gen *gen, const char *name, Ssa *operands, int count) {
  LLVMTypeRef types[3];
  for (int i = 0; i < count; i++) types[i] = LLVMTypeOf(operands[i]);
  LLVMTypeRef type = LLVMFunctionType(types[0], types, (unsigned)count, 0);
  Ssa function = LLVMGetNamedFunction(gen->module, name);
  if (function == NULL) {
    function = LLVMAddFunction(gen->module, name, type);
    static const char memory[] = "memory";
    unsigned kind = LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1);
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(gen->context, kind, 0)); /* none */
  }
  return LLVMBuildCall2(gen->b, type, function, operands, (unsigned)count, "");
}

/* -- routines of scalars ----------------------------------------------- */

/* Lane by lane; last: an operand that is the same for all, or NULL. */
static Ssa call_scalar(Gen *gen, const char *op, Ssa *x, int n, Ssa last) {
  char name[64];
  snprintf(name, sizeof name, "lockstep_%s", op);
  Ssa operands[3];
  int count = n + (last != NULL);
  operands[count - 1] = last;
  if (!is_vector(x[0])) {
    for (int i = 0; i < n; i++) operands[i] = x[i];
    return call_named(gen, name, operands, count);
  }
  Ssa all = LLVMGetPoison(LLVMTypeOf(x[0]));
  for (int l = 0; l < gen->lanes; l++) {
    Ssa at = gen_number(gen, l);
    for (int i = 0; i < n; i++)
      operands[i] = LLVMBuildExtractElement(gen->b, x[i], at, "");
    Ssa value = call_named(gen, name, operands, count);
    all = LLVMBuildInsertElement(gen->b, all, value, at, "");
  }
  return all;
}

/* -- routines of vectors ----------------------------------------------- */

static int lanes_of(Ssa value) {
  return is_vector(value) ? (int)LLVMGetVectorSize(LLVMTypeOf(value)) : 1;
}

/* The lanes from, from + 1, ... of a and, behind them, b's, `count` of them;
 * behind the last one it starts again at lane 0. */
static Ssa take_lanes(Gen *gen, Ssa a, Ssa b, int from, int count) {
  Ssa mask[64];
  int room = 2 * lanes_of(a);
  for (int l = 0; l < count; l++)
    mask[l] = LLVMConstInt(gen->i32, (unsigned)((from + l) % room), 0);
  return LLVMBuildShuffleVector(gen->b, a, b,
                                LLVMConstVector(mask, (unsigned)count), "");
}

static Ssa widened(Gen *gen, Ssa x, int lanes) {
  if (is_vector(x)) return take_lanes(gen, x, x, 0, lanes);
  Ssa mask = LLVMConstNull(LLVMVectorType(gen->i32, (unsigned)lanes));
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(x), (unsigned)lanes);
  Ssa none = LLVMGetPoison(type);
  Ssa one = LLVMBuildInsertElement(gen->b, none, x, gen_number(gen, 0), "");
  return LLVMBuildShuffleVector(gen->b, one, none, mask, "");
}

static Ssa call_padded(Gen *gen, const VectorRoutine *routine, Ssa *x, int n) {
  int lanes = lanes_of(x[0]);
  Ssa operands[2];
  for (int i = 0; i < n; i++) operands[i] = widened(gen, x[i], routine->lanes);
  Ssa all = call_named(gen, routine->symbol, operands, n);
  if (lanes > 1) return take_lanes(gen, all, all, 0, lanes);
  return LLVMBuildExtractElement(gen->b, all, gen_number(gen, 0), "");
}

static Ssa call_vectors(Gen *gen, const VectorRoutine *routine, Ssa *x, int n) {
  int lanes = lanes_of(x[0]), parts = lanes / routine->lanes;
  Ssa results[64], operands[2];
  if (parts == 0) return call_padded(gen, routine, x, n);
  if (parts == 1) return call_named(gen, routine->symbol, x, n);
  for (int p = 0; p < parts; p++) {
    int from = p * routine->lanes;
    for (int i = 0; i < n; i++)
      operands[i] = take_lanes(gen, x[i], x[i], from, routine->lanes);
    results[p] = call_named(gen, routine->symbol, operands, n);
  }
  for (int wide = routine->lanes; parts > 1; wide *= 2, parts /= 2)
    for (int p = 0; p < parts / 2; p++)
      results[p] =
          take_lanes(gen, results[2 * p], results[2 * p + 1], 0, 2 * wide);
  return results[0];
}

/* -- composed functions, as in ir/functions.c -------------------------- */

static Ssa emit_rsqrt(Gen *gen, Ssa x) {
  Ssa root = intrinsic(gen, "llvm.sqrt", &x, 1);
  return LLVMBuildFDiv(gen->b, constant_like(gen, x, 1), root, "");
}

static Ssa emit_logistic(Gen *gen, DType held, Ssa x) {
  Ssa one = constant_like(gen, x, 1);
  Ssa minus = LLVMBuildFNeg(gen->b, intrinsic(gen, "llvm.fabs", &x, 1), "");
  Ssa small = emit_function(gen, OP_exp, held, &minus, 1);
  Ssa positive =
      LLVMBuildFCmp(gen->b, LLVMRealOGE, x, LLVMConstNull(LLVMTypeOf(x)), "");
  Ssa above = LLVMBuildSelect(gen->b, positive, one, small, "");
  return LLVMBuildFDiv(gen->b, above, LLVMBuildFAdd(gen->b, one, small, ""),
                       "");
}

/* -- all of them ------------------------------------------------------- */

static Ssa emit_plain(Gen *gen, Op op, DType held, Ssa *x, int n) {
  const VectorRoutine *routine = ir_vector_routine(gen->functions, op, held);
  if (routine) return call_vectors(gen, routine, x, n);
  Ssa wide[2] = {NULL, NULL};
  for (int i = 0; i < n; i++) wide[i] = convert(gen, DT_F64, held, x[i]);
  return convert(gen, held, DT_F64,
                 call_scalar(gen, ir_ops[op].name, wide, n, NULL));
}

Ssa emit_function(Gen *gen, Op op, DType dtype, Ssa *x, int n) {
  DType held = dtype == DT_F64 ? DT_F64 : DT_F32; /* in registers */
  for (int i = 1; i < n; i++) match(gen, &x[0], &x[i]);
  if (op == OP_rsqrt) return round_to(gen, dtype, emit_rsqrt(gen, x[0]));
  if (op == OP_logistic)
    return round_to(gen, dtype, emit_logistic(gen, held, x[0]));
  return round_to(gen, dtype, emit_plain(gen, op, held, x, n));
}

Ssa emit_integer_power(Gen *gen, DType dtype, Ssa *x) {
  DType wide = ir_is_signed(dtype) ? DT_I64 : DT_U64;
  Ssa is_signed = LLVMConstInt(gen->i32, ir_is_signed(dtype), 0);
  for (int i = 0; i < 2; i++) x[i] = convert(gen, wide, dtype, x[i]);
  match(gen, &x[0], &x[1]);
  return convert(gen, dtype, wide,
                 call_scalar(gen, "pow_int", x, 2, is_signed));
}
