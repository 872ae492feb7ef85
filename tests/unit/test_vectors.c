/* test_vectors.c: the vector routines of every set that this CPU can run, also
 * of those that its own code does not use: a lane depends on no other, special
 * values are right, and no value is far from the C library's in f64.  How near
 * they are exactly is measured by tests/accuracy. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "ir/functions.h"

#ifdef LOCKSTEP_LIBMVEC

enum { ROUNDS = 400 };

typedef struct Function {
  Op op;
  int arity;
  double (*one)(double);
  double (*two)(double, double);
} Function;

#define ONE_v(op) lockstep_##op
#define ONE_vv(op) NULL
#define TWO_v(op) NULL
#define TWO_vv(op) lockstep_##op
#define ARITY_v 1
#define ARITY_vv 2
static const Function functions[] = {
#define VECTOR(op, v) {OP_##op, ARITY_##v, ONE_##v(op), TWO_##v(op)},
#include "ir/vectors.def"
#undef VECTOR
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* -- operands ---------------------------------------------------------- */

static uint64_t random_bits(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Special values, numbers about 1, and large and tiny ones: what takes the
 * routines' rare paths stands beside what does not. */
static double operand(uint64_t *state, DType dtype) {
  static const double special[] = {0,         -0.0, 1,     -1,     INFINITY,
                                   -INFINITY, NAN,  1e-40, 5e-324, 1e300};
  static const double scales[] = {1, 1, 1, 4, 40, 800, 1e6, 1e-6};
  uint64_t bits = random_bits(state);
  double x = special[bits / 8 % 10];
  if (bits % 8)
    x = ((double)(bits >> 11) * 0x1p-52 - 1) * scales[bits >> 3 & 7];
  return dtype == DT_F64 ? x : (float)x;
}

/* -- judgement --------------------------------------------------------- */

/* Any NaN for a NaN; zeros and infinities to the bit; else within 8 ulp, and
 * as far again as the C library's own routine may be off. */
static bool is_near(DType dtype, double got, double wanted) {
  if (isnan(wanted)) return isnan(got);
  if (dtype == DT_F32 && !isinf(wanted)) {
    float rounded = (float)wanted;
    if (isinf(rounded) || isinf(got)) return fabs(wanted) > FLT_MAX * 0.999999;
  }
  if (isinf(wanted) || wanted == 0)
    return got == wanted && signbit(got) == signbit(wanted);
  double step = dtype == DT_F64 ? ldexp(fabs(wanted), -52) + DBL_TRUE_MIN
                                : ldexp(fabs(wanted), -23) + FLT_TRUE_MIN;
  return fabs(got - wanted) <= 10 * step && signbit(got) == signbit(wanted);
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static int try_vector(const Function *function, const VectorRoutine *routine,
                      DType dtype, uint64_t *state) {
  double x[2][8], all[2][8];
  int wrong = 0;
  for (int k = 0; k < 16; k++) x[k / 8][k % 8] = operand(state, dtype);
  memcpy(all, x, sizeof all);
  ir_vector_call_lanes(routine, dtype, function->arity, all);
  for (int l = 0; l < routine->lanes; l++) {
    double own[2] = {x[0][l], x[1][l]};
    double alone = ir_vector_call(routine, dtype, function->arity, own);
    double wanted = function->arity == 1 ? function->one(own[0])
                                         : function->two(own[0], own[1]);
    if (same(alone, all[0][l]) && is_near(dtype, alone, wanted)) continue;
    print_error("%s(%a, %a): %a alone, %a in lane %d, %a by C\n",
                routine->symbol, own[0], own[1], alone, all[0][l], l, wanted);
    wrong++;
  }
  return wrong;
}

static void sets_are_right(void **state) {
  (void)state;
  int wrong = 0;
  uint64_t seed = 1;
  for (int set = 0; set <= (int)ir_function_set(); set++)
    for (int f = 0; f < N_FUNCTIONS; f++)
      for (int single = 0; single < 2; single++) {
        DType dtype = single ? DT_F32 : DT_F64;
        const VectorRoutine *routine =
            ir_vector_routine((FunctionSet)set, functions[f].op, dtype);
        assert_non_null(routine);
        for (int i = 0; i < ROUNDS && wrong < 20; i++)
          wrong += try_vector(&functions[f], routine, dtype, &seed);
      }
  assert_int_equal(wrong, 0);
}

/* The evaluator's value is that of the routine which code calls here. */
static void values_are_this_cpus(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int f = 0; f < N_FUNCTIONS; f++)
    for (int single = 0; single < 2; single++) {
      DType dtype = single ? DT_F32 : DT_F64;
      const VectorRoutine *routine =
          ir_vector_routine(ir_function_set(), functions[f].op, dtype);
      double x[2] = {operand(&seed, dtype), operand(&seed, dtype)};
      assert_true(same(ir_function(functions[f].op, dtype, x),
                       ir_vector_call(routine, dtype, functions[f].arity, x)));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_right),
                                     cmocka_unit_test(values_are_this_cpus)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* Where there are no vector routines, every op has the one of f64. */
static void there_are_none(void **state) {
  (void)state;
  assert_null(ir_vector_routine(ir_function_set(), OP_exp, DT_F64));
  double x = 0.5;
  assert_true(ir_function(OP_exp, DT_F32, &x) == (float)exp(0.5));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_are_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
