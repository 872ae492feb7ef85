/* functions.c: elementary functions of f64.
 *
 * Owns: one routine for each op of functions.def.  The C library's, which are
 * within 2 ulp; where it is less exact, or where C has none, our own. */
#include "functions.h"

#include <math.h>

static double reciprocal_root(double x) { return 1 / sqrt(x); }

/* glibc's cbrt may be 4 ulp off: one Newton step in long double. */
static double cube_root(double x) {
  double near = cbrt(x);
  if (!isfinite(near) || near == 0) return near;
  long double y = near;
  return (double)(y - (y * y * y - x) / (3 * y * y));
}

/* Through exp(-|x|), which cannot overflow. */
static double logistic(double x) {
  double small = exp(-fabs(x));
  return x >= 0 ? 1 / (1 + small) : small / (1 + small);
}

#define NAMES_1 double a
#define NAMES_2 double a, double b
#define VALUES_1 a
#define VALUES_2 a, b
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
