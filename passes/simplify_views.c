/* simplify_views.c: rules of ops that move elements.  All are exact. */
#include <string.h>

#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

/* -- transpose, reshape, broadcast ------------------------------------- */

Value *transpose_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  const Node *inner = made_by(x, OP_transpose);
  IntList perm = ir_ints(node, ATTR_perm);
  int64_t both[IR_MAX_RANK];
  bool identity = true;
  for (int d = 0; d < perm.n; d++) identity &= perm.v[d] == d;
  if (identity) return x;
  if (inner == NULL) return NULL;
  for (int d = 0; d < perm.n; d++)
    both[d] = ir_ints(inner, ATTR_perm).v[perm.v[d]];
  return simplify_transpose(s, node, operand(inner, 0), both);
}

/* Does a broadcast only add dims of size 1? */
static bool stretches(const Node *broadcast) {
  return ir_type_elements(result_type(broadcast)) !=
         ir_type_elements(operand(broadcast, 0)->type);
}

Value *reshape_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  Type type = result_type(node);
  const Node *inner = made_by(x, OP_reshape);
  const Node *spread = made_by(x, OP_broadcast);
  if (ir_shape_equal(x->type, type)) return x;
  if (inner)
    return simplify_reshape(s, node, operand(inner, 0), type.rank, type.dims);
  if (spread == NULL) return NULL;
  if (is_scalar(operand(spread, 0)))
    return simplify_broadcast(s, node, operand(spread, 0), NULL, type);
  if (stretches(spread)) return NULL;
  return simplify_reshape(s, node, operand(spread, 0), type.rank, type.dims);
}

/* If a reshape only adds dims of size 1: where the dims of its operand went. */
static bool adds_ones(const Node *reshape, int64_t *dims) {
  Type from = operand(reshape, 0)->type, to = result_type(reshape);
  int n = 0;
  for (int d = 0; d < to.rank; d++) {
    if (n < from.rank && from.dims[n] == to.dims[d])
      dims[n++] = d;
    else if (to.dims[d] != 1)
      return false;
  }
  return n == from.rank;
}

Value *broadcast_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  Type type = result_type(node);
  IntList dims = ir_ints(node, ATTR_dims);
  const Node *inner = made_by(x, OP_broadcast);
  const Node *reshape = made_by(x, OP_reshape);
  int64_t both[IR_MAX_RANK];
  if (ir_shape_equal(x->type, type)) return x;
  if (inner)
    memcpy(both, ir_ints(inner, ATTR_dims).v,
           (size_t)operand(inner, 0)->type.rank * sizeof *both);
  else if (reshape == NULL || !adds_ones(reshape, both))
    return NULL;
  Value *from = operand(inner ? inner : reshape, 0);
  for (int d = 0; d < from->type.rank; d++) both[d] = dims.v[both[d]];
  return simplify_broadcast(s, node, from, both, type);
}

/* -- slice ------------------------------------------------------------- */

/* A window: which elements of each dim a slice takes. */
typedef struct Window {
  int rank;
  int64_t start[IR_MAX_RANK], limit[IR_MAX_RANK], stride[IR_MAX_RANK];
} Window;

static Window window_of(const Node *slice) {
  Window w = {.rank = result_type(slice).rank};
  IntList stride = ir_ints(slice, ATTR_stride);
  for (int d = 0; d < w.rank; d++) {
    w.start[d] = ir_ints(slice, ATTR_start).v[d];
    w.limit[d] = ir_ints(slice, ATTR_limit).v[d];
    w.stride[d] = stride.n ? stride.v[d] : 1;
  }
  return w;
}

static Value *take_window(Simplify *s, const Node *node, Value *x,
                          const Window *w) {
  return simplify_slice(s, node, x, w->start, w->limit, w->stride);
}

static Value *slice_slice(Simplify *s, const Node *node, const Node *inner) {
  Window w = window_of(node), within = window_of(inner);
  Type type = result_type(node);
  for (int d = 0; d < w.rank; d++) {
    int64_t last = w.start[d] + (type.dims[d] - 1) * w.stride[d];
    w.limit[d] = within.start[d] + last * within.stride[d] + 1;
    w.start[d] = within.start[d] + w.start[d] * within.stride[d];
    if (__builtin_mul_overflow(w.stride[d], within.stride[d], &w.stride[d]))
      return NULL;
  }
  return take_window(s, node, operand(inner, 0), &w);
}

/* Sliced where it repeats, a broadcast repeats less. */
static Value *slice_broadcast(Simplify *s, const Node *node,
                              const Node *inner) {
  Value *x = operand(inner, 0);
  Type type = result_type(node);
  IntList dims = ir_ints(inner, ATTR_dims);
  Window w = window_of(node);
  bool cuts = false;
  for (int i = 0; i < dims.n; i++) {
    int64_t d = dims.v[i];
    if (x->type.dims[i] == 1) {
      w.start[i] = 0, w.limit[i] = 1, w.stride[i] = 1;
    } else {
      w.start[i] = w.start[d];
      w.limit[i] = w.limit[d];
      w.stride[i] = w.stride[d];
      cuts |= type.dims[d] != x->type.dims[i];
    }
  }
  if (cuts) x = take_window(s, node, x, &w);
  return simplify_broadcast(s, node, x, dims.v, type);
}

/* A slice that lies in one operand of a concatenation. */
static Value *slice_concatenate(Simplify *s, const Node *node,
                                const Node *inner) {
  Window w = window_of(node);
  int64_t dim = ir_int(inner, ATTR_dim), first = 0;
  int64_t last =
      w.start[dim] + (result_type(node).dims[dim] - 1) * w.stride[dim];
  for (int i = 0; i < inner->n_operands; i++) {
    int64_t size = operand(inner, i)->type.dims[dim];
    if (w.start[dim] >= first && last < first + size) {
      w.start[dim] -= first;
      w.limit[dim] = last - first + 1;
      return take_window(s, node, operand(inner, i), &w);
    }
    first += size;
  }
  return NULL;
}

Value *slice_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  if (ir_shape_equal(x->type, result_type(node))) return x;
  if (made_by(x, OP_slice)) return slice_slice(s, node, x->node);
  if (made_by(x, OP_broadcast)) return slice_broadcast(s, node, x->node);
  if (made_by(x, OP_concatenate)) return slice_concatenate(s, node, x->node);
  return NULL;
}

/* -- concatenate ------------------------------------------------------- */

/* The window that a value is of another: a slice's; or all of itself. */
static Value *seen_through(Value *value, Window *w) {
  const Node *slice = made_by(value, OP_slice);
  if (slice) {
    *w = window_of(slice);
    return operand(slice, 0);
  }
  w->rank = value->type.rank;
  for (int d = 0; d < w->rank; d++) {
    w->start[d] = 0;
    w->limit[d] = value->type.dims[d];
    w->stride[d] = 1;
  }
  return value;
}

/* Is `b` what comes after `a` along dim, and of the same value? */
static Value *joined(Simplify *s, const Node *node, Value *a, Value *b,
                     int64_t dim) {
  Window u, v;
  Value *x = seen_through(a, &u);
  if (seen_through(b, &v) != x) return NULL;
  for (int d = 0; d < u.rank; d++) {
    if (u.stride[d] != v.stride[d]) return NULL;
    if (d != dim && (u.start[d] != v.start[d] || u.limit[d] != v.limit[d]))
      return NULL;
  }
  if (u.stride[dim] != 1 || u.limit[dim] != v.start[dim]) return NULL;
  u.limit[dim] = v.limit[dim];
  return take_window(s, node, x, &u);
}

Value *concatenate_rules(Simplify *s, const Node *node) {
  int64_t dim = ir_int(node, ATTR_dim);
  size_t size = (size_t)node->n_operands * sizeof(Value *);
  Value *few[16], **parts = few;
  int n = 0;
  if (node->n_operands == 1) return operand(node, 0);
  if (node->n_operands > 16) parts = ir_alloc(s->copier.to, size);
  if (parts == NULL) return NULL;
  for (int i = 0; i < node->n_operands; i++) {
    Value *part = operand(node, i);
    if (part->type.dims[dim] == 0) continue;
    Value *both = n ? joined(s, node, parts[n - 1], part, dim) : NULL;
    if (both)
      parts[n - 1] = both;
    else
      parts[n++] = part;
  }
  if (n == node->n_operands) return NULL;
  return simplify_make(s, node, OP_concatenate, n, parts,
                       IR_ATTRS(IR_INT(dim, dim)), NULL);
}

/* -- pad, reverse ------------------------------------------------------ */

Value *pad_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  IntList low = ir_ints(node, ATTR_low), high = ir_ints(node, ATTR_high);
  Window w;
  bool nothing = true;
  if (ir_ints(node, ATTR_interior).n > 0) return NULL;
  for (int d = 0; d < x->type.rank; d++) {
    if (low.v[d] > 0 || high.v[d] > 0) return NULL;
    nothing &= low.v[d] == 0 && high.v[d] == 0;
    w.start[d] = -low.v[d];
    w.limit[d] = x->type.dims[d] + high.v[d];
    w.stride[d] = 1;
  }
  return nothing ? x : take_window(s, node, x, &w);
}

static uint64_t reversed(const Node *node) { return reduced_dims(node); }

static Value *reverse(Simplify *s, const Node *node, Value *x, uint64_t set) {
  int64_t dims[IR_MAX_RANK];
  int n = 0;
  for (int d = 0; d < x->type.rank; d++)
    if (set >> d & 1) dims[n++] = d;
  if (n == 0) return x;
  return simplify_make(s, node, OP_reverse, IR_VALUES(x),
                       IR_ATTRS(IR_INTS(dims, dims, n)), NULL);
}

/* The dims along which a value is the same backwards. */
static uint64_t same_backwards(const Value *x) {
  const Node *spread = made_by(x, OP_broadcast);
  uint64_t set = 0;
  for (int d = 0; d < x->type.rank; d++)
    if (x->type.dims[d] == 1 || spread) set |= UINT64_C(1) << d;
  for (int i = 0; spread && i < operand(spread, 0)->type.rank; i++)
    if (operand(spread, 0)->type.dims[i] != 1)
      set &= ~(UINT64_C(1) << ir_ints(spread, ATTR_dims).v[i]);
  return set;
}

Value *reverse_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  uint64_t set = reversed(node), idle = set & same_backwards(x);
  const Node *inner = made_by(x, OP_reverse);
  if (set == 0 || idle) return reverse(s, node, x, set & ~idle);
  if (inner) return reverse(s, node, operand(inner, 0), set ^ reversed(inner));
  return NULL;
}
