/* sweep.c: a kernel of several sums over one space -> one loop nest.
 *
 * Comes in: a kernel with two reductions or einsums or more.  Goes out: the
 * loops of passes/sweep.c, if its sums have them.  A sum's accumulators are
 * opened where all dims that it keeps have an index and its loops begin; behind
 * these it is closed: its total is known, and the results of its shape are
 * stored.  Between, all loops carry the accumulators that are open.
 *
 * Lanes run along the innermost dim of the space, up to COLUMNS vectors of them
 * at once, then single vectors, then single elements.  A sum that keeps this
 * dim has an accumulator for each column.  One that sums it has a vector for
 * each column and a scalar for the elements at the end, joined when it is
 * closed. */
#include "../passes/sweep.h"
#include "sum.h"

#include <string.h>

enum { COLUMNS = 2, ACCUMULATORS = COLUMNS + 1 };

typedef struct Open {
  Sum sum;
  const SweepSum *place;
  bool along; /* keeps the lane dim: one accumulator a column */
  Ix point[COLUMNS][IR_MAX_RANK];
  Ssa value[ACCUMULATORS];
} Open;

typedef struct Nest {
  Gen *gen;
  const Node *kernel;
  const Buffer *outputs;
  Sweep sweep;
  Open *open; /* as sweep.sums */
  int n_open; /* the first so many are open */
  int columns, most_columns;
  bool lanes;
  int64_t units;               /* of work, in a trip of the outermost loop */
  Ix at[COLUMNS][IR_MAX_RANK]; /* in the space, of each column */
} Nest;

/* -- is it one? -------------------------------------------------------- */

static bool is_heavy(const Node *node) {
  return ir_ops[node->op].class == REDUCE || ir_ops[node->op].class == EINSUM;
}

static bool has_shape_of_sum(const Sweep *sweep, Type type) {
  for (int i = 0; i < sweep->n_sums; i++)
    if (ir_shape_equal(sweep->sums[i].node->results[0]->type, type))
      return true;
  return false;
}

static int place_in(const Block *body, const Value *value) {
  for (int i = 0; value->block == body && i < body->n_nodes; i++)
    if (body->nodes[i] == value->node) return i;
  return -1;
}

/* What reads a total must read it where it is made: elementwise, of its
 * shape. */
enum { MOST_NODES = 256 };
static bool reads_totals_in_place(const Block *body) {
  bool late[MOST_NODES]; /* it is a total, or hangs on one */
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    late[i] = is_heavy(node);
    for (int o = 0; o < node->n_operands; o++) {
      int of = place_in(body, node->operands[o]);
      if (of < 0 || !late[of]) continue;
      late[i] = true;
      if (ir_ops[node->op].class != ELEMENTWISE ||
          !ir_shape_equal(node->results[0]->type, node->operands[o]->type))
        return false;
    }
  }
  return true;
}

/* Strict numerics fix an order of each sum, which is another one. */
static bool plan_sweep(const Gen *gen, const Node *kernel, Sweep *sweep) {
  const Block *body = kernel->body;
  const Node *heavies[SWEEP_SUMS];
  int n = 0;
  if (gen->strict || body->n_nodes > MOST_NODES) return false;
  for (int i = 0; i < body->n_nodes; i++) {
    if (!is_heavy(body->nodes[i])) continue;
    if (n == SWEEP_SUMS) return false;
    heavies[n++] = body->nodes[i];
  }
  if (n < 2 || !sweep_of(heavies, n, NULL, sweep)) return false;
  for (int i = 0; i < kernel->n_results; i++)
    if (!has_shape_of_sum(sweep, kernel->results[i]->type)) return false;
  return reads_totals_in_place(body);
}

/* -- sums -------------------------------------------------------------- */

static Ix dim_index(Nest *nest, int column, int dim) {
  return dim < 0 ? ix_const(nest->gen, 0) : nest->at[column][dim];
}

/* The index of the result, as far as there are loops for it. */
static void set_points(Nest *nest, Open *open) {
  int rank = open->place->node->results[0]->type.rank;
  for (int c = 0; c < COLUMNS; c++)
    for (int d = 0; d < rank; d++)
      open->point[c][d] = dim_index(nest, c, open->place->point[d]);
}

static void open_sum(Nest *nest, Open *open) {
  Gen *gen = nest->gen;
  int lanes = gen->lanes;
  set_points(nest, open);
  for (int a = 0; a < ACCUMULATORS; a++) {
    if (!open->along) gen->lanes = a ? gen->width : 1;
    open->value[a] = splat(gen, open->sum.identity);
  }
  gen->lanes = lanes;
}

/* Column c at the space's index, added to its accumulator. */
static void add_term(Nest *nest, Open *open, int c) {
  Sum *sum = &open->sum;
  bool vector = nest->gen->lanes > 1;
  for (int i = 0; i < sum->n_dims; i++)
    sum->inner[i] = dim_index(nest, c, open->place->of[sum->dims[i]]);
  Ssa *one = &open->value[open->along ? c : vector ? 1 + c : 0];
  Ix point[IR_MAX_RANK];
  int rank = open->place->node->results[0]->type.rank;
  for (int d = 0; d < rank; d++)
    point[d] = dim_index(nest, c, open->place->point[d]);
  *one = sum_step(nest->gen, sum, point, *one);
}

static void store_results(Nest *nest, Type shape, const Ix *point) {
  const Node *kernel = nest->kernel;
  for (int i = 0; i < kernel->n_results; i++) {
    Type type = kernel->results[i]->type;
    if (!ir_shape_equal(type, shape)) continue;
    Ssa value = emit_value(nest->gen, kernel->body->yields[i], point);
    emit_store(nest->gen, nest->outputs[i], type, point, value);
  }
}

/* Those sums of one level that have one shape are closed together: a result may
 * read several. */
static void close_sums(Nest *nest, int from, int to) {
  Gen *gen = nest->gen;
  int columns = nest->open[from].along ? nest->columns : 1;
  for (int c = 0; c < columns; c++) {
    for (int i = from; i < to; i++) {
      Open *open = &nest->open[i];
      Ssa total = open->along ? open->value[c]
                              : sum_joined(gen, &open->sum, open->value);
      total = convert(gen, open->sum.result, open->sum.dtype, total);
      memo_add(gen, open->place->node->results[0], open->point[c], total);
    }
    for (int i = from; i < to; i++) {
      Type shape = nest->open[i].place->node->results[0]->type;
      bool first = true;
      for (int j = from; j < i; j++)
        first &=
            !ir_shape_equal(shape, nest->open[j].place->node->results[0]->type);
      if (first) store_results(nest, shape, nest->open[i].point[c]);
    }
  }
}

/* -- loops ------------------------------------------------------------- */

static void emit_level(Nest *nest, int level);

static int gather(Nest *nest, Ssa *values) {
  int n = 0;
  for (int i = 0; i < nest->n_open; i++)
    for (int a = 0; a < ACCUMULATORS; a++) values[n++] = nest->open[i].value[a];
  return n;
}

static void scatter(Nest *nest, const Ssa *values) {
  int n = 0;
  for (int i = 0; i < nest->n_open; i++)
    for (int a = 0; a < ACCUMULATORS; a++) nest->open[i].value[a] = values[n++];
}

/* Trips of `columns` vectors each, or of an element. */
static void emit_segment(Nest *nest, int level, int64_t from, int64_t to,
                         int64_t step, bool lane) {
  Gen *gen = nest->gen;
  int dim = nest->sweep.loops[level];
  Ssa phis[SWEEP_SUMS * ACCUMULATORS], next[SWEEP_SUMS * ACCUMULATORS];
  Loop loop;
  if (from >= to) return;
  int n = gather(nest, next);
  loop_begin(gen, &loop, from, to, step);
  for (int i = 0; i < n; i++) phis[i] = loop_phi(gen, &loop, next[i]);
  scatter(nest, phis);
  int mark = memo_mark(gen);
  for (int c = 0; c < COLUMNS; c++) {
    Ix at = {loop.index, lane};
    bool apart = lane && c > 0 && c < nest->columns;
    nest->at[c][dim] =
        apart ? ix_scaled(gen, at, 1, (int64_t)c * gen->width) : at;
  }
  emit_level(nest, level + 1);
  memo_release(gen, mark);
  gather(nest, next);
  if (level == 0 && !lane && !loop.single)
    loop.leave = watch_step(gen, nest->units);
  loop_end(gen, &loop, phis, next, n);
}

static void emit_lanes(Nest *nest, int level, int64_t size) {
  Gen *gen = nest->gen;
  int64_t width = gen->width, tile = width * nest->most_columns;
  int64_t tiles = size / tile * tile, vectors = size / width * width;
  gen->lanes = gen->width;
  nest->columns = nest->most_columns;
  emit_segment(nest, level, 0, tiles, tile, true);
  nest->columns = 1;
  emit_segment(nest, level, tiles, vectors, width, true);
  gen->lanes = 1;
  emit_segment(nest, level, vectors, size, 1, false);
}

static void emit_trips(Nest *nest, int level) {
  const Sweep *sweep = &nest->sweep;
  if (level == sweep->n_loops) {
    for (int c = 0; c < nest->columns; c++)
      for (int i = 0; i < nest->n_open; i++) add_term(nest, &nest->open[i], c);
    return;
  }
  int dim = sweep->loops[level];
  if (nest->lanes && dim == sweep->lane_dim)
    emit_lanes(nest, level, sweep->space.dims[dim]);
  else
    emit_segment(nest, level, 0, sweep->space.dims[dim], 1, false);
}

/* What lies behind `level` loops, with the sums that begin there. */
static void emit_level(Nest *nest, int level) {
  int first = nest->n_open;
  while (nest->n_open < nest->sweep.n_sums &&
         nest->sweep.sums[nest->n_open].level == level)
    open_sum(nest, &nest->open[nest->n_open++]);
  emit_trips(nest, level);
  if (nest->n_open > first) close_sums(nest, first, nest->n_open);
  nest->n_open = first;
}

/* -- entry ------------------------------------------------------------- */

static void describe(Nest *nest, int i) {
  Gen *gen = nest->gen;
  Open *open = &nest->open[i];
  const Sweep *sweep = &nest->sweep;
  open->place = &sweep->sums[i];
  open->along = nest->lanes && open->place->kept >> sweep->lane_dim & 1;
  gen->mode = SCALAR;
  sum_describe(gen, &open->sum, open->place->node);
  open->sum.n_vectors = nest->lanes && !open->along ? nest->most_columns : 0;
}

bool emit_sweep(Gen *gen, const Node *kernel, const Buffer *outputs) {
  Nest *nest = gen_alloc(gen, sizeof *nest);
  if (nest == NULL || !plan_sweep(gen, kernel, &nest->sweep)) return false;
  const Sweep *sweep = &nest->sweep;
  nest->gen = gen;
  nest->kernel = kernel;
  nest->outputs = outputs;
  nest->columns = 1;
  nest->open = gen_alloc(gen, (size_t)sweep->n_sums * sizeof *nest->open);
  if (nest->open == NULL) return true;
  gen->width = kernel_width(gen, kernel);
  gen->lanes = 1;
  /* What draws has several vectors in one. */
  int bytes = gen->width * (int)ir_dtype_bytes(sweep->space.dtype);
  nest->most_columns = bytes > gen->vector_bytes ? 1 : COLUMNS;
  nest->lanes = gen->width > 1 && sweep->lane_dim >= 0 &&
                sweep->space.dims[sweep->lane_dim] >= gen->width;
  for (int i = 0; i < sweep->n_sums; i++) describe(nest, i);
  for (int c = 0; c < COLUMNS; c++)
    for (int d = 0; d < IR_MAX_RANK; d++) nest->at[c][d] = ix_const(gen, 0);
  if (sweep->n_loops)
    nest->units = watch_units(gen, kernel) / sweep->space.dims[sweep->loops[0]];
  int mark = memo_mark(gen);
  emit_level(nest, 0);
  memo_release(gen, mark);
  return true;
}
