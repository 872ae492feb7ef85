/* evaluate_box.c: moving parts of arrays.  Whatever moves elements without
 * computing (shape ops, indexed ops, collectives that exchange) is one copy of
 * a box between two layouts. */
#include <assert.h>
#include <string.h>

#include "evaluate.h"

/* Dims beside a 0 may multiply past 2^63; then nothing uses the product. */
int64_t rt_product(const int64_t *dims, int n) {
  uint64_t product = 1;
  for (int d = 0; d < n; d++) product *= (uint64_t)dims[d];
  return (int64_t)product;
}

void rt_strides(int rank, const int64_t *dims, size_t element,
                int64_t *strides) {
  uint64_t stride = element;
  for (int d = rank - 1; d >= 0; d--) {
    strides[d] = (int64_t)stride;
    stride *= (uint64_t)dims[d];
  }
}

Box rt_box(int rank, const int64_t *dims, size_t element) {
  Box box = {.rank = rank};
  assert(rank <= RT_BOX_RANK);
  for (int d = 0; d < rank; d++) box.dims[d] = dims[d];
  rt_strides(rank, dims, element, box.to);
  rt_strides(rank, dims, element, box.from);
  return box;
}

#define COPY_LOOP(bytes)                                     \
  for (int64_t i = 0; i < count; i++) {                      \
    memcpy(to + i * to_step, from + i * from_step, (bytes)); \
  }                                                          \
  break

void rt_copy_pieces(int64_t count, int64_t size, char *to, int64_t to_step,
                    const char *from, int64_t from_step) {
  if (size == 0) return;
  switch (size) { /* a copy of constant size is one instruction */
    case 1:
      COPY_LOOP(1);
    case 2:
      COPY_LOOP(2);
    case 4:
      COPY_LOOP(4);
    case 8:
      COPY_LOOP(8);
    default:
      COPY_LOOP((size_t)size);
  }
}

void rt_fill(char *to, int64_t count, size_t element, const void *value) {
  rt_copy_pieces(count, (int64_t)element, to, (int64_t)element, value, 0);
}

/* Inner dims that lie back to back on both sides are one run of bytes. */
static int64_t join_runs(const Box *box, size_t element, int *rank) {
  int64_t run = (int64_t)element;
  int r = box->rank;
  while (r > 0 && (box->dims[r - 1] == 1 ||
                   (box->to[r - 1] == run && box->from[r - 1] == run))) {
    run *= box->dims[--r];
  }
  *rank = r;
  return run;
}

void rt_copy_box(const Box *box, size_t element, char *to, const char *from) {
  int64_t index[RT_BOX_RANK] = {0};
  int rank;
  for (int d = 0; d < box->rank; d++) {
    if (box->dims[d] == 0) return;
  }
  int64_t run = join_runs(box, element, &rank);
  if (rank == 0) {
    memcpy(to, from, (size_t)run);
    return;
  }
  int inner = rank - 1;
  for (;;) {
    rt_copy_pieces(box->dims[inner], run, to, box->to[inner], from,
                   box->from[inner]);
    int d = inner - 1;
    for (; d >= 0; d--) {
      to += box->to[d];
      from += box->from[d];
      if (++index[d] < box->dims[d]) break;
      to -= index[d] * box->to[d];
      from -= index[d] * box->from[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}
