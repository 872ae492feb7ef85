/* sweep.c: several sums over one iteration space.
 *
 * Comes in: reductions and einsums.  Goes out: a nest of loops in which each of
 * them sums what it has to, if there is one.
 *
 *   p = reduce_sum J, dims=[0]            J: [d,m,n]; p[m,n]
 *   q = einsum J, y, spec="dmn,dni->mi"   q[m,1]
 *
 * Both read every element of J once.  p keeps m and n, q keeps m:
 *
 *   for m:  q = 0;
 *     for n:  p = 0;
 *       for d:  x = J[d,m,n];  p += x;  q += x * y[d,n];
 *       store p[m,n];
 *     store q[m];
 *
 * Each element is made, or read, once, and no sum is held in memory.  That asks
 * for kept dims that are subsets of each other; row and column sums of a
 * matrix, for which that is not so, share no nest. */
#include "sweep.h"

#include <string.h>

/* -- one sum ----------------------------------------------------------- */

static bool place_reduction(SweepSum *sum, Type space) {
  const Node *node = sum->node;
  if (node->op == OP_argmax || node->op == OP_argmin) return false;
  if (!ir_shape_equal(node->operands[0]->type, space)) return false;
  IntList dims = ir_ints(node, ATTR_dims);
  for (int d = 0, i = 0, kept = 0; d < space.rank; d++) {
    bool summed = i < dims.n && dims.v[i] == d;
    i += summed;
    sum->of[d] = (int8_t)d;
    if (summed) continue;
    sum->point[kept++] = (int8_t)d;
    if (space.dims[d] > 1) sum->kept |= UINT64_C(1) << d;
  }
  return dims.n > 0;
}

/* Do the labels of term t number the space: each once, and all that are not of
 * size 1? */
static bool spans(const Einsum *e, int t, Type space, SweepSum *sum) {
  if (e->rank[t] != space.rank) return false;
  memset(sum->of, -1, sizeof sum->of);
  for (int d = 0; d < space.rank; d++) {
    int label = e->term[t][d];
    if (e->size[label] != space.dims[d] || sum->of[label] >= 0) return false;
    sum->of[label] = (int8_t)d;
  }
  for (int l = 0; l < e->n_labels; l++)
    if (e->size[l] != 1 && sum->of[l] < 0) return false;
  return true;
}

/* The better the operand fits, the more: it is what is shared; it is made in
 * the same block. */
static int fitness(const Node *node, int t, const Value *shared) {
  const Value *x = node->operands[t];
  if (x == shared) return 2;
  return x->node && x->block == node->block && x->node->op != OP_constant;
}

static bool place_einsum(SweepSum *sum, Type space, const Value *shared) {
  const Node *node = sum->node;
  Einsum e;
  int best = -1, term = -1;
  bool sums = false;
  ir_einsum_read(node, &e);
  for (int t = 0; t < e.n_terms; t++) {
    int fit = fitness(node, t, shared);
    if (fit > best && spans(&e, t, space, sum)) {
      best = fit;
      term = t;
    }
  }
  if (term < 0 || e.out_rank > IR_MAX_RANK) return false;
  spans(&e, term, space, sum);
  for (int o = 0; o < e.out_rank; o++) {
    sum->point[o] = sum->of[e.out[o]];
    if (e.size[e.out[o]] > 1) sum->kept |= UINT64_C(1) << sum->point[o];
  }
  for (int l = 0; l < e.n_labels; l++) sums |= !e.in_out[l];
  return sums;
}

static bool place_sum(SweepSum *sum, const Node *node, Type space,
                      const Value *shared) {
  *sum = (SweepSum){.node = node};
  return node->op == OP_einsum ? place_einsum(sum, space, shared)
                               : place_reduction(sum, space);
}

/* -- loops ------------------------------------------------------------- */

static bool by_subset(Sweep *sweep) {
  for (int i = 1; i < sweep->n_sums; i++) { /* the fewest kept dims first */
    SweepSum sum = sweep->sums[i];
    int j = i;
    for (; j > 0 && (sweep->sums[j - 1].kept & ~sum.kept); j--)
      sweep->sums[j] = sweep->sums[j - 1];
    sweep->sums[j] = sum;
  }
  for (int i = 1; i < sweep->n_sums; i++)
    if (sweep->sums[i - 1].kept & ~sweep->sums[i].kept) return false;
  return true;
}

static void order_loops(Sweep *sweep) {
  uint64_t placed = 0;
  for (int i = 0; i <= sweep->n_sums; i++) {
    uint64_t now = i < sweep->n_sums ? sweep->sums[i].kept : ~UINT64_C(0);
    for (int d = 0; d < sweep->space.rank; d++)
      if (now & ~placed & UINT64_C(1) << d && sweep->space.dims[d] > 1)
        sweep->loops[sweep->n_loops++] = (int8_t)d;
    placed |= now;
    if (i < sweep->n_sums) sweep->sums[i].level = sweep->n_loops;
  }
}

static bool sweep_over(const Node *const *heavies, int n, Type space,
                       const Value *shared, Sweep *sweep) {
  *sweep = (Sweep){.space = space, .n_sums = n, .lane_dim = -1};
  if (ir_type_elements(space) == 0) return false;
  for (int i = 0; i < n; i++)
    if (!place_sum(&sweep->sums[i], heavies[i], space, shared)) return false;
  for (int d = 0; d < space.rank; d++)
    if (space.dims[d] > 1) sweep->lane_dim = d;
  if (!by_subset(sweep)) return false;
  order_loops(sweep);
  return true;
}

bool sweep_of(const Node *const *heavies, int n, const Value *shared,
              Sweep *sweep) {
  if (n < 1 || n > SWEEP_SUMS) return false;
  if (shared) return sweep_over(heavies, n, shared->type, shared, sweep);
  for (int i = 0; i < n; i++)
    if (heavies[i]->op != OP_einsum)
      return sweep_over(heavies, n, heavies[i]->operands[0]->type,
                        heavies[i]->operands[0], sweep);
  for (int t = 0; t < heavies[0]->n_operands; t++) {
    const Value *x = heavies[0]->operands[t];
    if (sweep_over(heavies, n, x->type, x, sweep)) return true;
  }
  return false;
}
