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
#define FUNCTION(op, arity, how) SYMBOL(lockstep_##op),
#include "../ir/functions.def"
#undef FUNCTION
    SYMBOL(lockstep_pow_int),
    SYMBOL(lockstep_normal),
    SYMBOL(lockstep_sort),
    SYMBOL(lockstep_permute),
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
