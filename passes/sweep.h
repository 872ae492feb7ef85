/* sweep.h: several sums over one iteration space, for fuse and for code
 * generation. */
#ifndef LOCKSTEP_PASSES_SWEEP_H
#define LOCKSTEP_PASSES_SWEEP_H

#include "../ir/ir.h"

enum { SWEEP_SUMS = 8 };

/* One reduction or einsum: how its dims lie in the space.  -1: a dim of
 * size 1 that the space does not have. */
typedef struct SweepSum {
  const Node *node;
  uint64_t kept;             /* dims of the space (size > 1) that it keeps */
  int8_t point[IR_MAX_RANK]; /* of each dim of its result */
  int8_t of[IR_MAX_RANK];    /* of each dim of its operand, or label */
  int level;                 /* how many loops are around it */
} SweepSum;

/* Loops over the space, outermost first: what all sums keep, then what all but
 * one keep, ..., at last what none does. */
typedef struct Sweep {
  Type space;
  int n_sums;
  SweepSum sums[SWEEP_SUMS];
  int n_loops;
  int8_t loops[IR_MAX_RANK]; /* dims of the space */
  int lane_dim;              /* its innermost dim of size > 1; -1: none */
} Sweep;

/* Can heavy nodes (reductions and einsums) share one loop nest?  The space is
 * that of an operand of each; `shared` is what they should read at the same
 * index, or NULL. */
bool sweep_of(const Node *const *heavies, int n, const Value *shared,
              Sweep *sweep);

#endif
