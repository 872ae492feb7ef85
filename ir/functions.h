/* functions.h: the routines behind functions.def, for ir/scalar.c and, by
 * symbol name, for generated code. */
#ifndef LOCKSTEP_IR_FUNCTIONS_H
#define LOCKSTEP_IR_FUNCTIONS_H

#include "ir.h"

/* double lockstep_exp(double), double lockstep_pow(double, double), ... */
#define PARAMETERS_1 double
#define PARAMETERS_2 double, double
#define FUNCTION(op, arity, how) double lockstep_##op(PARAMETERS_##arity);
#include "functions.def"
#undef FUNCTION

/* normal.c: sqrt(2) erfinv(uniform), the normal number that belongs to a
 * uniform one in (-1, 1). */
double lockstep_normal(double uniform);

/* base to the power exponent, modulo 2^64; a negative exponent gives the true
 * quotient cut towards 0. */
uint64_t lockstep_pow_int(uint64_t base, uint64_t exponent, int is_signed);

#endif
