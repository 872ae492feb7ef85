/* simplify.h: what the files of the simplify pass share.
 *
 * A round copies the program once, front to back.  Each node is made in the
 * new program, then the rules of its op look at it: a rule returns the value
 * that stands for the node, made of values that are visible where the node
 * is, or NULL.  What a rule leaves unused is dead code, which the next round
 * does not copy.  Rounds go on until one changes nothing. */
#ifndef LOCKSTEP_PASSES_SIMPLIFY_H
#define LOCKSTEP_PASSES_SIMPLIFY_H

#include "pass.h"

enum { LARGEST_FOLD = 4096 }; /* elements of a literal made by folding */

typedef struct Simplify {
  Copier copier;                   /* from the old program to the new */
  bool fast;                       /* may floats be reassociated? */
  int nesting;                     /* of rules that make nodes */
  struct Known *known;             /* cse.c: nodes of the new program */
  Block *open[IR_MAX_NESTING + 1]; /* new blocks, by depth in the old */

  /* About the old program: by value id, and by node id. */
  bool *live;            /* dead.c */
  bool *constant_carry;  /* simplify_scan.c: a parameter that always
                            equals its init */
  int *uses;             /* dead.c: by what is live */
  unsigned char *level;  /* motion.c: the outermost depth where the
                            value could be computed */
  unsigned char *target; /* motion.c: the depth where the node goes */

  /* About the new program, by value id: the uses that are known so far. */
  int *new_uses;
  int new_room;
} Simplify;

typedef Value *Rule(Simplify *s, const Node *node);

/* -- the parts of a round ---------------------------------------------- */

bool dead_mark(Simplify *s); /* live, uses; false: memory */
bool dead_node(const Simplify *s, const Node *node);
void motion_plan(Simplify *s); /* level, target */
bool scan_constant_carries(Simplify *s, const Block *block);
/* A node with bodies, made anew where it goes; its results are mapped. */
void scan_build(Simplify *s, const Node *scan);
void while_build(Simplify *s, const Node *loop);
void cond_build(Simplify *s, const Node *cond);
void sort_build(Simplify *s, const Node *sort);
void simplify_block(Simplify *s, const Block *block);
void simplify_map(Simplify *s, const Value *from, Value *to);
/* The node itself, or one like it that is visible from where it stands. */
Value *cse_find(Simplify *s, Node *node);
void cse_free(Simplify *s);
bool simplify_sees(const Block *from, const Block *block);

/* -- makers: at the place of `like`, rules applied --------------------- */

Value *simplify_node(Simplify *s, Block *block, const NodeSpec *spec);
Value *simplify_make(Simplify *s, const Node *like, Op op, int n_operands,
                     Value *const *operands, int n_attrs, const Attr *attrs,
                     const Type *type);
Value *simplify_constant(Simplify *s, const Node *like, Type type,
                         const void *literal, bool splat);
Value *simplify_splat(Simplify *s, const Node *like, Type type, Scalar value);
Value *simplify_convert(Simplify *s, const Node *like, Value *x, DType dtype);
Value *simplify_reshape(Simplify *s, const Node *like, Value *x, int rank,
                        const int64_t *dims);
Value *simplify_transpose(Simplify *s, const Node *like, Value *x,
                          const int64_t *perm);
Value *simplify_broadcast(Simplify *s, const Node *like, Value *x,
                          const int64_t *dims, Type type);
Value *simplify_slice(Simplify *s, const Node *like, Value *x,
                      const int64_t *start, const int64_t *limit,
                      const int64_t *stride);
Value *simplify_reduce(Simplify *s, const Node *like, Op op, Value *x,
                       uint64_t dims);
/* x as it is, or a scalar spread over the node's shape. */
Value *simplify_spread(Simplify *s, const Node *node, Value *x);

/* -- questions --------------------------------------------------------- */

static inline Type result_type(const Node *node) {
  return node->results[0]->type;
}
/* The node that makes the value if it is of this op; else NULL. */
static inline const Node *made_by(const Value *value, Op op) {
  return value->node && value->node->op == op ? value->node : NULL;
}
/* The body that yields the next carries. */
static inline const Block *loop_body(const Node *loop) {
  return loop->op == OP_while ? loop->bodies[WHILE_STEP] : loop->body;
}
static inline bool is_scalar(const Value *value) {
  return value->type.rank == 0;
}
bool is_splat_of(const Value *value, double number); /* -0 is not 0 */
/* May sums of this dtype be reassociated (always: exact mod 2^n)? */
bool may_reorder(const Simplify *s, DType dtype);
/* May products be moved across sums as well? */
bool may_distribute(const Simplify *s, DType dtype);
/* Has the value no other use than the one that asks?  Then a rule that makes
 * the work anew does not do it twice. */
bool used_once(const Simplify *s, const Value *value);
uint64_t reduced_dims(const Node *reduction);
bool type_is_empty(Type type);

/* A scalar factor of a value: value = x * scalar, x / scalar, or -x. */
typedef struct Factor {
  Op op;         /* mul, div, neg */
  Value *scalar; /* NULL for neg */
  Value *rest;
} Factor;
bool factor_of(const Simplify *s, const Value *value, Factor *factor);
Value *factor_apply(Simplify *s, const Node *like, const Factor *factor,
                    Value *x);

/* -- rules ------------------------------------------------------------- */

Rule fold_constant, fold_empty, fold_elementwise, fold_view, fold_concatenate,
    fold_pad, fold_splat_gather, fold_reduce, fold_arg, fold_iota;
Rule elementwise_scalars, unary_twice, neg_rules, abs_rules, not_rules,
    rounding_rules, add_rules, sub_rules, mul_rules, div_rules, rem_rules,
    extreme_rules, and_rules, or_rules, xor_rules, shift_rules, compare_rules,
    select_rules, clamp_rules, convert_rules, bitcast_rules;
Rule transpose_rules, reshape_rules, broadcast_rules, slice_rules,
    concatenate_rules, pad_rules, reverse_rules, take_rules,
    dynamic_slice_rules, dynamic_update_slice_rules;
Rule reduce_trivial, reduce_reduce, reduce_transpose, reduce_broadcast,
    reduce_factor, reduce_einsum;
Rule arg_rules; /* argmax, argmin */
Rule cumulative_rules, scatter_add_rules;
Rule einsum_nothing, einsum_operands, einsum_scalar, einsum_factor,
    einsum_single, transpose_einsum, reshape_einsum;

#endif
