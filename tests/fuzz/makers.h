/* makers.h: what the makers of nodes share, and their names. */
#ifndef LOCKSTEP_TESTS_MAKERS_H
#define LOCKSTEP_TESTS_MAKERS_H

#include <string.h>

#include "fuzz.h"

enum { MAX_FLOPS = 100, MAX_RESULT = 2 }; /* times g->room */

static inline int below(Generator *g, int n) {
  return random_below(&g->random, n);
}

static inline bool chance(Generator *g, int percent) {
  return random_chance(&g->random, percent);
}

/* A list of dims that can be edited. */
typedef struct Dims {
  int64_t v[IR_MAX_RANK];
  int n;
} Dims;

static inline Dims dims_of(const Value *value) {
  Dims dims = {.n = value->type.rank};
  memcpy(dims.v, value->type.dims, (size_t)dims.n * sizeof *dims.v);
  return dims;
}

static inline void insert(Dims *dims, int at, int64_t size) {
  memmove(dims->v + at + 1, dims->v + at,
          (size_t)(dims->n - at) * sizeof *dims->v);
  dims->v[at] = size;
  dims->n++;
}

/* A value with at least one dim. */
Value *pick_ranked(Generator *g, Kind kind);

/* Some of the dims, in order. */
Dims some_dims(Generator *g, int rank);

/* Each makes one node of the op, or nothing. */
typedef void MakeNode(Generator *g, Op op, Kind kind);
/* generate_views.c */
MakeNode make_broadcast, make_reshape, make_transpose, make_slice,
    make_concatenate, make_pad, make_reverse, make_dynamic_slice,
    make_dynamic_update_slice, make_take;
/* generate_sums.c */
MakeNode make_reduce, make_arg, make_einsum, make_random_key, make_random_split,
    make_random_fold_in, make_random_draw;
/* generate_whole.c */
MakeNode make_cumulative, make_sort, make_scatter_add, make_call;
/* generate_collectives.c */
MakeNode make_sum_like, make_all_gather, make_psum_scatter, make_all_to_all,
    make_ppermute, make_pbroadcast, make_axis_number, make_map, make_unmap;

#endif
