/* judge.c: one result against MPFR's. */
#include <math.h>

#include "accuracy.h"

/* Where results must be correctly rounded, exact holds every bit of a sum, and
 * enough of a quotient or a root that no half way can be missed. */
enum { BITS_OF_EXACT = 2200, BITS_BEHIND = 40 };

void judge_open(Judge *judge, const Subject *subject, const Format *format) {
  judge->subject = subject;
  judge->format = format;
  mpfr_prec_t bits =
      subject->bound == 0 ? BITS_OF_EXACT : format->digits + BITS_BEHIND;
  mpfr_inits2(53, judge->x[0], judge->x[1], judge->got, (mpfr_ptr)NULL);
  mpfr_inits2(bits, judge->exact, judge->nearest, (mpfr_ptr)NULL);
}

void judge_close(Judge *judge) {
  mpfr_clears(judge->x[0], judge->x[1], judge->got, judge->exact,
              judge->nearest, (mpfr_ptr)NULL);
  mpfr_free_cache();
}

/* Both finite or got infinite; exact is not 0.  In units of the last place of
 * exact, infinity being 2^most: the first number that it stands for. */
static Verdict distance(Judge *judge, double got) {
  const Format *format = judge->format;
  mpfr_exp_t exponent = mpfr_get_exp(judge->exact);
  if (exponent > format->most) exponent = format->most;
  mpfr_exp_t unit = exponent - format->digits;
  if (unit < format->least) unit = format->least;
  mpfr_mul_2si(judge->exact, judge->exact, -unit, MPFR_RNDN);
  mpfr_set_d(judge->got, got, MPFR_RNDN);
  if (isinf(got))
    mpfr_set_si_2exp(judge->got, got > 0 ? 1 : -1, format->most, MPFR_RNDN);
  mpfr_mul_2si(judge->got, judge->got, -unit, MPFR_RNDN);
  if (isinf(got) && mpfr_cmpabs(judge->exact, judge->got) > 0)
    return (Verdict){0, true};
  mpfr_roundeven(judge->nearest, judge->exact);
  bool nearest = mpfr_equal_p(judge->nearest, judge->got);
  mpfr_sub(judge->exact, judge->exact, judge->got, MPFR_RNDN);
  return (Verdict){fabs(mpfr_get_d(judge->exact, MPFR_RNDA)), nearest};
}

Verdict judge_value(Judge *judge, const double x[2], double got) {
  static const Verdict right = {0, true}, wrong = {INFINITY, false};
  for (int i = 0; i < 2; i++) mpfr_set_d(judge->x[i], x[i], MPFR_RNDN);
  judge->subject->exact(judge->exact, judge->x);
  if (mpfr_nan_p(judge->exact)) return isnan(got) ? right : wrong;
  if (isnan(got)) return wrong;
  if (!signbit(got) != !mpfr_signbit(judge->exact)) return wrong;
  if (mpfr_inf_p(judge->exact)) return isinf(got) ? right : wrong;
  if (mpfr_zero_p(judge->exact)) return got == 0 ? right : wrong;
  return distance(judge, got);
}
