/* element_math.c: elementwise ops.  Each op is one row in `rules`: how one or
 * three operands in registers become the result.  Two-operand arithmetic is in
 * types.c. */
#include "emit.h"

#include <math.h>

typedef Ssa Rule(Gen *gen, const Node *node, DType dtype, Ssa *operands);

static Ssa rule_neg(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node;
  return ir_is_float(dtype) ? LLVMBuildFNeg(gen->b, x[0], "")
                            : LLVMBuildNeg(gen->b, x[0], "");
}

static Ssa rule_abs(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node;
  if (ir_is_float(dtype)) return intrinsic(gen, "llvm.fabs", x, 1);
  if (!ir_is_signed(dtype)) return x[0];
  Ssa minus = LLVMBuildNeg(gen->b, x[0], "");
  return intrinsic(gen, "llvm.smax", (Ssa[]){x[0], minus}, 2);
}

static Ssa rule_sign(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node;
  Ssa zero = LLVMConstNull(LLVMTypeOf(x[0])), above, below, one, minus;
  if (ir_is_float(dtype)) {
    one = constant_like(gen, x[0], 1);
    minus = constant_like(gen, x[0], -1);
    above = LLVMBuildFCmp(gen->b, LLVMRealOGT, x[0], zero, "");
    below = LLVMBuildFCmp(gen->b, LLVMRealOLT, x[0], zero, "");
  } else {
    LLVMIntPredicate greater = ir_is_signed(dtype) ? LLVMIntSGT : LLVMIntUGT;
    one = int_like(gen, x[0], 1);
    minus = int_like(gen, x[0], -1);
    above = LLVMBuildICmp(gen->b, greater, x[0], zero, "");
    below = ir_is_signed(dtype)
                ? LLVMBuildICmp(gen->b, LLVMIntSLT, x[0], zero, "")
                : LLVMConstNull(LLVMTypeOf(above));
  }
  Ssa rest = LLVMBuildSelect(gen->b, below, minus, x[0], "");
  return LLVMBuildSelect(gen->b, above, one, rest, "");
}

/* Functions that LLVM has as intrinsics and the machine rounds right. */
static Ssa rule_intrinsic(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  static const char *const names[OP_COUNT] = {
      [OP_sqrt] = "llvm.sqrt",      [OP_floor] = "llvm.floor",
      [OP_ceil] = "llvm.ceil",      [OP_round] = "llvm.roundeven",
      [OP_popcount] = "llvm.ctpop",
  };
  return round_to(gen, dtype, intrinsic(gen, names[node->op], x, 1));
}

static Ssa rule_is_finite(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node, (void)dtype;
  Ssa magnitude = intrinsic(gen, "llvm.fabs", x, 1);
  return LLVMBuildFCmp(gen->b, LLVMRealOLT, magnitude,
                       constant_like(gen, magnitude, INFINITY), "");
}

static Ssa rule_not(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node, (void)dtype;
  return LLVMBuildNot(gen->b, x[0], "");
}

static Ssa rule_compare(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  static const LLVMRealPredicate reals[] = {LLVMRealOEQ, LLVMRealUNE,
                                            LLVMRealOLT, LLVMRealOLE,
                                            LLVMRealOGT, LLVMRealOGE};
  static const LLVMIntPredicate of_signed[] = {
      LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
  static const LLVMIntPredicate of_unsigned[] = {
      LLVMIntEQ, LLVMIntNE, LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
  int64_t relation = ir_int(node, ATTR_relation) - WORD_eq;
  match(gen, &x[0], &x[1]);
  if (ir_is_float(dtype))
    return LLVMBuildFCmp(gen->b, reals[relation], x[0], x[1], "");
  return LLVMBuildICmp(
      gen->b, ir_is_signed(dtype) ? of_signed[relation] : of_unsigned[relation],
      x[0], x[1], "");
}

static Ssa rule_select(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node, (void)dtype;
  return choose(gen, x[0], x[1], x[2]);
}

static Ssa rule_clamp(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  (void)node;
  Ssa raised = arithmetic(gen, OP_max, dtype, x[1], x[0]);
  return arithmetic(gen, OP_min, dtype, raised, x[2]);
}

static Ssa rule_convert(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  return convert(gen, node->results[0]->type.dtype, dtype, x[0]);
}

static Ssa rule_bitcast(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  return bitcast(gen, node->results[0]->type.dtype, dtype, x[0]);
}

static Ssa rule_binary(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  return arithmetic(gen, node->op, dtype, x[0], x[1]);
}

static Ssa rule_function(Gen *gen, const Node *node, DType dtype, Ssa *x) {
  if (ir_is_float(dtype))
    return emit_function(gen, node->op, dtype, x, node->n_operands);
  return emit_integer_power(gen, dtype, x);
}

static Rule *const rules[OP_COUNT] = {
#define FUNCTION(op, arity, how) [OP_##op] = rule_function,
#include "../ir/functions.def"
#undef FUNCTION
    [OP_add] = rule_binary,
    [OP_sub] = rule_binary,
    [OP_mul] = rule_binary,
    [OP_div] = rule_binary,
    [OP_rem] = rule_binary,
    [OP_max] = rule_binary,
    [OP_min] = rule_binary,
    [OP_and] = rule_binary,
    [OP_or] = rule_binary,
    [OP_xor] = rule_binary,
    [OP_shift_left] = rule_binary,
    [OP_shift_right_logical] = rule_binary,
    [OP_shift_right_arithmetic] = rule_binary,
    [OP_neg] = rule_neg,
    [OP_abs] = rule_abs,
    [OP_sign] = rule_sign,
    [OP_sqrt] = rule_intrinsic,
    [OP_floor] = rule_intrinsic,
    [OP_ceil] = rule_intrinsic,
    [OP_round] = rule_intrinsic,
    [OP_popcount] = rule_intrinsic,
    [OP_is_finite] = rule_is_finite,
    [OP_not] = rule_not,
    [OP_compare] = rule_compare,
    [OP_select] = rule_select,
    [OP_clamp] = rule_clamp,
    [OP_convert] = rule_convert,
    [OP_bitcast] = rule_bitcast,
};

bool emit_has_rule(Op op) {
  if (ir_ops[op].class == ELEMENTWISE) return rules[op] != NULL;
  return emitters[op] != NULL || whole_has_rule(op);
}

/* Operands of rank 0 are read at no index, all others where the result is. */
Ssa emit_arithmetic(Gen *gen, const Node *node, const Ix *ix) {
  Ssa operands[3];
  DType dtype = node->operands[node->op == OP_select]->type.dtype;
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = emit_value(gen, node->operands[i], ix);
  return rules[node->op](gen, node, dtype, operands);
}
