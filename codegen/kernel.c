/* kernel.c: one kernel -> one loop nest over its results' shape.
 *
 * The last dim is vectorised where that suits (see LaneMode); a contraction
 * computes a small tile of results at once: ROWS along the row dim, COLUMNS
 * vectors along the last.  Kernels of nothing but elementwise ops on whole
 * arrays run over one flat index. */
#include "emit.h"
#include "../passes/gemm.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 2 };

typedef struct Nest {
  Gen *gen;
  const Node *kernel;
  const Buffer *outputs;
  const Node *heavy; /* to be computed here, or NULL */
  Type shape;
  bool halves; /* what is left of the lane dim goes by ever shorter vectors:
                  it holds a function, of which one costs what a vector costs */
  int lane_dim, row_dim; /* -1: none */
  int rows, columns;     /* of the tile in the current segment */
  int most_rows, most_columns;
  Deal deal; /* this thread's part; in a flat nest, of the flat index */
  int64_t stretch[2];   /* between which indices it is emitted now */
  const Breaks *breaks; /* of each dim of shape; NULL: none */
  int64_t units;        /* of work, for each index of dim 0 */
  Ix at[IR_MAX_RANK];
} Nest;

/* -- what kind of kernel ----------------------------------------------- */

/* The reduction or contraction that gives this nest its tile: of its shape,
 * and read at its index. */
static const Node *heavy_of(const Gen *gen, const Node *kernel, Type shape) {
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    const Node *node = kernel->body->nodes[i];
    OpClass class = ir_ops[node->op].class;
    bool heavy = class == REDUCE || class == EINSUM;
    if (heavy && node->results[0] != gen->stored &&
        ir_shape_equal(node->results[0]->type, shape))
      return node;
  }
  return NULL;
}

/* Is result i one of this nest's? */
static bool is_here(const Nest *nest, int i) {
  return ir_shape_equal(nest->kernel->results[i]->type, nest->shape);
}

static bool reads_whole(Gen *gen, const Value *value, Type shape) {
  Scalar element;
  if (value->type.rank == 0 || ir_is_splat(value, &element)) return true;
  if (!ir_shape_equal(value->type, shape)) return false;
  bool inside =
      gen->kernel && value->block == gen->kernel->body && value != gen->stored;
  return inside || gen_is_contiguous(shape, gen_buffer(gen, value).strides);
}

/* Only elementwise ops, on contiguous arrays of the kernel's shape? */
static bool is_flat(Nest *nest) {
  const Block *body = nest->kernel->body;
  if (nest->shape.rank < 2 || nest->heavy) return false;
  for (int i = 0; i < nest->kernel->n_results; i++)
    if (!is_here(nest, i) ||
        !gen_is_contiguous(nest->shape, nest->outputs[i].strides) ||
        !reads_whole(nest->gen, body->yields[i], nest->shape))
      return false;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (node->results[0] == nest->gen->stored) continue;
    if (ir_ops[node->op].class != ELEMENTWISE) return false;
    for (int o = 0; o < node->n_operands; o++)
      if (!reads_whole(nest->gen, node->operands[o], nest->shape)) return false;
  }
  return true;
}

static void choose_mode(Nest *nest) {
  Gen *gen = nest->gen;
  int last = nest->shape.rank - 1;
  gen->width = kernel_width(gen, nest->kernel);
  nest->halves = nest->heavy == NULL && kernel_is_dear(nest->kernel);
  int64_t least = nest->halves ? 2 : gen->width;
  gen->mode =
      last >= 0 && nest->shape.dims[last] >= least ? OUTPUT_LANES : SCALAR;
  if (gen->width < 2)
    gen->mode = SCALAR;
  else if (nest->heavy)
    gen->mode = lane_mode(gen, nest->heavy, nest->shape, gen->width);
  nest->lane_dim = gen->mode == OUTPUT_LANES ? last : -1;
  nest->breaks = find_breaks(gen, nest->kernel, nest->shape, nest->lane_dim);
  if (nest->breaks && nest->lane_dim >= 0 && nest->breaks[last].n < 0) {
    gen->mode = SCALAR; /* lanes would read all sources at once */
    nest->lane_dim = -1;
  }
  nest->row_dim = -1;
  nest->most_rows = nest->most_columns = 1;
  if (nest->heavy == NULL || nest->heavy->op != OP_einsum) return;
  for (int d = 0; d <= last; d++)
    if (d != nest->lane_dim && nest->shape.dims[d] > 1) nest->row_dim = d;
  if (nest->row_dim >= 0) {
    int64_t size = nest->shape.dims[nest->row_dim];
    nest->most_rows = size < ROWS ? (int)size : ROWS;
  }
  if (nest->lane_dim >= 0 && nest->shape.dims[last] >= COLUMNS * gen->width)
    nest->most_columns = COLUMNS;
}

/* -- the nest ---------------------------------------------------------- */

/* Point (row, column) of the tile. */
static Ix *point_of(Nest *nest, int row, int column) {
  Gen *gen = nest->gen;
  int rank = nest->shape.rank;
  Ix *point = gen_alloc(gen, (size_t)(rank + 1) * sizeof *point);
  if (point == NULL) return nest->at;
  if (rank) memcpy(point, nest->at, (size_t)rank * sizeof *point);
  if (row) point[nest->row_dim] = ix_scaled(gen, point[nest->row_dim], 1, row);
  if (column)
    point[nest->lane_dim] =
        ix_scaled(gen, point[nest->lane_dim], 1, (int64_t)column * gen->lanes);
  return point;
}

/* Long chains of arithmetic at the kernel's own index, in definition order:
 * each finds its operands in the memo, and no recursion is deep. */
static void emit_chain(Nest *nest, const Ix *point) {
  enum { LONG = 32 };
  const Block *body = nest->kernel->body;
  for (int i = 0; body->n_nodes > LONG && i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    const Value *value = node->results[0];
    bool here =
        value->type.rank == 0 || ir_shape_equal(value->type, nest->shape);
    if (ir_ops[node->op].class == ELEMENTWISE && here)
      emit_value(nest->gen, value, point);
  }
}

static void emit_point(Nest *nest, const Ix *point) {
  Gen *gen = nest->gen;
  const Node *kernel = nest->kernel;
  emit_chain(nest, point);
  Ssa few[8], *values = few;
  if (kernel->n_results > 8)
    values = gen_alloc(gen, (size_t)kernel->n_results * sizeof *values);
  if (values == NULL) return;
  for (int i = 0; i < kernel->n_results; i++)
    if (is_here(nest, i))
      values[i] = emit_value(gen, kernel->body->yields[i], point);
  for (int i = 0; i < kernel->n_results; i++)
    if (is_here(nest, i))
      emit_store(gen, nest->outputs[i], kernel->results[i]->type, point,
                 values[i]);
}

/* Are the results of a tile, one a row, joined into a vector?  Where a function
 * is computed from them: a vector of them costs what one costs. */
static bool joins_rows(const Nest *nest, int n, Ssa first) {
  const Block *body = nest->kernel->body;
  bool function = false;
  if (n < 2 || (n & (n - 1)) || nest->columns > 1 || is_vector(first))
    return false;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (node == nest->heavy) continue;
    if (ir_ops[node->op].class != ELEMENTWISE) return false;
    function |= (ir_ops[node->op].flags & DEAR) != 0;
  }
  return function;
}

static void emit_rows_joined(Nest *nest, Ix *point, const Ssa *sums, int n) {
  Gen *gen = nest->gen;
  gen->lanes = n;
  Ssa all = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(sums[0]), (unsigned)n));
  for (int r = 0; r < n; r++)
    all = LLVMBuildInsertElement(gen->b, all, sums[r], gen_number(gen, r), "");
  point[nest->row_dim].lane = 1;
  memo_add(gen, nest->heavy->results[0], point, all);
  emit_point(nest, point);
  gen->lanes = 1;
}

void emit_results(Gen *gen, const Node *kernel, const Buffer *outputs,
                  Type shape, const Ix *point) {
  Nest nest = {
      .gen = gen, .kernel = kernel, .outputs = outputs, .shape = shape};
  emit_point(&nest, point);
}

static void emit_tile(Nest *nest) {
  Gen *gen = nest->gen;
  Ix *points[MAX_POINTS];
  Ssa sums[MAX_POINTS];
  int n = 0, mark = memo_mark(gen);
  for (int r = 0; r < nest->rows; r++)
    for (int c = 0; c < nest->columns; c++) points[n++] = point_of(nest, r, c);
  if (nest->heavy) {
    emit_sums(gen, nest->heavy, points, n, sums);
    if (joins_rows(nest, n, sums[0])) {
      emit_rows_joined(nest, points[0], sums, n);
      n = 0;
    }
    for (int p = 0; p < n; p++)
      memo_add(gen, nest->heavy->results[0], points[p], sums[p]);
  }
  for (int p = 0; p < n; p++) emit_point(nest, points[p]);
  memo_release(gen, mark);
}

static void emit_dim(Nest *nest, int dim);

static void emit_segment(Nest *nest, int dim, int64_t from, int64_t to,
                         int64_t step, int64_t lane) {
  if (from >= to) return;
  Loop loop;
  loop_begin(nest->gen, &loop, from, to, step);
  int mark = memo_mark(nest->gen);
  nest->at[dim] = (Ix){loop.index, lane};
  emit_dim(nest, dim + 1);
  memo_release(nest->gen, mark);
  if (dim == 0 && lane == 0 && !loop.single)
    loop.leave = watch_step(nest->gen, nest->units * step);
  loop_end(nest->gen, &loop, NULL, NULL, 0);
}

/* Tiles of several vectors, single vectors, single elements. */
static void emit_lane_dim(Nest *nest, int dim, int64_t from, int64_t to) {
  Gen *gen = nest->gen;
  int64_t width = gen->width, tile = width * nest->most_columns;
  int64_t tiles = from + (to - from) / tile * tile;
  int64_t vectors = from + (to - from) / width * width;
  gen->lanes = gen->width;
  nest->columns = nest->most_columns;
  emit_segment(nest, dim, from, tiles, tile, 1);
  nest->columns = 1;
  emit_segment(nest, dim, tiles, vectors, width, 1);
  for (int lanes = gen->width / 2; nest->halves && lanes > 1; lanes /= 2) {
    if (to - vectors < lanes) continue;
    gen->lanes = lanes;
    emit_segment(nest, dim, vectors, vectors + lanes, lanes, 1);
    vectors += lanes;
  }
  gen->lanes = 1;
  emit_segment(nest, dim, vectors, to, 1, 0);
}

/* -- a thread's part of a dim ------------------------------------------ */

/* Do the steps cover all tiles, with no rest? */
static bool fits(const Deal *deal, int64_t step) {
  return deal->size % step == 0 && deal->tile % step == 0;
}

/* As many steps as there is room for; the start of the rest. */
static Ssa emit_dealt_steps(Nest *nest, int dim, Ssa from, int64_t step,
                            int64_t lane) {
  Gen *gen = nest->gen;
  Ssa limit = nest->deal.to;
  if (!fits(&nest->deal, step)) {
    Ssa room = LLVMBuildSub(gen->b, limit, from, "");
    Ssa rest = LLVMBuildURem(gen->b, room, gen_number(gen, step), "");
    limit = LLVMBuildSub(gen->b, limit, rest, "");
  }
  Span span;
  span_begin(gen, &span, from, limit, step);
  int mark = memo_mark(gen), ranges = gen->n_ranges;
  if (ranges < MOST_RANGES)
    gen->ranges[ranges] =
        (IndexRange){span.index, nest->stretch[0], nest->stretch[1] - step};
  gen->n_ranges++;
  nest->at[dim] = (Ix){span.index, lane};
  emit_dim(nest, dim + 1);
  gen->n_ranges = ranges;
  memo_release(gen, mark);
  span_end(gen, &span);
  return limit;
}

static void emit_dealt_lanes(Nest *nest, int dim) {
  Gen *gen = nest->gen;
  int64_t width = gen->width, tile = width * nest->most_columns;
  Ssa from = nest->deal.from;
  gen->lanes = gen->width;
  nest->columns = nest->most_columns;
  from = emit_dealt_steps(nest, dim, from, tile, 1);
  nest->columns = 1;
  if (tile > width && !fits(&nest->deal, tile))
    from = emit_dealt_steps(nest, dim, from, width, 1);
  gen->lanes = 1;
  if (!fits(&nest->deal, width)) emit_dealt_steps(nest, dim, from, 1, 0);
}

static void emit_dealt_dim(Nest *nest, int dim) {
  Ssa from = nest->deal.from;
  if (dim == nest->lane_dim) {
    emit_dealt_lanes(nest, dim);
    return;
  }
  if (dim == nest->row_dim && nest->most_rows > 1) {
    nest->rows = nest->most_rows;
    from = emit_dealt_steps(nest, dim, from, nest->most_rows, 0);
    nest->rows = 1;
    if (fits(&nest->deal, nest->most_rows)) return;
  }
  emit_dealt_steps(nest, dim, from, 1, 0);
}

/* What of the part lies between two breaks. */
static void emit_dealt_stretch(Nest *nest, int dim, int64_t from, int64_t to) {
  Gen *gen = nest->gen;
  Deal whole = nest->deal;
  nest->stretch[0] = from;
  nest->stretch[1] = to;
  if (from > 0 || to < whole.size) {
    Ssa ends[] = {whole.to, gen_number(gen, to)};
    nest->deal.to = intrinsic(gen, "llvm.umin", ends, 2);
    Ssa starts[] = {whole.from, gen_number(gen, from)};
    Ssa least[] = {intrinsic(gen, "llvm.umax", starts, 2), nest->deal.to};
    nest->deal.from = intrinsic(gen, "llvm.umin", least, 2);
    nest->deal.size = 1; /* no step fits */
  }
  emit_dealt_dim(nest, dim);
  nest->deal = whole;
}

/* The dims behind the dealt one run along with it. */
static void flatten_deal(Nest *nest) {
  Gen *gen = nest->gen;
  int64_t inner = 1;
  for (int d = nest->deal.dim + 1; d < nest->shape.rank; d++)
    inner *= nest->shape.dims[d];
  Ssa scale = gen_number(gen, inner);
  nest->deal.dim = 0;
  nest->deal.size *= inner;
  nest->deal.tile *= inner;
  nest->deal.from = LLVMBuildMul(gen->b, nest->deal.from, scale, "");
  nest->deal.to = LLVMBuildMul(gen->b, nest->deal.to, scale, "");
}

/* Is the dealt part one run of the flat index? */
static bool deals_runs(const Nest *nest) {
  for (int d = 0; d < nest->deal.dim; d++)
    if (nest->shape.dims[d] != 1) return false;
  return true;
}

/* Between two breaks. */
static void emit_stretch(Nest *nest, int dim, int64_t from, int64_t to) {
  if (dim == nest->deal.dim) {
    emit_dealt_stretch(nest, dim, from, to);
  } else if (dim == nest->lane_dim) {
    emit_lane_dim(nest, dim, from, to);
  } else if (dim == nest->row_dim) {
    int64_t tiles = from + (to - from) / nest->most_rows * nest->most_rows;
    nest->rows = nest->most_rows;
    emit_segment(nest, dim, from, tiles, nest->most_rows, 0);
    nest->rows = 1;
    emit_segment(nest, dim, tiles, to, 1, 0);
  } else {
    emit_segment(nest, dim, from, to, 1, 0);
  }
}

static void emit_dim(Nest *nest, int dim) {
  int rank = nest->gen->flat ? 1 : nest->shape.rank;
  if (dim == rank) {
    emit_tile(nest);
    return;
  }
  bool flat = nest->gen->flat;
  int64_t from = 0, size = nest->shape.dims[dim];
  if (flat) size = ir_type_elements(nest->shape);
  for (int i = 0; !flat && nest->breaks && i < nest->breaks[dim].n; i++) {
    emit_stretch(nest, dim, from, nest->breaks[dim].at[i]);
    from = nest->breaks[dim].at[i];
  }
  emit_stretch(nest, dim, from, size);
}

/* A key that all draws share is read, or made, once, before the loops. */
static void emit_keys(Nest *nest) {
  const Block *body = nest->kernel->body;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (!draws_numbers(node) || ir_int(node, ATTR_batch) != 0) continue;
    for (int word = 0; word < 2; word++) {
      Ix at = ix_const(nest->gen, word);
      emit_value(nest->gen, node->operands[0], &at);
    }
  }
}

/* The results of one shape, in one nest. */
static void emit_nest(Gen *gen, const Node *kernel, const Buffer *outputs,
                      Type shape, Deal deal) {
  Nest nest = {.gen = gen,
               .kernel = kernel,
               .outputs = outputs,
               .shape = shape,
               .deal = deal,
               .rows = 1,
               .columns = 1};
  if (ir_type_elements(nest.shape) == 0) return;
  nest.heavy = heavy_of(gen, kernel, shape);
  choose_mode(&nest);
  gen->flat = is_flat(&nest) && deals_runs(&nest);
  gen->lanes = 1;
  if (gen->flat) {
    if (deal.dim >= 0) flatten_deal(&nest);
    int64_t least = nest.halves ? 2 : gen->width;
    bool wide = gen->width > 1 && ir_type_elements(nest.shape) >= least;
    gen->mode = wide ? OUTPUT_LANES : SCALAR;
    nest.lane_dim = wide ? 0 : -1;
  }
  if (shape.rank && !gen->flat)
    nest.units = watch_units(gen, kernel) / shape.dims[0];
  int mark = memo_mark(gen);
  emit_keys(&nest);
  emit_dim(&nest, 0);
  memo_release(gen, mark);
  gen->flat = false;
}

/* A nest for each shape among the results; a team's kernel has one shape. */
static void emit_part(Gen *gen, const Node *kernel, const Buffer *outputs,
                      Deal deal) {
  for (int i = 0; i < kernel->n_results; i++) {
    bool first = true;
    for (int j = 0; j < i; j++)
      first &=
          !ir_shape_equal(kernel->results[j]->type, kernel->results[i]->type);
    if (first) emit_nest(gen, kernel, outputs, kernel->results[i]->type, deal);
  }
}

static void emit_nests(Gen *gen, const Node *kernel, const Buffer *outputs) {
  emit_part(gen, kernel, outputs, team_deal(gen, kernel));
}

/* -- BLAS -------------------------------------------------------------- */

static const Node *product_of(const Node *kernel) {
  for (int i = 0; i < kernel->body->n_nodes; i++)
    if (kernel->body->nodes[i]->op == OP_einsum) return kernel->body->nodes[i];
  return NULL;
}

typedef struct Product {
  const Node *kernel, *einsum;
  const Buffer *outputs, *target;
  Ssa a, b;
} Product;

/* One tile, or all of it, with its epilogue. */
static void emit_product(Gen *gen, const Product *product, Deal deal) {
  const Node *kernel = product->kernel;
  const Value *value = product->einsum->results[0];
  emit_gemm(gen, product->einsum, product->a, product->b,
            product->target->pointer, (GemmPart){deal.dim, deal.from, deal.to});
  if (kernel->n_results == 1 && kernel->body->yields[0] == value) return;
  gen->buffers[value->id] = *product->target;
  gen->stored = value;
  emit_part(gen, kernel, product->outputs, deal);
  gen->stored = NULL;
}

/* The product goes to the place of the result that can hold it; the epilogue,
 * if there is one, reads it from there.  A team calls BLAS tile by tile: its
 * bits depend on the sizes that it is called with. */
static void emit_blas(Gen *gen, const Node *kernel, const Buffer *outputs) {
  const Node *einsum = product_of(kernel);
  if (einsum == NULL) {
    gen_error(gen, "a kernel that is to go to BLAS holds no einsum");
    return;
  }
  int target = gemm_target(kernel, einsum);
  const Value *product = einsum->results[0];
  Buffer a = gen_buffer(gen, einsum->operands[0]);
  Buffer b = gen_buffer(gen, einsum->operands[1]);
  if (!gen_is_contiguous(einsum->operands[0]->type, a.strides) ||
      !gen_is_contiguous(einsum->operands[1]->type, b.strides) || target < 0 ||
      !gen_is_contiguous(product->type, outputs[target].strides)) {
    gen_error(gen, "by=blas: an array of the product does not lie contiguous");
    return;
  }
  Product part = {.kernel = kernel,
                  .outputs = outputs,
                  .einsum = einsum,
                  .a = a.pointer,
                  .b = b.pointer,
                  .target = &outputs[target]};
  Deal deal = team_deal(gen, kernel);
  if (deal.dim < 0) {
    emit_product(gen, &part, deal);
    return;
  }
  Span span;
  span_begin(gen, &span, deal.first, deal.last, 1);
  Ssa next = LLVMBuildAdd(gen->b, span.index, gen_number(gen, 1), "");
  deal.from = team_tile_start(gen, &deal, span.index);
  deal.to = team_tile_start(gen, &deal, next);
  emit_product(gen, &part, deal);
  span_end(gen, &span);
}

/* -- windows ----------------------------------------------------------- */

/* A kernel that is one dynamic_update_slice of an array in memory: where that
 * array is the output (a carry updated in place, known at run time only), the
 * window alone is written. NULL: it is no such kernel. */
static const Node *window_of(const Node *kernel) {
  const Node *update = kernel->body->yields[0]->node;
  if (kernel->n_results != 1 || update == NULL ||
      update->op != OP_dynamic_update_slice || update->block != kernel->body ||
      update->operands[0]->block == kernel->body)
    return NULL;
  Scalar element;
  bool small = ir_type_elements(kernel->results[0]->type) < 64;
  return small || ir_is_splat(update->operands[0], &element) ? NULL : update;
}

/* Loops over all indices of a type, one in another; at[] is where they are. */
static void open_loops(Gen *gen, Type type, Loop *loops, Ix *at) {
  gen->lanes = 1;
  for (int d = 0; d < type.rank; d++) {
    loop_begin(gen, &loops[d], 0, type.dims[d], 1);
    at[d] = (Ix){loops[d].index, 0};
  }
}

static void close_loops(Gen *gen, Type type, Loop *loops) {
  for (int d = type.rank - 1; d >= 0; d--)
    loop_end(gen, &loops[d], NULL, NULL, 0);
}

/* The updated values, each stored where it belongs. */
static void emit_window(Gen *gen, const Node *update, Buffer output) {
  const Value *values = update->operands[1];
  Ix at[IR_MAX_RANK], to[IR_MAX_RANK];
  Loop loops[IR_MAX_RANK];
  if (ir_type_elements(values->type) == 0) return;
  int mark = memo_mark(gen);
  open_loops(gen, values->type, loops, at);
  emit_window_index(gen, update, at, to);
  emit_store(gen, output, update->results[0]->type, to,
             emit_value(gen, values, at));
  close_loops(gen, values->type, loops);
  memo_release(gen, mark);
}

static void emit_update(Gen *gen, const Node *kernel, const Node *update,
                        const Buffer *outputs) {
  LLVMBasicBlockRef window, whole, after;
  window = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  whole = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  Buffer old = gen_buffer(gen, update->operands[0]);
  Ssa same =
      LLVMBuildICmp(gen->b, LLVMIntEQ, old.pointer, outputs[0].pointer, "");
  LLVMBuildCondBr(gen->b, same, window, whole);
  LLVMPositionBuilderAtEnd(gen->b, window);
  emit_window(gen, update, outputs[0]);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, whole);
  emit_nests(gen, kernel, outputs);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

/* -- what a branch hands through --------------------------------------- */

/* The value that the kernel yields as it is, all of it, inside a branch; NULL:
 * it does more. */
static const Value *handed_through(const Node *kernel) {
  const Node *owner = kernel->block->owner;
  Scalar element;
  if (owner == NULL || owner->op != OP_cond || kernel->n_results != 1 ||
      kernel->body->n_nodes > 0 ||
      ir_is_splat(kernel->body->yields[0], &element))
    return NULL;
  return kernel->body->yields[0];
}

/* It may lie where it is wanted: a carry that this branch does not change. */
static void emit_copy_if_elsewhere(Gen *gen, const Node *kernel,
                                   const Value *value, const Buffer *outputs) {
  LLVMBasicBlockRef copy, after;
  copy = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  Ssa same = LLVMBuildICmp(gen->b, LLVMIntEQ, gen_buffer(gen, value).pointer,
                           outputs[0].pointer, "");
  LLVMBuildCondBr(gen->b, same, after, copy);
  LLVMPositionBuilderAtEnd(gen->b, copy);
  emit_nests(gen, kernel, outputs);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

static bool emit_product_packed(Gen *gen, const Node *kernel,
                                const Buffer *outputs) {
  Deal deal = team_deal(gen, kernel);
  PackedPart part = {deal.dim, deal.from, deal.to};
  return emit_packed(gen, kernel, outputs, kernel_width(gen, kernel), part);
}

void emit_kernel(Gen *gen, const Node *kernel, const Buffer *outputs) {
  if (kernel->n_results == 0) return;
  gen->kernel = kernel;
  if (ir_int(kernel, ATTR_form) == WORD_call) {
    emit_whole(gen, kernel, outputs);
    gen->kernel = NULL;
    return;
  }
  if (ir_int(kernel, ATTR_form) == WORD_loop) {
    emit_loop(gen, kernel, outputs);
    gen->kernel = NULL;
    return;
  }
  bool team = ir_int(kernel, ATTR_team) != 0;
  const Node *update = team ? NULL : window_of(kernel);
  const Value *through = handed_through(kernel);
  int64_t by = ir_int(kernel, ATTR_by);
  if (by == WORD_blas)
    emit_blas(gen, kernel, outputs);
  else if (by == WORD_packed && emit_product_packed(gen, kernel, outputs))
    gen->lanes = 1;
  else if (update)
    emit_update(gen, kernel, update, outputs);
  else if (through)
    emit_copy_if_elsewhere(gen, kernel, through, outputs);
  else if (!emit_sweep(gen, kernel, outputs))
    emit_nests(gen, kernel, outputs);
  gen->kernel = NULL;
}

void emit_copy(Gen *gen, const Value *value, Buffer to) {
  Type type = value->type;
  Ix at[IR_MAX_RANK];
  Loop loops[IR_MAX_RANK];
  if (ir_type_elements(type) == 0) return;
  int mark = memo_mark(gen);
  open_loops(gen, type, loops, at);
  emit_store(gen, to, type, at, emit_value(gen, value, at));
  close_loops(gen, type, loops);
  memo_release(gen, mark);
}
