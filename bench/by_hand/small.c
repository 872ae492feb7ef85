/* small.c: loops whose state is a few numbers. Latency is what they cost. */
#include <string.h>

#include "hand.h"

/* -- lorenz ------------------------------------------------------------ */

typedef struct Point {
  double x, y, z;
} Point;
static Point begin;
static double *end[3];

static void lorenz_open(void) {
  steps = size_of("steps");
  begin = (Point){*input("x0", 1), *input("y0", 1), *input("z0", 1)};
  for (int i = 0; i < 3; i++) end[i] = result(1);
}

static Point slope(Point p) {
  return (Point){10 * p.y - 10 * p.x, p.x * (28 - p.z) - p.y,
                 p.x * p.y - 8.0 / 3 * p.z};
}

static Point move(Point p, double h, Point v) {
  return (Point){p.x + h * v.x, p.y + h * v.y, p.z + h * v.z};
}

static void lorenz_run(void) {
  const double dt = 1e-5;
  Point p = begin;
  for (size_t t = 0; t < steps; t++) {
    Point a = slope(p), b = slope(move(p, dt / 2, a));
    Point c = slope(move(p, dt / 2, b)), d = slope(move(p, dt, c));
    /* all but d is there early */
    Point early = move(move(p, dt / 6, a), dt / 3, b);
    p = move(move(early, dt / 3, c), dt / 6, d);
  }
  *end[0] = p.x, *end[1] = p.y, *end[2] = p.z;
}

const Workload lorenz = {"lorenz", lorenz_open, {{"plain", lorenz_run}}};

/* -- stacked ----------------------------------------------------------- */

static double *A, *x0, *last, *states;

static void stacked_open(void) {
  steps = size_of("steps");
  A = input("A", 9), x0 = input("x0", 3);
  last = result(3), states = result(3 * steps);
}

static void stacked_run(void) {
  double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5];
  double g = A[6], h = A[7], i = A[8], x = x0[0], y = x0[1], z = x0[2];
  for (double *out = states; out < states + 3 * steps; out += 3) {
    double u = a * x + (b * y + c * z);
    double v = d * x + (e * y + f * z);
    double w = g * x + (h * y + i * z);
    out[0] = x = u, out[1] = y = v, out[2] = z = w;
  }
  last[0] = x, last[1] = y, last[2] = z;
}

const Workload stacked = {"stacked", stacked_open, {{"plain", stacked_run}}};

/* -- iir --------------------------------------------------------------- */

static double *signal_in, *filtered;

static void iir_open(void) {
  steps = size_of("T");
  signal_in = input("signal", steps), filtered = result(steps);
}

/* Put out into the next u: u' = 1.2 u + (0.54 x + v), one fma from u to u'. */
static void iir_run(void) {
  double u = 0, v = 0;
  for (size_t t = 0; t < steps; t++) {
    double x = signal_in[t], known = 0.54 * x + v;
    filtered[t] = 0.2 * x + u;
    v = 0.1 * x - 0.5 * u;
    u = 1.2 * u + known;
  }
}

const Workload iir = {"iir", iir_open, {{"plain", iir_run}}};

/* -- kalman: a row of four numbers is one vector ------------------------- */

typedef double Row __attribute__((vector_size(32)));
typedef Row RowAt __attribute__((aligned(8), may_alias));

static double *zs, *F, *H, *Q, *R, *start_x, *start_P, *P_end, *xs;

static void kalman_open(void) {
  steps = size_of("T");
  zs = input("zs", 2 * steps), F = input("F", 16), H = input("H", 8);
  Q = input("Q", 16), R = input("R", 4);
  start_x = input("x0", 4), start_P = input("P0", 16);
  P_end = result(16), xs = result(4 * steps);
}

static Row row(const double *p) { return *(const RowAt *)p; }

/* v M, M as rows. */
static Row through(Row v, const Row *M) {
  return (M[0] * v[0] + M[1] * v[1]) + (M[2] * v[2] + M[3] * v[3]);
}

static double sum(Row v) { return (v[0] + v[1]) + (v[2] + v[3]); }

static void kalman_run(void) {
  Row f[4], ft[4], h[2], q[4], P[4], x = row(start_x);
  for (int i = 0; i < 4; i++) {
    f[i] = row(F + 4 * i), q[i] = row(Q + 4 * i), P[i] = row(start_P + 4 * i);
    ft[i] = (Row){F[i], F[4 + i], F[8 + i], F[12 + i]};
  }
  h[0] = row(H), h[1] = row(H + 4);
  for (size_t t = 0; t < steps; t++) {
    Row part[4], PH[2], K[2];
    x = through(x, ft);
    for (int i = 0; i < 4; i++) part[i] = through(f[i], P);
    for (int i = 0; i < 4; i++) P[i] = through(part[i], ft) + q[i];
    PH[0] = through(h[0], P), PH[1] = through(h[1], P); /* P is symmetric */
    double s00 = sum(h[0] * PH[0]) + R[0], s01 = sum(h[0] * PH[1]) + R[1];
    double s10 = sum(h[1] * PH[0]) + R[2], s11 = sum(h[1] * PH[1]) + R[3];
    double one = 1 / (s00 * s11 - s01 * s10);
    K[0] = one * (s11 * PH[0] - s10 * PH[1]);
    K[1] = one * (s00 * PH[1] - s01 * PH[0]);
    x += K[0] * (zs[2 * t] - sum(h[0] * x)) +
         K[1] * (zs[2 * t + 1] - sum(h[1] * x));
    for (int i = 0; i < 4; i++) P[i] -= K[0][i] * PH[0] + K[1][i] * PH[1];
    *(RowAt *)(xs + 4 * t) = x;
  }
  memcpy(P_end, P, sizeof P);
}

const Workload kalman = {"kalman", kalman_open, {{"plain", kalman_run}}};
