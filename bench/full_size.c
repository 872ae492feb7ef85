/* full_size.c: the seed program at its own size, arrays drawn in the program.
 *
 *   full_size [m [steps]]          m = 16384, steps = 1000
 *
 * Eight devices draw a matrix J and a vector y each; a step adds the sum of all
 * devices' 1e-6 J y to every y.  At m = 16384 the matrices are 17.2 GB; with
 * the sums taken before the loop, and the draws made where they are summed, one
 * m x m matrix is held.
 *
 * Prints peak memory; seconds to compile, draw and step; ns a number; GB/s of
 * the steps beside what plain sums of an array reach in between, one thread
 * each; how far some rows are from those that a second way gives: two short
 * runs that differ by one step, the step of the row computed here, from the
 * definition of the draws (Threefry-2x32, 20 rounds, counted by position). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lockstep.h"

enum { DEVICES = 8, FEW_STEPS = 20, ROWS = 5 };
static const double factor = 1e-6, low = -0.1, high = 0.1, share = 0.1;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* -- the program ------------------------------------------------------- */

/* One device's key: number 0 for J, 1 for y. */
static ls_value key_of(ls_builder *b, int number) {
  ls_value device = ls_axis_index(b, "devices");
  return ls_random_fold_in(b, ls_random_key(b, number), device);
}

static ls_program *record(int64_t m, int64_t steps) {
  ls_builder *b = ls_builder_create("full_size");
  ls_axis_declare(b, "devices", DEVICES);
  ls_type square = ls_type_of(LS_F64, m, m), column = ls_type_of(LS_F64, m, 1);
  ls_type index = ls_type_of(LS_I32, m, m);
  ls_value noise = ls_random_uniform(b, key_of(b, 0), square, low, high);
  ls_value diagonal = ls_eq(b, ls_iota(b, index, 0), ls_iota(b, index, 1));
  ls_value J = ls_add(b, ls_mul(b, ls_f64(b, share), noise),
                      ls_convert(b, diagonal, LS_F64));
  ls_value y0 = ls_random_uniform(b, key_of(b, 1), column, 0, 1);
  ls_scan *scan = ls_scan_begin(b, steps);
  ls_value y = ls_scan_carry(scan, y0);
  ls_value d = ls_mul(b, ls_f64(b, factor), ls_einsum(b, "mn,ni->mi", J, y));
  ls_scan_next(scan, y, ls_add(b, y, ls_psum(b, d, "devices")));
  ls_scan_end(scan);
  ls_output(b, "y", ls_scan_result(scan, y));
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fprintf(stderr, "%s\n", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

/* -- the machine ------------------------------------------------------- */

/* An array that no cache holds, summed again and again: what one thread reads
 * from memory in a second. */
enum { BYTES = 128 << 20, NUMBERS = BYTES / 8, LANES = 32 };

typedef struct Sums {
  double *x, seconds, best, total;
  int n;
} Sums;

static bool open_sums(Sums *sums) {
  *sums = (Sums){.x = aligned_alloc(2 << 20, BYTES)};
  if (sums->x) madvise(sums->x, BYTES, MADV_HUGEPAGE); /* as a workspace */
  for (int i = 0; sums->x && i < NUMBERS; i++) sums->x[i] = i;
  return sums->x != NULL;
}

static double sum_once(Sums *sums) {
  double totals[LANES] = {0}, start = now();
  for (int i = 0; i < NUMBERS; i += LANES)
    for (int l = 0; l < LANES; l++) totals[l] += sums->x[i + l];
  for (int l = 0; l < LANES; l++) sums->total += totals[l];
  double took = now() - start;
  sums->seconds += took;
  sums->best = most(sums->best, BYTES / took * 1e-9);
  sums->n++;
  return took;
}

/* -- a run ------------------------------------------------------------- */

typedef struct Times {
  double compile, run;
} Times;

typedef struct Watcher {
  Sums *sums;
  int64_t steps;
  double away; /* seconds in which the run waited for us */
} Watcher;

/* About ten times a second: a sum, to see what memory gives just now; a bar, on
 * a terminal. */
static bool watch(void *user, double done) {
  enum { BAR = 40 };
  Watcher *watcher = user;
  int full = (int)(done * BAR + 0.5);
  watcher->away += sum_once(watcher->sums);
  if (!isatty(STDERR_FILENO)) return true;
  fprintf(stderr, "\r%lld steps [%.*s%*s] %3.0f %%", (long long)watcher->steps,
          full, "########################################", BAR - full, "",
          done * 100);
  fflush(stderr);
  return true;
}

static void run(int64_t m, int64_t steps, Sums *sums, double *y, Times *times) {
  ls_error error = {LS_OK, ""};
  Watcher watcher = {sums, steps, 0};
  ls_program *program = record(m, steps);
  double start = now();
  ls_executable *x = program ? ls_compile(program, NULL, &error) : NULL;
  times->compile = now() - start;
  ls_workspace *workspace = x ? ls_workspace_create(x, &error) : NULL;
  ls_workspace_watch(workspace, watch, &watcher);
  ls_array result = ls_array_of(y, LS_F64, DEVICES, m, 1);
  start = now();
  if (workspace) ls_run(x, NULL, 0, &result, 1, workspace, &error);
  times->run = now() - start - watcher.away;
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%*s\r", 70, "");
  ls_workspace_destroy(workspace);
  ls_executable_destroy(x);
  ls_program_destroy(program);
  if (workspace && error.status == LS_OK) return;
  fprintf(stderr, "full_size: %s\n", error.text);
  exit(1);
}

/* -- memory ------------------------------------------------------------ */

/* Bytes; 0: not known. */
static double peak_memory(void) {
  char line[256];
  long long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = atoll(line + 6);
  if (file) fclose(file);
  return (double)kilobytes * 1024;
}

/* -- the same draws, from their definition ----------------------------- */

typedef struct Words {
  uint32_t a, b;
} Words;

static Words hash(Words key, uint64_t count) {
  static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {key.a, key.b, key.a ^ key.b ^ 0x1BD11BDA};
  uint32_t x = (uint32_t)(count >> 32) + keys[0], y = (uint32_t)count + keys[1];
  for (uint32_t group = 0; group < 5; group++) {
    for (int i = 0; i < 4; i++) {
      int turn = turns[group % 2][i];
      x += y;
      y = (y << turn | y >> (32 - turn)) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return (Words){x, y};
}

/* Number `at` that the key draws, in [0, 1). */
static double unit(Words key, uint64_t at) {
  Words words = hash(key, at);
  uint64_t bits = (uint64_t)words.a << 32 | words.b;
  bits = bits >> 12 | UINT64_C(0x3ff0000000000000);
  double real;
  memcpy(&real, &bits, sizeof real);
  return real - 1;
}

/* The sum over all devices of row i of J, times y. */
static double row_sum(int64_t m, int64_t i, const double *y) {
  double sum = 0;
  for (uint32_t d = 0; d < DEVICES; d++) {
    Words key = hash((Words){0, 0}, d);
    for (int64_t n = 0; n < m; n++) {
      double noise = unit(key, (uint64_t)(i * m + n)) * (high - low) + low;
      sum += (share * noise + (n == i)) * y[d * m + n];
    }
  }
  return sum;
}

/* How far some rows of a step are off, relative to y. */
static double worst_row(int64_t m, const double *before, const double *after) {
  double worst = 0;
  for (int k = 0; k < ROWS; k++) {
    int64_t i = k * (m - 1) / (ROWS - 1);
    double wanted = factor * row_sum(m, i, before);
    for (int64_t at = i; at < DEVICES * m; at += m) {
      double off = fabs(after[at] - before[at] - wanted) / fabs(before[at]);
      if (!(off <= worst)) worst = off;
    }
  }
  return worst;
}

/* -- all of it --------------------------------------------------------- */

int main(int argc, char **argv) {
  int64_t m = argc > 1 ? atoll(argv[1]) : 16384;
  int64_t steps = argc > 2 ? atoll(argv[2]) : 1000;
  if (m < ROWS || m > 1 << 16 || steps < 2 * FEW_STEPS) {
    fprintf(stderr, "full_size [m [steps]]: m from %d to %d, steps from %d\n",
            ROWS, 1 << 16, 2 * FEW_STEPS);
    return 2;
  }
  size_t n = (size_t)(DEVICES * m);
  double *y = calloc(3 * n, sizeof *y);
  Sums sums;
  if (y == NULL || !open_sums(&sums)) return 1;
  Times few, more, all;
  run(m, FEW_STEPS, &sums, y, &few);
  run(m, FEW_STEPS + 1, &sums, y + n, &more);
  sums.n = 0;
  sums.seconds = 0;
  run(m, steps, &sums, y + 2 * n, &all);
  sum_once(&sums);
  double gbps = sums.n / sums.seconds * BYTES * 1e-9;

  double elements = (double)m * (double)m;
  double step = (all.run - few.run) / (double)(steps - FEW_STEPS);
  double draw = least(few.run - step * FEW_STEPS, all.run - step * steps);
  double speed = 8 * elements / step * 1e-9, off = worst_row(m, y, y + n);
  printf("y: f64[%lld,1]{devices}, an array of (%d, %lld, 1)\n", (long long)m,
         DEVICES, (long long)m);
  printf("peak memory   %.2f GB; the matrices of all devices: %.2f GB\n",
         peak_memory() * 1e-9, 8e-9 * DEVICES * elements);
  printf("compile       %.3f s\n", all.compile);
  printf("draw and sum  %.3f s, %.2f ns a number\n", draw,
         draw * 1e9 / (DEVICES * (elements + (double)m)));
  printf("%5lld steps   %.3f s, %.3f ms each\n", (long long)steps,
         step * (double)steps, step * 1e3);
  printf(
      "bandwidth     %.1f GB/s, %.0f %% of %.1f, what the fastest sum of an "
      "array reached\n              between the steps (all of them: %.1f)\n",
      speed, 100 * speed / sums.best, sums.best, gbps);
  printf("rows          %d, at most %.1e off\n", ROWS, off);
  free(sums.x);
  free(y);
  return off < 1e-13 && sums.total > 0 ? 0 : 1;
}
