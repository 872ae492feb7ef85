/* audit_flags.c: flags by which an instruction promises something about its
 * operands; a broken promise is poison.
 *
 * The program's own arithmetic wraps and knows NaN, infinity and -0, so nothing
 * may be promised about it.  A loop's index alone counts without wrapping, and
 * here is the proof: it is below a constant limit whenever the loop goes on. */
#include "audit.h"

/* -- the index of a loop ----------------------------------------------- */

/* Does `block` go on to `to` only where value is below a constant limit? */
static bool guards_below(LLVMBasicBlockRef block, LLVMBasicBlockRef to,
                         LLVMValueRef value, uint64_t *limit) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
  if (LLVMGetInstructionOpcode(branch) != LLVMBr ||
      !LLVMIsConditional(branch) || LLVMGetSuccessor(branch, 0) != to ||
      LLVMGetSuccessor(branch, 1) == to)
    return false;
  LLVMValueRef test = LLVMGetCondition(branch);
  return LLVMIsAICmpInst(test) && LLVMGetICmpPredicate(test) == LLVMIntULT &&
         LLVMGetOperand(test, 0) == value &&
         lane_constant(LLVMGetOperand(test, 1), 0, limit);
}

/* index + step where index is first < limit or else the last sum, found to be
 * below limit: the sum is at most limit - 1 + step. */
static bool counts_a_loop(LLVMValueRef sum) {
  LLVMValueRef index = LLVMGetOperand(sum, 0);
  uint64_t step, first, limit;
  if (LLVMGetInstructionOpcode(sum) != LLVMAdd || LLVMGetNSW(sum) ||
      int_width(LLVMTypeOf(sum)) != 64 || !LLVMIsAPHINode(index) ||
      LLVMCountIncoming(index) != 2 ||
      !lane_constant(LLVMGetOperand(sum, 1), 0, &step))
    return false;
  int back = LLVMGetIncomingValue(index, 1) == sum;
  return LLVMGetIncomingValue(index, (unsigned)back) == sum &&
         lane_constant(LLVMGetIncomingValue(index, !back), 0, &first) &&
         guards_below(LLVMGetIncomingBlock(index, (unsigned)back),
                      LLVMGetInstructionParent(index), sum, &limit) &&
         first < limit && limit - 1 <= UINT64_MAX - step;
}

/* -- flags of integers and pointers ------------------------------------ */

void audit_wraps(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment != EMITTED) return;
  if ((LLVMGetNSW(instruction) || LLVMGetNUW(instruction)) &&
      !counts_a_loop(instruction))
    audit_fault(audit, instruction, "nsw or nuw on what is no loop's index");
}

void audit_exact(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment == EMITTED && LLVMGetExact(instruction))
    audit_fault(audit, instruction, "exact");
}

void audit_disjoint(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment == EMITTED && LLVMGetIsDisjoint(instruction))
    audit_fault(audit, instruction, "disjoint");
}

void audit_non_negative(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment == EMITTED && LLVMGetNNeg(instruction))
    audit_fault(audit, instruction, "nneg");
}

void audit_in_bounds(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment == EMITTED && LLVMGEPGetNoWrapFlags(instruction))
    audit_fault(audit, instruction, "an address that promises its bounds");
}

/* -- flags of floats --------------------------------------------------- */

/* Codegen writes the order of every sum out, in fast numerics too, so it has a
 * use for none of them; and LLVM has no ground to add any. */
void audit_fast_math(Audit *audit, LLVMValueRef instruction) {
  if (LLVMCanValueUseFastMathFlags(instruction) &&
      LLVMGetFastMathFlags(instruction) != LLVMFastMathNone)
    audit_fault(audit, instruction, "fast-math flags");
}
