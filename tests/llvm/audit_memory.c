/* audit_memory.c: loads and stores.  Callers' buffers, and the slices of them
 * that a step reads, are aligned to their elements and no more; and nothing is
 * promised about the numbers in them. */
#include "audit.h"

#include <string.h>

/* Bytes of an element: dtypes are aligned to their own size. */
static unsigned natural_alignment(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
      return 2;
    case LLVMFloatTypeKind:
      return 4;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
      return 8;
    default:
      return (int_width(type) + 7) / 8;
  }
}

/* What the address lies in, behind offsets. */
static LLVMValueRef object_of(LLVMValueRef address) {
  for (;;) {
    bool offset = LLVMIsAGetElementPtrInst(address) ||
                  (LLVMIsAConstantExpr(address) &&
                   LLVMGetConstOpcode(address) == LLVMGetElementPtr);
    if (!offset) return address;
    address = LLVMGetOperand(address, 0);
  }
}

/* Codegen's own memory says how it is aligned: LLVM may reckon with that. */
static bool object_is_aligned(LLVMValueRef address, unsigned alignment) {
  LLVMValueRef object = object_of(address);
  bool own = LLVMIsAAllocaInst(object) || LLVMIsAGlobalVariable(object);
  return own && LLVMGetAlignment(object) >= alignment;
}

void audit_access(Audit *audit, LLVMValueRef instruction) {
  bool store = LLVMGetInstructionOpcode(instruction) == LLVMStore;
  LLVMTypeRef type =
      LLVMTypeOf(store ? LLVMGetOperand(instruction, 0) : instruction);
  unsigned alignment = LLVMGetAlignment(instruction);
  if (alignment > natural_alignment(type) &&
      !object_is_aligned(LLVMGetOperand(instruction, store), alignment))
    audit_fault(audit, instruction, "more aligned than its elements");
}

/* -- what is promised beside an instruction ----------------------------- */

void audit_metadata(Audit *audit, LLVMValueRef instruction) {
  static const char *const promises[] = {
      "range", "nonnull",         "noundef",
      "align", "dereferenceable", "dereferenceable_or_null",
      "fpmath"};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
  if (!LLVMHasMetadata(instruction)) return;
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
    unsigned kind = LLVMGetMDKindIDInContext(context, promises[i],
                                             (unsigned)strlen(promises[i]));
    if (LLVMGetMetadata(instruction, kind))
      audit_fault(audit, instruction, "metadata that promises a value");
  }
}
