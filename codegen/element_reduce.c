/* element_reduce.c: reductions and einsums, as loops around an accumulator.
 *
 * emit_sums computes one node at several points of the result at once: the
 * loops over the summed dims run once and hold an accumulator for each point,
 * so that what the points share (a row, a vector of columns) is loaded once.
 * With SUM_LANES the innermost loop also runs over vectors, UNROLL of them in
 * flight; their lanes are joined at the end.
 *
 * Strict numerics: einsum is one chain of fma in the order of first
 * appearance, so only the result's dims may be vectorised; sums and products
 * follow runtime/evaluate_reduce.c: blocks of 4096 terms, 16 lanes, joined by
 * halves.  Up to 16 terms that order is a tree, which serves the fast mode as
 * well. */
#include "sum.h"

#include <math.h>
#include <string.h>

enum { UNROLL = 2, MAX_SUMS = MAX_POINTS * 5 };

/* -- what is summed ---------------------------------------------------- */

static Op join_of(Op op, DType dtype) {
  switch (op) {
    case OP_reduce_prod:
      return OP_mul;
    case OP_reduce_max:
      return OP_max;
    case OP_reduce_min:
      return OP_min;
    case OP_reduce_and:
      return OP_and;
    case OP_reduce_or:
      return OP_or;
    default:
      return dtype == DT_BOOL ? OP_or : OP_add;
  }
}

static uint64_t all_ones(DType dtype) {
  int bits = dtype == DT_BOOL ? 1 : (int)ir_dtype_bytes(dtype) * 8;
  return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

Scalar sum_identity(Op op, DType dtype) {
  bool real = ir_is_float(dtype);
  uint64_t ones = all_ones(dtype), low = ones >> 1; /* signed maximum */
  bool has_sign = ir_is_signed(dtype);
  switch (op) {
    case OP_reduce_sum:
      return real ? (Scalar){.f = -0.0} : (Scalar){.u = 0};
    case OP_reduce_prod:
      return real ? (Scalar){.f = 1} : (Scalar){.u = 1};
    case OP_reduce_max:
      return real ? (Scalar){.f = -INFINITY}
                  : (Scalar){.u = has_sign ? ones - low : 0};
    case OP_reduce_min:
      return real ? (Scalar){.f = INFINITY}
                  : (Scalar){.u = has_sign ? low : ones};
    case OP_reduce_and:
      return (Scalar){.u = ones};
    default:
      return real ? (Scalar){.f = 0} : (Scalar){.u = 0};
  }
}

/* Elements between neighbours along a label in a term; 0: not there; -1: it
 * stands there twice. */
static int64_t label_stride(const Einsum *e, int term, int label) {
  int64_t stride = 1, found = 0;
  for (int d = e->rank[term] - 1; d >= 0; d--) {
    if (e->term[term][d] == label) {
      if (found) return -1;
      found = stride;
    }
    stride *= e->size[e->term[term][d]];
  }
  return found;
}

/* Terms that would have to gather if lanes ran along label. */
static int scattered_terms(const Einsum *e, int label) {
  int bad = 0;
  for (int t = 0; t < e->n_terms; t++) {
    int64_t stride = label_stride(e, t, label);
    bad += stride != 0 && stride != 1;
  }
  return bad;
}

/* The summed label that suits lanes best; -1: none is long enough. */
static int sum_label(const Einsum *e, int width) {
  int best = -1;
  for (int l = 0; l < e->n_labels; l++) {
    if (e->in_out[l] || e->size[l] < width) continue;
    if (best < 0 || scattered_terms(e, l) < scattered_terms(e, best)) best = l;
  }
  return best;
}

LaneMode lane_mode(const Gen *gen, const Node *heavy, Type result, int width) {
  int last = result.rank - 1;
  bool wide = last >= 0 && result.dims[last] >= width;
  LaneMode output = wide ? OUTPUT_LANES : SCALAR;
  DType dtype = heavy->results[0]->type.dtype;
  bool fixed = gen->strict && ir_is_float(dtype);
  if (heavy->op == OP_einsum) {
    Einsum e;
    ir_einsum_read(heavy, &e);
    int inner = fixed ? -1 : sum_label(&e, width);
    if (inner < 0) return output;
    int across =
        wide && e.out_rank ? scattered_terms(&e, e.out[e.out_rank - 1]) : 99;
    return scattered_terms(&e, inner) < across ? SUM_LANES : output;
  }
  Type x = heavy->operands[0]->type;
  int64_t dim = ir_int(heavy, ATTR_dim), terms = 1;
  IntList dims =
      is_arg(heavy->op) ? (IntList){&dim, 1} : ir_ints(heavy, ATTR_dims);
  for (int i = 0; i < dims.n; i++) terms *= x.dims[dims.v[i]];
  if (terms <= SUM_TREE) return output;
  bool ordered = heavy->op == OP_reduce_sum || heavy->op == OP_reduce_prod;
  if (fixed && ordered) return SCALAR;
  bool unit = dims.n && dims.v[dims.n - 1] == x.rank - 1;
  return unit && x.dims[x.rank - 1] >= width ? SUM_LANES : output;
}

static void describe_einsum(Sum *sum, int width) {
  Einsum *e = &sum->e;
  ir_einsum_read(sum->node, e);
  int last = sum->lanes ? sum_label(e, width) : -1;
  for (int l = 0; l < e->n_labels; l++)
    if (!e->in_out[l] && l != last) sum->dims[sum->n_dims++] = (int8_t)l;
  if (last >= 0) sum->dims[sum->n_dims++] = (int8_t)last;
  for (int i = 0; i < sum->n_dims; i++) sum->sizes[i] = e->size[sum->dims[i]];
}

void sum_describe(Gen *gen, Sum *sum, const Node *node) {
  memset(sum, 0, sizeof *sum);
  sum->node = node;
  sum->is_einsum = node->op == OP_einsum;
  sum->result = node->results[0]->type.dtype;
  sum->dtype = ir_accumulator(sum->result);
  sum->join = join_of(node->op, sum->is_einsum ? sum->result : DT_I32);
  sum->identity = literal(gen, sum->dtype, sum_identity(node->op, sum->dtype));
  sum->lanes = gen->mode == SUM_LANES && gen->lanes == 1;
  if (sum->is_einsum) {
    describe_einsum(sum, gen->width);
  } else {
    IntList dims = ir_ints(node, ATTR_dims);
    for (int i = 0; i < dims.n; i++) {
      sum->dims[sum->n_dims++] = (int8_t)dims.v[i];
      sum->sizes[i] = node->operands[0]->type.dims[dims.v[i]];
    }
  }
  if (sum->lanes && sum->sizes[sum->n_dims - 1] < gen->width)
    sum->lanes = false;
  sum->n_vectors = sum->lanes ? UNROLL : 0;
}

int64_t sum_terms(const Sum *sum) {
  int64_t terms = 1;
  for (int i = 0; i < sum->n_dims; i++) terms *= sum->sizes[i];
  return terms;
}

/* -- one term ---------------------------------------------------------- */

static Ix loop_index(const Sum *sum, int dim) {
  int i = 0;
  while (sum->dims[i] != dim) i++;
  return sum->inner[i];
}

/* The operand of a reduction at a point and the loops' indices. */
Ssa sum_reduced_term(Gen *gen, const Sum *sum, const Ix *point) {
  const Value *x = sum->node->operands[0];
  IntList dims = ir_ints(sum->node, ATTR_dims);
  Ix at[IR_MAX_RANK];
  for (int d = 0, kept = 0, i = 0; d < x->type.rank; d++) {
    bool summed = i < dims.n && dims.v[i] == d;
    at[d] = summed ? loop_index(sum, d) : point[kept];
    if (summed)
      i++;
    else
      kept++;
  }
  return convert(gen, sum->dtype, x->type.dtype, emit_value(gen, x, at));
}

/* Operand t of an einsum. */
static Ssa einsum_term(Gen *gen, const Sum *sum, const Ix *point, int t) {
  const Value *x = sum->node->operands[t];
  const Einsum *e = &sum->e;
  Ix at[IR_MAX_RANK];
  for (int d = 0; d < e->rank[t]; d++) {
    int label = e->term[t][d], out = 0;
    if (!e->in_out[label]) {
      at[d] = loop_index(sum, label);
      continue;
    }
    while (e->out[out] != label) out++;
    at[d] = point[out];
  }
  return convert(gen, sum->dtype, x->type.dtype, emit_value(gen, x, at));
}

/* The accumulator after one more term. */
Ssa sum_step(Gen *gen, const Sum *sum, const Ix *point, Ssa accumulator) {
  if (!sum->is_einsum)
    return arithmetic(gen, sum->join, sum->dtype, accumulator,
                      sum_reduced_term(gen, sum, point));
  Ssa product = einsum_term(gen, sum, point, 0);
  for (int t = 1; t + 1 < sum->e.n_terms; t++)
    product = arithmetic(gen, sum->dtype == DT_BOOL ? OP_and : OP_mul,
                         sum->dtype, product, einsum_term(gen, sum, point, t));
  if (sum->e.n_terms > 1)
    return multiply_add(gen, sum->dtype, product,
                        einsum_term(gen, sum, point, sum->e.n_terms - 1),
                        accumulator);
  return arithmetic(gen, sum->join, sum->dtype, accumulator, product);
}

/* -- the loops --------------------------------------------------------- */

/* Accumulators of point p: [p * (n_vectors + 1)] is the scalar (or, with
 * output lanes, the only) one, vectors behind it. */
static int per_point(const Sum *sum) { return sum->n_vectors + 1; }

static void run_loop(Gen *gen, Sum *sum, int level, int64_t from, int64_t to,
                     int64_t stride, int vectors, Ssa *sums);

/* The innermost loop in vectors: `vectors` of them a trip, then one, then
 * single elements. */
static void run_lanes(Gen *gen, Sum *sum, int level, Ssa *sums) {
  int64_t size = sum->sizes[level], width = gen->width;
  int64_t chunk = width * sum->n_vectors;
  int64_t whole = size / chunk * chunk, most = size / width * width;
  if (whole > 0)
    run_loop(gen, sum, level, 0, whole, chunk, sum->n_vectors, sums);
  if (most > whole) run_loop(gen, sum, level, whole, most, width, 1, sums);
  if (size > most) run_loop(gen, sum, level, most, size, 1, 0, sums);
}

static void run_level(Gen *gen, Sum *sum, int level, Ssa *sums) {
  if (level == sum->n_dims) {
    for (int p = 0; p < sum->n_points; p++)
      sums[p * per_point(sum)] =
          sum_step(gen, sum, sum->points[p], sums[p * per_point(sum)]);
    return;
  }
  if (sum->lanes && level == sum->n_dims - 1)
    run_lanes(gen, sum, level, sums);
  else
    run_loop(gen, sum, level, 0, sum->sizes[level], 1, 0, sums);
}

/* One trip of a vector loop: vector v of every point. */
static void vector_trip(Gen *gen, Sum *sum, int level, Ssa index, int vectors,
                        Ssa *sums) {
  gen->lanes = gen->width;
  for (int v = 0; v < vectors; v++) {
    Ix at = ix_scaled(gen, (Ix){index, 1}, 1, (int64_t)v * gen->width);
    sum->inner[level] = at;
    for (int p = 0; p < sum->n_points; p++) {
      Ssa *one = &sums[p * per_point(sum) + 1 + v];
      *one = sum_step(gen, sum, sum->points[p], *one);
    }
  }
  gen->lanes = 1;
}

static void run_loop(Gen *gen, Sum *sum, int level, int64_t from, int64_t to,
                     int64_t stride, int vectors, Ssa *sums) {
  Ssa phis[MAX_SUMS];
  int n = sum->n_points * per_point(sum);
  Loop loop;
  for (; gen->held && from < to; from += stride) { /* no loop at all */
    sum->inner[level] = (Ix){gen_number(gen, from), 0};
    run_level(gen, sum, level + 1, sums);
  }
  if (gen->held) return;
  loop_begin(gen, &loop, from, to, stride);
  for (int i = 0; i < n; i++) sums[i] = phis[i] = loop_phi(gen, &loop, sums[i]);
  int mark = memo_mark(gen);
  if (vectors) {
    vector_trip(gen, sum, level, loop.index, vectors, sums);
  } else {
    sum->inner[level] = (Ix){loop.index, 0};
    run_level(gen, sum, level + 1, sums);
  }
  memo_release(gen, mark);
  loop_end(gen, &loop, phis, sums, n);
}

/* -- joining lanes ----------------------------------------------------- */

Ssa shuffled_down(Gen *gen, Ssa vector, int by) {
  Ssa mask[64];
  int n = (int)LLVMGetVectorSize(LLVMTypeOf(vector));
  for (int l = 0; l < n; l++)
    mask[l] = LLVMConstInt(gen->i32, (unsigned long long)((l + by) % n), 0);
  return LLVMBuildShuffleVector(gen->b, vector, vector,
                                LLVMConstVector(mask, (unsigned)n), "");
}

static Ssa join_lanes(Gen *gen, const Sum *sum, Ssa vector) {
  for (int by = gen->width / 2; by > 0; by /= 2)
    vector = arithmetic(gen, sum->join, sum->dtype, vector,
                        shuffled_down(gen, vector, by));
  return LLVMBuildExtractElement(gen->b, vector, LLVMConstInt(gen->i64, 0, 0),
                                 "");
}

Ssa sum_joined(Gen *gen, const Sum *sum, const Ssa *sums) {
  if (sum->n_vectors == 0) return sums[0];
  Ssa total = sums[1];
  for (int v = 1; v < sum->n_vectors; v++)
    total = arithmetic(gen, sum->join, sum->dtype, total, sums[1 + v]);
  return arithmetic(gen, sum->join, sum->dtype, join_lanes(gen, sum, total),
                    sums[0]);
}

/* -- few terms, soon ---------------------------------------------------- */

/* In a kernel of form=loop, whose steps wait for each other, an einsum has
 * several chains, so that it is there earlier: 2 of them from 2 terms on, 4
 * from 8.  The first one starts from +0, as all einsums do. */
static Ssa sum_chains(Gen *gen, Sum *sum, const Ix *point) {
  enum { CHAINS = 4 };
  Ssa chains[CHAINS] = {splat(gen, sum->identity)};
  int64_t terms = sum_terms(sum);
  int n = terms < 8 ? 2 : CHAINS;
  for (int64_t i = 0; i < terms; i++) {
    Ssa *chain = &chains[i % n];
    sum_unravel(gen, sum, i);
    if (*chain)
      *chain = sum_step(gen, sum, point, *chain);
    else
      *chain =
          arithmetic(gen, OP_mul, sum->dtype, einsum_term(gen, sum, point, 0),
                     einsum_term(gen, sum, point, 1));
  }
  for (int by = n / 2; by > 0; by /= 2)
    for (int k = 0; k < by; k++)
      chains[k] =
          arithmetic(gen, sum->join, sum->dtype, chains[k], chains[k + by]);
  return chains[0];
}

static bool in_chains(const Gen *gen, const Sum *sum) {
  return gen->held && !gen->strict && sum->is_einsum && sum->e.n_terms == 2 &&
         ir_is_float(sum->dtype) && sum_terms(sum) > 1;
}

/* -- entry ------------------------------------------------------------- */

static void emit_loops(Gen *gen, Sum *sum, Ssa *totals) {
  Ssa sums[MAX_SUMS];
  for (int p = 0; p < sum->n_points; p++) {
    Ssa *one = &sums[p * per_point(sum)];
    one[0] = splat(gen, sum->identity);
    gen->lanes = sum->lanes ? gen->width : gen->lanes;
    for (int v = 0; v < sum->n_vectors; v++)
      one[1 + v] = splat(gen, sum->identity);
    if (sum->lanes) gen->lanes = 1;
  }
  run_level(gen, sum, 0, sums);
  for (int p = 0; p < sum->n_points; p++)
    totals[p] = sum_joined(gen, sum, &sums[p * per_point(sum)]);
}

void emit_sums(Gen *gen, const Node *node, Ix *const *points, int n_points,
               Ssa *totals) {
  Sum sum;
  if (is_arg(node->op)) {
    for (int p = 0; p < n_points; p++)
      totals[p] = arg_found(gen, node, points[p]);
    return;
  }
  sum_describe(gen, &sum, node);
  sum.points = points;
  sum.n_points = n_points;
  int64_t terms = sum_terms(&sum);
  bool ordered = node->op == OP_reduce_sum || node->op == OP_reduce_prod;
  bool strict = (gen->strict || gen->held) && ir_is_float(sum.dtype) && ordered;
  bool moves = sum.is_einsum && sum.e.n_terms == 1 && sum.n_dims == 0;
  for (int p = 0; p < n_points; p++) {
    if (terms == 0) {
      bool plus = node->op == OP_reduce_sum && ir_is_float(sum.dtype);
      totals[p] =
          plus ? literal(gen, sum.dtype, (Scalar){.f = 0}) : sum.identity;
    } else if (moves) { /* -0 stays -0 */
      totals[p] = einsum_term(gen, &sum, points[p], 0);
    } else if (!sum.is_einsum && terms <= SUM_TREE) {
      totals[p] = sum_tree(gen, &sum, points[p]);
    } else if (strict) {
      totals[p] = sum_strict(gen, &sum, points[p]);
    } else if (in_chains(gen, &sum)) {
      totals[p] = sum_chains(gen, &sum, points[p]);
    }
  }
  bool done = terms == 0 || strict || moves || in_chains(gen, &sum) ||
              (!sum.is_einsum && terms <= SUM_TREE);
  if (!done) emit_loops(gen, &sum, totals);
  for (int p = 0; p < n_points; p++)
    totals[p] = convert(gen, sum.result, sum.dtype, totals[p]);
}

static Ssa emit_one(Gen *gen, const Node *node, const Ix *ix) {
  Ssa total;
  Ix *point = gen_alloc(gen, IR_MAX_RANK * sizeof *point);
  if (point == NULL) return literal(gen, DT_F64, (Scalar){0});
  int rank = node->results[0]->type.rank;
  if (rank) memcpy(point, ix, (size_t)rank * sizeof *point);
  emit_sums(gen, node, &point, 1, &total);
  return total;
}

Ssa emit_reduce(Gen *gen, const Node *node, const Ix *ix) {
  return emit_one(gen, node, ix);
}

Ssa emit_einsum(Gen *gen, const Node *node, const Ix *ix) {
  return emit_one(gen, node, ix);
}
