/* runtime.h: what runs beside generated code, and the oracle it is held to.
 *
 * Owns: the reference evaluator, NPY files, what the machine can do, the guard
 * around OpenBLAS's thread count.  Only evaluate*.c knows the IR. */
#ifndef LOCKSTEP_RUNTIME_H
#define LOCKSTEP_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ir/ir.h"

/* -- the reference evaluator (evaluate.c, evaluate_*.c) -------------------
 * Runs a program at any stage in plain loops in the strict order
 * (defined in evaluate_einsum.c and evaluate_reduce.c),
 * all devices of a node before the next node.  Shares no lowering with the
 * compiler.  inputs/results: contiguous row-major buffers, one leading dim per
 * axis in the braces.  Returns NULL, or a malloc'd message. */
char *rt_evaluate(const Program *program, const void *const *inputs,
                  void *const *results);

/* -- NPY (npy.c) ------------------------------------------------------- */
typedef struct Npy {
  DType dtype; /* bf16 comes as DT_U16 */
  int rank;
  int64_t dims[IR_MAX_RANK];
  void *data; /* row-major, native endian; free with rt_npy_free */
} Npy;
char *rt_npy_read(const char *path, Npy *npy); /* NULL, or a message */
void rt_npy_free(Npy *npy);
char *rt_npy_write(const char *path, DType dtype, int rank, const int64_t *dims,
                   const void *data);

/* -- the machine (machine.c) ------------------------------------------- */
typedef struct Machine {
  double peak_gflops;   /* f64, one thread, measured */
  double peak_gbps;     /* main memory, one thread, measured */
  int cores;            /* that this process may use (affinity, cgroup) */
  double clock_ghz;     /* of the core, measured */
  double cache_gbps[3]; /* from the caches, one thread, measured */
} Machine;
int rt_cores(void);
void rt_machine_measure(Machine *machine); /* takes about 0.1 s */
double rt_now(void);                       /* seconds, monotonic */
int64_t rt_memory_bytes(void);             /* physical; 0: not known */

/* -- the machine's sizes (host.c), 0: not known ------------------------ */
int64_t rt_cache_bytes(int level); /* 1 to 3, of the first core */
int64_t rt_memory_allowed(void);   /* physical, or what a cgroup leaves of it */
/* The same from other folders, for tests. */
int64_t rt_cache_listed(const char *folder, int level);
int64_t rt_group_memory(const char *root, const char *group, const char *file);

/* -- OpenBLAS (blas.c) -------------------------------------------------------
 * OpenBLAS has one thread count per process.  The first run in flight sets it
 * to 1, the last one restores it. */
void rt_blas_enter(void);
void rt_blas_leave(void);
const char *rt_blas_config(void); /* OpenBLAS's own line */

/* -- the team (team.c) ---------------------------------------------------
 * Threads of our own, one team in a process, that run one function together.
 * Whoever may run holds the team; the last to let go ends its threads. */
typedef struct RtTeam {  /* generated code knows this layout */
  int32_t number, count; /* of this thread; of all */
} RtTeam;
typedef void RtWork(const RtTeam *team, void *context);
void rt_team_hold(void);
void rt_team_release(void);
/* How many threads a run may use: the least of the cores that this process may
 * use, LOCKSTEP_NUM_THREADS, and asked (0: any). */
int rt_team_size(int asked);
/* Have work called by each of count threads, this one as number 0, and wait for
 * all; by this one alone where the team is taken or threads are not to be
 * had. */
void rt_team_run(int count, RtWork *work, void *context);
/* Wait until the whole team is here. */
void lockstep_meet(const RtTeam *team);

/* -- progress (watch.c) ------------------------------------------------ */
/* done: from 0 to 1.  False: the run is to stop. */
typedef bool RtProgress(void *user, double done);
typedef struct RtWatch {
  /* Generated code knows these: it adds to done, and calls from next on; a team
   * leaves its loop at the end of step stop_at. */
  int64_t done, next, stop_at;
  bool cancelled;
  RtProgress *progress;
  void *user;
  double total;          /* of the program, in the same units */
  double called, looked; /* seconds */
  int64_t looked_at;     /* done, then */
} RtWatch;
/* For one run; progress may be NULL. */
void rt_watch_start(RtWatch *watch, RtProgress *progress, void *user,
                    double total);
int32_t lockstep_watch(RtWatch *watch); /* not 0: leave the loop */

/* -- what generated code calls (symbols.c) ----------------------------- */
typedef struct RtSymbol {
  const char *name;
  void (*address)(void);
} RtSymbol;
enum { RT_MOST_SYMBOLS = 256 };
extern const RtSymbol rt_symbols[];
extern const int rt_symbol_count;

#endif
