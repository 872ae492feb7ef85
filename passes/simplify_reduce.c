/* simplify_reduce.c: rules of reductions.
 *
 * max, min, and, or, and sums and products of integers give the same bits in
 * any order; sums of floats are reordered in fast only.  Work is moved across
 * a sum (factors out, a contraction in) in fast for f32 and f64, and for
 * integers, exact mod 2^n, as long as nothing is widened in between. */
#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

static bool any_order(const Simplify *s, const Node *node) {
  bool ordered = node->op == OP_reduce_sum || node->op == OP_reduce_prod;
  DType dtype = result_type(node).dtype;
  if (!ordered) return true;
  return ir_is_float(dtype) ? may_distribute(s, dtype) : true;
}

static int64_t terms_of(const Node *node) {
  IntList dims = ir_ints(node, ATTR_dims);
  int64_t terms = 1;
  for (int i = 0; i < dims.n; i++)
    terms *= operand(node, 0)->type.dims[dims.v[i]];
  return terms;
}

/* Over one term: the term. */
Value *reduce_trivial(Simplify *s, const Node *node) {
  Type type = result_type(node);
  if (terms_of(node) != 1) return NULL;
  Value *x = simplify_convert(s, node, operand(node, 0), type.dtype);
  return simplify_reshape(s, node, x, type.rank, type.dims);
}

/* A reduction of a like reduction is one over the dims of both. */
Value *reduce_reduce(Simplify *s, const Node *node) {
  const Node *inner = made_by(operand(node, 0), node->op);
  if (inner == NULL || !any_order(s, node)) return NULL;
  uint64_t first = reduced_dims(inner), second = reduced_dims(node);
  uint64_t set = first;
  Value *x = operand(inner, 0);
  for (int d = 0, kept = 0; d < x->type.rank; d++) {
    if (first >> d & 1) continue;
    if (second >> kept & 1) set |= UINT64_C(1) << d;
    kept++;
  }
  return simplify_reduce(s, node, node->op, x, set);
}

/* Reduce first, then transpose what is left. */
Value *reduce_transpose(Simplify *s, const Node *node) {
  const Node *inner = made_by(operand(node, 0), OP_transpose);
  if (inner == NULL || !any_order(s, node)) return NULL;
  IntList perm = ir_ints(inner, ATTR_perm);
  uint64_t set = 0, reduced = reduced_dims(node);
  int64_t position[IR_MAX_RANK], kept[IR_MAX_RANK];
  int n = 0;
  for (int d = 0; d < perm.n; d++)
    if (reduced >> d & 1) set |= UINT64_C(1) << perm.v[d];
  for (int d = 0; d < perm.n; d++)
    if (!(set >> d & 1)) position[d] = n++;
  n = 0;
  for (int d = 0; d < perm.n; d++)
    if (!(reduced >> d & 1)) kept[n++] = position[perm.v[d]];
  Value *x = simplify_reduce(s, node, node->op, operand(inner, 0), set);
  return simplify_transpose(s, node, x, kept);
}

/* -- what repeats ------------------------------------------------------ */

/* n times the same: n * x for a sum, x for the others. */
static Value *n_times(Simplify *s, const Node *node, Value *x, int64_t n) {
  DType dtype = result_type(node).dtype;
  Type type = {dtype, 0, NULL, 0};
  if (node->op != OP_reduce_sum || n == 1) return x;
  Scalar count = ir_is_float(dtype) ? (Scalar){.f = (double)n}
                                    : ir_scalar_wrap(dtype, (uint64_t)n);
  Value *factor = simplify_splat(s, node, type, count);
  return simplify_make(s, node, OP_mul, IR_VALUES(factor, x), 0, NULL, NULL);
}

/* A broadcast reduced over dims along which it repeats. */
Value *reduce_broadcast(Simplify *s, const Node *node) {
  const Node *inner = made_by(operand(node, 0), OP_broadcast);
  Type wide = operand(node, 0)->type;
  if (inner == NULL || node->op == OP_reduce_prod || !any_order(s, node) ||
      type_is_empty(wide))
    return NULL;
  Value *x = operand(inner, 0);
  IntList dims = ir_ints(inner, ATTR_dims);
  uint64_t reduced = reduced_dims(node), set = 0, held = 0;
  int64_t to[IR_MAX_RANK], repeats = 1;
  int n = 0;
  for (int i = 0; i < dims.n; i++) {
    uint64_t before = reduced & ((UINT64_C(1) << dims.v[i]) - 1);
    bool drops = reduced >> dims.v[i] & 1;
    if (x->type.dims[i] == wide.dims[dims.v[i]])
      held |= UINT64_C(1) << dims.v[i];
    if (drops)
      set |= UINT64_C(1) << i;
    else
      to[n++] = dims.v[i] - __builtin_popcountll(before);
  }
  if ((reduced & ~held) == 0) return NULL;
  for (int d = 0; d < wide.rank; d++)
    if (reduced >> d & 1 && !(held >> d & 1)) repeats *= wide.dims[d];
  x = simplify_reduce(s, node, node->op, x, set);
  if (x == NULL) return NULL;
  x = n_times(s, node, x, repeats);
  return simplify_broadcast(s, node, x, to, result_type(node));
}

/* -- sums -------------------------------------------------------------- */

/* sum(s * x) = s * sum(x). */
Value *reduce_factor(Simplify *s, const Node *node) {
  Factor factor;
  Value *x = operand(node, 0);
  if (terms_of(node) == 0 || !factor_of(s, x, &factor)) return NULL;
  return factor_apply(
      s, node, &factor,
      simplify_reduce(s, node, node->op, factor.rest, reduced_dims(node)));
}

/* The sum of an einsum is an einsum with fewer labels in its output. */
Value *reduce_einsum(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  const Node *einsum = made_by(x, OP_einsum);
  bool is_or = node->op == OP_reduce_or;
  if (einsum == NULL || !used_once(s, x)) return NULL;
  if (is_or ? x->type.dtype != DT_BOOL : !may_distribute(s, x->type.dtype))
    return NULL;
  Einsum e;
  ir_einsum_read(einsum, &e);
  uint64_t reduced = reduced_dims(node);
  int n = 0;
  for (int d = 0; d < e.out_rank; d++)
    if (!(reduced >> d & 1)) e.out[n++] = e.out[d];
  e.out_rank = n;
  const Attr *accumulate = ir_attr(einsum, ATTR_accumulate);
  Attr attrs[2] = {IR_STRING(spec, ir_einsum_spec(s->copier.to, &e))};
  if (accumulate) attrs[1] = *accumulate;
  return simplify_make(s, node, OP_einsum, einsum->n_operands, einsum->operands,
                       accumulate ? 2 : 1, attrs, NULL);
}
