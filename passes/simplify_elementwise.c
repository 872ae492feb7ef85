/* simplify_elementwise.c: rules of elementwise ops.
 *
 * Each is exact for every float, infinities, NaN (as any NaN) and both zeros
 * included, and for integers modulo 2^n.  What is not exact, as x + 0 for
 * x = -0, has no rule. */
#include <math.h>

#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

static DType dtype_of(const Node *node) { return operand(node, 0)->type.dtype; }

static bool floats(const Node *node) { return ir_is_float(dtype_of(node)); }

static Value *unary(Simplify *s, const Node *node, Op op, Value *x) {
  return simplify_make(s, node, op, IR_VALUES(x), 0, NULL, NULL);
}

static Value *binary(Simplify *s, const Node *node, Op op, Value *a, Value *b) {
  return simplify_make(s, node, op, IR_VALUES(a, b), 0, NULL, NULL);
}

static Value *number(Simplify *s, const Node *node, int64_t value) {
  DType dtype = result_type(node).dtype;
  return simplify_splat(s, node, result_type(node),
                        ir_scalar_wrap(dtype, (uint64_t)value));
}

/* The operand of the op that makes the value, if there is one. */
static Value *under(const Value *value, Op op) {
  const Node *node = made_by(value, op);
  return node ? node->operands[0] : NULL;
}

/* -- scalars beside arrays --------------------------------------------- */

/* The scalar that the value repeats: it is a splat, or broadcast from rank 0.
 */
static Value *repeated(Simplify *s, const Node *node, Value *value) {
  Scalar element;
  Type type = {value->type.dtype, 0, NULL, 0};
  if (is_scalar(value)) return NULL;
  if (ir_is_splat(value, &element))
    return simplify_splat(s, node, type, element);
  Value *scalar = under(value, OP_broadcast);
  return scalar && is_scalar(scalar) ? scalar : NULL;
}

/* A repeated scalar goes with any shape as it is, as long as another operand
 * says which; if none does, the op is done once and its result repeated. */
Value *elementwise_scalars(Simplify *s, const Node *node) {
  Value *operands[3];
  int found = 0, full = 0;
  Scalar element;
  for (int i = 0; i < node->n_operands; i++) {
    const Value *x = operand(node, i);
    const Value *inner = under(x, OP_broadcast);
    bool repeats = ir_is_splat(x, &element) || (inner && is_scalar(inner));
    found += repeats && !is_scalar(x);
    full += !repeats && !is_scalar(x);
  }
  if (found == 0) return NULL;
  for (int i = 0; i < node->n_operands; i++) {
    Value *scalar = repeated(s, node, operand(node, i));
    operands[i] = scalar ? scalar : operand(node, i);
  }
  Type type = result_type(node);
  if (full == 0) type.rank = 0;
  Value *value = simplify_make(s, node, node->op, node->n_operands, operands,
                               node->n_attrs, node->attrs, &type);
  return simplify_spread(s, node, value);
}

/* -- one operand ------------------------------------------------------- */

/* f(f(x)) = f(x). */
Value *unary_twice(Simplify *s, const Node *node) {
  (void)s;
  return made_by(operand(node, 0), node->op) ? operand(node, 0) : NULL;
}

/* Neither changes what one of them has rounded. */
Value *rounding_rules(Simplify *s, const Node *node) {
  (void)s;
  Value *x = operand(node, 0);
  bool whole =
      made_by(x, OP_floor) || made_by(x, OP_ceil) || made_by(x, OP_round);
  return whole ? x : NULL;
}

Value *neg_rules(Simplify *s, const Node *node) {
  const Node *difference = made_by(operand(node, 0), OP_sub);
  Value *twice = under(operand(node, 0), OP_neg);
  if (twice) return twice;
  if (difference && !floats(node))
    return binary(s, node, OP_sub, operand(difference, 1),
                  operand(difference, 0));
  return NULL;
}

Value *abs_rules(Simplify *s, const Node *node) {
  bool is_signed = floats(node) || ir_is_signed(dtype_of(node));
  if (!is_signed) return operand(node, 0);
  Value *x = under(operand(node, 0), OP_neg);
  return x ? unary(s, node, OP_abs, x) : NULL;
}

static Word opposite(Word relation) {
  static const Word words[WORD_COUNT] = {
      [WORD_eq] = WORD_ne, [WORD_ne] = WORD_eq, [WORD_lt] = WORD_ge,
      [WORD_ge] = WORD_lt, [WORD_gt] = WORD_le, [WORD_le] = WORD_gt};
  return words[relation];
}

/* not(a < b) is a >= b only where no NaN may be. */
Value *not_rules(Simplify *s, const Node *node) {
  const Node *compare = made_by(operand(node, 0), OP_compare);
  Value *twice = under(operand(node, 0), OP_not);
  if (twice) return twice;
  if (compare == NULL) return NULL;
  Word relation = (Word)ir_int(compare, ATTR_relation);
  if (floats(compare) && relation != WORD_eq && relation != WORD_ne)
    return NULL;
  return simplify_make(s, node, OP_compare, compare->n_operands,
                       compare->operands,
                       IR_ATTRS(IR_INT(relation, opposite(relation))), NULL);
}

/* -- arithmetic -------------------------------------------------------- */

/* c op (d op x) = (c op d) op x for integers. */
static Value *integer_constants(Simplify *s, const Node *node) {
  Scalar element;
  if (floats(node)) return NULL;
  for (int i = 0; i < 2; i++) {
    const Node *inner = made_by(operand(node, i), node->op);
    Value *outer = operand(node, 1 - i);
    if (inner == NULL || !ir_is_splat(outer, &element)) continue;
    for (int k = 0; k < 2; k++)
      if (ir_is_splat(operand(inner, k), &element))
        return simplify_spread(
            s, node,
            binary(s, node, node->op,
                   binary(s, node, node->op, outer, operand(inner, k)),
                   operand(inner, 1 - k)));
  }
  return NULL;
}

/* x + -0 = x: +0 would make -0 of x = -0 into +0. */
Value *add_rules(Simplify *s, const Node *node) {
  Value *a = operand(node, 0), *b = operand(node, 1);
  double zero = floats(node) ? -0.0 : 0;
  if (is_splat_of(b, zero)) return simplify_spread(s, node, a);
  if (is_splat_of(a, zero)) return simplify_spread(s, node, b);
  Value *minus_b = under(b, OP_neg), *minus_a = under(a, OP_neg);
  if (minus_b) return binary(s, node, OP_sub, a, minus_b);
  if (minus_a) return binary(s, node, OP_sub, b, minus_a);
  return integer_constants(s, node);
}

Value *sub_rules(Simplify *s, const Node *node) {
  Value *a = operand(node, 0), *b = operand(node, 1);
  Value *minus_b = under(b, OP_neg);
  if (is_splat_of(b, 0)) return simplify_spread(s, node, a);
  if (a == b && !floats(node)) return number(s, node, 0);
  if (is_splat_of(a, floats(node) ? -0.0 : 0))
    return simplify_spread(s, node, unary(s, node, OP_neg, b));
  return minus_b ? binary(s, node, OP_add, a, minus_b) : NULL;
}

/* Products of constants of a modest size neither overflow nor vanish. */
static bool modest(double x) { return fabs(x) < 0x1p40 && fabs(x) > 0x1p-40; }

/* c * (d * x) = (c * d) * x, in fast. */
static Value *float_constants(Simplify *s, const Node *node) {
  Factor outer, inner;
  Scalar c, d;
  if (!floats(node) || !factor_of(s, node->results[0], &outer) ||
      !ir_is_splat(outer.scalar, &c) || !modest(c.f) ||
      !factor_of(s, outer.rest, &inner) || inner.op != OP_mul ||
      !ir_is_splat(inner.scalar, &d) || !modest(d.f))
    return NULL;
  return binary(s, node, OP_mul,
                binary(s, node, OP_mul, outer.scalar, inner.scalar),
                inner.rest);
}

Value *mul_rules(Simplify *s, const Node *node) {
  for (int i = 0; i < 2; i++) {
    Value *x = operand(node, i), *c = operand(node, 1 - i);
    if (is_splat_of(c, 1)) return simplify_spread(s, node, x);
    if (!floats(node) && is_splat_of(c, 0)) return number(s, node, 0);
    if (is_splat_of(c, -1))
      return simplify_spread(s, node, unary(s, node, OP_neg, x));
  }
  Value *minus_a = under(operand(node, 0), OP_neg);
  Value *minus_b = under(operand(node, 1), OP_neg);
  if (minus_a && minus_b) return binary(s, node, OP_mul, minus_a, minus_b);
  Value *value = integer_constants(s, node);
  return value ? value : float_constants(s, node);
}

/* 1/c is exact for a power of two, and then x / c = x * (1/c). */
static bool exact_inverse(DType dtype, double c) {
  int exponent;
  double fraction = fabs(frexp(c, &exponent));
  int most = dtype == DT_F16 ? 14 : dtype == DT_F64 ? 1022 : 126;
  return fraction == 0.5 && exponent - 1 <= most && exponent - 1 >= -most;
}

Value *div_rules(Simplify *s, const Node *node) {
  Value *a = operand(node, 0), *b = operand(node, 1);
  Scalar c;
  if (is_splat_of(b, 1)) return simplify_spread(s, node, a);
  if (!floats(node) || !ir_is_splat(b, &c) || !isfinite(c.f) ||
      !exact_inverse(dtype_of(node), c.f))
    return NULL;
  Scalar inverse = {.f = 1 / c.f};
  return binary(s, node, OP_mul, a, simplify_splat(s, node, b->type, inverse));
}

Value *rem_rules(Simplify *s, const Node *node) {
  if (floats(node) || !is_splat_of(operand(node, 1), 1)) return NULL;
  return number(s, node, 0);
}

/* -- order ------------------------------------------------------------- */

static bool is_splat_scalar(const Value *value, Scalar wanted) {
  Scalar element;
  return ir_is_splat(value, &element) &&
         (ir_is_float(value->type.dtype) ? element.f == wanted.f
                                         : element.u == wanted.u);
}

/* max and min: of equals, with the identity, with what one has chosen. */
Value *extreme_rules(Simplify *s, const Node *node) {
  DType dtype = dtype_of(node);
  Scalar identity =
      node->op == OP_max ? ir_scalar_least(dtype) : ir_scalar_greatest(dtype);
  Scalar last =
      node->op == OP_max ? ir_scalar_greatest(dtype) : ir_scalar_least(dtype);
  if (operand(node, 0) == operand(node, 1)) return operand(node, 0);
  for (int i = 0; i < 2; i++) {
    Value *x = operand(node, i), *c = operand(node, 1 - i);
    const Node *inner = made_by(x, node->op);
    if (is_splat_scalar(c, identity)) return simplify_spread(s, node, x);
    if (!floats(node) && is_splat_scalar(c, last))
      return simplify_spread(s, node, c);
    if (inner && (operand(inner, 0) == c || operand(inner, 1) == c))
      return simplify_spread(s, node, x);
  }
  return NULL;
}

/* Where no NaN may be, x relates to x as one number to itself. */
Value *compare_rules(Simplify *s, const Node *node) {
  Word relation = (Word)ir_int(node, ATTR_relation);
  if (operand(node, 0) != operand(node, 1) || floats(node)) return NULL;
  return number(
      s, node,
      relation == WORD_eq || relation == WORD_le || relation == WORD_ge);
}

Value *clamp_rules(Simplify *s, const Node *node) {
  DType dtype = operand(node, 1)->type.dtype;
  bool low = is_splat_scalar(operand(node, 0), ir_scalar_least(dtype));
  bool high = is_splat_scalar(operand(node, 2), ir_scalar_greatest(dtype));
  if (low && high) return simplify_spread(s, node, operand(node, 1));
  return NULL;
}

Value *select_rules(Simplify *s, const Node *node) {
  Value *p = operand(node, 0), *a = operand(node, 1), *b = operand(node, 2);
  Value *inverse = under(p, OP_not);
  Scalar predicate;
  if (a == b) return simplify_spread(s, node, a);
  if (ir_is_splat(p, &predicate))
    return simplify_spread(s, node, predicate.u ? a : b);
  if (inverse)
    return simplify_make(s, node, OP_select, IR_VALUES(inverse, b, a), 0, NULL,
                         NULL);
  if (a->type.dtype == DT_BOOL && is_splat_of(a, 1) && is_splat_of(b, 0))
    return simplify_spread(s, node, p);
  return NULL;
}

/* -- bits -------------------------------------------------------------- */

static bool all_ones(const Value *value) {
  return is_splat_scalar(value, ir_scalar_wrap(value->type.dtype, UINT64_MAX));
}

Value *and_rules(Simplify *s, const Node *node) {
  if (operand(node, 0) == operand(node, 1)) return operand(node, 0);
  for (int i = 0; i < 2; i++) {
    Value *x = operand(node, i), *c = operand(node, 1 - i);
    if (is_splat_of(c, 0)) return number(s, node, 0);
    if (all_ones(c)) return simplify_spread(s, node, x);
  }
  return integer_constants(s, node);
}

Value *or_rules(Simplify *s, const Node *node) {
  if (operand(node, 0) == operand(node, 1)) return operand(node, 0);
  for (int i = 0; i < 2; i++) {
    Value *x = operand(node, i), *c = operand(node, 1 - i);
    if (is_splat_of(c, 0)) return simplify_spread(s, node, x);
    if (all_ones(c)) return simplify_spread(s, node, c);
  }
  return integer_constants(s, node);
}

Value *xor_rules(Simplify *s, const Node *node) {
  if (operand(node, 0) == operand(node, 1)) return number(s, node, 0);
  for (int i = 0; i < 2; i++) {
    Value *x = operand(node, i), *c = operand(node, 1 - i);
    if (is_splat_of(c, 0)) return simplify_spread(s, node, x);
    if (all_ones(c)) return simplify_spread(s, node, unary(s, node, OP_not, x));
  }
  return integer_constants(s, node);
}

Value *shift_rules(Simplify *s, const Node *node) {
  bool zero = is_splat_of(operand(node, 0), 0);
  if (zero || is_splat_of(operand(node, 1), 0))
    return simplify_spread(s, node, operand(node, 0));
  return NULL;
}

/* -- dtypes ------------------------------------------------------------ */

/* Does `to` hold every value of `from`? */
static bool holds(DType to, DType from) {
  static const int float_bits[DT_COUNT] = {
      [DT_F16] = 11, [DT_BF16] = 8, [DT_F32] = 24, [DT_F64] = 53};
  if (to == from || from == DT_BOOL) return true;
  if (to == DT_BOOL) return false;
  if (ir_is_float(from))
    return to == DT_F64 || (to == DT_F32 && from != DT_F64);
  int bits = 8 * (int)ir_dtype_bytes(from) - ir_is_signed(from);
  /* The range of f16 ends before 2^16. */
  if (ir_is_float(to)) return bits <= float_bits[to];
  int room = 8 * (int)ir_dtype_bytes(to) - ir_is_signed(to);
  return bits <= room && (!ir_is_signed(from) || ir_is_signed(to));
}

/* Is to(middle(x)) = to(x)? */
static bool skips(DType from, DType middle, DType to) {
  bool all_ints = ir_is_int(from) && ir_is_int(middle) && ir_is_int(to);
  if (all_ints && ir_dtype_bytes(to) <= ir_dtype_bytes(middle)) return true;
  if (!holds(middle, from)) return false;
  /* A float saturates where an integer wraps. */
  bool through_float = ir_is_int(from) && ir_is_float(middle);
  return !through_float || !ir_is_int(to) || holds(to, from);
}

Value *convert_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0), *inner = under(x, OP_convert);
  DType to = result_type(node).dtype;
  if (x->type.dtype == to) return x;
  if (inner && skips(inner->type.dtype, x->type.dtype, to))
    return simplify_convert(s, node, inner, to);
  return NULL;
}

Value *bitcast_rules(Simplify *s, const Node *node) {
  Value *x = operand(node, 0), *inner = under(x, OP_bitcast);
  Type type = result_type(node);
  if (x->type.dtype == type.dtype) return x;
  if (inner)
    return simplify_make(s, node, OP_bitcast, IR_VALUES(inner), 0, NULL, &type);
  return NULL;
}
