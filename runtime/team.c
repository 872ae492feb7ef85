/* team.c: the threads that run one generated function together.
 *
 * There is one team in a process.  A run takes it whole: every thread calls the
 * same function with its number, and they wait for each other in lockstep_meet.
 * A run that finds the team taken (by a run in another thread of the host) goes
 * on alone; results do not depend on how many threads there are.
 *
 * The threads start with the first run that wants them and live as long as any
 * executable holds the team; the last one to let go joins them.  Between two
 * runs, and at a meeting that takes long, a thread spins for some microseconds,
 * then yields, then sleeps, so that an idle process takes no time.
 *
 * fork(): the child has no threads of the team; its first run starts its own.
 * The state below is process-wide; a mutex and atomics guard it. */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime.h"

enum { LINE = 64, MOST_THREADS = 256, COUNT_BITS = 16 };

/* A number that threads wait to see changed. */
typedef struct Gate {
  _Alignas(LINE) atomic_uint_least64_t value;
  _Alignas(LINE) atomic_int sleepers;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} Gate;

#define CLOSED_GATE \
  {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER}

static struct {
  Gate job;     /* how many jobs there were, and the last one's threads */
  Gate meeting; /* how often the team has met */
  _Alignas(LINE) atomic_int arrived; /* at the next meeting */
  _Alignas(LINE) atomic_bool busy;
  atomic_bool stopping;
  /* the job: written before the gate opens */
  RtWork *work;
  void *context;
  fenv_t environment; /* rounding, denormals: the caller's, for everyone */
  /* guarded by mutex */
  pthread_mutex_t mutex;
  pthread_once_t once;
  int holders, n_threads;
  pthread_t threads[MOST_THREADS];
} pool = {.job = CLOSED_GATE,
          .meeting = CLOSED_GATE,
          .mutex = PTHREAD_MUTEX_INITIALIZER,
          .once = PTHREAD_ONCE_INIT};

/* -- gates ------------------------------------------------------------- */

static inline void pause_a_little(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static inline uint64_t gate_value(Gate *gate) {
  return atomic_load_explicit(&gate->value, memory_order_acquire);
}

/* Whoever sleeps has counted itself before it looked at the value, and the
 * value is new before the sleepers are counted: one of the two sees the
 * other. */
static void gate_open(Gate *gate, uint64_t value) {
  atomic_store(&gate->value, value);
  if (atomic_load(&gate->sleepers) == 0) return;
  pthread_mutex_lock(&gate->mutex);
  pthread_cond_broadcast(&gate->changed);
  pthread_mutex_unlock(&gate->mutex);
}

static void gate_sleep(Gate *gate, uint64_t old) {
  pthread_mutex_lock(&gate->mutex);
  atomic_fetch_add(&gate->sleepers, 1);
  while (atomic_load(&gate->value) == old)
    pthread_cond_wait(&gate->changed, &gate->mutex);
  atomic_fetch_sub(&gate->sleepers, 1);
  pthread_mutex_unlock(&gate->mutex);
}

/* Wait until the value is no longer `old`. */
static uint64_t gate_wait(Gate *gate, uint64_t old) {
  enum { BETWEEN_LOOKS = 64 };
  const double spin = 20e-6, yield = 200e-6;
  double start = 0, waited = 0;
  uint64_t value;
  for (unsigned i = 1; (value = gate_value(gate)) == old; i++) {
    if (waited > spin)
      sched_yield();
    else
      pause_a_little();
    if (i % BETWEEN_LOOKS && waited <= spin) continue;
    double now = rt_now();
    if (start == 0) start = now;
    waited = now - start;
    if (waited > yield) gate_sleep(gate, old);
  }
  return value;
}

void lockstep_meet(const RtTeam *team) {
  if (team->count == 1) return;
  Gate *gate = &pool.meeting;
  uint64_t met = atomic_load_explicit(&gate->value, memory_order_relaxed);
  int before =
      atomic_fetch_add_explicit(&pool.arrived, 1, memory_order_acq_rel);
  if (before + 1 < team->count) {
    gate_wait(gate, met);
    return;
  }
  atomic_store_explicit(&pool.arrived, 0, memory_order_relaxed);
  gate_open(gate, met + 1);
}

/* -- threads ----------------------------------------------------------- */

/* A thread that has no part in a job may look at its word late: only the word
 * tells it so, and the job's other fields change no more while it has one. */
static void *serve(void *argument) {
  int number = (int)(intptr_t)argument;
  uint64_t seen = 0;
  for (;;) {
    seen = gate_wait(&pool.job, seen);
    if (atomic_load(&pool.stopping)) return NULL;
    int count = (int)(seen & ((1 << COUNT_BITS) - 1));
    if (number >= count) continue;
    RtTeam team = {number, count};
    fesetenv(&pool.environment);
    pool.work(&team, pool.context);
    lockstep_meet(&team);
  }
}

/* Threads for a team of `count`; how many there are, the caller included.  The
 * host's signals are not for them. */
static int start_threads(int count) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_mutex_lock(&pool.mutex);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool.n_threads < count - 1) {
    void *number = (void *)(intptr_t)(pool.n_threads + 1);
    if (pthread_create(&pool.threads[pool.n_threads], NULL, serve, number))
      break;
    pool.n_threads++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  int have = pool.n_threads + 1;
  pthread_mutex_unlock(&pool.mutex);
  return have < count ? have : count;
}

static void next_job(int count) {
  uint64_t jobs = gate_value(&pool.job) >> COUNT_BITS;
  gate_open(&pool.job, (jobs + 1) << COUNT_BITS | (uint64_t)count);
}

/* The mutex is held, and no run is in flight. */
static void stop_threads(void) {
  atomic_store(&pool.stopping, true);
  next_job(0);
  for (int i = 0; i < pool.n_threads; i++) pthread_join(pool.threads[i], NULL);
  pool.n_threads = 0;
  atomic_store(&pool.stopping, false);
}

/* -- forks ------------------------------------------------------------- */

static void before_fork(void) { pthread_mutex_lock(&pool.mutex); }
static void after_fork(void) { pthread_mutex_unlock(&pool.mutex); }

static void forget_waiting(Gate *gate) {
  atomic_store(&gate->sleepers, 0);
  gate->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  gate->changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}

/* New threads must not take the parent's last job for one of theirs. */
static void in_child(void) {
  pool.n_threads = 0;
  atomic_store(&pool.job.value, 0);
  atomic_store(&pool.arrived, 0);
  atomic_store(&pool.busy, false);
  forget_waiting(&pool.job);
  forget_waiting(&pool.meeting);
  pthread_mutex_unlock(&pool.mutex);
}

static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, in_child);
}

/* -- for executables and runs ------------------------------------------ */

void rt_team_hold(void) {
  pthread_once(&pool.once, watch_forks);
  pthread_mutex_lock(&pool.mutex);
  pool.holders++;
  pthread_mutex_unlock(&pool.mutex);
}

void rt_team_release(void) {
  pthread_mutex_lock(&pool.mutex);
  if (--pool.holders == 0 && pool.n_threads > 0) stop_threads();
  pthread_mutex_unlock(&pool.mutex);
}

int rt_team_size(int asked) {
  const char *text = getenv("LOCKSTEP_NUM_THREADS");
  char *end;
  long wanted = text ? strtol(text, &end, 10) : 0;
  int size = rt_cores();
  if (wanted > 0 && *end == 0 && wanted < size) size = (int)wanted;
  if (asked > 0 && asked < size) size = asked;
  return size < MOST_THREADS ? size : MOST_THREADS;
}

void rt_team_run(int count, RtWork *work, void *context) {
  if (count > MOST_THREADS) count = MOST_THREADS;
  if (count > 1 && !atomic_exchange(&pool.busy, true)) {
    count = start_threads(count);
    if (count > 1) {
      RtTeam team = {0, count};
      pool.work = work;
      pool.context = context;
      fegetenv(&pool.environment);
      next_job(count);
      work(&team, context);
      lockstep_meet(&team);
    }
    atomic_store(&pool.busy, false);
    if (count > 1) return;
  }
  RtTeam alone = {0, 1};
  work(&alone, context);
}
