/* passes.h: from a recorded program to a planned one.
 *
 * Comes in: a verified Program at any stage.  Goes out: a new Program, at the
 * kernels stage once the last pass has run.  passes/pipeline.c holds the table
 * that names the passes in order and the runner; each pass is one file.
 * A pass never edits: it copies through ir_node with its own rules.  Every
 * pass run on its own output changes nothing. */
#ifndef LOCKSTEP_PASSES_H
#define LOCKSTEP_PASSES_H

#include "../ir/ir.h"

typedef enum Numerics { NUMERICS_FAST, NUMERICS_STRICT } Numerics;
typedef enum Gemm { GEMM_AUTO, GEMM_BLAS, GEMM_PACKED, GEMM_INLINE } Gemm;

/* The machine, for choices by cost (model.h): what one thread does in a cycle.
 * What is 0 is not known; a modest guess stands for it, so that {0} chooses
 * alike everywhere. */
typedef struct Hardware {
  int vector;          /* bytes of a vector register */
  double flops;        /* on f64; a multiply-add is two */
  double bandwidth[4]; /* bytes from the caches of level 1, 2, 3, memory */
  int64_t cache[3];    /* bytes that these hold */
  int64_t memory;      /* bytes that a process may use */
} Hardware;

typedef struct Options {
  Numerics numerics;
  Gemm gemm;
  int threads;      /* 0: as many as the machine lets us have */
  uint64_t without; /* bit i: leave out pass i of the table */
  Hardware hardware;
  bool deal_all; /* for tests: every kernel that has tiles is the team's, and
                    runs take `threads` threads, however few the cores */
  int64_t block; /* for tests: the size of all blocks, wherever they are legal;
                    negative: without turning dims; 0: by cost */
} Options;

typedef struct Pass {
  const char *name;
  Stage accepts, latest; /* the stages it takes: from accepts to latest */
  Stage makes;
  bool optional; /* may be left out (--without) */
  Program *(*run)(const Program *program, const Options *options);
  const char *summary; /* one line for people */
} Pass;

extern const Pass pass_table[];
extern const int pass_count;
int pass_find(const char *name); /* index in the table; -1: none */

/* Called after each pass that ran, in order. */
typedef struct PassReport {
  const Pass *pass;
  const Program *program; /* what the pass made, verified */
  double milliseconds;    /* pass and verification */
  int nodes_before, nodes_after;
} PassReport;
typedef void PassObserver(const PassReport *report, void *context);

/* Run the passes from the first that accepts program's stage to the one at
 * index `last` (pass_count - 1: all).  The result is the caller's; never NULL
 * unless memory ran out; look at ->error.  program itself is left alone.
 * observer may be NULL. */
Program *pass_run(const Program *program, const Options *options, int last,
                  PassObserver *observer, void *context);

/* -- what work takes (model.c; model.h has the rest) ------------------- */

/* Cycles for operations and moved bytes; touched: all bytes that the loop
 * around uses, which says from which cache they come. */
double pass_cycles(const Hardware *hardware, double flops, double bytes,
                   double touched);
double pass_memory(const Hardware *hardware); /* bytes */
/* Bytes of the cache of level 1 + i. */
int64_t pass_cache(const Hardware *hardware, int i);

/* -- why a pass did something, or not ---------------------------------- */

/* Called with one line of text, without a line end. */
typedef void PassNote(const char *line, void *context);
/* The pass hoist, telling what it did with each collective in a scan. */
Program *pass_hoist_noting(const Program *program, const Options *options,
                           PassNote *note, void *context);

/* The pass interchange, telling of each scan why it runs in blocks or not. */
Program *pass_interchange_noting(const Program *program, const Options *options,
                                 PassNote *note, void *context);
/* The pass raise, telling what became of each dim that it tried. */
Program *pass_raise_noting(const Program *program, const Options *options,
                           PassNote *note, void *context);

/* -- what a planned program costs (cost.c) ----------------------------- */

/* What most of the predicted time is spent on. */
typedef enum Bound {
  BOUND_ARITHMETIC,
  BOUND_FUNCTIONS, /* exp, tanh, ... */
  BOUND_L1,        /* bytes from this cache, */
  BOUND_L2,
  BOUND_L3,
  BOUND_MEMORY, /* or from memory */
  BOUND_LATENCY /* steps wait for each other */
} Bound;
extern const char *const pass_bound_names[];

typedef struct KernelCost {
  const Node *kernel;
  int64_t runs;        /* product of the trip counts around it */
  double flops, bytes; /* of one run */
  double written;      /* of the bytes */
  double cycles;       /* of one run, by pass_predict */
  Bound bound;
} KernelCost;

typedef struct ProgramCost {
  int n_kernels, n_blas;
  KernelCost *kernels; /* in program order */
  double flops, bytes; /* of one whole run of the program */
  int64_t arena_bytes;
  double cycles; /* of one run, by pass_predict */
  Bound bound;   /* of its longest loop */
} ProgramCost;
bool pass_cost(const Program *planned, ProgramCost *cost); /* false: memory */
void pass_cost_free(ProgramCost *cost);
/* Fills in cycles and bounds (predict.c), for so many threads.  False: no
 * memory. */
bool pass_predict(const Program *planned, const Hardware *hardware, int threads,
                  ProgramCost *cost);
/* Bytes that a run needs: the arena, in which places are offsets, and behind it
 * the scratch of the kernel that takes most (whole.h). */
int64_t pass_arena_bytes(const Program *planned);
/* What each thread of a team beyond the first needs besides. */
int64_t pass_thread_bytes(const Program *planned);

/* Why a contraction kernel is inline or a BLAS call: a phrase for people. */
const char *pass_gemm_reason(const Node *kernel, const Options *options);
/* Why one thread computes a kernel, and not the team: a phrase for people;
 * NULL: the team does. */
const char *pass_team_reason(const ProgramCost *cost, const KernelCost *kernel,
                             const Options *options);

#endif
