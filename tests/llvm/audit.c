/* audit.c: every instruction of a module against the rules of its opcode. */
#include "audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 4 };

/* -- faults ------------------------------------------------------------ */

void audit_fault(Audit *audit, LLVMValueRef where, const char *reason) {
  if (audit->n_faults++ >= MOST_SHOWN) return;
  char *printed = LLVMPrintValueToString(where), *line = printed, *longer;
  const char *moment = audit->moment == EMITTED ? "emitted" : "optimised";
  while (*line == ' ' || *line == '\n' || *line == ';') /* a comment: go on */
    line += *line == ';' ? strcspn(line, "\n") : 1;
  line[strcspn(line, "\n")] = 0; /* of a function the head */
  if (asprintf(&longer, "%s%s: %s: %s\n", audit->text ? audit->text : "",
               moment, reason, line) >= 0) {
    free(audit->text);
    audit->text = longer;
  }
  LLVMDisposeMessage(printed);
}

/* -- constants --------------------------------------------------------- */

unsigned lane_count(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return 1;
  return LLVMGetVectorSize(type);
}

unsigned int_width(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return 0;
  return LLVMGetIntTypeWidth(type);
}

bool lane_constant(LLVMValueRef value, unsigned lane, uint64_t *number) {
  unsigned width = int_width(LLVMTypeOf(value));
  if (!LLVMIsConstant(value) || width == 0 || width > 64) return false;
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
    value = LLVMGetAggregateElement(value, lane);
  if (value == NULL || LLVMIsAConstantInt(value) == NULL) return false;
  *number = LLVMConstIntGetZExtValue(value);
  return true;
}

/* -- the rules of each opcode ------------------------------------------ */

/* Nothing comes after it: it is never meant to be reached. */
static void audit_unreachable(Audit *audit, LLVMValueRef instruction) {
  audit_fault(audit, instruction, "unreachable code is assumed");
}

typedef struct Row {
  AuditRule *rules[2];
} Row;

/* Has no rules beyond those of all instructions. */
static void plain(Audit *audit, LLVMValueRef instruction) {
  (void)audit, (void)instruction;
}

/* clang-format off */
static const Row rows[] = {
    [LLVMRet] = {{plain}},
    [LLVMBr] = {{plain}},
    [LLVMSwitch] = {{plain}},
    [LLVMUnreachable] = {{audit_unreachable}},
    [LLVMPHI] = {{plain}},
    [LLVMSelect] = {{plain}},
    [LLVMFreeze] = {{plain}},
    [LLVMAlloca] = {{plain}},
    [LLVMLoad] = {{audit_access}},
    [LLVMStore] = {{audit_access}},
    [LLVMGetElementPtr] = {{audit_in_bounds}},
    [LLVMCall] = {{audit_call}},
    [LLVMExtractValue] = {{plain}},
    [LLVMExtractElement] = {{plain}},
    [LLVMInsertElement] = {{plain}},
    [LLVMShuffleVector] = {{plain}},
    [LLVMAdd] = {{audit_wraps}},
    [LLVMSub] = {{audit_wraps}},
    [LLVMMul] = {{audit_wraps}},
    [LLVMShl] = {{audit_wraps, audit_shift}},
    [LLVMLShr] = {{audit_exact, audit_shift}},
    [LLVMAShr] = {{audit_exact, audit_shift}},
    [LLVMUDiv] = {{audit_exact, audit_division}},
    [LLVMSDiv] = {{audit_exact, audit_signed_division}},
    [LLVMURem] = {{audit_division}},
    [LLVMSRem] = {{audit_signed_division}},
    [LLVMAnd] = {{plain}},
    [LLVMOr] = {{audit_disjoint}},
    [LLVMXor] = {{plain}},
    [LLVMICmp] = {{plain}},
    [LLVMFCmp] = {{plain}},
    [LLVMFNeg] = {{plain}},
    [LLVMFAdd] = {{plain}},
    [LLVMFSub] = {{plain}},
    [LLVMFMul] = {{plain}},
    [LLVMFDiv] = {{plain}},
    [LLVMFRem] = {{plain}},
    [LLVMTrunc] = {{audit_wraps}},
    [LLVMZExt] = {{audit_non_negative}},
    [LLVMSExt] = {{plain}},
    [LLVMFPToUI] = {{audit_float_to_int}},
    [LLVMFPToSI] = {{audit_float_to_int}},
    [LLVMUIToFP] = {{audit_non_negative}},
    [LLVMSIToFP] = {{plain}},
    [LLVMFPTrunc] = {{plain}},
    [LLVMFPExt] = {{plain}},
    [LLVMBitCast] = {{plain}},
    [LLVMPtrToInt] = {{plain}},
};
/* clang-format on */

static void audit_instruction(Audit *audit, LLVMValueRef instruction) {
  size_t opcode = (size_t)LLVMGetInstructionOpcode(instruction);
  const Row *row = opcode < sizeof rows / sizeof *rows ? &rows[opcode] : NULL;
  if (row == NULL || row->rules[0] == NULL) {
    audit_fault(audit, instruction, "no rule for this instruction");
    return;
  }
  audit_fast_math(audit, instruction);
  audit_metadata(audit, instruction);
  audit_poison(audit, instruction);
  for (int i = 0; i < 2 && row->rules[i]; i++)
    row->rules[i](audit, instruction);
}

/* -- the walk ---------------------------------------------------------- */

static void audit_body(Audit *audit, LLVMValueRef function) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef one = LLVMGetFirstInstruction(block);
    for (; one; one = LLVMGetNextInstruction(one))
      audit_instruction(audit, one);
  }
}

char *audit_module(LLVMModuleRef module, Moment moment) {
  Audit audit = {.moment = moment};
  LLVMValueRef function = LLVMGetFirstFunction(module);
  for (; function; function = LLVMGetNextFunction(function)) {
    audit_function(&audit, function);
    if (LLVMIsDeclaration(function)) continue;
    if (audit_lanes_find(&audit, function))
      audit_body(&audit, function);
    else
      audit_fault(&audit, function, "out of memory");
    free(audit.lanes.values);
    free(audit.lanes.defined);
    audit.lanes = (Lanes){0};
  }
  if (audit.n_faults && !audit.text) return strdup("out of memory\n");
  return audit.text;
}
