/* product_price.c: what a product takes as inline code, and packed.
 *
 * Comes in: a product (product.h) and the machine.  Goes out: cycles of one
 * thread, to be compared with each other.  The shares of the peak below are
 * measured (Zen 3, f32 and f64, sizes from 16 to 512, all layouts); they say
 * what part of a loop is multiply-adds and what it waits for, so they hold
 * for other machines with two such units as well.
 *
 * Example: f64 64x64x64 with both operands row-major is 32,768 cycles of
 * multiply-adds at 16 flops; inline at 0.85 of the peak 38,500; packed 36,400,
 * 6,900 to pack 8192 elements, and 3,500 for 88 tiles: inline.  With both
 * transposed inline gathers, at a quarter of the peak: packed. */
#include "product.h"

/* Elements between neighbours along a label in term t; 0: not there. */
static int64_t stride_in(const Einsum *e, int t, int label) {
  int64_t stride = 1;
  for (int d = e->rank[t] - 1; d >= 0; d--) {
    if (e->term[t][d] == label) return stride;
    stride *= e->size[e->term[t][d]];
  }
  return 0;
}

static double flops_a_cycle(const Product *p, const Hardware *hardware) {
  double flops = 1 / pass_cycles(hardware, 1, 0, 0);
  return p->dtype == DT_F32 ? 2 * flops : flops;
}

/* Elements of a vector: two units, two operations each. */
static int64_t lanes_of(const Product *p, const Hardware *hardware) {
  int64_t lanes = (int64_t)(flops_a_cycle(p, hardware) / 4);
  return lanes < 1 ? 1 : lanes;
}

/* Products of this one over its other labels. */
static double times(const Product *p) {
  double n = 1;
  for (int i = 0; i < p->n_outer; i++) n *= (double)p->e.size[p->outer[i]];
  for (int i = 0; i < p->n_more; i++) n *= (double)p->e.size[p->more[i]];
  return n;
}

static double up_to(double size, double tile) {
  return (double)(int64_t)((size + tile - 1) / tile) * tile;
}

double product_inline_cycles(const Product *p, const Hardware *hardware) {
  const double full = 0.85, dots = 0.45, gathered = 0.25, far = 0.6;
  int64_t lanes = lanes_of(p, hardware), n = p->n, bytes;
  double share = gathered, columns = (double)n;
  bool across = stride_in(&p->e, p->right, p->column) == 1;
  for (int i = 0; !across && i < p->n_sums; i++)
    if (stride_in(&p->e, 0, p->sums[i]) == 1 &&
        stride_in(&p->e, 1, p->sums[i]) == 1 && p->e.size[p->sums[i]] >= lanes)
      share = dots;
  bytes = (int64_t)ir_dtype_bytes(p->dtype);
  double touched = (double)bytes * (double)p->depth * (double)(p->m + n);
  if (across && n >= lanes) {
    share = touched > (double)pass_cache(hardware, 1) / 2 ? far : full;
    /* Single vectors and columns are half as many sums in flight. */
    int64_t vectors = n / lanes, single = vectors % 2, rest = n % lanes;
    columns = (double)(lanes * (vectors + single + 2 * rest));
  }
  double flops = 2 * up_to((double)p->m, 4) * columns * (double)p->depth;
  return times(p) * flops / flops_a_cycle(p, hardware) / share;
}

double product_packed_cycles(const Product *p, const Hardware *hardware) {
  const double full = 0.9, copied = 0.5, collected = 1.4, tile = 40;
  double lanes = (double)lanes_of(p, hardware), rows = 6;
  double m = (double)p->m, n = (double)p->n, depth = (double)p->depth;
  double wide = up_to(n, n > lanes ? 2 * lanes : lanes);
  double high = m < rows ? m : up_to(m, rows);
  double sums = 2 * high * wide * depth / flops_a_cycle(p, hardware) / full;
  bool across = stride_in(&p->e, p->right, p->column) == 1;
  double more = 1; /* rows that share one packed right */
  for (int i = 0; i < p->n_more; i++) more *= (double)p->e.size[p->more[i]];
  double pack =
      depth * n * (across ? copied : collected) / more + depth * m * collected;
  double tiles = high / rows * wide / (2 * lanes);
  return times(p) * (sums + pack + tile * tiles);
}
