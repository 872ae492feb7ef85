/* vectors_wide.c: calls of vector routines whose vectors are AVX's.
 *
 * In a file of its own, which is compiled for AVX2: how such vectors are handed
 * over hangs on what the whole file is compiled for, and clang would put them
 * in the stack otherwise.  Called only where the CPU has AVX2. */
#include "functions.h"

#ifdef LOCKSTEP_LIBMVEC

#define CALLER(name, Vector, Element, lanes)                      \
  void name(RoutineAddress *address, int arity, double x[2][8]) { \
    Vector a, b, value;                                           \
    for (int i = 0; i < (lanes); i++) {                           \
      a[i] = (Element)x[0][i];                                    \
      b[i] = (Element)x[1][i];                                    \
    }                                                             \
    if (arity == 1)                                               \
      value = ((Vector(*)(Vector))address)(a);                    \
    else                                                          \
      value = ((Vector(*)(Vector, Vector))address)(a, b);         \
    for (int i = 0; i < (lanes); i++) x[0][i] = (double)value[i]; \
  }

typedef double F64x4 __attribute__((vector_size(32)));
typedef float F32x8 __attribute__((vector_size(32)));

CALLER(ir_call_f64x4, F64x4, double, 4)
CALLER(ir_call_f32x8, F32x8, float, 8)

#endif
