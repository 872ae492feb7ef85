/* vectors_wide.c: calls of vector routines whose vectors are AVX's.
 *
 * In a file of its own, which is compiled for AVX2: how such vectors are handed
 * over hangs on what the whole file is compiled for, and clang would put them
 * in the stack otherwise.  Called only where the CPU has AVX2. */
#include "functions.h"

#ifdef LOCKSTEP_LIBMVEC

typedef double F64x4 __attribute__((vector_size(32)));
typedef float F32x8 __attribute__((vector_size(32)));

VECTOR_CALLER(ir_call_f64x4, F64x4, double, 4)
VECTOR_CALLER(ir_call_f32x8, F32x8, float, 8)

#endif
