/* samples.c: the inputs.  Special values first; then, in turn, the ways of the
 * subject's domain: all bit patterns alike (dense in every exponent), where the
 * function is interesting, close to special points, and what is hard for this
 * kind of function. */
#include <math.h>

#include "accuracy.h"

/* splitmix64 */
uint64_t random_bits(Random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* -- single numbers ---------------------------------------------------- */

static double uniform(Random *random, double low, double high) {
  double unit = (double)(random_bits(random) >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}

static double sign(Random *random, double magnitude) {
  return random_bits(random) & 1 ? -magnitude : magnitude;
}

static double any(Random *random, const Format *format) {
  return format_of_bits(format, random_bits(random));
}

/* A number of about 2^exponent. */
static double about(Random *random, double exponent) {
  return ldexp(uniform(random, 1, 2), (int)exponent);
}

/* point, moved by anything from a unit in the last place to a half. */
static double near(Random *random, const Format *format, double point) {
  double away = exp2(-uniform(random, 1, format->digits + 1));
  double moved = point + sign(random, away) * (point == 0 ? 1 : point);
  return random_bits(random) % 8 ? moved : point;
}

/* -- special values ---------------------------------------------------- */

enum { N_MAGNITUDES = 19, N_SPECIAL = 2 * N_MAGNITUDES + 1 };

static double special(const Format *format, int i) {
  double ulp = ldexp(1, 1 - format->digits);
  double normal = ldexp(1, format->least + format->digits - 1);
  double most = ldexp(2 - ulp, format->most - 1);
  const double magnitudes[N_MAGNITUDES] = {0,
                                           ldexp(1, format->least),
                                           ldexp(3, format->least),
                                           normal * (1 - ulp),
                                           normal,
                                           normal * (1 + ulp),
                                           sqrt(normal),
                                           0.25,
                                           0.5,
                                           1 - ulp / 2,
                                           1,
                                           1 + ulp,
                                           1.5,
                                           2,
                                           3,
                                           10,
                                           sqrt(most),
                                           most,
                                           INFINITY};
  if (i == 0) return NAN;
  double magnitude = magnitudes[(i - 1) / 2];
  return i % 2 ? magnitude : -magnitude;
}

/* -- one operand ------------------------------------------------------- */

/* Thresholds lie where the exponent's range puts them: 8 times nearer in f32
 * and bf16, 64 times in f16. */
static double in_focus(Random *random, const Subject *subject,
                       const Format *format) {
  double scale = 1;
  if (random_bits(random) & 1) scale = format->most / 1024.0;
  return uniform(random, subject->low * scale, subject->high * scale);
}

static double near_point(Random *random, const Subject *subject,
                         const Format *format) {
  double scale = format->most / 1024.0;
  const double points[] = {0,
                           0.5,
                           1,
                           2,
                           subject->low,
                           subject->high,
                           subject->low * scale,
                           subject->high * scale};
  int i = (int)(random_bits(random) % (sizeof points / sizeof *points));
  return near(random, format, sign(random, points[i]));
}

/* The number next to a multiple of a quarter turn, of any size. */
static double near_turn(Random *random, const Format *format) {
  mpfr_t turn;
  mpfr_init2(turn, format->most + 128);
  mpfr_const_pi(turn, MPFR_RNDN);
  double quarters = 1 + floor(about(random, uniform(random, -1, 53)));
  mpfr_mul_d(turn, turn, quarters, MPFR_RNDN);
  mpfr_mul_2si(turn, turn, -1, MPFR_RNDN);
  if (random_bits(random) & 1) {
    double larger = uniform(random, 0, format->most - 2);
    mpfr_exp_t most = (mpfr_exp_t)larger - mpfr_get_exp(turn);
    if (most > 0) mpfr_mul_2si(turn, turn, most, MPFR_RNDN);
  }
  double x = mpfr_get_d(turn, MPFR_RNDN);
  mpfr_clear(turn);
  return sign(random, x);
}

static void one_operand(Random *random, const Subject *subject,
                        const Format *format, int way, double *x) {
  if (way == 0)
    *x = any(random, format);
  else if (way == 1)
    *x = near_point(random, subject, format);
  else if (way == 2 && subject->domain == TURNS)
    *x = near_turn(random, format);
  else
    *x = in_focus(random, subject, format);
}

/* -- two operands ------------------------------------------------------ */

/* Pairs whose product, quotient or ratio has any exponent, those that are out
 * of range on either side included; numbers close to each other; small whole
 * ones, for exact results and ties. */
static void pair(Random *random, const Format *format, int way, double *x) {
  double range = format->most - format->least;
  double target = uniform(random, -range, range);
  x[0] = any(random, format);
  if (way == 0) {
    x[1] = any(random, format);
  } else if (way == 1) {
    x[1] = near(random, format, sign(random, x[0]));
    if (random_bits(random) & 1) x[1] = ldexp(x[1], (int)(target / 16));
  } else if (way == 2) {
    double exponent = isfinite(x[0]) && x[0] != 0 ? logb(x[0]) : 0;
    bool quotient = random_bits(random) & 1;
    double other = quotient ? exponent - target : target - exponent;
    if (fabs(other) > range) other = fmod(other, format->most);
    x[1] = sign(random, about(random, other));
  } else {
    x[0] = sign(random, floor(uniform(random, 0, 64)));
    x[1] = sign(random, floor(uniform(random, 0, 64)));
    x[0] = ldexp(x[0], (int)uniform(random, format->least, 8));
  }
}

/* Powers that come out at any exponent; bases close to 1; whole exponents, so
 * that negative bases count. */
static void power(Random *random, const Subject *subject, const Format *format,
                  int way, double *x) {
  double scale = format->most / 1024.0;
  double target = uniform(random, subject->low, subject->high) * scale;
  if (way == 0) {
    x[0] = any(random, format);
    x[1] = any(random, format);
    return;
  }
  if (way == 1)
    x[0] = near(random, format, 1);
  else
    x[0] = fabs(any(random, format));
  char element[8];
  x[0] = format_store(format, element, x[0]);
  x[1] = target / log2(x[0]);
  if (way < 3) return;
  x[1] = rint(x[1]);
  x[0] = sign(random, x[0]);
}

/* -- all together ------------------------------------------------------ */

static bool all_values(const Subject *subject, const Format *format) {
  return format->bytes == 2 && subject_operands(subject) == 1;
}

int64_t sample_fixed(const Subject *subject, const Format *format) {
  if (subject->domain == DRAWS) return 0;
  if (all_values(subject, format)) return 65536;
  return subject_operands(subject) == 1 ? N_SPECIAL : N_SPECIAL * N_SPECIAL;
}

void sample(Random *random, const Subject *subject, const Format *format,
            int64_t i, double x[2]) {
  int64_t fixed = sample_fixed(subject, format);
  x[1] = 0;
  if (all_values(subject, format)) {
    x[0] = format_of_bits(format, (uint64_t)i);
  } else if (i < fixed) {
    x[0] = special(format, (int)(i % N_SPECIAL));
    x[1] = special(format, (int)(i / N_SPECIAL));
  } else if (subject->domain == PAIRS) {
    pair(random, format, (int)(i % 4), x);
  } else if (subject->domain == POWERS) {
    power(random, subject, format, (int)(i % 4), x);
  } else {
    one_operand(random, subject, format, (int)(i % 4), x);
  }
}
