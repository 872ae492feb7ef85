/* limits.c: what this machine can do, as one line of JSON.
 *
 * Pairs are for one thread and for all.  Peaks and bandwidths come from work
 * that depends on nothing, latencies from a chain.  Each is the best of a few.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "hand.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Least seconds of work on so many threads. */
static double least(int threads, void (*work)(int)) {
  double best = 1e9;
  for (int i = 0; i < 9; i++) {
    double start = now();
    together(threads, work);
    double seconds = now() - start;
    if (seconds < best) best = seconds;
  }
  return best;
}

static volatile double sink[64];
enum { ROUNDS = 400000 };

/* -- arithmetic -------------------------------------------------------- */

/* Twelve chains of multiply-adds: more than two units times their latency. The
 * compiler must not see that two steps of a chain are one. */
#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define DECLARE(c) V v##c = (V){0} + c;
#define STEP(c)        \
  v##c = v##c * a + b; \
  __asm__ volatile("" : "+x"(v##c));
#define COLLECT(c) sum += v##c;
#define PEAK(name, type)                                      \
  static void name(int me) {                                  \
    typedef type V;                                           \
    V a = (V){0} + 0.999f, b = (V){0} + 0.001f, sum = (V){0}; \
    TWELVE(DECLARE)                                           \
    for (long i = 0; i < ROUNDS; i++) {                       \
      TWELVE(STEP)                                            \
    }                                                         \
    TWELVE(COLLECT)                                           \
    sink[me * 8] = (double)sum[0];                            \
  }
PEAK(peak_f64, Vec)
PEAK(peak_f32, Vecf)

/* The compiler must not see through the chain. */
#define CHAIN(name, next)                      \
  static void name(int me) {                   \
    double x = sink[8] + 1.5, y = sink[16];    \
    for (long i = 0; i < ROUNDS; i++) {        \
      x = next;                                \
      __asm__ volatile("" : "+x"(x), "+x"(y)); \
    }                                          \
    sink[me * 8] = x;                          \
  }
CHAIN(chain_add, x + y)
CHAIN(chain_mul, x *y)
CHAIN(chain_fma, __builtin_fma(x, y, y))
CHAIN(chain_div, y / x)

static void barriers(int me) {
  for (int i = 0; i < 20000; i++) meet();
  sink[me * 8] = 0;
}

/* -- functions: blocks of 1024 numbers, in the nearest cache -------------- */

static double numbers[MOST_THREADS][1024];
static float numbersf[MOST_THREADS][1024];

#define FUNCTION(name, lanes, from, f, type, at)                        \
  static void name(int me) {                                            \
    type sum = {0};                                                     \
    for (int i = 0; i < 1024; i++) from[me][i] = i * 1e-3f;             \
    for (int r = 0; r < 100; r++)                                       \
      for (int i = 0; i < 1024; i += lanes) sum += f(at(from[me] + i)); \
    sink[me * 8] = (double)sum[0];                                      \
  }
FUNCTION(tanh_f64, LANES, numbers, MVEC(tanh), Vec, at)
FUNCTION(exp_f64, LANES, numbers, MVEC(exp), Vec, at)
FUNCTION(sin_f64, LANES, numbers, MVEC(sin), Vec, at)
FUNCTION(tanh_f32, LANESF, numbersf, MVECF(tanh), Vecf, atf)
FUNCTION(exp_f32, LANESF, numbersf, MVECF(exp), Vecf, atf)
FUNCTION(sin_f32, LANESF, numbersf, MVECF(sin), Vecf, atf)

/* -- reading: each thread its own part, again and again ------------------- */

static double *array;
static size_t part_bytes, sweeps;

static void read_part(int me) {
  const double *from = array + (size_t)me * part_bytes / 8;
  Vec sums[8] = {0};
  for (size_t s = 0; s < sweeps; s++) {
    for (size_t i = 0; i + 8 * LANES <= part_bytes / 8; i += 8 * LANES)
      _Pragma("GCC unroll 8") for (size_t c = 0; c < 8; c++) sums[c] +=
          at(from + i + c * LANES);
    __asm__ volatile("" ::: "memory");
  }
  for (int c = 1; c < 8; c++) sums[0] += sums[c];
  sink[me * 8] = sums[0][0];
}

static double read_gbps(int threads, size_t bytes) {
  part_bytes = bytes / (size_t)threads / 512 * 512;
  sweeps = (size_t)(96 << 20) / part_bytes + 1;
  double moved = (double)part_bytes * threads * (double)sweeps;
  return moved / least(threads, read_part) * 1e-9;
}

/* The system's own list: sysconf may count caches of other cores. */
static size_t cache(int index, size_t guess) {
  char path[128];
  size_t kb = 0;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size",
           index);
  FILE *file = fopen(path, "r");
  if (file) {
    if (fscanf(file, "%zuK", &kb) != 1) kb = 0;
    fclose(file);
  }
  return kb ? kb << 10 : guess;
}

void limits(void) {
  size_t l1 = cache(0, 32 << 10);
  size_t l2 = cache(2, 512 << 10);
  size_t l3 = cache(3, 8 << 20);
  size_t far = 4 * l3 < 256 << 20 ? 256 << 20 : 4 * l3;
  array = memory(far);
#define PAIR(unit, work) unit / least(1, work), cores *unit / least(cores, work)
  printf(
      "{\"threads\": %d, \"cache_bytes\": {\"l1\": %zu, \"l2\": %zu, "
      "\"l3\": %zu}, ",
      cores, l1, l2, l3);
  printf("\"fma_f64_gflops\": [%.1f, %.1f], ",
         PAIR(ROUNDS * 24e-9 * LANES, peak_f64));
  printf("\"fma_f32_gflops\": [%.1f, %.1f], ",
         PAIR(ROUNDS * 24e-9 * LANESF, peak_f32));
  printf(
      "\"latency_ns\": {\"add\": %.3f, \"mul\": %.3f, \"fma\": %.3f, "
      "\"div\": %.3f}, ",
      least(1, chain_add) / ROUNDS * 1e9, least(1, chain_mul) / ROUNDS * 1e9,
      least(1, chain_fma) / ROUNDS * 1e9, least(1, chain_div) / ROUNDS * 1e9);
  printf("\"barrier_ns\": %.1f, ", least(cores, barriers) / 20000 * 1e9);
  static const struct {
    const char *name;
    void (*work)(int);
  } functions[] = {{"tanh_f64", tanh_f64}, {"exp_f64", exp_f64},
                   {"sin_f64", sin_f64},   {"tanh_f32", tanh_f32},
                   {"exp_f32", exp_f32},   {"sin_f32", sin_f32}};
  printf("\"function_ns\": {");
  for (int f = 0; f < 6; f++)
    printf("%s\"%s\": [%.3f, %.3f]", f ? ", " : "", functions[f].name,
           least(1, functions[f].work) / 102400 * 1e9,
           least(cores, functions[f].work) / 102400 * 1e9 / cores);
  printf("}, \"read_gbps\": {");
  const size_t sizes[] = {l1 / 2, l2 / 2, l3 / 2, far};
  const char *names[] = {"l1", "l2", "l3", "memory"};
  for (int i = 0; i < 4; i++)
    printf("%s\"%s\": [%.1f, %.1f]", i ? ", " : "", names[i],
           read_gbps(1, sizes[i]),
           read_gbps(cores, i < 2 ? sizes[i] * (size_t)cores : sizes[i]));
  printf("}}\n");
}
