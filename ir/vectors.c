/* vectors.c: which vector routine computes an op, and calls of it.
 *
 * Owns: the table of libmvec's routines, by op, dtype and set (what a CPU can
 * run).  Whoever needs one value fills all lanes with its operands: a lane
 * depends on no other, so that gives the bits of any lane of any call. */
#include "functions.h"

#ifdef LOCKSTEP_LIBMVEC

#define ROW(op, type, prefix, v, suffix, lanes) \
  {"lockstep_" #op "_" #type "x" #lanes,        \
   _ZGV##prefix##N##lanes##v##_##op##suffix, lanes}

static const VectorRoutine routines[OP_COUNT][2][N_FUNCTION_SETS] = {
#define VECTOR(op, v)                                              \
  [OP_##op] = {{ROW(op, f64, b, v, , 2), ROW(op, f64, d, v, , 4)}, \
               {ROW(op, f32, b, v, f, 4), ROW(op, f32, d, v, f, 8)}},
#include "vectors.def"
#undef VECTOR
};

FunctionSet ir_function_set(void) {
  bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? FUNCTIONS_AVX2 : FUNCTIONS_SSE;
}

const VectorRoutine *ir_vector_routine(FunctionSet set, Op op, DType dtype) {
  const VectorRoutine *routine = &routines[op][dtype == DT_F32][set];
  return routine->symbol ? routine : NULL;
}

/* -- calls ------------------------------------------------------------- */

typedef double F64x2 __attribute__((vector_size(16)));
typedef float F32x4 __attribute__((vector_size(16)));

static VECTOR_CALLER(call_f64x2, F64x2, double,
                     2) static VECTOR_CALLER(call_f32x4, F32x4, float, 4)

    void ir_vector_call_lanes(const VectorRoutine *routine, DType dtype,
                              int arity, double x[2][8]) {
  if (dtype == DT_F64)
    (routine->lanes == 2 ? call_f64x2 : ir_call_f64x4)(routine->address, arity,
                                                       x);
  else
    (routine->lanes == 4 ? call_f32x4 : ir_call_f32x8)(routine->address, arity,
                                                       x);
}

double ir_vector_call(const VectorRoutine *routine, DType dtype, int arity,
                      const double *x) {
  double all[2][8];
  for (int i = 0; i < 8; i++) {
    all[0][i] = x[0];
    all[1][i] = x[arity - 1];
  }
  ir_vector_call_lanes(routine, dtype, arity, all);
  return all[0][0];
}

#else

FunctionSet ir_function_set(void) { return FUNCTIONS_SSE; }

const VectorRoutine *ir_vector_routine(FunctionSet set, Op op, DType dtype) {
  (void)set, (void)op, (void)dtype;
  return NULL;
}

void ir_vector_call_lanes(const VectorRoutine *routine, DType dtype, int arity,
                          double x[2][8]) {
  (void)routine, (void)dtype, (void)arity, (void)x;
}

double ir_vector_call(const VectorRoutine *routine, DType dtype, int arity,
                      const double *x) {
  (void)routine, (void)dtype, (void)arity;
  return x[0];
}

#endif
