/* products.c: loops around matrix products.
 *
 * Matrix-vector products go eight rows at a time, so that eight sums hide the
 * latency of one; products of matrices keep a tile of sums in registers. */
#include <cblas.h>
#include <string.h>

#include "hand.h"

/* sums[r] = (row r of A) . v, for eight rows. */
static inline void eight_rows(const double *A, size_t stride, const double *v,
                              size_t n, Vec sums[8]) {
  for (size_t k = 0; k < n; k += LANES) {
    Vec vk = at(v + k);
    for (int r = 0; r < 8; r++) sums[r] += at(A + (size_t)r * stride + k) * vk;
  }
}

static inline double total(Vec v) {
  double sum = 0;
  for (int l = 0; l < LANES; l++) sum += v[l];
  return sum;
}

/* -- seed -------------------------------------------------------------- */

static size_t D, m;
static double *J, *y0, *y, *room;

static void seed_open(void) {
  D = size_of("D"), m = size_of("m"), steps = size_of("steps");
  need(m % 8 == 0, "m is a multiple of 8");
  J = input("J", D * m * m), y0 = input("y0", D * m);
  room = memory((m * m + 3 * m + D * m) * sizeof *room);
  y = result(D * m);
}

/* As the equations say. */
static void seed_direct_part(int me) {
  Part rows = part(m, 8, me);
  double *now = y, *next = room;
  if (steps % 2) EXCHANGE(now, next);
  for (size_t d = 0; d < D; d++)
    memcpy(now + d * m + rows.from, y0 + d * m + rows.from,
           (rows.to - rows.from) * sizeof *y);
  meet();
  for (size_t t = 0; t < steps; t++) {
    for (size_t i = rows.from; i < rows.to; i += 8) {
      Vec sums[8] = {0};
      for (size_t d = 0; d < D; d++)
        eight_rows(J + (d * m + i) * m, m, now + d * m, m, sums);
      for (size_t r = 0; r < 8; r++) {
        double more = 1e-6 * total(sums[r]);
        for (size_t d = 0; d < D; d++)
          next[d * m + i + r] = now[d * m + i + r] + more;
      }
    }
    meet();
    EXCHANGE(now, next);
  }
}

/* All devices move by the same c(t): c' = c + first + (sum of J) c. */
static void seed_hoisted_part(int me) {
  Part rows = part(m, 8, me);
  double *first = room, *c = first + m, *next = c + m, *all = next + m;
  for (size_t i = rows.from; i < rows.to; i += 8) {
    Vec sums[8] = {0};
    for (size_t d = 0; d < D; d++)
      eight_rows(J + (d * m + i) * m, m, y0 + d * m, m, sums);
    for (size_t r = 0; r < 8; r++)
      first[i + r] = 1e-6 * total(sums[r]), c[i + r] = 0;
    for (size_t k = i * m; k < (i + 8) * m; k += LANES) {
      Vec sum = at(J + k);
      for (size_t d = 1; d < D; d++) sum += at(J + d * m * m + k);
      put(all + k, 1e-6 * sum);
    }
  }
  meet();
  for (size_t t = 0; t < steps; t++) {
    for (size_t i = rows.from; i < rows.to; i += 8) {
      Vec sums[8] = {0};
      eight_rows(all + i * m, m, c, m, sums);
      for (size_t r = 0; r < 8; r++)
        next[i + r] = c[i + r] + (first[i + r] + total(sums[r]));
    }
    meet();
    EXCHANGE(c, next);
  }
  for (size_t d = 0; d < D; d++)
    for (size_t i = rows.from; i < rows.to; i++)
      y[d * m + i] = y0[d * m + i] + c[i];
}

/* A barrier has to be worth it: some 100 kB to read between two. */
static int threads_for(size_t numbers) { return numbers > 12000 ? 2 : 1; }

static void seed_direct(void) {
  together(threads_for(D * m * m), seed_direct_part);
}
static void seed_hoisted(void) {
  together(threads_for(m * m), seed_hoisted_part);
}

const Workload seed = {
    "seed", seed_open, {{"hoisted", seed_hoisted}, {"direct", seed_direct}}};

/* -- allgather --------------------------------------------------------- */

static size_t n;
static double *W, *start, *state;

static void allgather_open(void) {
  n = size_of("D") * size_of("m"), steps = size_of("steps");
  need(n % 8 == 0, "D m is a multiple of 8");
  W = input("W", n * n), start = input("x0", n);
  room = memory(n * sizeof *room), state = result(n);
}

static void allgather_part(int me) {
  Part rows = part(n, 8, me);
  double *now = state, *next = room;
  if (steps % 2) EXCHANGE(now, next);
  memcpy(now + rows.from, start + rows.from,
         (rows.to - rows.from) * sizeof *now);
  meet();
  for (size_t t = 0; t < steps; t++) {
    for (size_t i = rows.from; i < rows.to; i += 8) {
      Vec sums[8] = {0};
      double eight[8];
      eight_rows(W + i * n, n, now, n, sums);
      for (int r = 0; r < 8; r++) eight[r] = total(sums[r]);
      for (int r = 0; r < 8; r += LANES)
        put(next + i + r, MVEC(tanh)(at(eight + r)));
    }
    meet();
    EXCHANGE(now, next);
  }
}

static void allgather_run(void) {
  together(threads_for(n * n), allgather_part);
}

const Workload allgather = {
    "allgather", allgather_open, {{"rows", allgather_run}}};

/* -- f32 tiles: TALL rows times two vectors, sums in registers ----------- */

enum { TALL = 4, WIDE = 2 * LANESF };

/* tile += x w: x has TALL rows, `stride` apart, of which `inner` numbers count;
 * w has rows of `columns`, of which two vectors count. */
static inline void tile_add(Vecf tile[TALL][2], const float *x, size_t stride,
                            const float *w, size_t columns, size_t inner) {
  for (size_t k = 0; k < inner; k++) {
    Vecf w0 = atf(w + k * columns), w1 = atf(w + k * columns + LANESF);
    for (size_t r = 0; r < TALL; r++) {
      float v = x[r * stride + k];
      tile[r][0] += v * w0, tile[r][1] += v * w1;
    }
  }
}

static size_t B, H, width_in;
static float *samples, *W0, *U, *bias, *h0, *h_end, *h_room;

static void rnn_open(void) {
  steps = size_of("T"), B = size_of("B"), H = size_of("H");
  need(B % TALL == 0 && H % WIDE == 0,
       "B is a multiple of 4, H of two vectors");
  samples = inputf("xs", steps * B * H), W0 = inputf("W", H * H);
  U = inputf("U", H * H), bias = inputf("bias", H), h0 = inputf("h0", B * H);
  h_end = resultf(B * H), h_room = memory(B * H * sizeof *h_room);
}

/* Rows of the batch never meet: no barrier. */
static void rnn_part(int me) {
  Part rows = part(B, TALL, me);
  float *now = h_end, *next = h_room;
  size_t bytes = (rows.to - rows.from) * H * sizeof *now;
  if (steps % 2) EXCHANGE(now, next);
  memcpy(now + rows.from * H, h0 + rows.from * H, bytes);
  for (size_t t = 0; t < steps; t++) {
    const float *x = samples + t * B * H;
    for (size_t i = rows.from; i < rows.to; i += TALL)
      for (size_t j = 0; j < H; j += WIDE) {
        Vecf tile[TALL][2];
        for (int r = 0; r < TALL; r++)
          tile[r][0] = atf(bias + j), tile[r][1] = atf(bias + j + LANESF);
        tile_add(tile, x + i * H, H, W0 + j, H, H);
        tile_add(tile, now + i * H, H, U + j, H, H);
        for (size_t r = 0; r < TALL; r++)
          for (size_t v = 0; v < 2; v++)
            putf(next + (i + r) * H + j + v * LANESF, MVECF(tanh)(tile[r][v]));
      }
    EXCHANGE(now, next);
  }
}

static void rnn_run(void) { together(2, rnn_part); }

const Workload rnn = {"rnn", rnn_open, {{"tiles", rnn_run}}};

/* -- sgd: weights are equal on all devices, so their samples are one batch.
 * Each thread takes samples, and adds up gradients of its own. */

enum { MOST_WEIGHTS = 1 << 14 };
static float *targets, *b0, *w0, *WT, *bT, *wT, *losses;
static float weights[MOST_WEIGHTS], speed[MOST_WEIGHTS];
static float gradient[MOST_THREADS][MOST_WEIGHTS], loss[MOST_THREADS];
static float hidden_room[MOST_THREADS][MOST_WEIGHTS];

static void sgd_open(void) {
  steps = size_of("T"), B = size_of("D") * size_of("B");
  width_in = size_of("I"), H = size_of("H");
  need(B % TALL == 0 && H % WIDE == 0 && TALL * H <= MOST_WEIGHTS &&
           width_in * H + 2 * H <= MOST_WEIGHTS,
       "D B is a multiple of 4, H of two vectors; the weights are few");
  samples = inputf("X", steps * B * width_in), targets = inputf("t", steps * B);
  W0 = inputf("W0", width_in * H), b0 = inputf("b0", H), w0 = inputf("w0", H);
  WT = resultf(width_in * H), bT = resultf(H), wT = resultf(H);
  losses = resultf(steps);
}

/* TALL samples: forward, error, backward. g holds dW, db, dw in a row. */
static inline void learn(const float *x, const float *t, float *h, float *g,
                         float *squares) {
  const float *W = weights, *b = W + width_in * H, *w = b + H;
  float e[TALL] = {0};
  for (size_t j = 0; j < H; j += WIDE) {
    Vecf tile[TALL][2], guess;
    for (int r = 0; r < TALL; r++)
      tile[r][0] = atf(b + j), tile[r][1] = atf(b + j + LANESF);
    tile_add(tile, x, width_in, W + j, H, width_in);
    for (size_t r = 0; r < TALL; r++) {
      tile[r][0] = MVECF(tanh)(tile[r][0]),
      tile[r][1] = MVECF(tanh)(tile[r][1]);
      putf(h + r * H + j, tile[r][0]), putf(h + r * H + j + LANESF, tile[r][1]);
      guess = tile[r][0] * atf(w + j) + tile[r][1] * atf(w + j + LANESF);
      for (int l = 0; l < LANESF; l++) e[r] += guess[l];
    }
  }
  for (int r = 0; r < TALL; r++) {
    e[r] -= t[r], *squares += e[r] * e[r], e[r] /= (float)B;
  }
  for (size_t j = 0; j < H; j += LANESF) {
    Vecf db = atf(g + width_in * H + j), dw = atf(g + width_in * H + H + j),
         back[TALL];
    for (size_t r = 0; r < TALL; r++) {
      Vecf v = atf(h + r * H + j);
      back[r] = e[r] * atf(w + j) * (1 - v * v);
      db += back[r], dw += e[r] * v;
    }
    putf(g + width_in * H + j, db), putf(g + width_in * H + H + j, dw);
    for (size_t i = 0; i < width_in; i++) {
      Vecf dW = atf(g + i * H + j);
      for (size_t r = 0; r < TALL; r++) dW += x[r * width_in + i] * back[r];
      putf(g + i * H + j, dW);
    }
  }
}

static void sgd_part(int me) {
  size_t count = width_in * H + 2 * H;
  Part mine = part(B, TALL, me), own = part(count, LANESF, me);
  float *g = gradient[me];
  for (size_t t = 0; t < steps; t++) {
    memset(g, 0, count * sizeof *g);
    loss[me] = 0;
    for (size_t s = mine.from; s < mine.to; s += TALL)
      learn(samples + (t * B + s) * width_in, targets + t * B + s,
            hidden_room[me], g, &loss[me]);
    meet();
    for (size_t k = own.from; k < own.to; k += LANESF) {
      Vecf sum = atf(gradient[0] + k);
      if (team_size() > 1) sum += atf(gradient[1] + k);
      Vecf v = 0.9f * atf(speed + k) + sum;
      putf(speed + k, v), putf(weights + k, atf(weights + k) - 0.05f * v);
    }
    if (me == 0)
      losses[t] = (loss[0] + (team_size() > 1 ? loss[1] : 0)) / (float)(2 * B);
    meet();
  }
}

static void sgd_run(void) {
  memcpy(weights, W0, width_in * H * sizeof *W0);
  memcpy(weights + width_in * H, b0, H * sizeof *b0);
  memcpy(weights + width_in * H + H, w0, H * sizeof *w0);
  memset(speed, 0, sizeof speed);
  together(2, sgd_part);
  memcpy(WT, weights, width_in * H * sizeof *WT);
  memcpy(bT, weights + width_in * H, H * sizeof *bT);
  memcpy(wT, weights + width_in * H + H, H * sizeof *wT);
}

const Workload sgd = {"sgd", sgd_open, {{"samples", sgd_run}}};

/* -- gemm, gemm32: OpenBLAS, each thread with columns of its own, which never
 * meet others; tanh while they are near. */

static double *A, *Y0, *Y, *Y_room;
static float *Af, *Y0f, *Yf, *Yf_room;

static void gemm_sizes(void) {
  m = size_of("m"), n = size_of("n"), steps = size_of("steps");
  need(n % (2 * LANESF) == 0, "n is a multiple of two vectors");
}

static void gemm_open(void) {
  gemm_sizes();
  A = input("A", m * m), Y0 = input("Y0", m * n);
  Y = result(m * n), Y_room = memory(m * n * sizeof *Y);
}

static void gemm32_open(void) {
  gemm_sizes();
  Af = inputf("A", m * m), Y0f = inputf("Y0", m * n);
  Yf = resultf(m * n), Yf_room = memory(m * n * sizeof *Yf);
}

#define GEMM(name, type, A, Y0, Y, Y_room, product, lanes, at, put, tanh)    \
  static void name##_part(int me) {                                          \
    Part mine = part(n, LANESF, me);                                         \
    type *now = Y, *next = Y_room;                                           \
    size_t width = mine.to - mine.from;                                      \
    if (steps % 2) EXCHANGE(now, next);                                      \
    for (size_t i = 0; i < m; i++)                                           \
      memcpy(now + i * n + mine.from, Y0 + i * n + mine.from,                \
             width * sizeof *now);                                           \
    for (size_t t = 0; t < steps; t++) {                                     \
      product(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)width, \
              (int)m, 1, A, (int)m, now + mine.from, (int)n, 0,              \
              next + mine.from, (int)n);                                     \
      for (size_t i = 0; i < m; i++)                                         \
        for (size_t j = mine.from; j < mine.to; j += lanes)                  \
          put(next + i * n + j, tanh(at(next + i * n + j)));                 \
      EXCHANGE(now, next);                                                   \
    }                                                                        \
  }                                                                          \
  static void name##_run(void) {                                             \
    openblas_set_num_threads(1);                                             \
    together(2, name##_part);                                                \
  }

GEMM(gemm64, double, A, Y0, Y, Y_room, cblas_dgemm, LANES, at, put, MVEC(tanh))
GEMM(gemm32, float, Af, Y0f, Yf, Yf_room, cblas_sgemm, LANESF, atf, putf,
     MVECF(tanh))

const Workload gemm = {"gemm", gemm_open, {{"blas", gemm64_run}}};
const Workload gemm32 = {"gemm32", gemm32_open, {{"blas", gemm32_run}}};
