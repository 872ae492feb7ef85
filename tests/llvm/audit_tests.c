/* audit_tests.c: what is known of a number where a test has gone one way.
 *
 * A comparison with a constant is a range of what is compared; a value that is
 * the same base plus or minus another constant has that range, moved.  Tests
 * are joined by and, or, not. */
#include "audit.h"

enum { DEEPEST = 12 };

/* -- constants and operands --------------------------------------------- */

uint64_t all_bits(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

LLVMValueRef operand(LLVMValueRef value, unsigned i) {
  return LLVMGetOperand(value, i);
}

/* The opcode of an instruction; 0: it is none. */
int opcode_of(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return 0;
  return (int)LLVMGetInstructionOpcode(value);
}

bool splat_constant(LLVMValueRef value, uint64_t *number) {
  unsigned lanes = lane_count(LLVMTypeOf(value));
  uint64_t other;
  if (!lane_constant(value, 0, number)) return false;
  for (unsigned l = 1; l < lanes; l++)
    if (!lane_constant(value, l, &other) || other != *number) return false;
  return true;
}

/* -- sums ---------------------------------------------------------------- */

/* value == base + offset, or offset - base; in the value's width. */
typedef struct Linear {
  LLVMValueRef base;
  bool negative;
  uint64_t offset;
} Linear;

/* One of the two operands is the constant; which? */
static int constant_operand(LLVMValueRef value, uint64_t *number) {
  if (splat_constant(operand(value, 1), number)) return 1;
  return splat_constant(operand(value, 0), number) ? 0 : -1;
}

static Linear linear(LLVMValueRef value) {
  Linear sum = {value, false, 0};
  for (int i = 0; i < DEEPEST; i++) {
    int opcode = opcode_of(sum.base);
    if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMXor) break;
    uint64_t c, ones = all_bits(int_width(LLVMTypeOf(value)));
    int at = constant_operand(sum.base, &c);
    if (at < 0 || (opcode == LLVMXor && c != ones)) break;
    /* not x is -1 - x */
    bool turned = opcode == LLVMXor || (opcode == LLVMSub && at == 0);
    if (opcode == LLVMSub && at == 1) c = -c;
    sum.offset += sum.negative ? -c : c;
    sum.negative ^= turned;
    sum.base = operand(sum.base, (unsigned)!at);
  }
  return sum;
}

/* -- what a test says about a value --------------------------------------- */

/* The numbers first, first + 1, ... last, modulo the width. */
typedef struct Range {
  uint64_t first, last;
} Range;

static LLVMIntPredicate opposite_of(LLVMIntPredicate predicate) {
  static const LLVMIntPredicate opposite[] = {
      [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,
      [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
      [LLVMIntULT] = LLVMIntUGE, [LLVMIntUGE] = LLVMIntULT,
      [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
      [LLVMIntSLT] = LLVMIntSGE, [LLVMIntSGE] = LLVMIntSLT};
  return opposite[predicate];
}

/* The numbers x of which `x predicate limit` holds; none of them: the test is
 * never passed, and any range will do. */
static Range range_of(LLVMIntPredicate predicate, uint64_t limit,
                      unsigned width) {
  uint64_t least = UINT64_C(1) << (width - 1), most = least - 1; /* signed */
  switch (predicate) {
    case LLVMIntEQ:
      return (Range){limit, limit};
    case LLVMIntNE:
      return (Range){limit + 1, limit - 1};
    case LLVMIntUGT:
      return (Range){limit + 1, UINT64_MAX};
    case LLVMIntUGE:
      return (Range){limit, UINT64_MAX};
    case LLVMIntULT:
      return (Range){0, limit - 1};
    case LLVMIntULE:
      return (Range){0, limit};
    case LLVMIntSGT:
      return (Range){limit + 1, most};
    case LLVMIntSGE:
      return (Range){limit, most};
    case LLVMIntSLT:
      return (Range){least, limit - 1};
    default:
      return (Range){least, limit};
  }
}

static bool range_holds(Range range, Claim claim, unsigned width) {
  uint64_t ones = all_bits(width), first = range.first & ones;
  uint64_t size = (range.last - range.first) & ones; /* less one */
  if (claim.kind == DIFFERS) return ((claim.bound - first) & ones) > size;
  return first < claim.bound && size < claim.bound - first;
}

/* a - b is not 0 where a is not b. */
static bool difference_says(LLVMValueRef test, LLVMIntPredicate predicate,
                            LLVMValueRef value, Claim claim) {
  LLVMValueRef a = operand(test, 0), b = operand(test, 1);
  int opcode = opcode_of(value);
  if (predicate != LLVMIntNE || claim.kind != DIFFERS || claim.bound != 0 ||
      (opcode != LLVMSub && opcode != LLVMXor))
    return false;
  LLVMValueRef x = operand(value, 0), y = operand(value, 1);
  return (a == x && b == y) || (a == y && b == x);
}

/* Where an integer comparison is `truth`, does the claim hold of value? */
static bool compare_says(LLVMValueRef test, bool truth, LLVMValueRef value,
                         Claim claim) {
  LLVMValueRef tested = operand(test, 0);
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
  uint64_t limit;
  unsigned width = int_width(LLVMTypeOf(value));
  if (!truth) predicate = opposite_of(predicate);
  if (difference_says(test, predicate, value, claim)) return true;
  if (int_width(LLVMTypeOf(tested)) != width || width == 0 ||
      !splat_constant(operand(test, 1), &limit))
    return false;
  Linear from = linear(tested), to = linear(value);
  if (from.base != to.base) return false;
  Range range = range_of(predicate, limit, width);
  if (from.negative != to.negative) /* from.offset - tested + to.offset ... */
    range = (Range){from.offset + to.offset - range.last,
                    from.offset + to.offset - range.first};
  else
    range = (Range){range.first - from.offset + to.offset,
                    range.last - from.offset + to.offset};
  return range_holds(range, claim, width);
}

/* As both and, or select as `a and b`, `a or b`. */
static bool as_logic(LLVMValueRef test, bool *is_and, LLVMValueRef *a,
                     LLVMValueRef *b) {
  int opcode = opcode_of(test);
  uint64_t number;
  *a = opcode ? operand(test, 0) : NULL;
  if (opcode == LLVMAnd || opcode == LLVMOr) {
    *is_and = opcode == LLVMAnd;
    *b = operand(test, 1);
    return true;
  }
  if (opcode != LLVMSelect) return false;
  *is_and = splat_constant(operand(test, 2), &number) && number == 0;
  *b = operand(test, *is_and ? 1 : 2);
  return *is_and || (splat_constant(operand(test, 1), &number) && number);
}

/* Where `test` is `truth`, does the claim hold of value? */
static bool says(LLVMValueRef test, bool truth, LLVMValueRef value, Claim claim,
                 int depth) {
  LLVMValueRef a, b;
  uint64_t ones;
  bool is_and;
  if (depth == 0) return false;
  depth--;
  if (opcode_of(test) == LLVMICmp)
    return compare_says(test, truth, value, claim);
  if (opcode_of(test) == LLVMXor)
    return splat_constant(operand(test, 1), &ones) && ones == 1 &&
           says(operand(test, 0), !truth, value, claim, depth);
  if (!as_logic(test, &is_and, &a, &b)) return false;
  bool first = says(a, truth, value, claim, depth);
  if (first == (is_and == truth)) return first; /* both, or one, is known */
  return says(b, truth, value, claim, depth);
}

/* What the claim is of x where value is ctpop x, x ^ c or x, widened. */
static LLVMValueRef claim_within(LLVMValueRef value, Claim *claim) {
  LLVMValueRef callee, x;
  uint64_t c;
  unsigned width = int_width(LLVMTypeOf(value));
  switch (opcode_of(value)) {
    case LLVMXor:
      if (claim->kind != DIFFERS || !splat_constant(operand(value, 1), &c))
        return NULL;
      claim->bound ^= c;
      return operand(value, 0);
    case LLVMZExt:
    case LLVMSExt:
      x = operand(value, 0);
      return claim->bound <= all_bits(int_width(LLVMTypeOf(x)) - 1) ? x : NULL;
    case LLVMCall: /* of bits none are set in 0, all in -1 */
      callee = callee_of(value);
      if (!callee || !is_intrinsic(callee, "llvm.ctpop")) return NULL;
      if (claim->bound != (claim->kind == BELOW ? width : 0)) return NULL;
      *claim = (Claim){DIFFERS, claim->kind == BELOW ? all_bits(width) : 0};
      return operand(value, 0);
    default:
      return NULL;
  }
}

bool test_says(LLVMValueRef test, bool truth, LLVMValueRef value, Claim claim) {
  if (says(test, truth, value, claim, DEEPEST)) return true;
  LLVMValueRef x = claim_within(value, &claim);
  return x && says(test, truth, x, claim, DEEPEST);
}

/* -- branches ----------------------------------------------------------------
 */

/* The only block that comes before; NULL: none, or several. */
static LLVMBasicBlockRef sole_predecessor(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef found = NULL;
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(user) || found) return NULL;
    found = LLVMGetInstructionParent(user);
  }
  return found;
}

bool branch_says(LLVMValueRef at, LLVMValueRef value, Claim claim) {
  enum { FARTHEST = 64 };
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at), before;
  for (int i = 0; i < FARTHEST; i++, block = before) {
    before = sole_predecessor(block);
    if (before == NULL) return false;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(before);
    if (opcode_of(branch) != LLVMBr || !LLVMIsConditional(branch)) continue;
    bool truth = LLVMGetSuccessor(branch, 0) == block;
    if (test_says(LLVMGetCondition(branch), truth, value, claim)) return true;
  }
  return false;
}
