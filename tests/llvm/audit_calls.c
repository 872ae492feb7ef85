/* audit_calls.c: what may be called, and what functions promise.
 *
 * LLVM folds a call of a function that it knows (exp, sin, llvm.pow, ...) with
 * the libm of the compiling process, and may replace it by another one.  So
 * code calls routines under names that are ours or OpenBLAS's, and of LLVM's
 * own operations those that have one right result for every operand. */
#include "audit.h"

#include <string.h>

#include "codegen/emit.h"

/* -- names ------------------------------------------------------------- */

LLVMValueRef callee_of(LLVMValueRef call) {
  return LLVMIsAFunction(LLVMGetCalledValue(call));
}

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool starts_with(const char *name, const char *start) {
  return strncmp(name, start, strlen(start)) == 0;
}

bool is_intrinsic(LLVMValueRef callee, const char *name) {
  const char *own = name_of(callee);
  size_t n = strlen(name);
  return strncmp(own, name, n) == 0 && (own[n] == '.' || own[n] == 0);
}

/* One right result for every operand; no operand is undefined. */
static const char *const exact[] = {
    "llvm.fabs",       "llvm.copysign",  "llvm.sqrt",       "llvm.floor",
    "llvm.ceil",       "llvm.trunc",     "llvm.roundeven",  "llvm.fma",
    "llvm.maximum",    "llvm.minimum",   "llvm.is.fpclass", "llvm.smax",
    "llvm.smin",       "llvm.umax",      "llvm.umin",       "llvm.uadd.sat",
    "llvm.usub.sat",   "llvm.sadd.sat",  "llvm.ssub.sat",   "llvm.ctpop",
    "llvm.fshl",       "llvm.fshr",      "llvm.bswap",      "llvm.bitreverse",
    "llvm.fptosi.sat", "llvm.fptoui.sat"};

/* Undefined for one operand, unless the flag behind it is false. */
static const char *const flagged[] = {"llvm.abs", "llvm.ctlz", "llvm.cttz"};

/* Sums of lanes and checked sums: LLVM makes them out of others. */
static const char *const made[] = {
    "llvm.vector.reduce.add",  "llvm.vector.reduce.and",
    "llvm.vector.reduce.or",   "llvm.vector.reduce.xor",
    "llvm.vector.reduce.smax", "llvm.vector.reduce.smin",
    "llvm.vector.reduce.umax", "llvm.vector.reduce.umin",
    "llvm.uadd.with.overflow", "llvm.usub.with.overflow",
    "llvm.sadd.with.overflow", "llvm.ssub.with.overflow",
    "llvm.umul.with.overflow", "llvm.smul.with.overflow"};

static const char *const memory[] = {"llvm.memcpy", "llvm.memmove",
                                     "llvm.memset", "llvm.lifetime.start",
                                     "llvm.lifetime.end"};

static bool is_among(LLVMValueRef callee, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is_intrinsic(callee, names[i])) return true;
  return false;
}
#define IS_AMONG(callee, names) \
  is_among(callee, names, sizeof names / sizeof *names)

bool computes_by_lanes(LLVMValueRef callee) {
  return IS_AMONG(callee, exact) || IS_AMONG(callee, flagged) ||
         IS_AMONG(callee, made);
}

/* -- calls ------------------------------------------------------------- */

static void audit_intrinsic(Audit *audit, LLVMValueRef call,
                            LLVMValueRef callee) {
  uint64_t flag;
  if (IS_AMONG(callee, exact) || IS_AMONG(callee, memory)) return;
  if (IS_AMONG(callee, flagged)) {
    bool fixed = lane_constant(LLVMGetOperand(call, 1), 0, &flag);
    if (audit->moment == EMITTED && (!fixed || flag))
      audit_fault(audit, call, "undefined for one operand");
  } else if (audit->moment == EMITTED || !IS_AMONG(callee, made)) {
    audit_fault(audit, call, "not an intrinsic with one right result");
  }
}

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* A function that the host has registered: the loader fills in its entry. */
static bool calls_the_host(LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  if (!LLVMIsALoadInst(pointer)) return false;
  LLVMValueRef entry = LLVMIsAGlobalVariable(LLVMGetOperand(pointer, 0));
  return entry && starts_with(name_of(entry), CALLEE_PREFIX);
}

void audit_call(Audit *audit, LLVMValueRef call) {
  LLVMValueRef callee = callee_of(call);
  LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  if (callee == NULL) {
    if (!calls_the_host(call))
      audit_fault(audit, call, "a call through a pointer");
    return;
  }
  if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee))
    audit_fault(audit, call, "a call of another type than the function's");
  if (LLVMGetCallSiteEnumAttribute(call, whole, attribute_kind("builtin")))
    audit_fault(audit, call, "a call that LLVM may take for libm's");
  if (starts_with(name_of(callee), "llvm."))
    audit_intrinsic(audit, call, callee);
}

/* -- functions --------------------------------------------------------- */

/* Promises about parameters (1, 2, ...) and the result (0). */
static void audit_parameters(Audit *audit, LLVMValueRef function) {
  static const char *const promises[] = {
      "noundef", "nonnull",   "align",   "dereferenceable",
      "range",   "nofpclass", "returned"};
  for (unsigned i = 0; i <= LLVMCountParams(function); i++)
    for (size_t p = 0; p < sizeof promises / sizeof *promises; p++)
      if (LLVMGetEnumAttributeAtIndex(function, i, attribute_kind(promises[p])))
        audit_fault(audit, function, "a promise about a parameter");
}

/* Fast-math flags of a whole function; and that its loops end. */
static void audit_attributes(Audit *audit, LLVMValueRef function) {
  static const char *const modes[] = {
      "unsafe-fp-math",          "no-nans-fp-math",     "no-infs-fp-math",
      "no-signed-zeros-fp-math", "approx-func-fp-math", "denormal-fp-math",
      "denormal-fp-math-f32"};
  static const char *const ends[] = {"mustprogress", "willreturn"};
  LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (LLVMGetStringAttributeAtIndex(function, whole, modes[i],
                                      (unsigned)strlen(modes[i])))
      audit_fault(audit, function, "an attribute that changes what floats do");
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!LLVMIsDeclaration(function) &&
        LLVMGetEnumAttributeAtIndex(function, whole, attribute_kind(ends[i])))
      audit_fault(audit, function, "a while may run for ever");
}

void audit_function(Audit *audit, LLVMValueRef function) {
  const char *name = name_of(function);
  if (starts_with(name, "llvm.")) return; /* LLVM's own declarations */
  audit_parameters(audit, function);
  audit_attributes(audit, function);
  if (LLVMIsDeclaration(function) && !starts_with(name, "lockstep_") &&
      !starts_with(name, "cblas_"))
    audit_fault(audit, function, "a function whose name LLVM may know");
}
