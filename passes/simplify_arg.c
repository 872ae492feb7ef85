/* simplify_arg.c: rules of argmax and argmin.
 *
 * Their result is a position along one dim: a view of the operand that keeps
 * that dim whole, and in order, moves behind them, where less is moved. */
#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

/* The node's op on x, along dim. */
static Value *search(Simplify *s, const Node *node, Value *x, int64_t dim) {
  return simplify_make(s, node, node->op, IR_VALUES(x),
                       IR_ATTRS(IR_INT(dim, dim)), NULL);
}

static Value *arg_transpose(Simplify *s, const Node *node,
                            const Node *transpose) {
  IntList perm = ir_ints(transpose, ATTR_perm);
  int64_t dim = ir_int(node, ATTR_dim), gone = perm.v[dim];
  int64_t kept[IR_MAX_RANK];
  int n = 0;
  for (int d = 0; d < perm.n; d++)
    if (d != dim) kept[n++] = perm.v[d] - (perm.v[d] > gone);
  Value *found = search(s, node, operand(transpose, 0), gone);
  return simplify_transpose(s, node, found, kept);
}

/* Along a dim where it repeats all is equal; else search before it repeats. */
static Value *arg_broadcast(Simplify *s, const Node *node,
                            const Node *broadcast) {
  Value *x = operand(broadcast, 0);
  IntList dims = ir_ints(broadcast, ATTR_dims);
  int64_t dim = ir_int(node, ATTR_dim), to[IR_MAX_RANK];
  Type type = result_type(node);
  int n = 0, own = -1;
  for (int i = 0; i < dims.n; i++) {
    if (dims.v[i] == dim)
      own = i;
    else
      to[n++] = dims.v[i] - (dims.v[i] > dim);
  }
  if (own < 0 || x->type.dims[own] == 1)
    return simplify_splat(s, node, type, (Scalar){0});
  return simplify_broadcast(s, node, search(s, node, x, own), to, type);
}

/* A reshape that leaves the dim whole: as many elements lie behind it, and it
 * is as long. */
static Value *arg_reshape(Simplify *s, const Node *node, const Node *reshape) {
  Value *x = operand(reshape, 0);
  Type from = x->type, to = result_type(reshape), type = result_type(node);
  int64_t dim = ir_int(node, ATTR_dim), want = 1, have = 1;
  for (int64_t d = to.rank - 1; d > dim; d--) want *= to.dims[d];
  int d = from.rank - 1;
  while (d >= 0 && (have < want || from.dims[d] == 1)) have *= from.dims[d--];
  if (d < 0 || have != want || from.dims[d] != to.dims[dim]) return NULL;
  return simplify_reshape(s, node, search(s, node, x, d), type.rank, type.dims);
}

Value *arg_rules(Simplify *s, const Node *node) {
  const Node *from = operand(node, 0)->node;
  if (from == NULL) return NULL;
  switch (from->op) {
    case OP_transpose:
      return arg_transpose(s, node, from);
    case OP_broadcast:
      return arg_broadcast(s, node, from);
    case OP_reshape:
      return arg_reshape(s, node, from);
    default:
      return NULL;
  }
}
