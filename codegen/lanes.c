/* lanes.c: uniform and vector values, and indices that may depend on the
 * lane. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

bool is_vector(Ssa value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

Ssa splat(Gen *gen, Ssa value) {
  if (gen->lanes == 1 || is_vector(value)) return value;
  unsigned n = (unsigned)gen->lanes;
  if (LLVMIsConstant(value)) {
    Ssa all[64];
    for (unsigned l = 0; l < n; l++) all[l] = value;
    return LLVMConstVector(all, n);
  }
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(value), n);
  Ssa one = LLVMBuildInsertElement(gen->b, LLVMGetPoison(type), value,
                                   LLVMConstInt(gen->i64, 0, 0), "");
  Ssa mask = LLVMConstNull(LLVMVectorType(gen->i32, n));
  return LLVMBuildShuffleVector(gen->b, one, LLVMGetPoison(type), mask, "");
}

void match(Gen *gen, Ssa *a, Ssa *b) {
  if (is_vector(*a) == is_vector(*b)) return;
  *a = splat(gen, *a);
  *b = splat(gen, *b);
}

Ssa choose(Gen *gen, Ssa condition, Ssa yes, Ssa no) {
  if (LLVMIsAConstantInt(condition))
    return LLVMConstIntGetZExtValue(condition) ? yes : no;
  match(gen, &yes, &no);
  if (is_vector(condition)) {
    yes = splat(gen, yes);
    no = splat(gen, no);
  }
  return LLVMBuildSelect(gen->b, condition, yes, no, "");
}

LLVMTypeRef lane_type(Gen *gen, LLVMTypeRef scalar, Ssa like) {
  (void)gen;
  if (!is_vector(like)) return scalar;
  return LLVMVectorType(scalar, LLVMGetVectorSize(LLVMTypeOf(like)));
}

static Ssa widened(Ssa like, Ssa scalar) {
  if (!is_vector(like)) return scalar;
  Ssa all[64];
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(like));
  for (unsigned l = 0; l < n; l++) all[l] = scalar;
  return LLVMConstVector(all, n);
}

static LLVMTypeRef element_type(Ssa like) {
  LLVMTypeRef type = LLVMTypeOf(like);
  return is_vector(like) ? LLVMGetElementType(type) : type;
}

Ssa constant_like(Gen *gen, Ssa like, double value) {
  (void)gen;
  return widened(like, LLVMConstReal(element_type(like), value));
}

Ssa int_like(Gen *gen, Ssa like, int64_t value) {
  (void)gen;
  return widened(
      like, LLVMConstInt(element_type(like), (unsigned long long)value, 1));
}

Ssa ix_value(Gen *gen, Ix ix) {
  if (ix.lane == 0 || ix.lane == IX_VECTOR || gen->lanes == 1) return ix.v;
  Ssa steps[64];
  for (int l = 0; l < gen->lanes; l++)
    steps[l] = LLVMConstInt(gen->i64, (unsigned long long)(l * ix.lane), 1);
  return LLVMBuildAdd(gen->b, splat(gen, ix.v),
                      LLVMConstVector(steps, (unsigned)gen->lanes), "");
}

Ix ix_const(Gen *gen, int64_t value) {
  return (Ix){LLVMConstInt(gen->i64, (unsigned long long)value, 1), 0};
}

Ix ix_scaled(Gen *gen, Ix ix, int64_t scale, int64_t offset) {
  if (scale == 1 && offset == 0) return ix;
  Ssa v = ix.v;
  if (scale != 1) v = LLVMBuildMul(gen->b, v, int_like(gen, v, scale), "");
  if (offset) v = LLVMBuildAdd(gen->b, v, int_like(gen, v, offset), "");
  return (Ix){v, ix.lane == IX_VECTOR ? IX_VECTOR : ix.lane * scale};
}

Ix ix_add(Gen *gen, Ix a, Ix b) {
  if (a.lane == IX_VECTOR || b.lane == IX_VECTOR) {
    Ssa x = ix_value(gen, a), y = ix_value(gen, b);
    match(gen, &x, &y);
    return (Ix){LLVMBuildAdd(gen->b, x, y, ""), IX_VECTOR};
  }
  return (Ix){LLVMBuildAdd(gen->b, a.v, b.v, ""), a.lane + b.lane};
}

Ix ix_of(Gen *gen, Ssa value) {
  (void)gen;
  return (Ix){value, is_vector(value) ? IX_VECTOR : 0};
}

/* -- what is known of an index ----------------------------------------- */

static bool loop_range(const Gen *gen, Ssa index, int64_t *least,
                       int64_t *most) {
  int n = gen->n_ranges < MOST_RANGES ? gen->n_ranges : MOST_RANGES;
  for (int i = n - 1; i >= 0; i--) {
    if (gen->ranges[i].index != index) continue;
    *least = gen->ranges[i].first;
    *most = gen->ranges[i].last;
    return true;
  }
  return false;
}

static bool affine(int64_t *v, int64_t scale, int64_t offset) {
  return !__builtin_mul_overflow(*v, scale, v) &&
         !__builtin_add_overflow(*v, offset, v);
}

/* A constant, or a loop's index that ix_scaled has scaled and moved, maybe
 * several times.  The scales and offsets are joined from the outside in. */
static bool scalar_range(const Gen *gen, Ssa v, int64_t *least, int64_t *most) {
  enum { STEPS = 32 };
  int64_t scale = 1, offset = 0;
  for (int i = 0; i < STEPS; i++) {
    bool constant = LLVMIsAConstantInt(v) != NULL;
    if (constant) *least = *most = LLVMConstIntGetSExtValue(v);
    if (constant || loop_range(gen, v, least, most)) {
      if (!affine(least, scale, offset) || !affine(most, scale, offset))
        return false;
      int64_t swap = *least;
      if (scale < 0) *least = *most, *most = swap;
      return true;
    }
    if (LLVMIsABinaryOperator(v) == NULL) return false;
    Ssa by = LLVMGetOperand(v, 1);
    if (LLVMIsAConstantInt(by) == NULL) return false;
    int64_t number = LLVMConstIntGetSExtValue(by);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMMul && __builtin_mul_overflow(scale, number, &scale))
      return false;
    if (op == LLVMAdd) {
      if (!affine(&number, scale, offset)) return false;
      offset = number;
    }
    if (op != LLVMMul && op != LLVMAdd) return false;
    v = LLVMGetOperand(v, 0);
  }
  return false;
}

bool ix_range(const Gen *gen, Ix ix, int64_t *least, int64_t *most) {
  if (ix.lane == IX_VECTOR || !scalar_range(gen, ix.v, least, most))
    return false;
  int64_t across = gen->lanes - 1;
  return affine(&across, ix.lane, 0) &&
         !__builtin_add_overflow(across < 0 ? *least : *most, across,
                                 across < 0 ? least : most);
}

/* An overloaded intrinsic on operands of one type; uniform ones are splat. */
Ssa intrinsic(Gen *gen, const char *name, Ssa *operands, int n) {
  for (int i = 1; i < n; i++) match(gen, &operands[0], &operands[i]);
  for (int i = 1; i < n; i++) match(gen, &operands[0], &operands[i]);
  LLVMTypeRef type = LLVMTypeOf(operands[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  Ssa callee = LLVMGetIntrinsicDeclaration(gen->module, id, &type, 1);
  LLVMTypeRef signature = LLVMIntrinsicGetType(gen->context, id, &type, 1);
  return LLVMBuildCall2(gen->b, signature, callee, operands, (unsigned)n, "");
}

Ssa least(Gen *gen, Ssa a, Ssa b) {
  Ssa less = LLVMBuildICmp(gen->b, LLVMIntULT, a, b, "");
  return LLVMBuildSelect(gen->b, less, a, b, "");
}
