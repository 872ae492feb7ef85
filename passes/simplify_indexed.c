/* simplify_indexed.c: rules of ops that take positions, for positions that are
 * known.  All are exact. */
#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

static int64_t clamped(Scalar position, DType dtype, int64_t most) {
  bool huge = !ir_is_signed(dtype) && position.u > (uint64_t)INT64_MAX;
  if (huge || position.i > most) return most;
  return position.i < 0 ? 0 : position.i;
}

/* -- take -------------------------------------------------------------- */

/* Positions first, first + step, ...; step 0: all the same. */
typedef struct Range {
  int64_t first, step, count;
} Range;

static bool range_of(const Value *index, int64_t size, Range *range) {
  const Node *node = index->node;
  DType dtype = index->type.dtype;
  range->count = ir_type_elements(index->type);
  if (node && node->op == OP_iota && index->type.rank == 1) {
    *range = (Range){0, 1, range->count};
    return range->count <= size &&
           (uint64_t)range->count <= ir_scalar_greatest(dtype).u;
  }
  if (node == NULL || node->op != OP_constant) return false;
  range->first = clamped(ir_literal_at(node, 0), dtype, size - 1);
  range->step = range->count == 1;
  if (node->splat) return true;
  int64_t before = range->first;
  for (int64_t i = 1; i < range->count; i++) {
    int64_t at = clamped(ir_literal_at(node, i), dtype, size - 1);
    if (i == 1) range->step = at - before;
    if (at - before != range->step) return false;
    before = at;
  }
  return true;
}

/* The elements of dim at a range with a step that is not 0. */
static Value *stepped(Simplify *s, const Node *node, Value *x, int64_t dim,
                      Range range) {
  int64_t start[IR_MAX_RANK], limit[IR_MAX_RANK], stride[IR_MAX_RANK];
  bool back = range.step < 0;
  int64_t last = range.first + (range.count - 1) * range.step;
  for (int d = 0; d < x->type.rank; d++) {
    start[d] = 0;
    limit[d] = x->type.dims[d];
    stride[d] = 1;
  }
  start[dim] = back ? last : range.first;
  limit[dim] = (back ? range.first : last) + 1;
  stride[dim] = back ? -range.step : range.step;
  Value *taken = simplify_slice(s, node, x, start, limit, stride);
  if (taken == NULL || !back) return taken;
  return simplify_make(s, node, OP_reverse, IR_VALUES(taken),
                       IR_ATTRS(IR_INTS(dims, &dim, 1)), NULL);
}

/* One position again and again: the index's dims repeat what is there. */
static Value *repeated(Simplify *s, const Node *node, Value *x, int64_t dim,
                       Range range) {
  Type type = result_type(node);
  int inserted = operand(node, 1)->type.rank, rank = 0;
  int64_t kept[IR_MAX_RANK], to[IR_MAX_RANK];
  range.count = 1;
  range.step = 1;
  Value *one = stepped(s, node, x, dim, range);
  for (int d = 0; d < x->type.rank; d++) {
    if (d == dim) continue;
    to[rank] = d < dim ? d : d - 1 + inserted;
    kept[rank++] = x->type.dims[d];
  }
  one = simplify_reshape(s, node, one, rank, kept);
  return simplify_broadcast(s, node, one, to, type);
}

Value *take_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0), *index = operand(node, 1);
  int64_t dim = ir_int(node, ATTR_dim);
  Type type = result_type(node);
  Range range;
  if (ir_int(node, ATTR_batch) > 0 ||
      !range_of(index, x->type.dims[dim], &range))
    return NULL;
  if (range.step == 0) return repeated(s, node, x, dim, range);
  Value *taken = stepped(s, node, x, dim, range);
  return simplify_reshape(s, node, taken, type.rank, type.dims);
}

/* -- windows ----------------------------------------------------------- */

/* Starts that are all constants; window: the size of each dim taken. */
static bool known_starts(const Node *node, int first, Type window,
                         int64_t *start) {
  Type type = operand(node, 0)->type;
  Scalar position;
  if (ir_int(node, ATTR_batch) > 0) return false;
  for (int d = 0; d < type.rank; d++) {
    const Value *at = operand(node, first + d);
    int64_t most = type.dims[d] - window.dims[d];
    start[d] = 0;
    if (most == 0) continue;
    if (!ir_is_splat(at, &position)) return false;
    start[d] = clamped(position, at->type.dtype, most);
  }
  return true;
}

Value *dynamic_slice_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  int64_t start[IR_MAX_RANK], limit[IR_MAX_RANK], stride[IR_MAX_RANK];
  if (ir_shape_equal(x->type, result_type(node))) return x;
  if (!known_starts(node, 1, result_type(node), start)) return NULL;
  for (int d = 0; d < x->type.rank; d++) {
    limit[d] = start[d] + result_type(node).dims[d];
    stride[d] = 1;
  }
  return simplify_slice(s, node, x, start, limit, stride);
}

/* An update of all is the update, one of nothing leaves all. */
Value *dynamic_update_slice_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0), *update = operand(node, 1);
  (void)s;
  if (ir_shape_equal(x->type, update->type)) return update;
  return type_is_empty(update->type) ? x : NULL;
}
