/* simplify_make.c: the makers and the questions that rules share. */
#include <math.h>
#include <string.h>

#include "simplify.h"

/* -- makers ------------------------------------------------------------ */

Value *simplify_constant(Simplify *s, const Node *like, Type type,
                         const void *literal, bool splat) {
  return simplify_node(s, like->block,
                       &(NodeSpec){.op = OP_constant,
                                   .type = &type,
                                   .literal = literal,
                                   .splat = splat,
                                   .place = like->place});
}

Value *simplify_splat(Simplify *s, const Node *like, Type type, Scalar value) {
  uint64_t element = 0;
  ir_scalar_store(type.dtype, &element, value);
  return simplify_constant(s, like, type, &element, true);
}

Value *simplify_convert(Simplify *s, const Node *like, Value *x, DType dtype) {
  if (x == NULL || x->type.dtype == dtype) return x;
  Type type = x->type;
  type.dtype = dtype;
  return simplify_make(s, like, OP_convert, IR_VALUES(x), 0, NULL, &type);
}

Value *simplify_reshape(Simplify *s, const Node *like, Value *x, int rank,
                        const int64_t *dims) {
  if (x == NULL) return NULL;
  Type type = {x->type.dtype, rank, dims, 0};
  if (ir_shape_equal(type, x->type)) return x;
  return simplify_make(s, like, OP_reshape, IR_VALUES(x), 0, NULL, &type);
}

Value *simplify_transpose(Simplify *s, const Node *like, Value *x,
                          const int64_t *perm) {
  bool identity = true;
  for (int d = 0; x && d < x->type.rank; d++) identity &= perm[d] == d;
  if (x == NULL || identity) return x;
  return simplify_make(s, like, OP_transpose, IR_VALUES(x),
                       IR_ATTRS(IR_INTS(perm, perm, x->type.rank)), NULL);
}

Value *simplify_broadcast(Simplify *s, const Node *like, Value *x,
                          const int64_t *dims, Type type) {
  if (x == NULL || ir_shape_equal(x->type, type)) return x;
  return simplify_make(s, like, OP_broadcast, IR_VALUES(x),
                       IR_ATTRS(IR_INTS(dims, dims, x->type.rank)), &type);
}

Value *simplify_slice(Simplify *s, const Node *like, Value *x,
                      const int64_t *start, const int64_t *limit,
                      const int64_t *stride) {
  int rank = x->type.rank;
  return simplify_make(
      s, like, OP_slice, IR_VALUES(x),
      IR_ATTRS(IR_INTS(start, start, rank), IR_INTS(limit, limit, rank),
               IR_INTS(stride, stride, rank)),
      NULL);
}

Value *simplify_reduce(Simplify *s, const Node *like, Op op, Value *x,
                       uint64_t dims) {
  int64_t list[IR_MAX_RANK];
  int n = 0;
  if (x == NULL) return NULL;
  for (int d = 0; d < x->type.rank; d++)
    if (dims >> d & 1) list[n++] = d;
  return simplify_make(s, like, op, IR_VALUES(x),
                       IR_ATTRS(IR_INTS(dims, list, n)), NULL);
}

Value *simplify_spread(Simplify *s, const Node *node, Value *x) {
  Type type = result_type(node);
  if (x == NULL || x->type.rank == type.rank) return x;
  type.dtype = x->type.dtype;
  return simplify_broadcast(s, node, x, NULL, type);
}

/* -- questions --------------------------------------------------------- */

bool is_splat_of(const Value *value, double number) {
  Scalar element;
  DType dtype = value->type.dtype;
  if (!ir_is_splat(value, &element)) return false;
  if (ir_is_float(dtype))
    return element.f == number && !signbit(element.f) == !signbit(number);
  return element.u == ir_scalar_wrap(dtype, (uint64_t)(int64_t)number).u;
}

bool may_reorder(const Simplify *s, DType dtype) {
  return s->fast || !ir_is_float(dtype);
}

bool may_distribute(const Simplify *s, DType dtype) {
  if (dtype == DT_F32 || dtype == DT_F64) return s->fast;
  return ir_is_int(dtype);
}

bool used_once(const Simplify *s, const Value *value) {
  return value->id >= s->new_room || s->new_uses[value->id] <= 1;
}

uint64_t reduced_dims(const Node *reduction) {
  IntList dims = ir_ints(reduction, ATTR_dims);
  uint64_t set = 0;
  for (int i = 0; i < dims.n; i++) set |= UINT64_C(1) << dims.v[i];
  return set;
}

bool type_is_empty(Type type) {
  for (int d = 0; d < type.rank; d++)
    if (type.dims[d] == 0) return true;
  return false;
}

/* Factors come out one by one, by rules within rules: a long chain of them
 * stays where it is. */
enum { MOST_FACTORS = 2 };

/* -- factors ----------------------------------------------------------- */

static bool one_factor(const Simplify *s, const Value *value, Factor *factor) {
  const Node *node = value->node;
  DType dtype = value->type.dtype;
  if (node == NULL || !may_distribute(s, dtype)) return false;
  bool divides = node->op == OP_div && ir_is_float(dtype);
  if (node->op == OP_neg) {
    *factor = (Factor){OP_neg, NULL, node->operands[0]};
  } else if ((node->op == OP_mul || divides) && is_scalar(node->operands[1])) {
    *factor = (Factor){node->op, node->operands[1], node->operands[0]};
  } else if (node->op == OP_mul && is_scalar(node->operands[0])) {
    *factor = (Factor){OP_mul, node->operands[0], node->operands[1]};
  } else {
    return false;
  }
  return factor->rest->type.rank == value->type.rank;
}

bool factor_of(const Simplify *s, const Value *value, Factor *factor) {
  Factor next;
  int n = 0;
  if (!one_factor(s, value, factor)) return false;
  next = *factor;
  while (n < MOST_FACTORS && one_factor(s, next.rest, &next)) n++;
  return n < MOST_FACTORS;
}

Value *factor_apply(Simplify *s, const Node *like, const Factor *factor,
                    Value *x) {
  if (x == NULL) return NULL;
  if (factor->op == OP_neg)
    return simplify_make(s, like, OP_neg, IR_VALUES(x), 0, NULL, NULL);
  if (factor->op == OP_div)
    return simplify_make(s, like, OP_div, IR_VALUES(x, factor->scalar), 0, NULL,
                         NULL);
  return simplify_make(s, like, OP_mul, IR_VALUES(factor->scalar, x), 0, NULL,
                       NULL);
}
