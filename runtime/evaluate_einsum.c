/* evaluate_einsum.c: einsum in the strict order.
 *
 * Operands are taken pairwise, left to right: the first two make an
 * intermediate, which meets the third, and so on.  After each pair, labels
 * that neither a later term nor the output names are contracted: each element
 * is a chain of fma from +0 over them, row-major in the order in which they
 * first appear in the pair's terms (the first one is the outermost loop).  An
 * intermediate keeps its other labels in that same order.  One operand alone is
 * paired with the number 1, and if nothing is contracted its elements are moved
 * as they are.  f16 and bf16 are computed in f32, intermediates too, and
 * rounded once at the end; integers wrap; bool is OR of ANDs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* What is added up: a float, a double, an integer modulo 2^64, or a bool (as
 * integer). */
typedef union Sum {
  float f32;
  double f64;
  uint64_t u64;
} Sum;

typedef void Chain(int64_t count, const char *a, int64_t a_step, const char *b,
                   int64_t b_step, Sum *sum);

#define CHAIN(name, type, field, expression)                     \
  static void name(int64_t count, const char *a, int64_t a_step, \
                   const char *b, int64_t b_step, Sum *sum) {    \
    type total = sum->field;                                     \
    for (int64_t i = 0; i < count; i++) {                        \
      type x, y;                                                 \
      memcpy(&x, a + i * a_step, sizeof x);                      \
      memcpy(&y, b + i * b_step, sizeof y);                      \
      total = (expression);                                      \
    }                                                            \
    sum->field = total;                                          \
  }
CHAIN(chain_f32, float, f32, fmaf(x, y, total))
CHAIN(chain_f64, double, f64, fma(x, y, total))
CHAIN(chain_int, uint64_t, u64, x *y + total)
CHAIN(chain_bool, uint64_t, u64, (x & y) | total)

/* How to compute: operands are first brought into `work`. */
typedef struct Arithmetic {
  DType work;
  Chain *chain;
  Sum zero, minus_zero, one;
} Arithmetic;

static Arithmetic arithmetic_of(DType to) {
  switch (ir_accumulator(to)) {
    case DT_F32:
      return (Arithmetic){
          DT_F32, chain_f32, {.f32 = 0}, {.f32 = -0.0f}, {.f32 = 1}};
    case DT_F64:
      return (Arithmetic){
          DT_F64, chain_f64, {.f64 = 0}, {.f64 = -0.0}, {.f64 = 1}};
    case DT_BOOL:
      return (Arithmetic){
          DT_U64, chain_bool, {.u64 = 0}, {.u64 = 0}, {.u64 = 1}};
    default:
      return (Arithmetic){
          DT_U64, chain_int, {.u64 = 0}, {.u64 = 0}, {.u64 = 1}};
  }
}

/* An operand or intermediate, row-major in dtype `work`. */
typedef struct Tensor {
  int rank;
  int8_t label[52];
  char *data;
  bool owned;
} Tensor;

typedef struct Contraction {
  Evaluation *evaluation;
  const Node *node;
  Einsum spec;
  Arithmetic arithmetic;
} Contraction;

static int64_t elements_of(const Contraction *c, const Tensor *tensor) {
  int64_t elements = 1;
  for (int d = 0; d < tensor->rank; d++) {
    int64_t size = c->spec.size[tensor->label[d]];
    if (__builtin_mul_overflow(elements, size, &elements)) return INT64_MAX;
  }
  return elements;
}

static char *converted(Contraction *c, const char *data, DType from,
                       int64_t count) {
  DType to = c->node->results[0]->type.dtype, work = c->arithmetic.work;
  int64_t from_size = (int64_t)ir_dtype_bytes(from);
  int64_t size = (int64_t)ir_dtype_bytes(work);
  char *copy = rt_allocate(c->evaluation, count, (size_t)size);
  if (!copy) return NULL;
  for (int64_t i = 0; i < count; i++) {
    Scalar value = ir_scalar_load(from, data + i * from_size);
    value = ir_scalar_convert(to, from, value);
    ir_scalar_store(work, copy + i * size, value);
  }
  return copy;
}

static bool read_term(Contraction *c, int term, const char *operand,
                      Tensor *tensor) {
  DType from = c->node->operands[term]->type.dtype;
  tensor->rank = c->spec.rank[term];
  memcpy(tensor->label, c->spec.term[term], sizeof tensor->label);
  tensor->owned = from != c->arithmetic.work || !ir_is_float(from);
  tensor->data = (char *)(uintptr_t)operand;
  if (tensor->owned) {
    tensor->data = converted(c, operand, from, elements_of(c, tensor));
  }
  return tensor->data != NULL;
}

/* The loops of one pair: the result's labels, then those contracted. */
typedef struct Loops {
  int n, n_outer;
  int64_t size[104], a[104], b[104]; /* and the strides in bytes */
} Loops;

/* Along a label a tensor moves by the sum of the strides of its dims that bear
 * it, which walks the diagonal where there are two. */
static void label_strides(const Contraction *c, const Tensor *tensor,
                          int64_t *strides) {
  int64_t stride = (int64_t)ir_dtype_bytes(c->arithmetic.work);
  memset(strides, 0, 52 * sizeof *strides);
  for (int d = tensor->rank - 1; d >= 0; d--) {
    int label = tensor->label[d];
    strides[label] += stride;
    stride = (int64_t)((uint64_t)stride * (uint64_t)c->spec.size[label]);
  }
}

static void add_loop(const Contraction *c, Loops *loops, int label,
                     const int64_t *a, const int64_t *b) {
  int n = loops->n++;
  loops->size[n] = c->spec.size[label];
  loops->a[n] = a[label];
  loops->b[n] = b[label];
}

static Loops plan_loops(const Contraction *c, const Tensor *a, const Tensor *b,
                        const Tensor *result) {
  Loops loops = {0};
  int64_t a_strides[52], b_strides[52];
  bool used[52] = {false};
  label_strides(c, a, a_strides);
  label_strides(c, b, b_strides);
  for (int d = 0; d < result->rank; d++) {
    add_loop(c, &loops, result->label[d], a_strides, b_strides);
    used[result->label[d]] = true;
  }
  loops.n_outer = loops.n;
  for (int d = 0; d < a->rank + b->rank; d++) {
    int label = d < a->rank ? a->label[d] : b->label[d - a->rank];
    if (!used[label]) add_loop(c, &loops, label, a_strides, b_strides);
    used[label] = true;
  }
  return loops;
}

/* One step of loops [first, end), the last fastest; false after the last. */
static bool step(const Loops *loops, int first, int end, int64_t *index,
                 const char **a, const char **b) {
  for (int l = end - 1; l >= first; l--) {
    *a += loops->a[l];
    *b += loops->b[l];
    if (++index[l] < loops->size[l]) return true;
    *a -= index[l] * loops->a[l];
    *b -= index[l] * loops->b[l];
    index[l] = 0;
  }
  return false;
}

static Sum one_element(const Loops *loops, const Arithmetic *arithmetic,
                       int64_t *index, const char *a, const char *b, Sum sum) {
  int inner = loops->n - 1;
  if (loops->n == loops->n_outer) {
    arithmetic->chain(1, a, 0, b, 0, &sum);
    return sum;
  }
  for (int l = loops->n_outer; l < loops->n; l++) {
    if (loops->size[l] == 0) return sum;
  }
  do {
    arithmetic->chain(loops->size[inner], a, loops->a[inner], b,
                      loops->b[inner], &sum);
  } while (step(loops, loops->n_outer, inner, index, &a, &b));
  return sum;
}

static bool pair(Contraction *c, const Tensor *a, const Tensor *b, Sum start,
                 Tensor *result) {
  int64_t index[104] = {0};
  int64_t size = (int64_t)ir_dtype_bytes(c->arithmetic.work);
  int64_t count = elements_of(c, result);
  const char *a_at = a->data, *b_at = b->data;
  Loops loops = plan_loops(c, a, b, result);
  result->owned = true;
  result->data = rt_allocate(c->evaluation, count, (size_t)size);
  if (!result->data) return false;
  for (int64_t i = 0; i < count; i++) {
    Sum sum = one_element(&loops, &c->arithmetic, index, a_at, b_at, start);
    memcpy(result->data + i * size, &sum, (size_t)size);
    step(&loops, 0, loops.n_outer, index, &a_at, &b_at);
  }
  return true;
}

static bool needed_after(const Einsum *spec, int label, int term) {
  if (spec->in_out[label]) return true;
  for (int t = term + 1; t < spec->n_terms; t++) {
    for (int d = 0; d < spec->rank[t]; d++) {
      if (spec->term[t][d] == label) return true;
    }
  }
  return false;
}

/* The labels of what the pair (a, term number `term`) leaves. */
static void result_labels(const Einsum *spec, const Tensor *a, const Tensor *b,
                          int term, Tensor *result) {
  bool used[52] = {false};
  if (term >= spec->n_terms - 1) {
    result->rank = spec->out_rank;
    memcpy(result->label, spec->out, sizeof result->label);
    return;
  }
  for (int d = 0; d < a->rank + b->rank; d++) {
    int8_t label = d < a->rank ? a->label[d] : b->label[d - a->rank];
    if (!used[label] && needed_after(spec, label, term)) {
      result->label[result->rank++] = label;
    }
    used[label] = true;
  }
}

static void drop(Tensor *tensor) {
  if (tensor->owned) free(tensor->data);
  *tensor = (Tensor){0};
}

static bool contract(Contraction *c, const char *const *operands,
                     Tensor *total) {
  if (!read_term(c, 0, operands[0], total)) return false;
  for (int t = 1; t < c->spec.n_terms; t++) {
    Tensor right = {0}, left = *total;
    *total = (Tensor){0};
    bool fine = read_term(c, t, operands[t], &right);
    result_labels(&c->spec, &left, &right, t, total);
    fine = fine && pair(c, &left, &right, c->arithmetic.zero, total);
    drop(&left);
    drop(&right);
    if (!fine) return false;
  }
  return true;
}

static bool contract_one(Contraction *c, const char *operand, Tensor *total) {
  Tensor only = {0};
  Tensor one = {.data = (char *)&c->arithmetic.one};
  bool sums = false;
  if (!read_term(c, 0, operand, &only)) return false;
  for (int l = 0; l < c->spec.n_labels; l++) sums |= !c->spec.in_out[l];
  result_labels(&c->spec, &only, &one, 0, total);
  bool fine = pair(c, &only, &one,
                   sums ? c->arithmetic.zero : c->arithmetic.minus_zero, total);
  drop(&only);
  return fine;
}

static void write_result(const Contraction *c, const Tensor *total,
                         char *result) {
  Type to = c->node->results[0]->type;
  DType work = c->arithmetic.work;
  int64_t work_size = (int64_t)ir_dtype_bytes(work);
  int64_t size = (int64_t)ir_dtype_bytes(to.dtype);
  int64_t count = ir_type_elements(to);
  if (to.dtype == work) {
    memcpy(result, total->data, (size_t)(count * size));
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    ir_scalar_store(to.dtype, result + i * size,
                    ir_scalar_load(work, total->data + i * work_size));
  }
}

bool rt_einsum(Evaluation *evaluation, const Node *node,
               const char *const *operands, char *const *results) {
  Contraction c = {.evaluation = evaluation, .node = node};
  Tensor total = {0};
  c.arithmetic = arithmetic_of(node->results[0]->type.dtype);
  ir_einsum_read(node, &c.spec);
  bool fine = c.spec.n_terms == 1 ? contract_one(&c, operands[0], &total)
                                  : contract(&c, operands, &total);
  if (fine) write_result(&c, &total, results[0]);
  drop(&total);
  return fine;
}
