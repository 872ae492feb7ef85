/* seed_by_hand.c: what a C programmer writes for seed.ls: plain loops.
 *
 *   seed_by_hand inputs M STEPS DIR    writes DIR/J.npy and DIR/y0.npy
 *   seed_by_hand run M STEPS DIR       prints the least time of a few runs, in
 *                                      ms, and the largest difference from
 *                                      DIR/y.npy */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEVICES = 8 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Element i of array `seed`: in [0, 1), all bits from a multiplicative hash. */
static double element(size_t i, size_t seed) {
  unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15u + seed;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (double)(x >> 11) * 0x1p-53;
}

static void fill(size_t m, double *J, double *y) {
  for (size_t i = 0; i < DEVICES * m * m; i++)
    J[i] = 0.02 * (element(i, 1) - 0.5) + (i / m % m == i % m);
  for (size_t i = 0; i < DEVICES * m; i++) y[i] = element(i, 2);
}

static int write_npy(const char *dir, const char *name, const double *data,
                     size_t m, size_t n) {
  char path[4096], head[128];
  snprintf(path, sizeof path, "%s/%s.npy", dir, name);
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  memset(head, ' ', sizeof head);
  memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
  int used = snprintf(head + 10, 118, "{'descr': '<f8', 'fortran_order': False,"
                      " 'shape': (%d, %zu, %zu), }", DEVICES, m, n);
  head[10 + used] = ' ';
  head[127] = '\n';
  fwrite(head, 1, sizeof head, file);
  fwrite(data, sizeof *data, DEVICES * m * n, file);
  return fclose(file) == 0;
}

/* All devices at once: u = sum over d of J_d y_d, then every y_d += 1e-6 u. */
static void steps(size_t m, int n, const double *restrict J, double *restrict y,
                  double *restrict u) {
  for (int t = 0; t < n; t++) {
    memset(u, 0, m * sizeof *u);
    for (size_t d = 0; d < DEVICES; d++)
      for (size_t i = 0; i < m; i++) {
        const double *row = J + (d * m + i) * m, *column = y + d * m;
        double sum = 0;
        for (size_t k = 0; k < m; k++) sum += row[k] * column[k];
        u[i] += sum;
      }
    for (size_t d = 0; d < DEVICES; d++)
      for (size_t i = 0; i < m; i++) y[d * m + i] += 1e-6 * u[i];
  }
}

static double difference(const char *dir, const double *y, size_t n) {
  char path[4096];
  double worst = 0, other;
  snprintf(path, sizeof path, "%s/y.npy", dir);
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, -(long)(n * sizeof *y), SEEK_END)) return NAN;
  for (size_t i = 0; i < n && fread(&other, sizeof other, 1, file) == 1; i++)
    worst = fmax(worst, fabs(other - y[i]));
  fclose(file);
  return worst;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  size_t m = strtoul(argv[2], NULL, 10);
  int n = atoi(argv[3]);
  double *J = malloc(DEVICES * m * m * sizeof *J), least = INFINITY;
  double *y = malloc(DEVICES * m * sizeof *y), *u = malloc(m * sizeof *u);
  if (!J || !y || !u) return 5;
  fill(m, J, y);
  if (strcmp(argv[1], "inputs") == 0)
    return write_npy(argv[4], "J", J, m, m) && write_npy(argv[4], "y0", y, m, 1)
               ? 0 : 5;
  for (double begin = now(); least == INFINITY || now() - begin < 0.5;) {
    fill(0, J, y);
    for (size_t i = 0; i < DEVICES * m; i++) y[i] = element(i, 2);
    double start = now();
    steps(m, n, J, y, u);
    least = fmin(least, (now() - start) * 1e3);
  }
  printf("%.4f %.1e\n", least, difference(argv[4], y, DEVICES * m));
  free(J), free(y), free(u);
  return 0;
}
