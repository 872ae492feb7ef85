/* evaluate_reduce.c: reduce_sum, reduce_prod, and the reductions whose order
 * does not matter.
 *
 * THE STRICT ORDER of reduce_sum and reduce_prod, for one result element:
 *   - Its terms are numbered 0, 1, ..., N-1, row-major over the reduced dims
 *     (the last reduced dim runs fastest), in the order of the operand's dims.
 *   - They are converted to the accumulator's dtype: f32 for f16 and bf16, i32
 *     for the sum of bool, else the dtype itself.  Every addition (or
 *     multiplication) below rounds to that dtype; none is contracted.
 *   - Terms 4096 b ... 4096 b + 4095 make block b; the last may be shorter.
 *   - A block has 16 lanes, each of which starts as the identity: -0 for a sum
 *     of floats, 0 for a sum of integers, 1 for a product.  Term i of the
 *     program's numbering goes to lane i mod 16:
 *         lane = lane + term,    in increasing i.
 *   - The lanes are joined by halves: for h = 8, 4, 2, 1 in turn,
 *         lane[k] = lane[k] + lane[k + h]    for every k < h.
 *   - The blocks are added in order, again from the identity:
 *         total = total + lane[0].
 *   - total is rounded to the result's dtype, once.  A sum over nothing is +0,
 *     not -0; a product over nothing is 1.
 * Lanes that no term reaches hold the identity, which changes no bit of what
 * it is joined with (x + -0 is x for every x, and so is x * 1): a sum of N < 16
 * terms may leave them out, and a single block need not be added to the
 * identity.
 *
 * Sums of collectives take their terms in device order and add them in this
 * order, too, so that lowering an axis to a dim changes no bit.
 *
 * reduce_max, reduce_min, reduce_and and reduce_or give the same bits in any
 * order; over nothing they give their identity.  argmax and argmin give the
 * first index of the winner.
 */
#include "evaluate.h"

/* -- the order --------------------------------------------------------- */

static Scalar identity_of(Op op, DType dtype) {
  bool floating = ir_is_float(dtype);
  switch (op) {
    case OP_add:
      return floating ? (Scalar){.f = -0.0} : (Scalar){.u = 0};
    case OP_mul:
      return floating ? (Scalar){.f = 1} : (Scalar){.u = 1};
    case OP_max:
      return ir_scalar_least(dtype);
    case OP_min:
      return ir_scalar_greatest(dtype);
    case OP_and:
      return ir_scalar_wrap(dtype, UINT64_MAX);
    default:
      return (Scalar){.u = 0};
  }
}

static Scalar join(const StrictSum *sum, Scalar a, Scalar b) {
  if (sum->function) {
    double value = sum->function((double[]){a.f, b.f});
    if (sum->accumulator == DT_F32) value = (float)value;
    return (Scalar){.f = value};
  }
  return ir_scalar_apply(sum->op, WORD_NONE, sum->accumulator,
                         (Scalar[]){a, b});
}

static void clear_lanes(StrictSum *sum) {
  for (int k = 0; k < RT_LANES; k++) sum->lanes[k] = sum->identity;
}

static void close_block(StrictSum *sum) {
  for (int half = RT_LANES / 2; half > 0; half /= 2) {
    for (int k = 0; k < half; k++) {
      sum->lanes[k] = join(sum, sum->lanes[k], sum->lanes[k + half]);
    }
  }
  sum->total = join(sum, sum->total, sum->lanes[0]);
}

void rt_strict_start(StrictSum *sum, Op op, DType accumulator) {
  bool floating = ir_is_float(accumulator);
  *sum = (StrictSum){.op = op, .accumulator = accumulator};
  sum->function = floating ? ir_scalar_function(op, accumulator) : NULL;
  sum->identity = sum->total = identity_of(op, accumulator);
  clear_lanes(sum);
}

void rt_strict_add(StrictSum *sum, Scalar term) {
  if (sum->count > 0 && sum->count % RT_BLOCK == 0) {
    close_block(sum);
    clear_lanes(sum);
  }
  Scalar *lane = &sum->lanes[sum->count++ % RT_LANES];
  *lane = join(sum, *lane, term);
}

Scalar rt_strict_total(StrictSum *sum) {
  if (sum->count == 0 && sum->op == OP_add) return (Scalar){.u = 0};
  close_block(sum);
  return sum->total;
}

/* -- reductions over dims ---------------------------------------------- */

typedef struct Reduction {
  Op op; /* the binary op that joins two values */
  DType from, accumulator;
  int rank; /* of the reduced dims */
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK];
  int64_t terms;
} Reduction;

static void next_term(const Reduction *reduction, int64_t *index,
                      const char **term) {
  for (int d = reduction->rank - 1; d >= 0; d--) {
    *term += reduction->strides[d];
    if (++index[d] < reduction->dims[d]) return;
    *term -= index[d] * reduction->strides[d];
    index[d] = 0;
  }
}

static Scalar reduce_terms(const Reduction *reduction, const char *term) {
  int64_t index[IR_MAX_RANK] = {0};
  StrictSum sum;
  rt_strict_start(&sum, reduction->op, reduction->accumulator);
  for (int64_t i = 0; i < reduction->terms; i++) {
    Scalar value = ir_scalar_load(reduction->from, term);
    rt_strict_add(&sum, ir_scalar_convert(reduction->accumulator,
                                          reduction->from, value));
    next_term(reduction, index, &term);
  }
  return rt_strict_total(&sum);
}

static Op joining_op(Op op) {
  static const uint16_t joins[OP_COUNT] = {
      [OP_reduce_sum] = OP_add, [OP_reduce_prod] = OP_mul,
      [OP_reduce_max] = OP_max, [OP_reduce_min] = OP_min,
      [OP_reduce_and] = OP_and, [OP_reduce_or] = OP_or};
  return (Op)joins[op];
}

static Reduction reduction_of(const Node *node) {
  DType result = node->results[0]->type.dtype;
  return (Reduction){.op = joining_op(node->op),
                     .from = node->operands[0]->type.dtype,
                     .accumulator = ir_accumulator(result)};
}

/* Split the operand's dims into those reduced and those that stay, which are
 * the result's, in the same order. */
static void split_dims(const Node *node, Reduction *reduction,
                       int64_t *kept_strides) {
  Type type = node->operands[0]->type;
  IntList dims = ir_ints(node, ATTR_dims);
  int64_t strides[IR_MAX_RANK];
  uint64_t reduced = 0;
  int kept = 0;
  rt_strides(type.rank, type.dims, ir_dtype_bytes(type.dtype), strides);
  for (int i = 0; i < dims.n; i++) reduced |= UINT64_C(1) << dims.v[i];
  for (int d = 0; d < type.rank; d++) {
    if (reduced >> d & 1) {
      reduction->dims[reduction->rank] = type.dims[d];
      reduction->strides[reduction->rank++] = strides[d];
    } else {
      kept_strides[kept++] = strides[d];
    }
  }
  reduction->terms = rt_product(reduction->dims, reduction->rank);
}

bool rt_reduce(Evaluation *evaluation, const Node *node,
               const char *const *operands, char *const *results) {
  (void)evaluation;
  Type to = node->results[0]->type;
  int64_t kept_strides[IR_MAX_RANK], index[IR_MAX_RANK] = {0};
  int64_t count = ir_type_elements(to);
  int64_t size = (int64_t)ir_dtype_bytes(to.dtype);
  const char *first = operands[0];
  Reduction reduction = reduction_of(node);
  split_dims(node, &reduction, kept_strides);
  for (int64_t at = 0; at < count; at++) {
    ir_scalar_store(to.dtype, results[0] + at * size,
                    reduce_terms(&reduction, first));
    for (int d = to.rank - 1; d >= 0; d--) {
      first += kept_strides[d];
      if (++index[d] < to.dims[d]) break;
      first -= index[d] * kept_strides[d];
      index[d] = 0;
    }
  }
  return true;
}

/* -- argmax, argmin ---------------------------------------------------- */

/* The first of `size` elements, `step` bytes apart, that no other wins over. */
static int32_t winner(const Node *node, const char *first, int64_t size,
                      int64_t step) {
  DType dtype = node->operands[0]->type.dtype;
  Scalar best = ir_scalar_load(dtype, first);
  int64_t found = 0;
  for (int64_t i = 1; i < size; i++) {
    Scalar other = ir_scalar_load(dtype, first + i * step);
    if (!ir_scalar_wins(node->op, dtype, other, best)) continue;
    best = other;
    found = i;
  }
  return (int32_t)found;
}

bool rt_arg(Evaluation *evaluation, const Node *node,
            const char *const *operands, char *const *results) {
  (void)evaluation;
  Type type = node->operands[0]->type;
  int dim = (int)ir_int(node, ATTR_dim);
  int64_t count = ir_type_elements(node->results[0]->type);
  int64_t size = type.dims[dim], width = (int64_t)ir_dtype_bytes(type.dtype);
  int64_t inner = rt_product(type.dims + dim + 1, type.rank - dim - 1);
  int32_t *result = (int32_t *)results[0];
  for (int64_t at = 0; at < count; at++) {
    int64_t start = at / inner * inner * size + at % inner;
    result[at] = winner(node, operands[0] + start * width, size, inner * width);
  }
  return true;
}
