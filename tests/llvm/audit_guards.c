/* audit_guards.c: divisions, shifts and conversions that are undefined for some
 * operands must be kept from them.
 *
 * A small prover: a Claim about every lane of a value follows from constants,
 * from and, or, minima, remainders, ..., and from selects.  Where a select has
 * tested the very value that it passes on, what the test says is known:
 *
 *   select (b == 0 or b == -1), 1, b     is not 0: were b 0, the test would
 *                                        have been true
 *   select (b < 32), b, 31               is below 32 */
#include "audit.h"

enum { DEEPEST = 12 };

/* -- claims ------------------------------------------------------------- */

static bool holds(Claim claim, LLVMValueRef value, int depth);

static bool constant_holds(Claim claim, LLVMValueRef value) {
  unsigned lanes = lane_count(LLVMTypeOf(value));
  uint64_t number;
  for (unsigned l = 0; l < lanes; l++) {
    if (!lane_constant(value, l, &number)) return false;
    if (claim.kind == BELOW ? number >= claim.bound : number == claim.bound)
      return false;
  }
  return true;
}

static bool select_holds(Claim claim, LLVMValueRef select, int depth) {
  LLVMValueRef test = operand(select, 0);
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef arm = operand(select, 1 + i);
    if (!test_says(test, i == 0, arm, claim) && !holds(claim, arm, depth))
      return false;
  }
  return true;
}

static int64_t as_signed(uint64_t number, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((number ^ sign) - sign);
}

/* The least or the greatest of a value and a constant. */
static bool extreme_holds(Claim claim, LLVMValueRef call, LLVMValueRef callee) {
  uint64_t number;
  unsigned width = int_width(LLVMTypeOf(call));
  if (!splat_constant(operand(call, 1), &number)) return false;
  int64_t other = as_signed(number, width),
          bound = as_signed(claim.bound & all_bits(width), width);
  if (is_intrinsic(callee, "llvm.umin")) return number < claim.bound;
  if (claim.kind == BELOW) return false;
  if (is_intrinsic(callee, "llvm.umax")) return number > claim.bound;
  if (is_intrinsic(callee, "llvm.smax")) return other > bound;
  return other < bound;
}

static bool call_holds(Claim claim, LLVMValueRef call, int depth) {
  LLVMValueRef callee = callee_of(call);
  unsigned width = int_width(LLVMTypeOf(call));
  if (callee == NULL) return false;
  if (is_intrinsic(callee, "llvm.ctpop")) return width < claim.bound;
  if (!is_intrinsic(callee, "llvm.umin") &&
      !is_intrinsic(callee, "llvm.umax") &&
      !is_intrinsic(callee, "llvm.smin") && !is_intrinsic(callee, "llvm.smax"))
    return false;
  return extreme_holds(claim, call, callee) ||
         (holds(claim, operand(call, 0), depth) &&
          holds(claim, operand(call, 1), depth));
}

/* An operation with a constant at its right. */
static bool bits_hold(Claim claim, LLVMValueRef value) {
  uint64_t c;
  unsigned width = int_width(LLVMTypeOf(value));
  if (!splat_constant(operand(value, 1), &c)) return false;
  switch (opcode_of(value)) {
    case LLVMAnd:
      return claim.kind == BELOW ? c < claim.bound : (claim.bound & ~c) != 0;
    case LLVMOr:
      return claim.kind == DIFFERS && (claim.bound & c) != c;
    case LLVMURem:
      return c <= claim.bound;
    case LLVMShl: /* bits that are 0 */
      return claim.kind == DIFFERS && c < width &&
             (claim.bound & all_bits((unsigned)c)) != 0;
    default: /* lshr */
      return c < width && all_bits(width - (unsigned)c) < claim.bound;
  }
}

static bool zext_holds(Claim claim, LLVMValueRef value, int depth) {
  LLVMValueRef narrow = operand(value, 0);
  uint64_t most = all_bits(int_width(LLVMTypeOf(narrow)));
  return most < claim.bound || holds(claim, narrow, depth);
}

/* A vector made of scalars: lanes that are poison are not this rule's. */
static bool lanes_hold(Claim claim, LLVMValueRef value, int depth) {
  LLVMValueRef base = operand(value, 0);
  if (opcode_of(value) == LLVMInsertElement)
    return (LLVMIsUndef(base) || holds(claim, base, depth)) &&
           holds(claim, operand(value, 1), depth);
  return holds(claim, base, depth) && (LLVMIsUndef(operand(value, 1)) ||
                                       holds(claim, operand(value, 1), depth));
}

static bool holds(Claim claim, LLVMValueRef value, int depth) {
  if (constant_holds(claim, value)) return true;
  if (depth == 0) return false;
  depth--;
  switch (opcode_of(value)) {
    case LLVMSelect:
      return select_holds(claim, value, depth);
    case LLVMCall:
      return call_holds(claim, value, depth);
    case LLVMAnd:
    case LLVMOr:
    case LLVMURem:
    case LLVMShl:
    case LLVMLShr:
      return bits_hold(claim, value);
    case LLVMZExt:
      return zext_holds(claim, value, depth);
    case LLVMExtractElement:
      return holds(claim, operand(value, 0), depth);
    case LLVMInsertElement:
    case LLVMShuffleVector:
      return lanes_hold(claim, value, depth);
    default:
      return false;
  }
}

/* -- the rules --------------------------------------------------------- */

/* Is operand i another number than bound? */
static bool differs(LLVMValueRef division, unsigned i, uint64_t bound) {
  Claim claim = {DIFFERS, bound};
  LLVMValueRef value = operand(division, i);
  return holds(claim, value, DEEPEST) || branch_says(division, value, claim);
}

void audit_division(Audit *audit, LLVMValueRef instruction) {
  if (audit->moment != OPTIMISED_UNPROVED && !differs(instruction, 1, 0))
    audit_fault(audit, instruction, "a division by what may be zero");
}

void audit_signed_division(Audit *audit, LLVMValueRef instruction) {
  unsigned width = int_width(LLVMTypeOf(instruction));
  audit_division(audit, instruction);
  if (audit->moment != OPTIMISED_UNPROVED &&
      !differs(instruction, 1, all_bits(width)) &&
      !differs(instruction, 0, UINT64_C(1) << (width - 1)))
    audit_fault(audit, instruction, "a division that may be MIN / -1");
}

static bool arm_says(LLVMValueRef select, LLVMValueRef arm, LLVMValueRef amount,
                     Claim claim) {
  LLVMValueRef test = operand(select, 0);
  if (test == arm) return false;
  for (unsigned i = 0; i < 2; i++)
    if (operand(select, 1 + i) == arm &&
        !test_says(test, i == 0, amount, claim))
      return false;
  return true;
}

/* Does it compute without looking, so that poison in is no more than poison
 * out? */
static bool passes_on(LLVMValueRef user) {
  int opcode = opcode_of(user);
  bool divides = opcode >= LLVMUDiv && opcode <= LLVMFRem;
  if (opcode == LLVMCall)
    return callee_of(user) && computes_by_lanes(callee_of(user));
  return LLVMIsACmpInst(user) || LLVMIsACastInst(user) ||
         (LLVMIsABinaryOperator(user) && !divides);
}

/* Too large a shift is only poison: it does no harm in the arm of a select
 * that is not taken then. */
static bool only_taken_below(LLVMValueRef value, LLVMValueRef amount,
                             Claim claim, int depth) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  if (use == NULL || depth == 0) return false;
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (opcode_of(user) == LLVMSelect && arm_says(user, value, amount, claim))
      continue;
    if (!passes_on(user) || !only_taken_below(user, amount, claim, depth - 1))
      return false;
  }
  return true;
}

void audit_shift(Audit *audit, LLVMValueRef instruction) {
  Claim claim = {BELOW, int_width(LLVMTypeOf(instruction))};
  if (audit->moment == OPTIMISED_UNPROVED) return;
  if (holds(claim, operand(instruction, 1), DEEPEST)) return;
  if (branch_says(instruction, operand(instruction, 1), claim)) return;
  if (audit->moment == OPTIMISED &&
      only_taken_below(instruction, operand(instruction, 1), claim, DEEPEST))
    return;
  audit_fault(audit, instruction, "a shift by what may be the width or more");
}

void audit_float_to_int(Audit *audit, LLVMValueRef instruction) {
  audit_fault(audit, instruction, "a conversion that does not saturate");
}
