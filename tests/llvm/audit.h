/* audit.h: does an LLVM module have undefined behaviour?
 *
 * Comes in: a module as codegen emitted it, or as LLVM's passes left it.  Goes
 * out: a list of faults.  audit.c walks the instructions and holds the table of
 * rules by opcode; the rules are in audit_*.c.  An opcode or an intrinsic that
 * no rule knows is a fault, so that codegen cannot begin to use one unseen. */
#ifndef LOCKSTEP_TESTS_AUDIT_H
#define LOCKSTEP_TESTS_AUDIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* LLVM's passes add nsw, nuw, exact and the like where they have proved them,
 * so those are judged in emitted modules only; all else at both moments.  They
 * also drop a guard that they have proved idle: of random programs they may
 * know more than audit_guards.c does, and those are judged without it then. */
typedef enum Moment { EMITTED, OPTIMISED, OPTIMISED_UNPROVED } Moment;

/* Which lanes of each instruction are not poison (audit_lanes.c). */
typedef struct Lanes {
  size_t n;
  LLVMValueRef *values; /* sorted by address */
  uint64_t *defined;    /* bit l: lane l; a scalar is lane 0 */
} Lanes;

typedef struct Audit {
  Moment moment;
  Lanes lanes; /* of the function at hand */
  int n_faults;
  char *text; /* one fault a line, the first few; malloc'd */
} Audit;

typedef void AuditRule(Audit *audit, LLVMValueRef instruction);

/* NULL: no fault; else malloc'd text, one fault a line. */
char *audit_module(LLVMModuleRef module, Moment moment);
void audit_fault(Audit *audit, LLVMValueRef where, const char *reason);

/* -- flags that promise something (audit_flags.c) ---------------------- */
AuditRule audit_wraps, audit_exact, audit_disjoint, audit_non_negative,
    audit_in_bounds, audit_fast_math;

/* -- shifts, divisions, conversions (audit_guards.c) ------------------- */
AuditRule audit_division, audit_signed_division, audit_shift,
    audit_float_to_int;

/* Of every lane: it is another number than `bound`, or below it, unsigned. */
typedef struct Claim {
  enum { DIFFERS, BELOW } kind;
  uint64_t bound;
} Claim;
/* Where `test` is `truth`, does the claim hold of value? (audit_tests.c) */
bool test_says(LLVMValueRef test, bool truth, LLVMValueRef value, Claim claim);
/* Does every way to `at` go through a branch that says so? */
bool branch_says(LLVMValueRef at, LLVMValueRef value, Claim claim);
uint64_t all_bits(unsigned width);
LLVMValueRef operand(LLVMValueRef value, unsigned i);
int opcode_of(LLVMValueRef value); /* 0: no instruction */
bool splat_constant(LLVMValueRef value, uint64_t *number);

/* -- poison (audit_lanes.c) -------------------------------------------- */
bool audit_lanes_find(Audit *audit, LLVMValueRef function); /* false: memory */
AuditRule audit_poison;
bool lanes_all_defined(const Audit *audit, LLVMValueRef value);

/* -- memory and calls (audit_memory.c, audit_calls.c) ------------------ */
AuditRule audit_access, audit_metadata, audit_call;
void audit_function(Audit *audit, LLVMValueRef function);

/* -- constants and names ----------------------------------------------- */
unsigned lane_count(LLVMTypeRef type); /* 1: a scalar */
unsigned int_width(LLVMTypeRef type);  /* of a lane; 0: no integer */
/* An integer constant's lane; false: it is none. */
bool lane_constant(LLVMValueRef value, unsigned lane, uint64_t *number);
/* Is the callee the intrinsic `name`, whatever its type? */
bool is_intrinsic(LLVMValueRef callee, const char *name);
LLVMValueRef callee_of(LLVMValueRef call); /* NULL: called through a pointer */
bool computes_by_lanes(LLVMValueRef callee); /* a pure intrinsic */

#endif
