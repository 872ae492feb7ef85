/* symbols.c: what generated code may call, by name.
 *
 * The table makes a library that was loaded privately (dlopen) as good as one
 * that the program is linked with. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "../ir/functions.h"
#include "runtime.h"
#include "sort.h"

#define SYMBOL(name) {#name, (void (*)(void))(name)}
const RtSymbol rt_symbols[] = {
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how) SYMBOL(lockstep_##op),
#include "../ir/functions.def"
#undef FUNCTION
#ifdef LOCKSTEP_LIBMVEC
#define VECTOR(op, v)                                   \
  {"lockstep_" #op "_f64x2", _ZGVbN2##v##_##op},        \
      {"lockstep_" #op "_f64x4", _ZGVdN4##v##_##op},    \
      {"lockstep_" #op "_f32x4", _ZGVbN4##v##_##op##f}, \
      {"lockstep_" #op "_f32x8", _ZGVdN8##v##_##op##f},
#include "../ir/vectors.def"
#undef VECTOR
#endif
    SYMBOL(lockstep_pow_int),
    SYMBOL(lockstep_watch),
    SYMBOL(lockstep_sort),
    SYMBOL(lockstep_permute),
    SYMBOL(lockstep_meet),
    SYMBOL(cblas_dgemm),
    SYMBOL(cblas_sgemm),
    SYMBOL(fma),
    SYMBOL(fmaf),
    SYMBOL(fmod),
    SYMBOL(fmodf),
    SYMBOL(floor),
    SYMBOL(floorf),
    SYMBOL(ceil),
    SYMBOL(ceilf),
    SYMBOL(rint),
    SYMBOL(rintf),
    SYMBOL(memcpy),
    SYMBOL(memmove),
    SYMBOL(memset),
};
_Static_assert(sizeof rt_symbols / sizeof *rt_symbols <= RT_MOST_SYMBOLS,
               "the loader has room for so many");
const int rt_symbol_count = sizeof rt_symbols / sizeof *rt_symbols;
