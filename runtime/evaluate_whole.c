/* evaluate_whole.c: ops from whole arrays to whole arrays: running sums and
 * the like, sort, scatter_add, calls of the host's C functions. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* -- lines: all elements of an array along one dim --------------------- */

/* Line number i of `count` starts at element (i / inner * size) * inner +
 * i % inner; its elements are `inner` apart. */
typedef struct Lines {
  int64_t count, size, inner;
} Lines;

static Lines lines_of(Type type, int dim) {
  Lines lines = {.size = type.dims[dim]};
  lines.inner = rt_product(type.dims + dim + 1, type.rank - dim - 1);
  lines.count = rt_product(type.dims, dim) * lines.inner;
  if (ir_type_elements(type) == 0) lines.count = 0;
  return lines;
}

static int64_t line_start(const Lines *lines, int64_t i) {
  return i / lines->inner * lines->size * lines->inner + i % lines->inner;
}

/* -- cumsum, cumprod, cummax, cummin ----------------------------------- */

static Op joining_op(Op op) {
  switch (op) {
    case OP_cumsum:
      return OP_add;
    case OP_cumprod:
      return OP_mul;
    case OP_cummax:
      return OP_max;
    default:
      return OP_min;
  }
}

/* In order from one end; f16 and bf16 run on in f32, and what is stored is
 * rounded. */
bool rt_cumulative(Evaluation *evaluation, const Node *node,
                   const char *const *operands, char *const *results) {
  (void)evaluation;
  Type type = node->results[0]->type;
  DType running = ir_accumulator(type.dtype);
  int64_t width = (int64_t)ir_dtype_bytes(type.dtype);
  Lines lines = lines_of(type, (int)ir_int(node, ATTR_dim));
  bool reverse = ir_int(node, ATTR_backward) != 0;
  Op op = joining_op(node->op);
  for (int64_t i = 0; i < lines.count; i++) {
    int64_t start = line_start(&lines, i);
    Scalar total = {0};
    for (int64_t k = 0; k < lines.size; k++) {
      int64_t step = reverse ? lines.size - 1 - k : k;
      int64_t at = (start + step * lines.inner) * width;
      Scalar x = ir_scalar_convert(
          running, type.dtype, ir_scalar_load(type.dtype, operands[0] + at));
      total = k == 0 ? x
                     : ir_scalar_apply(op, WORD_NONE, running,
                                       (Scalar[]){total, x});
      ir_scalar_store(type.dtype, results[0] + at,
                      ir_scalar_convert(type.dtype, running, total));
    }
  }
  return true;
}

/* -- sort -------------------------------------------------------------- */

/* NaN comes last; -0 is +0. */
static bool before(DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype)) return a.f < b.f || (b.f != b.f && a.f == a.f);
  return ir_is_signed(dtype) ? a.i < b.i : a.u < b.u;
}

typedef struct Keys {
  DType dtype;
  const char *data; /* of the line */
  int64_t step;     /* bytes */
} Keys;

static Scalar key_at(const Keys *keys, int64_t i) {
  return ir_scalar_load(keys->dtype, keys->data + i * keys->step);
}

/* Joins the sorted runs [start, middle) and [middle, end) of `from`. */
static void merge(const Keys *keys, const int64_t *from, int64_t *to,
                  int64_t start, int64_t middle, int64_t end) {
  int64_t a = start, b = middle;
  for (int64_t i = start; i < end; i++) {
    bool second =
        b < end && (a == middle || before(keys->dtype, key_at(keys, from[b]),
                                          key_at(keys, from[a])));
    to[i] = second ? from[b++] : from[a++];
  }
}

/* The order of a line's elements, in one of two lists of n. */
static const int64_t *order_of(const Keys *keys, int64_t n, int64_t *lists) {
  int64_t *from = lists, *to = lists + n;
  for (int64_t i = 0; i < n; i++) from[i] = i;
  for (int64_t run = 1; run < n; run *= 2) {
    for (int64_t start = 0; start < n; start += 2 * run) {
      int64_t middle = start + run < n ? start + run : n;
      int64_t end = middle + run < n ? middle + run : n;
      merge(keys, from, to, start, middle, end);
    }
    int64_t *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

bool rt_sort(Evaluation *evaluation, const Node *node,
             const char *const *operands, char *const *results) {
  Type type = node->operands[0]->type;
  Lines lines = lines_of(type, (int)ir_int(node, ATTR_dim));
  if (lines.count == 0) return true;
  int64_t *lists = rt_allocate(evaluation, lines.size, 2 * sizeof *lists);
  if (!lists) return false;
  int64_t step = lines.inner * (int64_t)ir_dtype_bytes(type.dtype);
  for (int64_t i = 0; i < lines.count; i++) {
    int64_t start = line_start(&lines, i);
    Keys keys = {type.dtype,
                 operands[0] + start * (int64_t)ir_dtype_bytes(type.dtype),
                 step};
    const int64_t *order = order_of(&keys, lines.size, lists);
    for (int o = 0; o < node->n_operands; o++) {
      size_t width = ir_dtype_bytes(node->operands[o]->type.dtype);
      for (int64_t k = 0; k < lines.size; k++) {
        memcpy(results[o] + (size_t)(start + k * lines.inner) * width,
               operands[o] + (size_t)(start + order[k] * lines.inner) * width,
               width);
      }
    }
  }
  free(lists);
  return true;
}

/* -- scatter_add ------------------------------------------------------- */

/* Where an index points; -1: outside of [0, size). */
static int64_t position(DType dtype, const char *memory, int64_t size) {
  Scalar index = ir_scalar_load(dtype, memory);
  if (ir_is_signed(dtype) && index.i < 0) return -1;
  return index.u < (uint64_t)size ? index.i : -1;
}

static void add_pieces(DType dtype, char *to, const char *from, int64_t n) {
  size_t width = ir_dtype_bytes(dtype);
  for (int64_t i = 0; i < n; i++, to += width, from += width) {
    Scalar both[] = {ir_scalar_load(dtype, to), ir_scalar_load(dtype, from)};
    ir_scalar_store(dtype, to, ir_scalar_apply(OP_add, WORD_NONE, dtype, both));
  }
}

/* x is [batch][before][size][after], index [batch][picks], u
 * [batch][before][picks][after]; each addition rounds. */
bool rt_scatter_add(Evaluation *evaluation, const Node *node,
                    const char *const *operands, char *const *results) {
  (void)evaluation;
  Type x = node->operands[0]->type, index = node->operands[1]->type;
  int batch = (int)ir_int(node, ATTR_batch), dim = (int)ir_int(node, ATTR_dim);
  int64_t size = x.dims[dim], rows = rt_product(x.dims + batch, dim - batch);
  int64_t after = rt_product(x.dims + dim + 1, x.rank - dim - 1);
  int64_t bytes = after * (int64_t)ir_dtype_bytes(x.dtype);
  int64_t picks = rt_product(index.dims + batch, index.rank - batch);
  int64_t width = (int64_t)ir_dtype_bytes(index.dtype);
  if (ir_type_bytes(x) == 0) return true;
  memcpy(results[0], operands[0], (size_t)ir_type_bytes(x));
  if (ir_type_elements(node->operands[2]->type) == 0) return true;
  for (int64_t i = 0; i < rt_product(index.dims, index.rank); i++) {
    int64_t at = position(index.dtype, operands[1] + i * width, size);
    for (int64_t r = i / picks * rows; at >= 0 && r < (i / picks + 1) * rows;
         r++)
      add_pieces(x.dtype, results[0] + (r * size + at) * bytes,
                 operands[2] + (r * picks + i % picks) * bytes, after);
  }
  return true;
}

/* -- call -------------------------------------------------------------- */

bool rt_call(Evaluation *evaluation, const Node *node,
             const char *const *operands, char *const *results) {
  const Callee *callee =
      ir_callee(evaluation->program, ir_string(node, ATTR_symbol));
  assert(callee && "inference found it");
  callee->function(results[0], (const void *const *)operands, callee->user);
  return true;
}
