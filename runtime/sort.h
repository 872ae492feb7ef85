/* sort.h: the routines that a generated sort calls, by symbol. */
#ifndef LOCKSTEP_RUNTIME_SORT_H
#define LOCKSTEP_RUNTIME_SORT_H

#include <stdint.h>

/* The order of n keys that lie `step` bytes apart: stable, NaN last, -0 equal
 * to +0.  width: their bytes; infinity: its bits, if they are floats, else 0.
 * scratch holds 32 n bytes, aligned to 8; the order stays in it. */
void lockstep_sort(void *scratch, int64_t n, const char *keys, int64_t step,
                   int64_t width, int64_t is_signed, int64_t infinity);
/* to[i] = from[order[i]], elements of `width` bytes. */
void lockstep_permute(const void *scratch, int64_t n, int64_t width,
                      const char *from, int64_t from_step, char *to,
                      int64_t to_step);

#endif
