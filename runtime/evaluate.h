/* evaluate.h: the inside of the reference evaluator.
 *
 * A value that varies over axes is held as one array with every device's copy,
 * one leading dim per axis in order of declaration; an invariant value is held
 * once.  Two kinds of rules work on that:
 *   - a DeviceRule does one device of an op that does not cross axes.  It sees
 *     pointers to that device's operands and results and needs only the types'
 *     dims.
 *   - a NodeRule does a whole node: collectives and ops with bodies.
 * Where a predicate varies, the bodies under it run with a mask.  A device that
 * is out computes nothing: DeviceRules are not called for it, and its results
 * are zeros that nobody looks at.
 * Rules return false when they fail, which they record with rt_fail or get
 * from rt_allocate.
 */
#ifndef LOCKSTEP_EVALUATE_H
#define LOCKSTEP_EVALUATE_H

#include "runtime.h"

enum { RT_BOX_RANK = IR_MAX_RANK + 2 };

typedef struct Array {
  char *data;
  bool borrowed; /* the caller's: never freed here */
} Array;

/* Which devices run what is being run, where predicates vary: a byte for each
 * device of some axes, row-major, 1 for those that are in. */
typedef struct Mask {
  uint64_t axes;
  int64_t devices, n_in;
  char *in;
} Mask;

typedef struct Evaluation {
  const Program *program;
  const Mask *mask; /* NULL: all are in */
  Array *arrays;    /* by value id; data NULL: not computed, or dead */
  int *first_dead;  /* by node id: a value that dies after the node; -1 */
  int *next_dead;   /* by value id: another one that dies there; -1 */
  char *message;    /* the first failure */
} Evaluation;

typedef bool DeviceRule(Evaluation *evaluation, const Node *node,
                        const char *const *operands, char *const *results);
typedef bool NodeRule(Evaluation *evaluation, const Node *node);

typedef struct EvaluateRule {
  DeviceRule *device;
  NodeRule *node;
} EvaluateRule;

/* evaluate.c.  One entry an op; the ELEMENTWISE ops share one rule. */
EvaluateRule rt_rule(Op op);

bool rt_fail(Evaluation *evaluation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* count * size bytes, not cleared; free() it.  NULL: failed, and recorded. */
void *rt_allocate(Evaluation *evaluation, int64_t count, size_t size);

/* All copies of a value: elements times the sizes of its axes; -1: failed. */
int64_t rt_copies(const Program *program, uint64_t axes);
int64_t rt_all_elements(Evaluation *evaluation, Type type);
bool rt_define(Evaluation *evaluation, const Value *value);
void rt_release(Evaluation *evaluation, const Value *value);

/* A device is its index on each axis, by axis number.  rt_device gives the
 * copy that it sees of a value: the one copy along axes over which the value
 * does not vary.  rt_next_device steps through all devices of some axes,
 * row-major, and returns false when it is back at the first. */
char *rt_device(const Evaluation *evaluation, const Value *value,
                const int64_t *device);
bool rt_next_device(const Program *program, uint64_t axes, int64_t *device);
int64_t rt_copy_of(const Program *program, uint64_t axes,
                   const int64_t *device); /* its number among all of axes */

/* The value's array, repeated along the axes it lacks. free() it; NULL:
 * failed. */
char *rt_spread(Evaluation *evaluation, const Value *value, uint64_t axes);

/* evaluate_control.c */
bool rt_run_block(Evaluation *evaluation, const Block *block);
void rt_release_block(Evaluation *evaluation, const Block *block);
NodeRule rt_scan, rt_kernel;
/* The array of yield number `index` as one that the caller owns and that
 * varies over axes.  It is taken out of the block if nobody else needs it.
 * NULL: failed. */
char *rt_take_yield(Evaluation *evaluation, const Block *block, int index,
                    uint64_t axes);

/* evaluate_branch.c.  Is a device of some axes in?  It is if any of those that
 * share its copy is, along the axes of the mask that it lacks. */
bool rt_is_in(const Evaluation *evaluation, uint64_t axes,
              const int64_t *device);
NodeRule rt_while, rt_cond;

/* evaluate_box.c.  A box is a part of an array: dims, and the strides in bytes
 * between neighbours along each.  Copies element by element, so boxes of
 * different arrays may be laid out in any way; they may not overlap. */
typedef struct Box {
  int rank;
  int64_t dims[RT_BOX_RANK];
  int64_t to[RT_BOX_RANK], from[RT_BOX_RANK];
} Box;
void rt_copy_box(const Box *box, size_t element, char *to, const char *from);
/* Row-major strides in bytes of an array with these dims. */
void rt_strides(int rank, const int64_t *dims, size_t element,
                int64_t *strides);
/* A box over all of dims, from and to both row-major over it. */
Box rt_box(int rank, const int64_t *dims, size_t element);
/* Copy count * size bytes as `count` pieces, at the given distances. */
void rt_copy_pieces(int64_t count, int64_t size, char *to, int64_t to_step,
                    const char *from, int64_t from_step);
void rt_fill(char *to, int64_t count, size_t element, const void *value);
int64_t rt_product(const int64_t *dims, int n);

/* evaluate_reduce.c.  A sum (op add), product (mul) or other reduction in the
 * strict order; terms come in the accumulator's dtype. */
enum { RT_LANES = 16, RT_BLOCK = 4096 };
typedef struct StrictSum {
  Op op;
  DType accumulator;
  ScalarFunction *function; /* op on floats; else NULL */
  Scalar identity, total;
  Scalar lanes[RT_LANES];
  int64_t count;
} StrictSum;
void rt_strict_start(StrictSum *sum, Op op, DType accumulator);
void rt_strict_add(StrictSum *sum, Scalar term);
Scalar rt_strict_total(StrictSum *sum);

/* The rules, by file. */
DeviceRule rt_constant, rt_iota; /* evaluate.c */
DeviceRule rt_elementwise;       /* _elementwise.c */
DeviceRule rt_broadcast, rt_reshape, rt_transpose, rt_slice, rt_concatenate,
    rt_pad, rt_reverse;                                        /* _shape.c */
DeviceRule rt_dynamic_slice, rt_dynamic_update_slice, rt_take; /* _index.c */
DeviceRule rt_reduce, rt_arg;                                  /* _reduce.c */
DeviceRule rt_einsum;                                          /* _einsum.c */
DeviceRule rt_cumulative, rt_sort, rt_scatter_add, rt_call;    /* _whole.c */
DeviceRule rt_random_key, rt_random_split, rt_random_fold_in, rt_random_bits,
    rt_random_uniform, rt_random_normal; /* _random.c */
NodeRule rt_psum, rt_pmean, rt_pmax, rt_pmin, rt_all_gather, rt_psum_scatter,
    rt_ppermute, rt_all_to_all, rt_pbroadcast, rt_axis_index, rt_axis_size,
    rt_map, rt_unmap; /* _collectives.c */

#endif
