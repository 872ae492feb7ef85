/* normal.c: from a uniform number to a normal one.
 *
 * Owns: ir_normal(u) = sqrt(2) erfinv(u), within 3 ulp in f64; infinite
 * at -1 and 1, NaN beyond.
 *
 * Quotients of polynomials, fitted to be within 1/4 ulp, on three pieces of
 * |u|, in a variable that runs from 0 up and in which no coefficient that
 * matters changes sign, so that nothing cancels:
 *   |u| <= 0.85      u sqrt(pi/2) + u z R(0.7225 - z), z = u u
 *   1 - |u| >= e^-9  v 19/16 + v R(v - 11/8)
 *   beyond           v 21/16 + v R(v - 3),         v = sqrt(-log(1 - |u|))
 * 1 - |u| is exact there, so v is as good as log.  What R adds is small beside
 * the first term, and so are R's errors. */
#include <math.h>

#include "functions.h"
#include "normal.h"

const double ir_normal_terms[N_NORMAL_PIECES][2][NORMAL_TERMS] = {
    [NORMAL_MIDDLE] = {{0x1.37fc2a497deaap-1, 0x1.7c69f446b0451p+2,
                        0x1.5c8bd50b17d51p+4, 0x1.2ad583bd2072cp+5,
                        0x1.e6931e348f508p+4, 0x1.51409e20929a9p+3,
                        0x1.1f4fb7fa26c93p+0, 0x1.1ee25d7cdd8ddp-8},
                       {1, 0x1.6858104294bd3p+3, 0x1.8bed4b1d51396p+5,
                        0x1.aea23a8bca3bbp+6, 0x1.e60a984328931p+6,
                        0x1.10f72c913b8acp+6, 0x1.099044ccb9d88p+4,
                        0x1.382751809893fp+0}},
    [NORMAL_NEAR] = {{-0x1.25034772964f1p-3, -0x1.21fbf976dec8fp-6,
                      0x1.8b9c55a9902b5p-3, 0x1.5f24f6cb7df21p-3,
                      0x1.c3f0b87e425c4p-5, 0x1.c0bed4845fcedp-8,
                      0x1.0aa1ee46683a1p-12},
                     {1, 0x1.1dc22be31dd8ep+1, 0x1.0c18086839f59p+1,
                      0x1.04ca3bdf81836p+0, 0x1.09d6e48d9e89ap-2,
                      0x1.f00a244e3ce0ap-6, 0x1.25dce8624587ep-10}},
    [NORMAL_FAR] = {{-0x1.0c4874541d8eep-5, 0x1.65c5bef66bee3p-6,
                     0x1.35ed77fca3deap-5, 0x1.dc839a594b35ap-7,
                     0x1.2b3644523c54bp-9, 0x1.3b55e5d364022p-13,
                     0x1.b19fce6868e66p-19},
                    {1, 0x1.4d85cf091b14ap+0, 0x1.5a162f10e8dd7p-1,
                     0x1.682bd6a608da2p-3, 0x1.82422b482b4bdp-6,
                     0x1.8451623b4b656p-10, 0x1.0a4d5ae50e2c9p-15}},
};

static double polynomial(const double *coefficients, double x) {
  double sum = coefficients[NORMAL_TERMS - 1];
  for (int i = NORMAL_TERMS - 2; i >= 0; i--) sum = sum * x + coefficients[i];
  return sum;
}

static double quotient(int piece, double x) {
  return polynomial(ir_normal_terms[piece][0], x) /
         polynomial(ir_normal_terms[piece][1], x);
}

static double of_middle(double u) {
  double z = u * u;
  double more = z * quotient(NORMAL_MIDDLE, NORMAL_MIDDLE_TURN - z);
  return u * NORMAL_ROOT + u * (more + NORMAL_ROOT_REST);
}

static double of_tail(double left) {
  double v = sqrt(-ir_function(OP_log, DT_F64, &left));
  if (v < NORMAL_NEAR_END)
    return v * NORMAL_NEAR_SCALE +
           v * quotient(NORMAL_NEAR, v - NORMAL_NEAR_TURN);
  return v * NORMAL_FAR_SCALE + v * quotient(NORMAL_FAR, v - NORMAL_FAR_TURN);
}

double ir_normal(double uniform) {
  double size = fabs(uniform);
  if (size <= NORMAL_MIDDLE_END) return of_middle(uniform);
  if (size < 1) return copysign(of_tail(1 - size), uniform);
  return size == 1 ? copysign(INFINITY, uniform) : NAN;
}
