/* main.c: times a workload by hand.
 *
 *   hand NAME FOLDER SECONDS [KEY=VALUE ...]
 *   hand limits                                 what the machine can do
 *
 * Reads FOLDER/INPUT.npy, writes FOLDER/PEER-FORM.npy (all results, flat, f64),
 * prints one line of JSON a form: the least time of the runs that fit in
 * SECONDS. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "hand.h"

size_t steps;
int cores = 1;

static const Workload *const all[] = {
    &lorenz, &stacked, &iir, &kalman, &chain, &chain32, &cheap,
    &ring,   &seed,    &rnn, &sgd,    &gemm,  &gemm32,  &allgather,
};
static char **arguments;
static const char *folder;

void need(bool fits, const char *what) {
  if (fits) return;
  fprintf(stderr, "hand: %s\n", what);
  exit(2);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -- threads ----------------------------------------------------------- */

static struct {
  _Alignas(64) atomic_int waiting;
  _Alignas(64) atomic_uint round;
  _Alignas(64) atomic_uint job;
  void (*work)(int);
  int n;
  atomic_int running;
} team = {.n = 1};

int team_size(void) { return team.n; }

void meet(void) {
  if (team.n == 1) return;
  unsigned round = atomic_load_explicit(&team.round, memory_order_acquire);
  if (atomic_fetch_add(&team.waiting, 1) + 1 == team.n) {
    atomic_store_explicit(&team.waiting, 0, memory_order_relaxed);
    atomic_store_explicit(&team.round, round + 1, memory_order_release);
    return;
  }
  while (atomic_load_explicit(&team.round, memory_order_acquire) == round)
    __builtin_ia32_pause();
}

static void *second(void *unused) {
  for (unsigned seen = 0;;) {
    for (long spins = 0; atomic_load(&team.job) == seen; spins++)
      if (spins < 100000)
        __builtin_ia32_pause();
      else
        sched_yield();
    seen = atomic_load(&team.job);
    team.work(1);
    atomic_store(&team.running, 0);
  }
  return unused;
}

void together(int n, void (*work)(int)) {
  team.n = n < cores ? n : cores;
  if (team.n == 1) {
    work(0);
    return;
  }
  team.work = work;
  atomic_store(&team.running, 1);
  atomic_fetch_add(&team.job, 1);
  work(0);
  while (atomic_load(&team.running)) __builtin_ia32_pause();
  team.n = 1;
}

Part part(size_t n, size_t unit, int me) {
  size_t groups = n / unit, t = (size_t)team.n, i = (size_t)me;
  return (Part){groups * i / t * unit, groups * (i + 1) / t * unit};
}

static void start_threads(void) {
  cpu_set_t set;
  pthread_t thread;
  sched_getaffinity(0, sizeof set, &set);
  if (CPU_COUNT(&set) < 2 || pthread_create(&thread, NULL, second, NULL))
    return;
  cores = 2;
}

/* -- arrays ------------------------------------------------------------ */

size_t size_of(const char *key) {
  size_t length = strlen(key);
  for (char **a = arguments; *a; a++)
    if (!strncmp(*a, key, length) && (*a)[length] == '=')
      return strtoull(*a + length + 1, NULL, 10);
  need(false, key);
  return 0;
}

void *memory(size_t bytes) {
  size_t unit = bytes < 1 << 20 ? 64 : 2 << 20;
  bytes = (bytes / unit + 1) * unit;
  void *p = aligned_alloc(unit, bytes);
  need(p != NULL, "out of memory");
  if (unit > 64) madvise(p, bytes, MADV_HUGEPAGE);
  return memset(p, 0, bytes);
}

/* The data are the end of an NPY file. */
static void *load(const char *name, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "rb");
  void *data = memory(bytes);
  need(file && !fseek(file, -(long)bytes, SEEK_END) &&
           fread(data, 1, bytes, file) == bytes,
       path);
  fclose(file);
  return data;
}

double *input(const char *name, size_t n) { return load(name, 8 * n); }
float *inputf(const char *name, size_t n) { return load(name, 4 * n); }

static struct {
  double *wide;
  float *narrow;
  size_t n;
} results[8];
static int n_results;

double *result(size_t n) {
  results[n_results].n = n;
  return results[n_results++].wide = memory(8 * n);
}

float *resultf(size_t n) {
  results[n_results].n = n;
  return results[n_results++].narrow = memory(4 * n);
}

static void save(const char *form) {
  char path[4096], head[128] = {0};
  size_t n = 0;
  for (int r = 0; r < n_results; r++) n += results[r].n;
  snprintf(path, sizeof path, "%s/" PEER "-%s.npy", folder, form);
  FILE *file = fopen(path, "wb");
  need(file != NULL, path);
  int used = snprintf(head, sizeof head,
                      "{'descr': '<f8', 'fortran_order': False, 'shape': "
                      "(%zu,)}",
                      n);
  memset(head + used, ' ', sizeof head - (size_t)used);
  head[117] = '\n';
  fwrite("\x93NUMPY\1\0\x76\0", 1, 10, file);
  fwrite(head, 1, 118, file);
  for (int r = 0; r < n_results; r++)
    for (size_t i = 0; i < results[r].n; i++) {
      double x =
          results[r].wide ? results[r].wide[i] : (double)results[r].narrow[i];
      fwrite(&x, sizeof x, 1, file);
    }
  need(fclose(file) == 0, path);
}

static void measure(const char *form, void (*run)(void), double budget) {
  double least = 0, start;
  run(); /* first touches, clock up */
  start = now();
  do {
    double begin = now();
    run();
    double seconds = now() - begin;
    if (least == 0 || seconds < least) least = seconds;
  } while (now() - start < budget);
  save(form);
  printf("{\"peer\": \"" PEER
         "\", \"form\": \"%s\", \"compile_s\": 0, "
         "\"run_s\": %.9g}\n",
         form, least);
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "limits")) {
    start_threads();
    limits();
    return 0;
  }
  need(argc > 3, "usage: hand NAME FOLDER SECONDS [KEY=VALUE ...]");
  folder = argv[2];
  arguments = argv + 4;
  start_threads();
  for (size_t w = 0; w < sizeof all / sizeof *all; w++) {
    if (strcmp(all[w]->name, argv[1])) continue;
    all[w]->open();
    for (int f = 0; f < 2 && all[w]->forms[f].run; f++)
      measure(all[w]->forms[f].name, all[w]->forms[f].run, strtod(argv[3], 0));
    return 0;
  }
  need(false, argv[1]);
}
