/* functions.h: the routines behind functions.def, for ir/scalar.c and, by
 * symbol name, for generated code.
 *
 * f(x) depends on x, the dtype and the CPU: whoever needs a value asks
 * ir_function, or calls the routine that ir_vector_routine names for the CPU.
 */
#ifndef LOCKSTEP_IR_FUNCTIONS_H
#define LOCKSTEP_IR_FUNCTIONS_H

#include <features.h>

#include "ir.h"

/* -- one routine for each op, in f64 (functions.c) --------------------- */

/* double lockstep_exp(double), double lockstep_pow(double, double), ... */
#define PARAMETERS_1 double
#define PARAMETERS_2 double, double
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how) double lockstep_##op(PARAMETERS_##arity);
#include "functions.def"
#undef FUNCTION

/* base to the power exponent, modulo 2^64; a negative exponent gives the true
 * quotient cut towards 0. */
uint64_t lockstep_pow_int(uint64_t base, uint64_t exponent, int is_signed);

/* The value on this CPU, in dtype: DT_F64 or DT_F32. */
double ir_function(Op op, DType dtype, const double *x);

/* -- vector routines (vectors.c) --------------------------------------- */

#if defined(__x86_64__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define LOCKSTEP_LIBMVEC 1
#endif
#endif

typedef void RoutineAddress(void);

typedef struct VectorRoutine {
  const char *symbol; /* of generated code: lockstep_exp_f64x4, ... */
  RoutineAddress *address;
  int lanes;
} VectorRoutine;

/* What a CPU needs for a set of routines.  AVX-512 computers use the set of
 * AVX2: libmvec's own for AVX-512 are not tested here. */
typedef enum FunctionSet {
  FUNCTIONS_SSE,
  FUNCTIONS_AVX2, /* and FMA */
  N_FUNCTION_SETS
} FunctionSet;

FunctionSet ir_function_set(void); /* this CPU's */

/* dtype: DT_F64 or DT_F32.  NULL: there is none, and lockstep_OP serves. */
const VectorRoutine *ir_vector_routine(FunctionSet set, Op op, DType dtype);
/* The value of a routine that this CPU can run: all lanes are x. */
double ir_vector_call(const VectorRoutine *routine, DType dtype, int arity,
                      const double *x);

/* On the first lanes of x[0] and, of two operands, x[1]; the values take the
 * place of x[0]. */
void ir_vector_call_lanes(const VectorRoutine *routine, DType dtype, int arity,
                          double x[2][8]);
/* vectors_wide.c: for CPUs with AVX2. */
void ir_call_f64x4(RoutineAddress *address, int arity, double x[2][8]);
void ir_call_f32x8(RoutineAddress *address, int arity, double x[2][8]);

/* void name(address, arity, x): calls the function at the address, of Vectors;
 * its values take the place of x[0]. */
#define VECTOR_CALLER(name, Vector, Element, lanes)               \
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

/* libmvec's routines, by address alone. */
#ifdef LOCKSTEP_LIBMVEC
#define VECTOR(op, v)                                                        \
  RoutineAddress _ZGVbN2##v##_##op, _ZGVdN4##v##_##op, _ZGVbN4##v##_##op##f, \
      _ZGVdN8##v##_##op##f;
#include "vectors.def"
#undef VECTOR
#endif

#endif
