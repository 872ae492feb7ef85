/* arrays.c: loops over long arrays, element by element.
 *
 * chain, chain32, cheap: "swept" goes over the whole array each step, "blocked"
 * takes a block that stays in the nearest cache through all steps. */
#include <string.h>

#include "hand.h"

static size_t n;
static double *x0, *x;
static float *x0f, *xf;

static void sizes(void) {
  n = size_of("n"), steps = size_of("steps");
  need(n % LANESF == 0, "n is a multiple of the vector's length");
}

static void open_f64(void) {
  sizes();
  x0 = input("x0", n), x = result(n);
}

static void open_f32(void) {
  sizes();
  x0f = inputf("x0", n), xf = resultf(n);
}

static Vec chain_step(Vec v) {
  return MVEC(tanh)(v) * MVEC(exp)(-(v * v)) + 0.5 * MVEC(sin)(v);
}

static Vecf chain_stepf(Vecf v) {
  return MVECF(tanh)(v) * MVECF(exp)(-(v * v)) + 0.5f * MVECF(sin)(v);
}

static Vec cheap_step(Vec v) { return (1.0001 * v + 0.3) * (v - 0.2) - v; }

#define ELEMENTWISE(name, lanes, source, target, at, put, step) \
  static inline void name##_over(int me, size_t block) {        \
    Part mine = part(n, LANESF, me);                            \
    for (size_t i = mine.from, stop; i < mine.to; i = stop) {   \
      stop = mine.to - i < block ? mine.to : i + block;         \
      for (size_t k = i; k < stop; k += lanes)                  \
        put(target + k, step(at(source + k)));                  \
      for (size_t t = 1; t < steps; t++)                        \
        for (size_t k = i; k < stop; k += lanes)                \
          put(target + k, step(at(target + k)));                \
    }                                                           \
  }                                                             \
  static void name##_sweep(int me) { name##_over(me, n); }      \
  static void name##_block(int me) { name##_over(me, 1536); }   \
  static void name##_swept(void) { together(2, name##_sweep); } \
  static void name##_blocked(void) { together(2, name##_block); }

ELEMENTWISE(chain64, LANES, x0, x, at, put, chain_step)
ELEMENTWISE(chain32, LANESF, x0f, xf, atf, putf, chain_stepf)
ELEMENTWISE(cheap, LANES, x0, x, at, put, cheap_step)

const Workload chain = {
    "chain",
    open_f64,
    {{"swept", chain64_swept}, {"blocked", chain64_blocked}}};
const Workload chain32 = {
    "chain32",
    open_f32,
    {{"swept", chain32_swept}, {"blocked", chain32_blocked}}};
const Workload cheap = {
    "cheap", open_f64, {{"swept", cheap_swept}, {"blocked", cheap_blocked}}};

/* -- ring: the blocks end to end, in place. A thread keeps what it has
 * overwritten in a register; at its ends it needs the others' old values. */

static double *u0, *u;
static struct {
  _Alignas(64) double first, last;
} ends[2][MOST_THREADS];

static void ring_open(void) {
  n = 8 * size_of("n"), steps = size_of("steps");
  need(n % (2 * LANES) == 0, "8 n is a multiple of two vectors");
  u0 = input("u0", n), u = result(n);
}

static void ring_part(int me) {
  int all = team_size();
  Part mine = part(n, LANES, me);
  double *from = u + mine.from, *to = u + mine.to;
  memcpy(from, u0 + mine.from, (mine.to - mine.from) * sizeof *u);
  for (size_t t = 0; t < steps; t++) {
    ends[t % 2][me].first = from[0], ends[t % 2][me].last = to[-1];
    meet();
    double left = ends[t % 2][(me + all - 1) % all].last;
    double right = ends[t % 2][(me + 1) % all].first;
    double before_p = left; /* the old value, overwritten */
    double *p = from;
    for (; p + LANES < to; p += LANES) {
      Vec here = at(p), after = at(p + 1), before;
      before = here;
      for (int l = LANES - 1; l > 0; l--) before[l] = here[l - 1];
      before[0] = before_p;
      before_p = here[LANES - 1];
      put(p, here + 0.25 * (before - 2 * here + after));
    }
    for (left = before_p; p < to; p++) {
      double here = *p, after = p + 1 < to ? p[1] : right;
      *p = here + 0.25 * (left - 2 * here + after);
      left = here;
    }
  }
}

static void ring_run(void) { together(n > 8192 ? 2 : 1, ring_part); }

const Workload ring = {"ring", ring_open, {{"in_place", ring_run}}};
