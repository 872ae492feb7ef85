/* fold.c: constants of constants.
 *
 * A splat stays one value whatever its size; a literal is made only up to
 * LARGEST_FOLD elements.  Elements are computed by the rules that the
 * evaluator uses too (ir/scalar.c), so a fold has the bits of a computed
 * value. */
#include <string.h>

#include "simplify.h"

/* A literal under construction; every dtype fits in 8 bytes. */
typedef struct Literal {
  Type type;
  size_t width;
  int64_t count;
  char bytes[LARGEST_FOLD * 8];
} Literal;

static bool begin(Literal *literal, Type type) {
  literal->type = type;
  literal->width = ir_dtype_bytes(type.dtype);
  literal->count = ir_type_elements(type);
  return literal->count <= LARGEST_FOLD;
}

static void set(Literal *literal, int64_t at, Scalar value) {
  ir_scalar_store(literal->type.dtype,
                  literal->bytes + (size_t)at * literal->width, value);
}

static Scalar get(const Literal *literal, int64_t at) {
  return ir_scalar_load(literal->type.dtype,
                        literal->bytes + (size_t)at * literal->width);
}

static Value *end(Simplify *s, const Node *like, const Literal *literal) {
  return simplify_constant(s, like, literal->type, literal->bytes, false);
}

static bool all_constant(const Node *node, bool *splats) {
  *splats = true;
  for (int i = 0; i < node->n_operands; i++) {
    const Node *constant = made_by(node->operands[i], OP_constant);
    if (constant == NULL) return false;
    *splats &= constant->splat;
  }
  return node->n_operands > 0;
}

static bool same_splat(const Value *a, const Value *b) {
  const Node *x = made_by(a, OP_constant), *y = made_by(b, OP_constant);
  return x && y && x->splat && y->splat &&
         memcmp(x->literal, y->literal, ir_dtype_bytes(a->type.dtype)) == 0;
}

/* The operand's one element, in the result's shape. */
static Value *same_element(Simplify *s, const Node *node, const Value *from) {
  return simplify_constant(s, node, result_type(node), from->node->literal,
                           true);
}

/* -- constants, and what has no elements ------------------------------- */

/* A literal whose elements are all the same is a splat. */
Value *fold_constant(Simplify *s, const Node *node) {
  if (node->op != OP_constant || node->splat) return NULL;
  Type type = result_type(node);
  size_t width = ir_dtype_bytes(type.dtype);
  int64_t count = ir_type_elements(type);
  const char *first = node->literal;
  if (count == 0) return simplify_splat(s, node, type, (Scalar){0});
  for (int64_t i = 1; i < count; i++)
    if (memcmp(first, first + (size_t)i * width, width) != 0) return NULL;
  return simplify_constant(s, node, type, first, true);
}

Value *fold_empty(Simplify *s, const Node *node) {
  if (!type_is_empty(result_type(node))) return NULL;
  return simplify_splat(s, node, result_type(node), (Scalar){0});
}

Value *fold_iota(Simplify *s, const Node *node) {
  Type type = result_type(node);
  if (type.dims[ir_int(node, ATTR_dim)] != 1) return NULL;
  return simplify_splat(s, node, type, (Scalar){0});
}

/* -- elementwise ------------------------------------------------------- */

static Scalar element_of(const Node *node, int64_t at) {
  Scalar x[3];
  DType from = node->operands[node->n_operands - 1]->type.dtype;
  DType to = result_type(node).dtype;
  for (int k = 0; k < node->n_operands; k++) {
    const Value *operand = node->operands[k];
    x[k] = ir_literal_at(operand->node, is_scalar(operand) ? 0 : at);
  }
  if (node->op == OP_convert) return ir_scalar_convert(to, from, x[0]);
  if (node->op == OP_bitcast) return ir_scalar_bitcast(to, from, x[0]);
  return ir_scalar_apply(node->op, (Word)ir_int(node, ATTR_relation), from, x);
}

Value *fold_elementwise(Simplify *s, const Node *node) {
  bool splats, known = node->op == OP_convert || node->op == OP_bitcast ||
                       ir_scalar_has_rule(node->op);
  Literal literal;
  Type type = result_type(node);
  if (!known || !all_constant(node, &splats)) return NULL;
  if (splats) return simplify_splat(s, node, type, element_of(node, 0));
  if (!begin(&literal, type)) return NULL;
  for (int64_t i = 0; i < literal.count; i++)
    set(&literal, i, element_of(node, i));
  return end(s, node, &literal);
}

/* -- views ------------------------------------------------------------- */

/* Where the elements of a view lie in its operand: at offset + the sum of
 * index[d] * step[d]. */
typedef struct Walk {
  int64_t offset, step[IR_MAX_RANK];
} Walk;

static void row_major(Type type, int64_t *step) {
  int64_t next = 1;
  for (int d = type.rank - 1; d >= 0; d--) {
    step[d] = next;
    next *= type.dims[d];
  }
}

static bool walk_of(const Node *node, Walk *walk) {
  Type from = node->operands[0]->type;
  int64_t step[IR_MAX_RANK];
  IntList dims = ir_ints(node, ATTR_dims), perm = ir_ints(node, ATTR_perm);
  IntList start = ir_ints(node, ATTR_start), by = ir_ints(node, ATTR_stride);
  memset(walk, 0, sizeof *walk);
  row_major(node->op == OP_reshape ? result_type(node) : from, step);
  for (int d = 0; node->op == OP_broadcast && d < from.rank; d++)
    walk->step[dims.v[d]] = from.dims[d] == 1 ? 0 : step[d];
  for (int d = 0; node->op == OP_transpose && d < from.rank; d++)
    walk->step[d] = step[perm.v[d]];
  for (int d = 0; node->op == OP_slice && d < from.rank; d++) {
    walk->offset += start.v[d] * step[d];
    walk->step[d] = step[d] * (by.n ? by.v[d] : 1);
  }
  if (node->op == OP_reshape || node->op == OP_reverse)
    memcpy(walk->step, step, sizeof step);
  for (int i = 0; node->op == OP_reverse && i < dims.n; i++) {
    int64_t d = dims.v[i];
    walk->offset += (from.dims[d] - 1) * step[d];
    walk->step[d] = -step[d];
  }
  return node->op == OP_broadcast || node->op == OP_transpose ||
         node->op == OP_slice || node->op == OP_reshape ||
         node->op == OP_reverse;
}

/* The next index in row-major order; at moves along. */
static void next_index(Type type, int64_t *index, const int64_t *step,
                       int64_t *at) {
  for (int d = type.rank - 1; d >= 0; d--) {
    *at += step[d];
    if (++index[d] < type.dims[d]) return;
    *at -= index[d] * step[d];
    index[d] = 0;
  }
}

Value *fold_view(Simplify *s, const Node *node) {
  const Node *from = made_by(node->operands[0], OP_constant);
  Type type = result_type(node);
  Literal literal;
  Walk walk;
  int64_t index[IR_MAX_RANK] = {0};
  if (from == NULL || !walk_of(node, &walk)) return NULL;
  if (from->splat) return same_element(s, node, node->operands[0]);
  if (!begin(&literal, type)) return NULL;
  int64_t at = walk.offset;
  for (int64_t i = 0; i < literal.count; i++) {
    memcpy(literal.bytes + (size_t)i * literal.width,
           (const char *)from->literal + (size_t)at * literal.width,
           literal.width);
    next_index(type, index, walk.step, &at);
  }
  return end(s, node, &literal);
}

Value *fold_concatenate(Simplify *s, const Node *node) {
  Type type = result_type(node);
  bool splats, same = true;
  Literal literal;
  if (!all_constant(node, &splats)) return NULL;
  for (int i = 1; i < node->n_operands; i++)
    same &= same_splat(node->operands[0], node->operands[i]);
  if (splats && same) return same_element(s, node, node->operands[0]);
  if (!begin(&literal, type)) return NULL;
  int64_t dim = ir_int(node, ATTR_dim), inner = 1, to = 0, outer = 1;
  for (int d = 0; d < type.rank; d++) {
    if (d < dim) outer *= type.dims[d];
    if (d > dim) inner *= type.dims[d];
  }
  for (int64_t o = 0; o < outer; o++)
    for (int k = 0; k < node->n_operands; k++) {
      int64_t count = node->operands[k]->type.dims[dim] * inner;
      for (int64_t i = 0; i < count; i++)
        set(&literal, to++,
            ir_literal_at(node->operands[k]->node, o * count + i));
    }
  return end(s, node, &literal);
}

/* Where element `at` of pad's operand goes in the result; -1: nowhere. */
static int64_t padded_at(const Node *node, int64_t at) {
  Type from = node->operands[0]->type, to = result_type(node);
  IntList low = ir_ints(node, ATTR_low), in = ir_ints(node, ATTR_interior);
  int64_t position = 0, step = 1;
  for (int d = from.rank - 1; d >= 0; d--) {
    int64_t i = at % from.dims[d] * (1 + (in.n ? in.v[d] : 0)) + low.v[d];
    if (i < 0 || i >= to.dims[d]) return -1;
    position += i * step;
    step *= to.dims[d];
    at /= from.dims[d];
  }
  return position;
}

Value *fold_pad(Simplify *s, const Node *node) {
  const Value *x = node->operands[0], *padding = node->operands[1];
  bool splats;
  Literal literal;
  if (!all_constant(node, &splats)) return NULL;
  if (same_splat(x, padding)) return same_element(s, node, x);
  int64_t count = ir_type_elements(x->type);
  if (count > LARGEST_FOLD || !begin(&literal, result_type(node))) return NULL;
  for (int64_t i = 0; i < literal.count; i++)
    set(&literal, i, ir_literal_at(padding->node, 0));
  for (int64_t i = 0; i < count; i++) {
    int64_t to = padded_at(node, i);
    if (to >= 0) set(&literal, to, ir_literal_at(x->node, i));
  }
  return end(s, node, &literal);
}

/* Whatever is taken from a splat is that splat. */
Value *fold_splat_gather(Simplify *s, const Node *node) {
  const Value *x = node->operands[0];
  bool update = node->op == OP_dynamic_update_slice;
  Scalar element;
  if (!ir_is_splat(x, &element)) return NULL;
  if (update && !same_splat(x, node->operands[1])) return NULL;
  return same_element(s, node, x);
}

/* -- reductions -------------------------------------------------------- */

/* The op that joins two values where the order does not matter, else none. */
static bool joining(const Node *node, Op *join) {
  static const uint16_t joins[OP_COUNT] = {
      [OP_reduce_sum] = OP_add, [OP_reduce_prod] = OP_mul,
      [OP_reduce_max] = OP_max, [OP_reduce_min] = OP_min,
      [OP_reduce_and] = OP_and, [OP_reduce_or] = OP_or};
  *join = (Op)joins[node->op];
  bool ordered = *join == OP_add || *join == OP_mul;
  return !(ordered && ir_is_float(result_type(node).dtype));
}

static int64_t terms_of(const Node *node) {
  IntList dims = ir_ints(node, ATTR_dims);
  int64_t terms = 1;
  for (int i = 0; i < dims.n; i++)
    terms *= node->operands[0]->type.dims[dims.v[i]];
  return terms;
}

static Value *reduce_splat(Simplify *s, const Node *node, Op join) {
  DType to = result_type(node).dtype;
  DType from = node->operands[0]->type.dtype;
  int64_t terms = terms_of(node);
  if (join == OP_mul) return NULL;
  if (join != OP_add) return same_element(s, node, node->operands[0]);
  Scalar x =
      ir_scalar_convert(to, from, ir_literal_at(node->operands[0]->node, 0));
  return simplify_splat(s, node, result_type(node),
                        ir_scalar_wrap(to, x.u * (uint64_t)terms));
}

/* A reduction over nothing gives the identity, a sum +0. */
static Value *reduce_nothing(Simplify *s, const Node *node, Op join) {
  DType to = result_type(node).dtype;
  Scalar identity = {.u = 0};
  if (join == OP_max) identity = ir_scalar_least(to);
  if (join == OP_min) identity = ir_scalar_greatest(to);
  if (join == OP_and) identity = ir_scalar_wrap(to, UINT64_MAX);
  if (join == OP_mul && ir_is_float(to)) identity.f = 1;
  if (join == OP_mul && !ir_is_float(to)) identity.u = 1;
  return simplify_splat(s, node, result_type(node), identity);
}

Value *fold_reduce(Simplify *s, const Node *node) {
  const Node *from = made_by(node->operands[0], OP_constant);
  Type type = node->operands[0]->type;
  Literal literal;
  Op join;
  bool reorders = joining(node, &join);
  if (terms_of(node) == 0) return reduce_nothing(s, node, join);
  if (from == NULL || !reorders) return NULL;
  if (from->splat) return reduce_splat(s, node, join);
  int64_t count = ir_type_elements(type), index[IR_MAX_RANK] = {0}, at = 0;
  if (count > LARGEST_FOLD || !begin(&literal, result_type(node))) return NULL;
  int64_t step[IR_MAX_RANK] = {0}, kept[IR_MAX_RANK];
  bool seen[LARGEST_FOLD] = {false};
  row_major(result_type(node), kept);
  for (int d = 0, n = 0; d < type.rank; d++)
    if (!(reduced_dims(node) >> d & 1)) step[d] = kept[n++];
  for (int64_t i = 0; i < count; i++) {
    DType to = literal.type.dtype;
    Scalar x = ir_scalar_convert(to, type.dtype, ir_literal_at(from, i));
    if (seen[at])
      x = ir_scalar_apply(join, WORD_NONE, to,
                          (Scalar[]){get(&literal, at), x});
    seen[at] = true;
    set(&literal, at, x);
    next_index(type, index, step, &at);
  }
  return end(s, node, &literal);
}

/* -- argmax, argmin ---------------------------------------------------- */

/* Of size equal elements, or of one: the first. */
Value *fold_arg(Simplify *s, const Node *node) {
  const Node *from = made_by(node->operands[0], OP_constant);
  Type type = node->operands[0]->type;
  int64_t dim = ir_int(node, ATTR_dim), size = type.dims[dim], inner = 1;
  Literal literal;
  if (size == 1 || (from && from->splat))
    return simplify_splat(s, node, result_type(node), (Scalar){0});
  if (from == NULL || ir_type_elements(type) > LARGEST_FOLD ||
      !begin(&literal, result_type(node)))
    return NULL;
  for (int64_t d = dim + 1; d < type.rank; d++) inner *= type.dims[d];
  for (int64_t at = 0; at < literal.count; at++) {
    int64_t first = at / inner * inner * size + at % inner, found = 0;
    for (int64_t i = 1; i < size; i++)
      if (ir_scalar_wins(node->op, type.dtype,
                         ir_literal_at(from, first + i * inner),
                         ir_literal_at(from, first + found * inner)))
        found = i;
    set(&literal, at, (Scalar){.i = found});
  }
  return end(s, node, &literal);
}
