/* machine.c: what the machine can do, measured, so that speeds can be shown
 * beside it.
 *
 * Goes out: the f64 multiply-add peak and the memory bandwidth of one thread,
 * the clock of a core and the bandwidth of its caches, the cores and the
 * memory that this process may use, the time.  The two loops
 * are compiled for each instruction set and chosen by what the CPU has. */
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime.h"

double rt_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time in which this thread ran: others on the machine do not slow a
 * measurement down. */
static double busy_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* -- multiply-adds --------------------------------------------------------
 * Twelve independent chains cover the latency of two units on any core.
 * Each function makes `rounds` rounds and says how many flops that were. */

typedef double FlopLoop(long rounds, double *sink);

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

/* FMA(a, b, c), SET(x) and V are those of the instruction set; the lanes are
 * added up so that no chain is dead. */
#define DECLARE(i) V v##i = SET(1.0 + 0.001 * i);
#define STEP(i) v##i = FMA(v##i, scale, shift);
#define COLLECT(i) total = FMA(v##i, scale, total);
#define FLOP_LOOP(name, target)                                    \
  target static double name(long rounds, double *sink) {           \
    V scale = SET(0.999), shift = SET(0.001), total = SET(0.0);    \
    TWELVE(DECLARE)                                                \
    for (long i = 0; i < rounds; i++) {                            \
      TWELVE(STEP)                                                 \
    }                                                              \
    TWELVE(COLLECT)                                                \
    memcpy(sink, &total, sizeof total);                            \
    return (double)rounds * 12 * 2 * (sizeof(V) / sizeof(double)); \
  }

#if defined(__x86_64__)
#define V __m512d
#define SET _mm512_set1_pd
#define FMA _mm512_fmadd_pd
FLOP_LOOP(flops_avx512, __attribute__((target("avx512f"))))
#undef V
#undef SET
#undef FMA
#define V __m256d
#define SET _mm256_set1_pd
#define FMA _mm256_fmadd_pd
FLOP_LOOP(flops_avx2, __attribute__((target("avx2,fma"))))
#undef V
#undef SET
#undef FMA
#define V __m128d
#define SET _mm_set1_pd
#define FMA(a, b, c) _mm_add_pd(_mm_mul_pd(a, b), c)
FLOP_LOOP(flops_plain, )
#else
#define V double
#define SET(x) (x)
#define FMA(a, b, c) fma(a, b, c)
FLOP_LOOP(flops_plain, )
#endif

static FlopLoop *flop_loop(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return flops_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return flops_avx2;
#endif
  return flops_plain;
}

static double measure_flops(void) {
  enum { ROUNDS = 50000, TRIES = 60 };
  double sink[8], best = 0;
  volatile double keep = 0;
  FlopLoop *loop = flop_loop();
  for (int i = 0; i < TRIES; i++) {
    double start = busy_now(), flops = loop(ROUNDS, sink);
    double seconds = busy_now() - start;
    keep += sink[0];
    if (seconds > 0 && flops / seconds > best) best = flops / seconds;
  }
  return best * 1e-9;
}

/* -- memory ------------------------------------------------------------ */

/* One read of a buffer well beyond the last cache, which is what a kernel
 * that streams a matrix does. */

typedef uint64_t Lanes __attribute__((vector_size(32), may_alias));

static inline __attribute__((always_inline)) uint64_t
read_all(const void *buffer, size_t bytes) {
  const Lanes *from = buffer;
  Lanes a = {0}, b = {0}, c = {0}, d = {0};
  for (size_t i = 0; i + 8 <= bytes / sizeof(Lanes); i += 8) {
    a += from[i];
    b += from[i + 1];
    c += from[i + 2];
    d += from[i + 3];
    a += from[i + 4];
    b += from[i + 5];
    c += from[i + 6];
    d += from[i + 7];
  }
  a += b + c + d;
  return a[0] ^ a[1] ^ a[2] ^ a[3];
}

typedef uint64_t ReadLoop(const void *buffer, size_t bytes);

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static uint64_t read_avx512(
    const void *buffer, size_t bytes) {
  return read_all(buffer, bytes);
}
__attribute__((target("avx2"))) static uint64_t read_avx2(const void *buffer,
                                                          size_t bytes) {
  return read_all(buffer, bytes);
}
#endif
static uint64_t read_plain(const void *buffer, size_t bytes) {
  return read_all(buffer, bytes);
}

static ReadLoop *read_loop(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return read_avx512;
  if (__builtin_cpu_supports("avx2")) return read_avx2;
#endif
  return read_plain;
}

/* Four times the last cache where that is known, within bounds. */
static size_t stream_bytes(void) {
  const size_t least = (size_t)64 << 20, most = (size_t)256 << 20;
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  size_t bytes = cache > 0 ? 4 * (size_t)cache : most / 2;
  int64_t memory = rt_memory_bytes();
  if (memory > 0 && bytes > (size_t)memory / 8) bytes = (size_t)memory / 8;
  return bytes < least ? least : bytes > most ? most : bytes;
}

static double measure_stream(void) {
  const double budget = 0.06;
  size_t bytes = stream_bytes();
  void *buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED) return 0;
  madvise(buffer, bytes, MADV_HUGEPAGE);
  memset(buffer, 1, bytes); /* pages that were never written are all one */
  ReadLoop *loop = read_loop();
  volatile uint64_t keep = 0;
  double best = 0, begin = busy_now(), now = begin;
  for (int i = 0; i < 2 || (i < 8 && now - begin < budget); i++) {
    double start = now;
    keep ^= loop(buffer, bytes);
    now = busy_now();
    if (now > start && (double)bytes / (now - start) > best)
      best = (double)bytes / (now - start);
  }
  munmap(buffer, bytes);
  return best * 1e-9;
}

/* -- clock and caches -------------------------------------------------- */

/* A chain of operations that take one cycle each on every core. */
static double measure_clock(void) {
  enum { ROUNDS = 20000, CHAIN = 16, TRIES = 20 };
  double best = 0;
  uint64_t x = 1, y = (uint64_t)(uintptr_t)&best;
  for (int i = 0; i < TRIES; i++) {
    double start = busy_now();
    for (int r = 0; r < ROUNDS; r++)
      for (int c = 0; c < CHAIN; c++) {
        x ^= y;
        __asm__ volatile("" : "+r"(x)); /* each one is made */
      }
    double seconds = busy_now() - start;
    if (seconds > 0 && ROUNDS * CHAIN / seconds > best)
      best = ROUNDS * CHAIN / seconds;
  }
  return best * 1e-9;
}

/* Reading again and again what lies between the cache before and this one. */
static double measure_cache(int level, const void *buffer, size_t room) {
  int64_t own = rt_cache_bytes(level);
  size_t bytes = own > 0 ? (size_t)own / 2 : 0;
  int64_t inner = level > 1 ? rt_cache_bytes(level - 1) : 0;
  if (level == 3 && inner > 0 && bytes > 4 * (size_t)inner)
    bytes = 4 * (size_t)inner; /* others use that cache, too */
  bytes -= bytes % (8 * sizeof(Lanes));
  if (bytes == 0 || bytes > room) return 0;
  ReadLoop *loop = read_loop();
  volatile uint64_t keep = loop(buffer, bytes);
  int rounds = 1 + (int)(((size_t)1 << 20) / bytes);
  double best = 0;
  for (int i = 0; i < 12; i++) {
    double start = busy_now();
    for (int r = 0; r < rounds; r++) keep ^= loop(buffer, bytes);
    double seconds = busy_now() - start, all = (double)bytes * rounds;
    if (seconds > 0 && all / seconds > best) best = all / seconds;
  }
  return best * 1e-9;
}

static void measure_caches(double *gbps) {
  const size_t room = (size_t)16 << 20;
  void *buffer = mmap(NULL, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED) return;
  madvise(buffer, room, MADV_HUGEPAGE);
  memset(buffer, 1, room);
  for (int level = 1; level <= 3; level++)
    gbps[level - 1] = measure_cache(level, buffer, room);
  munmap(buffer, room);
}

void rt_machine_measure(Machine *machine) {
  *machine = (Machine){.clock_ghz = measure_clock()};
  measure_caches(machine->cache_gbps);
  machine->peak_gflops = measure_flops();
  machine->peak_gbps = measure_stream();
  machine->cores = rt_cores();
}

/* -- what this process may use ----------------------------------------- */

static int affinity_cores(void) {
  for (int room = 1024; room <= 1 << 20; room *= 2) {
    cpu_set_t *set = CPU_ALLOC(room);
    if (!set) break;
    size_t bytes = CPU_ALLOC_SIZE(room);
    int known = sched_getaffinity(0, bytes, set);
    int cores = known == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (cores > 0) return cores;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online < INT_MAX ? (int)online : 1;
}

/* The file's first line; false if there is none. */
static bool read_line(const char *path, char *line, int room) {
  FILE *file = fopen(path, "re");
  bool fine = file && fgets(line, room, file);
  if (file) fclose(file);
  return fine;
}

static double min_quota(double a, double b) { return a < b ? a : b; }

/* CPUs' worth of time that one group's limit allows: version 2 ("200000
 * 100000"), then version 1 (two files). */
static double group_quota(const char *folder, bool second) {
  char path[PATH_MAX + 32], line[64];
  long long quota = -1, period = 0;
  if (second) {
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!read_line(path, line, sizeof line) ||
        sscanf(line, "%lld %lld", &quota, &period) != 2)
      return HUGE_VAL;
  } else {
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (read_line(path, line, sizeof line)) quota = strtoll(line, NULL, 10);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (read_line(path, line, sizeof line)) period = strtoll(line, NULL, 10);
  }
  return quota > 0 && period > 0 ? (double)quota / (double)period : HUGE_VAL;
}

/* The least quota from a group up to the root. */
static double tree_quota(const char *root, const char *group, bool second) {
  char folder[PATH_MAX];
  size_t base = strlen(root);
  double quota = group_quota(root, second);
  if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, group) >=
      sizeof folder)
    return quota;
  while (strlen(folder) > base + 1) {
    quota = min_quota(quota, group_quota(folder, second));
    *strrchr(folder, '/') = 0;
  }
  return quota;
}

static bool names_cpu(const char *controllers) {
  for (const char *at = controllers; (at = strstr(at, "cpu")); at += 3)
    if ((at == controllers || at[-1] == ',') && (at[3] == 0 || at[3] == ','))
      return true;
  return false;
}

/* A line is "number:controllers:path"; version 2 names no controllers. */
static double line_quota(char *line) {
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group) return HUGE_VAL;
  *controllers++ = *group++ = 0;
  group[strcspn(group, "\n")] = 0;
  if (!*controllers) return tree_quota("/sys/fs/cgroup", group, true);
  if (!names_cpu(controllers)) return HUGE_VAL;
  return tree_quota("/sys/fs/cgroup/cpu", group, false);
}

int rt_cores(void) {
  int cores = affinity_cores();
  char line[PATH_MAX + 128];
  double quota = HUGE_VAL;
  FILE *file = fopen("/proc/self/cgroup", "re");
  while (file && fgets(line, sizeof line, file))
    quota = min_quota(quota, line_quota(line));
  if (file) fclose(file);
  if (quota < cores) cores = quota < 1 ? 1 : (int)quota;
  return cores;
}

int64_t rt_memory_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  int64_t bytes = 0;
  if (pages <= 0 || size <= 0) return 0;
  return __builtin_mul_overflow((int64_t)pages, size, &bytes) ? 0 : bytes;
}
