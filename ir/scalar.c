/* scalar.c: what an elementwise op does to one element.
 *
 * Owns: one table, a row an op, that constant folding and the reference
 * evaluator both read, so that a folded value has the bits of a computed one.
 * Comes in: canonical Scalars of the operands' dtype.  Goes out: the canonical
 * Scalar of the result.  convert and bitcast change the dtype and live in
 * dtype.c.
 *
 * Floats are computed in f64 (functions.def: also in f32, see there), then
 * rounded to f32 (for f32, f16, bf16), then to the dtype.  For add, sub, mul,
 * div and sqrt that is what one f32 instruction gives: a result of 53 bits
 * rounded to 24 is the exact one rounded to 24, because 53 >= 2 * 24 + 2; the
 * others here are exact.
 */
#include <assert.h>
#include <math.h>

#include "functions.h"

typedef struct Rule {
  uint64_t (*integer)(DType dtype, const Scalar *x); /* bool too; the result
                                                        is wrapped after */
  ScalarFunction *floating;                          /* rounded after */
  Scalar (*any)(Word relation, DType dtype, const Scalar *x); /* neither */
  ScalarFunction *single; /* for f32, f16, bf16, if not as for f64 */
} Rule;

/* -- integers and bool ------------------------------------------------- */

static int width(DType dtype) { return 8 * (int)ir_dtype_bytes(dtype); }

static uint64_t int_neg(DType dtype, const Scalar *x) {
  (void)dtype;
  return 0 - x[0].u;
}

static uint64_t int_abs(DType dtype, const Scalar *x) {
  return ir_is_signed(dtype) && x[0].i < 0 ? 0 - x[0].u : x[0].u;
}

static uint64_t int_sign(DType dtype, const Scalar *x) {
  if (ir_is_signed(dtype) && x[0].i < 0) return UINT64_MAX;
  return x[0].u != 0;
}

static uint64_t int_not(DType dtype, const Scalar *x) {
  (void)dtype;
  return ~x[0].u;
}

static uint64_t int_popcount(DType dtype, const Scalar *x) {
  uint64_t bits = x[0].u << (64 - width(dtype));
  return (uint64_t)__builtin_popcountll(bits);
}

static uint64_t int_add(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u + x[1].u;
}

static uint64_t int_sub(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u - x[1].u;
}

static uint64_t int_mul(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u * x[1].u;
}

/* x / 0 is all ones; MIN / -1 wraps to MIN, which no C division gives. */
static uint64_t int_div(DType dtype, const Scalar *x) {
  if (x[1].u == 0) return UINT64_MAX;
  if (!ir_is_signed(dtype)) return x[0].u / x[1].u;
  return x[1].i == -1 ? 0 - x[0].u : (uint64_t)(x[0].i / x[1].i);
}

static uint64_t int_rem(DType dtype, const Scalar *x) {
  if (x[1].u == 0) return x[0].u;
  if (!ir_is_signed(dtype)) return x[0].u % x[1].u;
  return x[1].i == -1 ? 0 : (uint64_t)(x[0].i % x[1].i);
}

static bool int_less(DType dtype, Scalar a, Scalar b) {
  return ir_is_signed(dtype) ? a.i < b.i : a.u < b.u;
}

static uint64_t int_max(DType dtype, const Scalar *x) {
  return int_less(dtype, x[0], x[1]) ? x[1].u : x[0].u;
}

static uint64_t int_min(DType dtype, const Scalar *x) {
  return int_less(dtype, x[1], x[0]) ? x[1].u : x[0].u;
}

static uint64_t int_clamp(DType dtype, const Scalar *x) {
  Scalar raised = {.u = int_max(dtype, x)};
  return int_min(dtype, (Scalar[]){raised, x[2]});
}

static uint64_t int_and(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u & x[1].u;
}

static uint64_t int_or(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u | x[1].u;
}

static uint64_t int_xor(DType dtype, const Scalar *x) {
  (void)dtype;
  return x[0].u ^ x[1].u;
}

/* A negative amount is a huge unsigned one: one comparison covers both. */
static bool shifts_out(DType dtype, Scalar amount) {
  return amount.u >= (uint64_t)width(dtype);
}

static uint64_t int_shift_left(DType dtype, const Scalar *x) {
  return shifts_out(dtype, x[1]) ? 0 : x[0].u << x[1].u;
}

static uint64_t int_shift_right_logical(DType dtype, const Scalar *x) {
  int unused = 64 - width(dtype);
  uint64_t bits = x[0].u << unused >> unused;
  return shifts_out(dtype, x[1]) ? 0 : bits >> x[1].u;
}

static uint64_t int_shift_right_arithmetic(DType dtype, const Scalar *x) {
  bool negative = x[0].u >> (width(dtype) - 1) & 1;
  uint64_t fill = negative ? UINT64_MAX : 0;
  if (shifts_out(dtype, x[1])) return fill;
  uint64_t bits = int_shift_right_logical(dtype, x);
  return x[1].u == 0 ? bits : bits | fill << ((uint64_t)width(dtype) - x[1].u);
}

/* -- floats ------------------------------------------------------------ */

static double float_neg(const double *x) { return -x[0]; }
static double float_abs(const double *x) { return fabs(x[0]); }
static double float_sqrt(const double *x) { return sqrt(x[0]); }
static double float_floor(const double *x) { return floor(x[0]); }
static double float_ceil(const double *x) { return ceil(x[0]); }
static double float_add(const double *x) { return x[0] + x[1]; }
static double float_sub(const double *x) { return x[0] - x[1]; }
static double float_mul(const double *x) { return x[0] * x[1]; }
static double float_div(const double *x) { return x[0] / x[1]; }
static double float_rem(const double *x) { return fmod(x[0], x[1]); }

static double float_sign(const double *x) {
  if (isnan(x[0]) || x[0] == 0) return x[0];
  return x[0] < 0 ? -1 : 1;
}

/* Half to even without a look at the rounding mode. */
static double float_round(const double *x) {
  double below = floor(x[0]);
  double rest = x[0] - below;
  if (!isfinite(x[0]) || rest == 0) return x[0];
  bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
  return copysign(up ? below + 1 : below, x[0]);
}

static double float_max(const double *x) {
  if (isnan(x[0]) || isnan(x[1])) return x[0] + x[1];
  if (x[0] == x[1]) return signbit(x[0]) ? x[1] : x[0];
  return x[0] > x[1] ? x[0] : x[1];
}

static double float_min(const double *x) {
  if (isnan(x[0]) || isnan(x[1])) return x[0] + x[1];
  if (x[0] == x[1]) return signbit(x[0]) ? x[0] : x[1];
  return x[0] < x[1] ? x[0] : x[1];
}

static double float_clamp(const double *x) {
  return float_min((double[]){float_max(x), x[2]});
}

/* The functions of functions.def: in f64, and in f32. */
#define FUNCTION(op, arity, how)               \
  static double float_##op(const double *x) {  \
    return ir_function(OP_##op, DT_F64, x);    \
  }                                            \
  static double single_##op(const double *x) { \
    return ir_function(OP_##op, DT_F32, x);    \
  }
#include "functions.def"
#undef FUNCTION

static uint64_t int_pow(DType dtype, const Scalar *x) {
  return lockstep_pow_int(x[0].u, x[1].u, ir_is_signed(dtype));
}

/* -- ops whose result is of another kind ------------------------------- */

static Scalar any_is_finite(Word relation, DType dtype, const Scalar *x) {
  (void)relation;
  (void)dtype;
  return (Scalar){.u = isfinite(x[0].f) != 0};
}

static Scalar any_select(Word relation, DType dtype, const Scalar *x) {
  (void)relation;
  (void)dtype;
  return x[0].u ? x[1] : x[2];
}

/* Bits: less 1, equal 2, greater 4; a NaN is none of them, and only ne asks
 * for the lack of one. */
static unsigned order(DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype)) {
    return (a.f < b.f) | (a.f == b.f) << 1 | (a.f > b.f) << 2;
  }
  if (a.u == b.u) return 2;
  return int_less(dtype, a, b) ? 1 : 4;
}

static Scalar any_compare(Word relation, DType dtype, const Scalar *x) {
  static const unsigned wanted[] = {
      [WORD_eq] = 2, [WORD_lt] = 1, [WORD_le] = 3,
      [WORD_gt] = 4, [WORD_ge] = 6, [WORD_ne] = 2};
  bool holds = order(dtype, x[0], x[1]) & wanted[relation];
  return (Scalar){.u = relation == WORD_ne ? !holds : holds};
}

bool ir_scalar_wins(Op op, DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype) && (isnan(a.f) || isnan(b.f))) return !isnan(b.f);
  return order(dtype, a, b) == (op == OP_argmax ? 4u : 1u);
}

/* -- the table --------------------------------------------------------- */

#define BOTH(op) [OP_##op] = {int_##op, float_##op, NULL, NULL}
#define INTEGER(op) [OP_##op] = {int_##op, NULL, NULL, NULL}
#define FLOATING(op) [OP_##op] = {NULL, float_##op, NULL, NULL}
#define ANY(op) [OP_##op] = {NULL, NULL, any_##op, NULL}

static const Rule rules[OP_COUNT] = {
#define FUNCTION(op, arity, how)                                     \
  [OP_##op] = {OP_##op == OP_pow ? int_pow : NULL, float_##op, NULL, \
               single_##op},
#include "functions.def"
#undef FUNCTION
    BOTH(neg),
    BOTH(abs),
    BOTH(sign),
    FLOATING(sqrt),
    FLOATING(floor),
    FLOATING(ceil),
    FLOATING(round),
    ANY(is_finite),
    INTEGER(not),
    INTEGER(popcount),
    BOTH(add),
    BOTH(sub),
    BOTH(mul),
    BOTH(div),
    BOTH(rem),
    BOTH(max),
    BOTH(min),
    INTEGER(and),
    INTEGER(or),
    INTEGER(xor),
    INTEGER(shift_left),
    INTEGER(shift_right_logical),
    INTEGER(shift_right_arithmetic),
    ANY(compare),
    ANY(select),
    BOTH(clamp),
};

bool ir_scalar_has_rule(Op op) {
  const Rule *rule = &rules[op];
  return rule->integer || rule->floating || rule->any;
}

ScalarFunction *ir_scalar_function(Op op, DType dtype) {
  const Rule *rule = &rules[op];
  return dtype != DT_F64 && rule->single ? rule->single : rule->floating;
}

Scalar ir_scalar_apply(Op op, Word relation, DType dtype,
                       const Scalar *operands) {
  const Rule *rule = &rules[op];
  if (rule->any) return rule->any(relation, dtype, operands);
  if (!ir_is_float(dtype)) {
    assert(rule->integer && "inference lets only numeric ops have integers");
    return ir_scalar_wrap(dtype, rule->integer(dtype, operands));
  }
  assert(rule->floating && "inference lets only numeric ops have floats");
  int arity = ir_ops[op].arity;
  double x[3] = {0};
  for (int i = 0; i < arity; i++) x[i] = operands[i].f;
  double value = ir_scalar_function(op, dtype)(x);
  if (dtype != DT_F64) value = ir_round_to(dtype, (float)value);
  return (Scalar){.f = value};
}
