/* evaluate_index.c: the INDEXED ops, whose positions are known only when they
 * run.  Positions are clamped, never out of range.  batch=N: the first N dims
 * of every operand run side by side, each with positions of its own. */
#include <string.h>

#include "evaluate.h"

/* The integer at an index, brought into [0, most]. */
static int64_t clamped(DType dtype, const char *memory, int64_t most) {
  Scalar index = ir_scalar_load(dtype, memory);
  if (ir_is_signed(dtype)) {
    if (index.i < 0) return 0;
    return index.i < most ? index.i : most;
  }
  return index.u < (uint64_t)most ? (int64_t)index.u : most;
}

/* How far into an array of `whole`'s dims the window of `part`'s starts, in
 * bytes, for one batch element: starts are operands first, first + 1, ... */
static int64_t window(const Node *node, const char *const *operands, int first,
                      Type whole, Type part, int64_t batch_element) {
  int64_t strides[RT_BOX_RANK];
  int64_t offset = 0;
  int batch = (int)ir_int(node, ATTR_batch);
  rt_strides(whole.rank, whole.dims, ir_dtype_bytes(whole.dtype), strides);
  for (int d = batch; d < whole.rank; d++) {
    int i = first + d - batch;
    DType dtype = node->operands[i]->type.dtype;
    const char *start =
        operands[i] + batch_element * (int64_t)ir_dtype_bytes(dtype);
    offset += strides[d] * clamped(dtype, start, whole.dims[d] - part.dims[d]);
  }
  return offset;
}

/* Both ops copy a box of part's dims, once a batch element. */
typedef struct Windows {
  Type whole, part;
  int first;   /* operand number of the first start */
  bool update; /* the part goes into the whole */
} Windows;

static void move_windows(const Node *node, const char *const *operands,
                         const Windows *windows, char *to, const char *from) {
  int batch = (int)ir_int(node, ATTR_batch);
  Type whole = windows->whole, part = windows->part;
  size_t element = ir_dtype_bytes(whole.dtype);
  int64_t batches = rt_product(part.dims, batch);
  Box box = rt_box(part.rank - batch, part.dims + batch, element);
  int64_t part_bytes = rt_product(box.dims, box.rank) * (int64_t)element;
  int64_t whole_bytes =
      rt_product(whole.dims + batch, whole.rank - batch) * (int64_t)element;
  if (ir_type_elements(part) == 0) return;
  rt_strides(box.rank, whole.dims + batch, element,
             windows->update ? box.to : box.from);
  for (int64_t b = 0; b < batches; b++) {
    int64_t offset = window(node, operands, windows->first, whole, part, b) +
                     b * whole_bytes;
    if (windows->update) {
      rt_copy_box(&box, element, to + offset, from + b * part_bytes);
    } else {
      rt_copy_box(&box, element, to + b * part_bytes, from + offset);
    }
  }
}

bool rt_dynamic_slice(Evaluation *evaluation, const Node *node,
                      const char *const *operands, char *const *results) {
  (void)evaluation;
  Windows windows = {node->operands[0]->type, node->results[0]->type, 1, false};
  move_windows(node, operands, &windows, results[0], operands[0]);
  return true;
}

bool rt_dynamic_update_slice(Evaluation *evaluation, const Node *node,
                             const char *const *operands,
                             char *const *results) {
  (void)evaluation;
  Windows windows = {node->results[0]->type, node->operands[1]->type, 2, true};
  size_t bytes = (size_t)ir_type_bytes(windows.whole);
  if (bytes) memcpy(results[0], operands[0], bytes);
  move_windows(node, operands, &windows, results[0], operands[1]);
  return true;
}

/* x is [batch][before][size][after], index [batch][picks], the result
 * [batch][before][picks][after]. */
bool rt_take(Evaluation *evaluation, const Node *node,
             const char *const *operands, char *const *results) {
  (void)evaluation;
  Type x = node->operands[0]->type, index = node->operands[1]->type;
  int batch = (int)ir_int(node, ATTR_batch);
  int dim = (int)ir_int(node, ATTR_dim);
  int64_t batches = rt_product(x.dims, batch);
  int64_t before = rt_product(x.dims + batch, dim - batch);
  int64_t after = rt_product(x.dims + dim + 1, x.rank - dim - 1) *
                  (int64_t)ir_dtype_bytes(x.dtype);
  int64_t picks = rt_product(index.dims + batch, index.rank - batch);
  int64_t index_bytes = (int64_t)ir_dtype_bytes(index.dtype);
  if (ir_type_elements(node->results[0]->type) == 0) return true;
  for (int64_t i = 0; i < batches * picks; i++) {
    int64_t b = i / picks, pick = i % picks;
    int64_t at =
        clamped(index.dtype, operands[1] + i * index_bytes, x.dims[dim] - 1);
    const char *from = operands[0] + (b * before * x.dims[dim] + at) * after;
    char *to = results[0] + (b * before * picks + pick) * after;
    rt_copy_pieces(before, after, to, picks * after, from, x.dims[dim] * after);
  }
  return true;
}
