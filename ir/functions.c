/* functions.c: elementary functions of f64.
 *
 * Owns: one routine for each op of functions.def, in f64: the C library's,
 * which are within 2 ulp, or our own where it is less exact; and what composed
 * functions are made of.  Which routine a value comes from: ir_function. */
#include "functions.h"

#include <math.h>

/* glibc's cbrt may be 4 ulp off: one Newton step in long double. */
static double cube_root(double x) {
  double near = cbrt(x);
  if (!isfinite(near) || near == 0) return near;
  long double y = near;
  return (double)(y - (y * y * y - x) / (3 * y * y));
}

#define NAMES_1 double a
#define NAMES_2 double a, double b
#define VALUES_1 a
#define VALUES_2 a, b
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how)         \
  double lockstep_##op(NAMES_##arity) {  \
    const double x[] = {VALUES_##arity}; \
    return how;                          \
  }
#include "functions.def"
#undef FUNCTION

uint64_t lockstep_pow_int(uint64_t base, uint64_t exponent, int is_signed) {
  if (is_signed && (int64_t)exponent < 0) {
    if (base == 1) return 1;
    if (base == UINT64_MAX) return exponent & 1 ? UINT64_MAX : 1;
    return 0;
  }
  uint64_t power = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) power *= base;
  return power;
}

/* -- the value of an op, whatever its routine -------------------------- */

static double to(DType dtype, double value) {
  return dtype == DT_F64 ? value : (float)value;
}

static double reciprocal_root(DType dtype, double x) {
  return to(dtype, 1 / to(dtype, sqrt(x)));
}

/* Through exp(-|x|), which cannot overflow. */
static double logistic(DType dtype, double x) {
  double minus = -fabs(x);
  double small = ir_function(OP_exp, dtype, &minus);
  return to(dtype, (x >= 0 ? 1 : small) / to(dtype, 1 + small));
}

#define CALL_1(op) lockstep_##op(x[0])
#define CALL_2(op) lockstep_##op(x[0], x[1])
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how) \
  static double plain_##op(const double *x) { return CALL_##arity(op); }
#include "functions.def"
#undef FUNCTION

static ScalarFunction *const plain[OP_COUNT] = {
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how) [OP_##op] = plain_##op,
#include "functions.def"
#undef FUNCTION
};

double ir_function(Op op, DType dtype, const double *x) {
  if (op == OP_logistic) return logistic(dtype, x[0]);
  if (op == OP_rsqrt) return reciprocal_root(dtype, x[0]);
  const VectorRoutine *routine =
      ir_vector_routine(ir_function_set(), op, dtype);
  if (routine) return ir_vector_call(routine, dtype, ir_ops[op].arity, x);
  return to(dtype, plain[op](x));
}
