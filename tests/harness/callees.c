/* callees.c: C functions that the programs of the tests may call. */
#include "harness.h"

/* f64[2] -> f64[2] */
static void swap(void *result, const void *const *operands, void *user) {
  const double *x = operands[0];
  double *y = result;
  (void)user;
  y[0] = x[1];
  y[1] = x[0];
}

/* i32[3], bool[3] -> f32[3] */
static void choose(void *result, const void *const *operands, void *user) {
  const int32_t *x = operands[0];
  const bool *p = operands[1];
  float *y = result;
  for (int i = 0; i < 3; i++) y[i] = p[i] ? (float)x[i] : *(const float *)user;
}

/* -> f64[2] */
static void given(void *result, const void *const *operands, void *user) {
  double *y = result;
  (void)operands;
  y[0] = ((const double *)user)[0];
  y[1] = ((const double *)user)[1];
}

static float otherwise = -1.5f;
static double numbers[2] = {0.25, -3};

const Callee harness_callees[HARNESS_CALLEES] = {
    {"swap", swap, NULL},
    {"choose", choose, &otherwise},
    {"given", given, numbers},
};
