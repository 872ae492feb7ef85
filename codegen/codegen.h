/* codegen.h: from a planned program to native code.
 *
 * Comes in: a Program at the kernels stage, planned.  Goes out: an Executable,
 * one native function that holds the whole program, scan loops included.
 * One program -> one LLVM module -> one object file -> one function to call
 * (which calls others where the program is very long: parts.c).  Calls
 * runtime and OpenBLAS by symbol name only. */
#ifndef LOCKSTEP_CODEGEN_H
#define LOCKSTEP_CODEGEN_H

#include "../passes/passes.h"

typedef struct Executable Executable;
struct RtWatch;

typedef struct CompileTimes {
  double codegen_ms; /* LLVM IR, optimisation, machine code */
  double load_ms;    /* linking the object into this process */
} CompileTimes;

/* NULL on error, and then *error (malloc'd text) says what.  Thread-safe. */
Executable *cg_compile(const Program *planned, const Options *options,
                       CompileTimes *times, char **error);
void cg_destroy(Executable *executable); /* NULL is fine */

/* Does the program have a part for more than one thread? */
bool cg_has_team(const Program *planned);
/* How many threads a run takes, at most. */
int cg_threads(const Executable *executable);

/* inputs and results: one contiguous row-major buffer each, in the program's
 * order; results overlap nothing; arena: at least cg_arena_bytes, aligned to
 * 64.  Any number of threads may run one executable at once. */
void cg_run(const Executable *executable, const void *const *inputs,
            void *const *results, void *arena);
/* The same, watched (runtime.h): a run that is cancelled leaves its results
 * unfinished. */
void cg_run_watched(const Executable *executable, const void *const *inputs,
                    void *const *results, void *arena, struct RtWatch *watch);
/* What RtWatch counts up to in a run; 0: the program is too short. */
double cg_work(const Executable *executable);
size_t cg_arena_bytes(const Executable *executable);

/* Text for inspection: LLVM IR after optimisation, assembly. free() it.
 * NULL on error, as above. */
typedef enum CodeText { CODE_LLVM, CODE_ASM } CodeText;
char *cg_text(const Program *planned, const Options *options, CodeText kind,
              char **error);

const char *cg_cpu_name(void); /* LLVM's name of the host */
const char *cg_llvm_version(void);
/* Bytes of a vector in generated code, operations on f64 in a cycle of one
 * core (a multiply-add is two).  False: no memory. */
bool cg_vectors(int *bytes, double *flops);

#endif
