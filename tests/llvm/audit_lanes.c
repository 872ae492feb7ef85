/* audit_lanes.c: poison may fill lanes while a vector is built or shuffled; it
 * must not be stored, branched on, divided by, used as an address, or handed to
 * a function.
 *
 * For each instruction a mask of the lanes that are surely not poison, found
 * forward; phis begin with all lanes, and the masks shrink until they are
 * stable. */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 64 };

static uint64_t all_lanes(LLVMTypeRef type) {
  unsigned n = lane_count(type);
  return n >= MOST_LANES ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t bit(unsigned lane) {
  return lane < MOST_LANES ? UINT64_C(1) << lane : 0;
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)*(const LLVMValueRef *)a;
  uintptr_t y = (uintptr_t)*(const LLVMValueRef *)b;
  return (x > y) - (x < y);
}

static uint64_t *found(const Lanes *lanes, LLVMValueRef value) {
  const LLVMValueRef *at = bsearch(&value, lanes->values, lanes->n,
                                   sizeof *lanes->values, by_address);
  return at ? &lanes->defined[at - lanes->values] : NULL;
}

static uint64_t constant_lanes(LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  uint64_t mask = all_lanes(type);
  if (LLVMIsUndef(constant)) return 0;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return mask;
  for (unsigned l = 0; l < lane_count(type); l++) {
    LLVMValueRef lane = LLVMGetAggregateElement(constant, l);
    if (lane && LLVMIsUndef(lane)) mask &= ~bit(l);
  }
  return mask;
}

static uint64_t defined(const Audit *audit, LLVMValueRef value) {
  const uint64_t *mask = found(&audit->lanes, value);
  if (mask) return *mask;
  if (LLVMIsConstant(value)) return constant_lanes(value);
  return all_lanes(LLVMTypeOf(value)); /* a parameter */
}

bool lanes_all_defined(const Audit *audit, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (lane_count(type) > MOST_LANES) return false;
  return defined(audit, value) == all_lanes(type);
}

/* -- from operands to results ------------------------------------------- */

static uint64_t of_insert(const Audit *audit, LLVMValueRef insert) {
  uint64_t base = defined(audit, LLVMGetOperand(insert, 0)), lane;
  unsigned n = lane_count(LLVMTypeOf(insert));
  if (!lane_constant(LLVMGetOperand(insert, 2), 0, &lane) || lane >= n)
    return 0;
  uint64_t mine = bit((unsigned)lane);
  return lanes_all_defined(audit, LLVMGetOperand(insert, 1)) ? base | mine
                                                             : base & ~mine;
}

static uint64_t of_extract(const Audit *audit, LLVMValueRef extract) {
  uint64_t lane;
  LLVMValueRef vector = LLVMGetOperand(extract, 0);
  if (!lane_constant(LLVMGetOperand(extract, 1), 0, &lane)) return 0;
  if (lane >= lane_count(LLVMTypeOf(vector))) return 0;
  return (defined(audit, vector) & bit((unsigned)lane)) != 0;
}

static uint64_t of_shuffle(const Audit *audit, LLVMValueRef shuffle) {
  LLVMValueRef a = LLVMGetOperand(shuffle, 0), b = LLVMGetOperand(shuffle, 1);
  uint64_t left = defined(audit, a), right = defined(audit, b), mask = 0;
  unsigned n = lane_count(LLVMTypeOf(a));
  for (unsigned l = 0; l < LLVMGetNumMaskElements(shuffle); l++) {
    int from = LLVMGetMaskValue(shuffle, l);
    if (from == LLVMGetUndefMaskElem()) continue;
    bool taken = (unsigned)from < n ? left & bit((unsigned)from)
                                    : right & bit((unsigned)from - n);
    if (taken) mask |= bit(l);
  }
  return mask;
}

static uint64_t of_phi(const Audit *audit, LLVMValueRef phi) {
  uint64_t mask = all_lanes(LLVMTypeOf(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    mask &= defined(audit, LLVMGetIncomingValue(phi, i));
  return mask;
}

/* Lane by lane where there are as many lanes, else all or nothing. */
static uint64_t of_operands(const Audit *audit, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  uint64_t mask = all_lanes(type);
  for (int i = 0; i < LLVMGetNumOperands(value); i++) {
    LLVMValueRef one = LLVMGetOperand(value, (unsigned)i);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(one));
    if (kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind) continue;
    if (lane_count(LLVMTypeOf(one)) == lane_count(type))
      mask &= defined(audit, one);
    else if (!lanes_all_defined(audit, one))
      mask = 0;
  }
  return mask;
}

static uint64_t transfer(const Audit *audit, LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
    case LLVMAlloca:
    case LLVMFreeze:
      return all_lanes(LLVMTypeOf(value));
    case LLVMInsertElement:
      return of_insert(audit, value);
    case LLVMExtractElement:
      return of_extract(audit, value);
    case LLVMShuffleVector:
      return of_shuffle(audit, value);
    case LLVMPHI:
      return of_phi(audit, value);
    default:
      return of_operands(audit, value);
  }
}

/* -- the masks of one function ------------------------------------------ */

typedef bool Visit(Audit *audit, LLVMValueRef instruction);

/* Did any visit say yes? */
static bool visit_all(Audit *audit, LLVMValueRef function, Visit *visit) {
  bool any = false;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef one = LLVMGetFirstInstruction(block);
    for (; one; one = LLVMGetNextInstruction(one)) any |= visit(audit, one);
  }
  return any;
}

static bool has_value(LLVMValueRef one) {
  return LLVMGetTypeKind(LLVMTypeOf(one)) != LLVMVoidTypeKind;
}

static bool count(Audit *audit, LLVMValueRef one) {
  audit->lanes.n += has_value(one);
  return false;
}

static bool list(Audit *audit, LLVMValueRef one) {
  if (has_value(one)) audit->lanes.values[audit->lanes.n++] = one;
  return false;
}

static bool shrink(Audit *audit, LLVMValueRef one) {
  if (!has_value(one)) return false;
  uint64_t *mask = found(&audit->lanes, one), less = transfer(audit, one);
  bool changed = *mask != less;
  *mask = less;
  return changed;
}

bool audit_lanes_find(Audit *audit, LLVMValueRef function) {
  Lanes *lanes = &audit->lanes;
  visit_all(audit, function, count);
  lanes->values = calloc(lanes->n + 1, sizeof *lanes->values);
  lanes->defined = calloc(lanes->n + 1, sizeof *lanes->defined);
  if (!lanes->values || !lanes->defined) return false;
  lanes->n = 0;
  visit_all(audit, function, list);
  qsort(lanes->values, lanes->n, sizeof *lanes->values, by_address);
  for (size_t i = 0; i < lanes->n; i++)
    lanes->defined[i] = all_lanes(LLVMTypeOf(lanes->values[i]));
  while (visit_all(audit, function, shrink)) continue;
  return true;
}

/* -- where poison must not arrive --------------------------------------- */

static void need(Audit *audit, LLVMValueRef instruction, unsigned i,
                 const char *reason) {
  if (!lanes_all_defined(audit, LLVMGetOperand(instruction, i)))
    audit_fault(audit, instruction, reason);
}

static void need_arguments(Audit *audit, LLVMValueRef call) {
  LLVMValueRef callee = callee_of(call);
  if (callee && computes_by_lanes(callee)) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    need(audit, call, i, "poison is handed to a function");
}

void audit_poison(Audit *audit, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
      need(audit, instruction, 0, "poison is stored");
      need(audit, instruction, 1, "poison as an address");
      break;
    case LLVMLoad:
      need(audit, instruction, 0, "poison as an address");
      break;
    case LLVMBr:
      if (LLVMIsConditional(instruction))
        need(audit, instruction, 0, "a branch on poison");
      break;
    case LLVMSwitch:
      need(audit, instruction, 0, "a branch on poison");
      break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      need(audit, instruction, 1, "a division by poison");
      break;
    case LLVMCall:
      need_arguments(audit, instruction);
      break;
    default:
      break;
  }
}
