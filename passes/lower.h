/* lower.h: what lower_axes.c, lower_collectives.c and lower_control.c share. */
#ifndef LOCKSTEP_PASSES_LOWER_H
#define LOCKSTEP_PASSES_LOWER_H

#include "../ir/ir.h"

/* Which devices are in, where a predicate that varies has parted them: a bool
 * for each device of `axes`; NULL: all are. */
typedef struct Mask {
  Value *value;
  uint64_t axes;
} Mask;

/* While one node is lowered: where to build, and on whose behalf. */
typedef struct Lower {
  Copier *copier;
  const Program *from; /* for the axes' sizes */
  Block *to;
  const Node *node;
  Mask *mask; /* where the node stands */
} Lower;

/* A list of dims under construction. */
typedef struct Dims {
  int64_t v[IR_MAX_RANK * 2];
  int n;
} Dims;

static inline void dims_push(Dims *dims, int64_t value) {
  dims->v[dims->n++] = value;
}
static inline int axes_count(uint64_t set) { return __builtin_popcountll(set); }
/* How many axes of set come before axis a: its dim. */
static inline int axes_before(uint64_t set, int64_t a) {
  return axes_count(set & ((UINT64_C(1) << a) - 1));
}
void lower_push_axes(const Lower *lower, Dims *dims, uint64_t set);

/* Operand i lowered; and broadcast to vary over `set`, its logical dims as
 * they are. */
Value *lower_operand(const Lower *lower, int i);
Value *lower_spread(const Lower *lower, Value *lowered, uint64_t from,
                    uint64_t set);

/* A value that is of the shape of `result`, or a scalar, to the axes of `set`
 * and the result's dims; an invariant scalar stays. */
Value *lower_align(const Lower *lower, Value *lowered, uint64_t from,
                   bool scalar, uint64_t set, Type result);

/* The mask as devices of `axes` see it: in is where any of its own is.  NULL:
 * all are. */
Value *lower_mask_over(const Lower *lower, uint64_t axes);

/* Node makers; place and program are those of the node being lowered. */
Value *lower_make(const Lower *lower, Op op, int n, Value *const *operands,
                  int n_attrs, const Attr *attrs, const Type *type);
Value *lower_transpose(const Lower *lower, Value *x, const int64_t *perm);
Value *lower_reshape(const Lower *lower, Value *x, const Dims *dims);
Value *lower_broadcast(const Lower *lower, Value *x, const int64_t *positions,
                       const Dims *dims);
Value *lower_convert(const Lower *lower, Value *x, DType dtype);
Value *lower_number(const Lower *lower, DType dtype, double value);

/* The collectives; returns what stands for the node's result. */
Value *lower_collective(const Lower *lower);

/* sort and call: makes what stands for the node, and maps its results. */
void lower_whole(const Lower *lower);

/* scan, while and cond: makes what stands for the node, and maps its results.
 */
void lower_control(const Lower *lower);

#endif
