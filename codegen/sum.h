/* sum.h: a reduction or an einsum while it is emitted; shared by
 * element_reduce.c, element_strict.c, element_arg.c and sweep.c. */
#ifndef LOCKSTEP_CODEGEN_SUM_H
#define LOCKSTEP_CODEGEN_SUM_H

#include "emit.h"

enum { SUM_TREE = 16 }; /* terms up to which a sum is a tree */

typedef struct Sum {
  const Node *node;
  bool is_einsum;
  Einsum e;
  int n_dims;               /* summed dims, as loops, outermost first */
  int8_t dims[IR_MAX_RANK]; /* labels, or dims of the operand */
  int64_t sizes[IR_MAX_RANK];
  DType dtype, result; /* accumulator's, result's */
  Op join;
  Ssa identity;
  Ix inner[IR_MAX_RANK]; /* index of each loop */
  Ix *const *points;
  int n_points;
  bool lanes;    /* SUM_LANES */
  int n_vectors; /* vector accumulators of each point */
} Sum;

/* Is it argmax or argmin?  They have one dim, and an index for a total. */
static inline bool is_arg(Op op) { return op == OP_argmax || op == OP_argmin; }
Ssa arg_found(Gen *gen, const Node *node, const Ix *point); /* element_arg.c */

/* Lane l becomes lane l + by. */
Ssa shuffled_down(Gen *gen, Ssa vector, int by);
Scalar sum_identity(Op op, DType dtype);

int64_t sum_terms(const Sum *sum);
/* All of it but points, inner and, where a sweep has its own, lanes. */
void sum_describe(Gen *gen, Sum *sum, const Node *node);
/* The accumulator after one more term. */
Ssa sum_step(Gen *gen, const Sum *sum, const Ix *point, Ssa accumulator);
/* The total of a scalar accumulator and the n_vectors behind it. */
Ssa sum_joined(Gen *gen, const Sum *sum, const Ssa *sums);
void sum_unravel(Gen *gen, Sum *sum, int64_t term); /* a constant index */
/* The operand of a reduction at a point and the loops' indices. */
Ssa sum_reduced_term(Gen *gen, const Sum *sum, const Ix *point);
Ssa sum_tree(Gen *gen, Sum *sum, const Ix *point);
Ssa sum_strict(Gen *gen, Sum *sum, const Ix *point);

#endif
