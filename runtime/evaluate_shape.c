/* evaluate_shape.c: the VIEW ops: elements change their place and nothing
 * else.  Each is a box copy (evaluate_box.c) whose strides say how. */
#include <string.h>

#include "evaluate.h"

static size_t element_of(const Node *node) {
  return ir_dtype_bytes(node->results[0]->type.dtype);
}

bool rt_reshape(Evaluation *evaluation, const Node *node,
                const char *const *operands, char *const *results) {
  (void)evaluation;
  size_t bytes = (size_t)ir_type_bytes(node->results[0]->type);
  if (bytes) memcpy(results[0], operands[0], bytes);
  return true;
}

bool rt_broadcast(Evaluation *evaluation, const Node *node,
                  const char *const *operands, char *const *results) {
  (void)evaluation;
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList dims = ir_ints(node, ATTR_dims);
  int64_t strides[RT_BOX_RANK];
  Box box = rt_box(to.rank, to.dims, element_of(node));
  rt_strides(from.rank, from.dims, element_of(node), strides);
  memset(box.from, 0, sizeof box.from);
  for (int d = 0; d < from.rank; d++) {
    box.from[dims.v[d]] = from.dims[d] == 1 ? 0 : strides[d];
  }
  rt_copy_box(&box, element_of(node), results[0], operands[0]);
  return true;
}

bool rt_transpose(Evaluation *evaluation, const Node *node,
                  const char *const *operands, char *const *results) {
  (void)evaluation;
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList perm = ir_ints(node, ATTR_perm);
  int64_t strides[RT_BOX_RANK];
  Box box = rt_box(to.rank, to.dims, element_of(node));
  rt_strides(from.rank, from.dims, element_of(node), strides);
  for (int d = 0; d < to.rank; d++) box.from[d] = strides[perm.v[d]];
  rt_copy_box(&box, element_of(node), results[0], operands[0]);
  return true;
}

bool rt_slice(Evaluation *evaluation, const Node *node,
              const char *const *operands, char *const *results) {
  (void)evaluation;
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList start = ir_ints(node, ATTR_start);
  IntList stride = ir_ints(node, ATTR_stride);
  const char *first = operands[0];
  Box box = rt_box(to.rank, to.dims, element_of(node));
  if (ir_type_elements(to) == 0) return true;
  rt_strides(from.rank, from.dims, element_of(node), box.from);
  for (int d = 0; d < to.rank; d++) {
    first += start.v[d] * box.from[d];
    if (stride.n) box.from[d] *= to.dims[d] > 1 ? stride.v[d] : 1;
  }
  rt_copy_box(&box, element_of(node), results[0], first);
  return true;
}

bool rt_concatenate(Evaluation *evaluation, const Node *node,
                    const char *const *operands, char *const *results) {
  (void)evaluation;
  Type to = node->results[0]->type;
  int dim = (int)ir_int(node, ATTR_dim);
  int64_t outer = rt_product(to.dims, dim);
  int64_t inner = (int64_t)element_of(node) *
                  rt_product(to.dims + dim + 1, to.rank - dim - 1);
  int64_t step = inner * to.dims[dim];
  char *at = results[0];
  if (ir_type_elements(to) == 0) return true;
  for (int i = 0; i < node->n_operands; i++) {
    int64_t size = inner * node->operands[i]->type.dims[dim];
    rt_copy_pieces(outer, size, at, step, operands[i], size);
    at += size;
  }
  return true;
}

/* Element i of a dim lands on low + i * step; the box keeps those i whose
 * place is inside. */
static void pad_dim(Box *box, int d, int64_t low, int64_t step, int64_t from,
                    int64_t to, const char **first, char **place) {
  int64_t skipped = low < 0 ? (-low + step - 1) / step : 0;
  int64_t start = low + skipped * step;
  int64_t room = start < to ? (to - start - 1) / step + 1 : 0;
  int64_t left = skipped < from ? from - skipped : 0;
  box->dims[d] = left < room ? left : room;
  if (box->dims[d] == 0) return;
  *first += skipped * box->from[d];
  *place += start * box->to[d];
  box->to[d] *= box->dims[d] > 1 ? step : 1;
}

bool rt_pad(Evaluation *evaluation, const Node *node,
            const char *const *operands, char *const *results) {
  (void)evaluation;
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList low = ir_ints(node, ATTR_low);
  IntList interior = ir_ints(node, ATTR_interior);
  const char *first = operands[0];
  char *place = results[0];
  Box box = rt_box(to.rank, to.dims, element_of(node));
  rt_fill(results[0], ir_type_elements(to), element_of(node), operands[1]);
  if (ir_type_elements(to) == 0 || ir_type_elements(from) == 0) return true;
  rt_strides(from.rank, from.dims, element_of(node), box.from);
  for (int d = 0; d < to.rank; d++) {
    int64_t step = interior.n ? interior.v[d] + 1 : 1;
    pad_dim(&box, d, low.n ? low.v[d] : 0, step, from.dims[d], to.dims[d],
            &first, &place);
  }
  rt_copy_box(&box, element_of(node), place, first);
  return true;
}

bool rt_reverse(Evaluation *evaluation, const Node *node,
                const char *const *operands, char *const *results) {
  (void)evaluation;
  Type type = node->results[0]->type;
  IntList dims = ir_ints(node, ATTR_dims);
  const char *first = operands[0];
  Box box = rt_box(type.rank, type.dims, element_of(node));
  if (ir_type_elements(type) == 0) return true;
  for (int i = 0; i < dims.n; i++) {
    int d = (int)dims.v[i];
    first += (type.dims[d] - 1) * box.from[d];
    box.from[d] = -box.from[d];
  }
  rt_copy_box(&box, element_of(node), results[0], first);
  return true;
}
