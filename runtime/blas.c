/* blas.c: the guard around OpenBLAS's thread count.
 *
 * OpenBLAS has one thread count per process and no count per call, while the
 * threads of a run belong to Lockstep.  The first run in flight sets the count
 * to 1, the last one restores what it found.  This is the one mutable state of
 * the process that the library touches; a mutex guards it, and fork() leaves
 * it consistent in the child, where no run of the parent goes on. */
#include <pthread.h>

#include "runtime.h"

/* OpenBLAS's own; cblas.h may be another library's. */
extern void openblas_set_num_threads(int threads);
extern int openblas_get_num_threads(void);
extern char *openblas_get_config(void);

static struct {
  pthread_mutex_t mutex;
  pthread_once_t once;
  int runs;       /* in flight */
  int threads;    /* what the first of them found */
  bool inherited; /* forked amid runs: threads still holds, not OpenBLAS's 1 */
} guard = {.mutex = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void before_fork(void) { pthread_mutex_lock(&guard.mutex); }
static void after_fork(void) { pthread_mutex_unlock(&guard.mutex); }

static void in_child(void) {
  if (guard.runs > 0) guard.inherited = true;
  guard.runs = 0;
  pthread_mutex_unlock(&guard.mutex);
}

static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, in_child);
}

void rt_blas_enter(void) {
  pthread_once(&guard.once, watch_forks);
  pthread_mutex_lock(&guard.mutex);
  if (guard.runs++ == 0) {
    if (!guard.inherited) guard.threads = openblas_get_num_threads();
    guard.inherited = false;
    if (guard.threads != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&guard.mutex);
}

void rt_blas_leave(void) {
  pthread_mutex_lock(&guard.mutex);
  if (--guard.runs == 0 && guard.threads != 1)
    openblas_set_num_threads(guard.threads);
  pthread_mutex_unlock(&guard.mutex);
}

const char *rt_blas_config(void) { return openblas_get_config(); }
