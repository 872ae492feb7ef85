/* subjects.c: the ops that are measured, one row each, with what MPFR says of
 * them. */
#include <math.h>

#include "accuracy.h"

#define UNARY(op, function)                          \
  static void exact_##op(mpfr_t result, mpfr_t *x) { \
    function(result, x[0], MPFR_RNDN);               \
  }
#define BINARY(op, function)                         \
  static void exact_##op(mpfr_t result, mpfr_t *x) { \
    function(result, x[0], x[1], MPFR_RNDN);         \
  }
#define ROUNDING(op, function) \
  static void exact_##op(mpfr_t result, mpfr_t *x) { function(result, x[0]); }

UNARY(exp, mpfr_exp)
UNARY(exp2, mpfr_exp2)
UNARY(expm1, mpfr_expm1)
UNARY(log, mpfr_log)
UNARY(log1p, mpfr_log1p)
UNARY(sqrt, mpfr_sqrt)
UNARY(cbrt, mpfr_cbrt)
UNARY(sin, mpfr_sin)
UNARY(cos, mpfr_cos)
UNARY(tan, mpfr_tan)
UNARY(asin, mpfr_asin)
UNARY(acos, mpfr_acos)
UNARY(atan, mpfr_atan)
UNARY(sinh, mpfr_sinh)
UNARY(cosh, mpfr_cosh)
UNARY(tanh, mpfr_tanh)
UNARY(asinh, mpfr_asinh)
UNARY(acosh, mpfr_acosh)
UNARY(atanh, mpfr_atanh)
UNARY(erf, mpfr_erf)
UNARY(erfc, mpfr_erfc)
BINARY(add, mpfr_add)
BINARY(sub, mpfr_sub)
BINARY(mul, mpfr_mul)
BINARY(div, mpfr_div)
BINARY(rem, mpfr_fmod)
BINARY(pow, mpfr_pow)
BINARY(atan2, mpfr_atan2)

ROUNDING(floor, mpfr_floor)
ROUNDING(ceil, mpfr_ceil)
ROUNDING(round, mpfr_roundeven)

/* As C23's rsqrt: -inf at -0, where MPFR has +inf. */
static void exact_rsqrt(mpfr_t result, mpfr_t *x) {
  mpfr_rec_sqrt(result, x[0], MPFR_RNDN);
  if (mpfr_zero_p(x[0])) mpfr_set_inf(result, mpfr_signbit(x[0]) ? -1 : 1);
}

/* t / (1 + t) or 1 / (1 + t), t = exp(-|x|). */
static void exact_logistic(mpfr_t result, mpfr_t *x) {
  mpfr_t small, sum;
  mpfr_inits2(mpfr_get_prec(result) + 32, small, sum, (mpfr_ptr)NULL);
  mpfr_abs(small, x[0], MPFR_RNDN);
  mpfr_neg(small, small, MPFR_RNDN);
  mpfr_exp(small, small, MPFR_RNDN);
  mpfr_add_ui(sum, small, 1, MPFR_RNDN);
  if (mpfr_signbit(x[0]))
    mpfr_div(result, small, sum, MPFR_RNDN);
  else
    mpfr_ui_div(result, 1, sum, MPFR_RNDN);
  mpfr_clears(small, sum, (mpfr_ptr)NULL);
}

/* -- the inverse of erf ------------------------------------------------ */

/* y >= 0 with erf(y) = u to some 40 bits: by halving, on the side of 1 where
 * erfc tells more; near 0 by the series. */
static double near_inverse(double u) {
  if (u < 1e-3) return u * sqrt(M_PI) / 2 * (1 + M_PI * u * u / 12);
  double low = 0, high = 7;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    bool above = u < 0.5 ? erf(middle) > u : erfc(middle) < 1 - u;
    if (above)
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* y -= (1 - u - erfc(y)) sqrt(pi)/2 exp(y^2); 1 - u is exact. */
static void newton_step(mpfr_t y, mpfr_t rest) {
  mpfr_t off, slope;
  mpfr_inits2(mpfr_get_prec(y), off, slope, (mpfr_ptr)NULL);
  mpfr_erfc(off, y, MPFR_RNDN);
  mpfr_sub(off, off, rest, MPFR_RNDN);
  mpfr_sqr(slope, y, MPFR_RNDN);
  mpfr_exp(slope, slope, MPFR_RNDN);
  mpfr_mul(off, off, slope, MPFR_RNDN);
  mpfr_const_pi(slope, MPFR_RNDN);
  mpfr_sqrt(slope, slope, MPFR_RNDN);
  mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
  mpfr_fma(y, off, slope, y, MPFR_RNDN);
  mpfr_clears(off, slope, (mpfr_ptr)NULL);
}

/* sqrt(2) erfinv(u): what random_normal makes of a uniform u in (-1, 1).  The
 * precision is enough for erfc near 1: u is a multiple of 2^-60 at least. */
static void exact_random_normal(mpfr_t result, mpfr_t *x) {
  double u = mpfr_get_d(x[0], MPFR_RNDN);
  mpfr_t y, rest;
  mpfr_inits2(mpfr_get_prec(result) + 160, y, rest, (mpfr_ptr)NULL);
  mpfr_abs(rest, x[0], MPFR_RNDN);
  mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
  mpfr_set_d(y, near_inverse(fabs(u)), MPFR_RNDN);
  if (u != 0)
    for (int i = 0; i < 3; i++) newton_step(y, rest);
  mpfr_sqrt_ui(rest, 2, MPFR_RNDN);
  mpfr_mul(result, y, rest, MPFR_RNDN);
  if (signbit(u)) mpfr_neg(result, result, MPFR_RNDN);
  mpfr_clears(y, rest, (mpfr_ptr)NULL);
}

/* -- the table --------------------------------------------------------- */

#define ROW(op, domain, low, high, bound, half_bound) \
  {#op, domain, low, high, bound, half_bound, exact_##op}

const Subject subjects[] = {
    ROW(add, PAIRS, 0, 0, 0, 0),          ROW(sub, PAIRS, 0, 0, 0, 0),
    ROW(mul, PAIRS, 0, 0, 0, 0),          ROW(div, PAIRS, 0, 0, 0, 0),
    ROW(rem, PAIRS, 0, 0, 0, 0),          ROW(sqrt, PLAIN, 0, 10, 0, 0),
    ROW(floor, PLAIN, -2.5, 2.5, 0, 0),   ROW(ceil, PLAIN, -2.5, 2.5, 0, 0),
    ROW(round, PLAIN, -2.5, 2.5, 0, 0),   ROW(rsqrt, PLAIN, 0, 10, 4, 1),
    ROW(cbrt, PLAIN, -10, 10, 4, 1),      ROW(exp, PLAIN, -750, 715, 4, 1),
    ROW(exp2, PLAIN, -1080, 1030, 4, 1),  ROW(expm1, PLAIN, -40, 715, 4, 1),
    ROW(log, PLAIN, 0, 10, 4, 1),         ROW(log1p, PLAIN, -1, 10, 4, 1),
    ROW(pow, POWERS, -1080, 1030, 4, 1),  ROW(sin, TURNS, -40, 40, 4, 1),
    ROW(cos, TURNS, -40, 40, 4, 1),       ROW(tan, TURNS, -40, 40, 4, 1),
    ROW(asin, PLAIN, -1, 1, 4, 1),        ROW(acos, PLAIN, -1, 1, 4, 1),
    ROW(atan, PLAIN, -10, 10, 4, 1),      ROW(atan2, PAIRS, 0, 0, 4, 1),
    ROW(sinh, PLAIN, -715, 715, 4, 1),    ROW(cosh, PLAIN, -715, 715, 4, 1),
    ROW(tanh, PLAIN, -22, 22, 4, 1),      ROW(asinh, PLAIN, -10, 10, 4, 1),
    ROW(acosh, PLAIN, 1, 10, 4, 1),       ROW(atanh, PLAIN, -1, 1, 4, 1),
    ROW(logistic, PLAIN, -750, 40, 8, 1), ROW(erf, PLAIN, -6, 6, 4, 1),
    ROW(erfc, PLAIN, -6, 28, 8, 1),       ROW(random_normal, DRAWS, 0, 0, 4, 1),
};
const int n_subjects = sizeof subjects / sizeof *subjects;

int subject_operands(const Subject *subject) {
  return subject->domain == PAIRS || subject->domain == POWERS ? 2 : 1;
}
