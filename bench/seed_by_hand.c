/* seed_by_hand.c: seed.ls as one writes it in C, in plain loops.
 *
 *   seed_by_hand M STEPS DIR
 *
 * Reads DIR/J.npy, DIR/y0.npy and DIR/y.npy, the result to compare with.
 * Prints the least time of a few runs, in ms, and the largest difference. */
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

/* The n doubles of a .npy file: they are its end. */
static double *load(const char *folder, const char *name, size_t n) {
  char path[4096];
  double *data = malloc(n * sizeof *data);
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file || !data || fseek(file, -(long)(n * sizeof *data), SEEK_END) ||
      fread(data, sizeof *data, n, file) != n) {
    fprintf(stderr, "seed_by_hand: cannot read %s\n", path);
    exit(3);
  }
  fclose(file);
  return data;
}

/* u = sum over d of J_d y_d, then every y_d += 1e-6 u. */
static void run(size_t m, int steps, const double *restrict J,
                double *restrict y, double *restrict u) {
  for (int t = 0; t < steps; t++) {
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

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  size_t m = strtoul(argv[1], NULL, 10), n = DEVICES * m;
  double *J = load(argv[3], "J", n * m), *y0 = load(argv[3], "y0", n);
  double *want = load(argv[3], "y", n), *y = malloc(n * sizeof *y);
  double *u = malloc(m * sizeof *u), least = INFINITY, worst = 0;
  if (!y || !u) return 5;
  for (double begin = now(); least == INFINITY || now() - begin < 0.3;) {
    memcpy(y, y0, n * sizeof *y);
    double start = now();
    run(m, atoi(argv[2]), J, y, u);
    least = fmin(least, (now() - start) * 1e3);
  }
  for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(y[i] - want[i]));
  printf("%.4f %.1e\n", least, worst);
  free(J), free(y0), free(want), free(y), free(u);
  return 0;
}
