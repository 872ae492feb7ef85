/* packed.c: a matrix product in tiles of registers, on packed operands.
 *
 * The loops, from the outside (see passes/product.h for the names):
 *
 *   outer labels; blocks of columns; blocks of sums:   right is packed
 *     more labels of rows; blocks of rows:             left is packed
 *       panels of columns; tiles of rows:              one tile
 *
 * A tile of rows x vectors sums stays in registers while the innermost loop
 * runs over the block's sums: a line of the left panel gives one element a row,
 * a line of the right one the vectors.  Then the tile goes to the stack, and a
 * rolled loop over its rows does the rest: between blocks of sums it adds up in
 * memory, in the result that gemm_target names, and behind the last block the
 * kernel's epilogue reads it.  So the sum is one chain in the strict order,
 * however it is cut.
 *
 * The tile is as large as the registers allow: with 16 of them 6 rows of 2
 * vectors, 2 vectors of right and one element of left in all lanes make 15;
 * with 32, 14 rows.  Fewer rows where they divide the matrix better.  What a
 * panel lacks at the edge is zero, and is not stored.
 *
 * Operands may lie in any way, or be computed here: they are read by
 * emit_value, once, when they are packed. */
#include "packed.h"

#include <string.h>

#include "../passes/gemm.h"
#include "../passes/whole.h"

/* -- loops and branches ------------------------------------------------ */

Ssa least(Gen *gen, Ssa a, Ssa b) {
  Ssa less = LLVMBuildICmp(gen->b, LLVMIntULT, a, b, "");
  return LLVMBuildSelect(gen->b, less, a, b, "");
}

Ssa plus(Gen *gen, Ssa a, Ssa b) { return LLVMBuildNUWAdd(gen->b, a, b, ""); }

Ssa minus(Gen *gen, Ssa a, Ssa b) { return LLVMBuildSub(gen->b, a, b, ""); }

Ssa times(Gen *gen, Ssa a, int64_t b) {
  return LLVMBuildMul(gen->b, a, gen_number(gen, b), "");
}

void walk_begin(Gen *gen, Walk *walk, Ssa from, Ssa limit, int64_t step) {
  *walk = (Walk){.index = from, .limit = limit, .step = step};
  if (LLVMIsAConstantInt(from) && LLVMIsAConstantInt(limit))
    walk->single = LLVMConstIntGetSExtValue(from) + step >=
                   LLVMConstIntGetSExtValue(limit);
  if (walk->single) return;
  walk->before = LLVMGetInsertBlock(gen->b);
  walk->body = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildBr(gen->b, walk->body);
  LLVMPositionBuilderAtEnd(gen->b, walk->body);
  walk->index = walk_phi(gen, walk, from);
}

Ssa walk_phi(Gen *gen, Walk *walk, Ssa init) {
  if (walk->single) return init;
  Ssa phi = LLVMBuildPhi(gen->b, LLVMTypeOf(init), "");
  LLVMAddIncoming(phi, &init, &walk->before, 1);
  return phi;
}

void walk_end(Gen *gen, Walk *walk, Ssa *phis, Ssa *next, int n) {
  if (walk->single) return;
  Ssa index = plus(gen, walk->index, gen_number(gen, walk->step));
  Ssa more = LLVMBuildICmp(gen->b, LLVMIntULT, index, walk->limit, "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->b);
  LLVMBasicBlockRef after =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, more, walk->body, after);
  LLVMAddIncoming(walk->index, &index, &latch, 1);
  for (int i = 0; i < n; i++) LLVMAddIncoming(phis[i], &next[i], &latch, 1);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

void fork_begin(Gen *gen, Fork *fork, Ssa condition) {
  LLVMBasicBlockRef yes =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  fork->no = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  fork->after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, condition, yes, fork->no);
  LLVMPositionBuilderAtEnd(gen->b, yes);
}

void fork_else(Gen *gen, Fork *fork) {
  LLVMBuildBr(gen->b, fork->after);
  LLVMPositionBuilderAtEnd(gen->b, fork->no);
}

void fork_end(Gen *gen, Fork *fork) {
  LLVMBuildBr(gen->b, fork->after);
  LLVMPositionBuilderAtEnd(gen->b, fork->after);
}

Ssa packed_at(Packed *packed, Ssa base, Ssa offset) {
  Gen *gen = packed->gen;
  LLVMTypeRef type = memory_type(gen, packed->p.dtype);
  return LLVMBuildGEP2(gen->b, type, base, &offset, 1, "");
}

/* -- the sums of a block ----------------------------------------------- */

void sums_begin(Packed *packed, Sums *sums) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  for (int i = 0; i < p->n_sums; i++) {
    Ssa zero = gen_number(gen, 0);
    Ssa size = gen_number(gen, p->e.size[p->sums[i]]);
    walk_begin(gen, &sums->walks[i], i ? zero : packed->sum.from,
               i ? size : packed->sum.to, 1);
    Ssa index = sums->walks[i].index;
    packed->at[p->sums[i]] = (Ix){index, 0};
    sums->line =
        i ? plus(gen, times(gen, sums->line, p->e.size[p->sums[i]]), index)
          : minus(gen, index, packed->sum.from);
  }
}

void sums_end(Packed *packed, Sums *sums) {
  for (int i = packed->p.n_sums - 1; i >= 0; i--)
    walk_end(packed->gen, &sums->walks[i], NULL, NULL, 0);
}

/* -- a tile: the sums -------------------------------------------------- */

enum { MOST_POINTS = PRODUCT_MOST_ROWS * 4 };

static Ssa tile_at(Packed *packed, int row, int vector) {
  Gen *gen = packed->gen;
  int64_t offset = (int64_t)row * packed->panel + (int64_t)vector * gen->width;
  return packed_at(packed, packed->tile, gen_number(gen, offset));
}

static LLVMTypeRef vector_type(Packed *packed) {
  Gen *gen = packed->gen;
  return LLVMVectorType(memory_type(gen, packed->p.dtype),
                        (unsigned)gen->width);
}

/* One line: every row's element times every vector, added. */
static void add_line(Packed *packed, Ssa left, Ssa right, Ssa *sums) {
  Gen *gen = packed->gen;
  LLVMTypeRef type = memory_type(gen, packed->p.dtype);
  Ssa vectors[PRODUCT_MOST_COLUMNS];
  for (int v = 0; v < packed->vectors; v++) {
    Ssa at = gen_number(gen, (int64_t)v * gen->width);
    vectors[v] = LLVMBuildLoad2(gen->b, vector_type(packed),
                                packed_at(packed, right, at), "");
  }
  for (int r = 0; r < packed->rows; r++) {
    Ssa from = packed_at(packed, left, gen_number(gen, r));
    Ssa element = splat(gen, LLVMBuildLoad2(gen->b, type, from, ""));
    for (int v = 0; v < packed->vectors; v++) {
      Ssa *sum = &sums[r * packed->vectors + v];
      *sum = multiply_add(gen, packed->p.dtype, element, vectors[v], *sum);
    }
  }
}

/* All lines of the block: the panels hold them one behind another. */
static void add_lines(Packed *packed, Ssa left, Ssa right, Ssa *sums) {
  Gen *gen = packed->gen;
  int n = packed->rows * packed->vectors;
  Ssa phis[MOST_POINTS], zero = gen_number(gen, 0);
  Ssa lines =
      times(gen, minus(gen, packed->sum.to, packed->sum.from), packed->p.inner);
  Walk walk;
  walk_begin(gen, &walk, zero, lines, 1);
  for (int i = 0; i < n; i++) sums[i] = phis[i] = walk_phi(gen, &walk, sums[i]);
  add_line(
      packed, packed_at(packed, left, times(gen, walk.index, packed->rows)),
      packed_at(packed, right, times(gen, walk.index, packed->panel)), sums);
  walk_end(gen, &walk, phis, sums, n);
}

/* -- a tile: the rest -------------------------------------------------- */

typedef enum Use { LOAD, STORE, FINISH } Use;

/* `lanes` elements of the tile, of the row and column in at[]: moved from the
 * result or to it, or handed to the epilogue. */
static void use_elements(Packed *packed, Use use, Ssa element) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  const Value *product = packed->einsum->results[0];
  Buffer target = gen->buffers[product->id];
  Ix point[IR_MAX_RANK];
  for (int d = 0; d < p->e.out_rank; d++) point[d] = packed->at[p->e.out[d]];
  LLVMTypeRef type = memory_type(gen, p->dtype);
  if (gen->lanes > 1) type = LLVMVectorType(type, (unsigned)gen->lanes);
  unsigned align = (unsigned)ir_dtype_bytes(p->dtype);
  int mark = memo_mark(gen);
  if (use == LOAD) {
    gen->stored = product;
    Ssa store = LLVMBuildStore(
        gen->b, splat(gen, emit_value(gen, product, point)), element);
    LLVMSetAlignment(store, align);
    gen->stored = NULL;
  } else {
    Ssa sum = LLVMBuildLoad2(gen->b, type, element, "");
    LLVMSetAlignment(sum, align);
    if (use == STORE) {
      emit_store(gen, target, product->type, point, sum);
    } else {
      memo_add(gen, product, point, sum);
      emit_results(gen, packed->kernel, packed->outputs, product->type, point);
    }
  }
  memo_release(gen, mark);
}

static void use_vectors(Packed *packed, Use use, Ssa row, Ssa column, int n) {
  Gen *gen = packed->gen;
  gen->lanes = gen->width;
  for (int v = 0; v < n; v++) {
    Ssa shift = gen_number(gen, (int64_t)v * gen->width);
    packed->at[packed->p.column] = (Ix){plus(gen, column, shift), 1};
    use_elements(packed, use, packed_at(packed, row, shift));
  }
  gen->lanes = 1;
}

/* The columns that make no vector, one by one. */
static void use_rest(Packed *packed, Use use, Ssa row, Ssa column) {
  Gen *gen = packed->gen;
  int64_t rest = packed->p.n % packed->panel, whole = rest / gen->width;
  if (whole * gen->width == rest) return;
  Walk walk;
  walk_begin(gen, &walk, gen_number(gen, whole * gen->width),
             gen_number(gen, rest), 1);
  packed->at[packed->p.column] = (Ix){plus(gen, column, walk.index), 0};
  use_elements(packed, use, packed_at(packed, row, walk.index));
  walk_end(gen, &walk, NULL, NULL, 0);
}

/* All rows of the tile that there are, in a loop. */
static void use_tile(Packed *packed, Use use, Ssa first, Ssa column) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Ssa rest = minus(gen, packed->row.to, first);
  Walk walk;
  walk_begin(gen, &walk, gen_number(gen, 0),
             least(gen, rest, gen_number(gen, packed->rows)), 1);
  if (p->row >= 0) packed->at[p->row] = (Ix){plus(gen, first, walk.index), 0};
  Ssa row =
      packed_at(packed, packed->tile, times(gen, walk.index, packed->panel));
  bool full = p->n >= packed->panel, part = p->n % packed->panel != 0;
  Fork fork = {0};
  if (full && part) {
    Ssa end = plus(gen, column, gen_number(gen, packed->panel));
    fork_begin(
        gen, &fork,
        LLVMBuildICmp(gen->b, LLVMIntULE, end, gen_number(gen, p->n), ""));
  }
  if (full) use_vectors(packed, use, row, column, packed->vectors);
  if (full && part) fork_else(gen, &fork);
  if (part) {
    int whole = (int)(p->n % packed->panel / gen->width);
    use_vectors(packed, use, row, column, whole);
    use_rest(packed, use, row, column);
  }
  if (full && part) fork_end(gen, &fork);
  walk_end(gen, &walk, NULL, NULL, 0);
}

/* -- a tile ------------------------------------------------------------ */

static bool is_blocked(const Packed *packed) {
  return packed->blocks.depth < packed->p.e.size[packed->p.sums[0]];
}

/* The sums so far, or zeros: on the stack, from where they are loaded. */
static void start_sums(Packed *packed, Ssa row, Ssa column, Ssa *sums) {
  Gen *gen = packed->gen;
  gen->lanes = gen->width;
  Ssa zero = splat(gen, literal(gen, packed->p.dtype, (Scalar){.f = 0}));
  gen->lanes = 1;
  int n = packed->rows * packed->vectors;
  for (int i = 0; i < n; i++) sums[i] = zero;
  if (!is_blocked(packed)) return;
  Fork fork = {0};
  fork_begin(gen, &fork,
             LLVMBuildICmp(gen->b, LLVMIntEQ, packed->sum.from,
                           gen_number(gen, 0), ""));
  LLVMBasicBlockRef ways[2] = {LLVMGetInsertBlock(gen->b)};
  fork_else(gen, &fork);
  use_tile(packed, LOAD, row, column);
  Ssa loaded[MOST_POINTS];
  for (int i = 0; i < n; i++)
    loaded[i] = LLVMBuildLoad2(
        gen->b, vector_type(packed),
        tile_at(packed, i / packed->vectors, i % packed->vectors), "");
  ways[1] = LLVMGetInsertBlock(gen->b);
  fork_end(gen, &fork);
  for (int i = 0; i < n; i++) {
    Ssa both[] = {zero, loaded[i]};
    sums[i] = LLVMBuildPhi(gen->b, vector_type(packed), "");
    LLVMAddIncoming(sums[i], both, ways, 2);
  }
}

static void finish_tile(Packed *packed, Ssa row, Ssa column) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Fork fork = {0};
  if (is_blocked(packed)) {
    Ssa all = gen_number(gen, p->e.size[p->sums[0]]);
    fork_begin(gen, &fork,
               LLVMBuildICmp(gen->b, LLVMIntULT, packed->sum.to, all, ""));
    use_tile(packed, STORE, row, column);
    fork_else(gen, &fork);
  }
  use_tile(packed, FINISH, row, column);
  if (is_blocked(packed)) fork_end(gen, &fork);
}

static void emit_tile(Packed *packed, Ssa row, Ssa column) {
  Gen *gen = packed->gen;
  Ssa sums[MOST_POINTS];
  start_sums(packed, row, column, sums);
  Ssa down = minus(gen, row, packed->row.from);
  Ssa across = minus(gen, column, packed->column.from);
  gen->lanes = gen->width;
  add_lines(packed,
            packed_at(packed, packed->left, times(gen, down, packed->depth)),
            packed_at(packed, packed->right, times(gen, across, packed->depth)),
            sums);
  gen->lanes = 1;
  for (int i = 0; i < packed->rows * packed->vectors; i++)
    LLVMBuildStore(gen->b, sums[i],
                   tile_at(packed, i / packed->vectors, i % packed->vectors));
  finish_tile(packed, row, column);
}

/* -- the loops around -------------------------------------------------- */

static void label_begin(Packed *packed, Walk *walk, int label) {
  Gen *gen = packed->gen;
  walk_begin(gen, walk, gen_number(gen, 0),
             gen_number(gen, packed->p.e.size[label]), 1);
  packed->at[label] = (Ix){walk->index, 0};
}

/* A block from walk's index on, of `size` at most. */
static Range block_of(Gen *gen, const Walk *walk) {
  Ssa end = plus(gen, walk->index, gen_number(gen, walk->step));
  if (walk->single) end = walk->limit;
  return (Range){walk->index, least(gen, end, walk->limit)};
}

static void emit_tiles(Packed *packed) {
  Gen *gen = packed->gen;
  Walk columns, rows;
  walk_begin(gen, &columns, packed->column.from, packed->column.to,
             packed->panel);
  walk_begin(gen, &rows, packed->row.from, packed->row.to, packed->rows);
  emit_tile(packed, rows.index, columns.index);
  walk_end(gen, &rows, NULL, NULL, 0);
  walk_end(gen, &columns, NULL, NULL, 0);
}

static void emit_rows(Packed *packed) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Walk more[52], blocks;
  for (int i = 0; i < p->n_more; i++) label_begin(packed, &more[i], p->more[i]);
  walk_begin(gen, &blocks, gen_number(gen, 0), gen_number(gen, p->m),
             packed->blocks.rows);
  packed->row = block_of(gen, &blocks);
  pack_left(packed);
  emit_tiles(packed);
  walk_end(gen, &blocks, NULL, NULL, 0);
  for (int i = p->n_more - 1; i >= 0; i--)
    walk_end(gen, &more[i], NULL, NULL, 0);
}

static void emit_blocks(Packed *packed) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Walk outer[52], columns, sums;
  for (int i = 0; i < p->n_outer; i++)
    label_begin(packed, &outer[i], p->outer[i]);
  walk_begin(gen, &columns, gen_number(gen, 0), gen_number(gen, p->n),
             packed->blocks.columns);
  packed->column = block_of(gen, &columns);
  walk_begin(gen, &sums, gen_number(gen, 0),
             gen_number(gen, p->e.size[p->sums[0]]), packed->blocks.depth);
  packed->sum = block_of(gen, &sums);
  pack_right(packed);
  emit_rows(packed);
  walk_end(gen, &sums, NULL, NULL, 0);
  walk_end(gen, &columns, NULL, NULL, 0);
  for (int i = p->n_outer - 1; i >= 0; i--)
    walk_end(gen, &outer[i], NULL, NULL, 0);
}

/* -- the tile's size --------------------------------------------------- */

/* As many rows as registers allow, or fewer where that wastes less at the edge;
 * enough sums in flight to hide the latency of a multiply-add. */
static int tile_rows(const Packed *packed, int registers) {
  enum { IN_FLIGHT = 8 };
  int v = packed->vectors, most = (registers - v - 1) / v, best = 1;
  int64_t m = packed->p.m, least_work = INT64_MAX;
  if (most > PRODUCT_MOST_ROWS) most = PRODUCT_MOST_ROWS;
  for (int r = most; r >= 1; r--) {
    int cost = r * v < IN_FLIGHT ? IN_FLIGHT : r * v;
    int64_t work = ((m - 1) / r + 1) * (cost + v); /* v: loading right */
    if (work < least_work) {
      least_work = work;
      best = r;
    }
  }
  return best;
}

static int64_t whole_tiles(int64_t size, int64_t tile) {
  return (size - 1) / tile * tile + tile;
}

static void choose_tile(Packed *packed) {
  Gen *gen = packed->gen;
  int registers = gen->vector_bytes == 64 ? 32 : 16;
  packed->vectors = packed->p.n <= gen->width ? 1 : 2;
  packed->panel = packed->vectors * gen->width;
  packed->rows = tile_rows(packed, registers);
  packed->depth = packed->blocks.depth * packed->p.inner;
  packed->blocks.rows = whole_tiles(packed->blocks.rows, packed->rows);
  packed->blocks.columns = whole_tiles(packed->blocks.columns, packed->panel);
}

static Ssa stack_tile(Packed *packed) {
  Gen *gen = packed->gen;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->b);
  LLVMPositionBuilderBefore(gen->b, LLVMGetBasicBlockTerminator(gen->entry));
  LLVMTypeRef type = LLVMArrayType2(
      vector_type(packed), (uint64_t)packed->rows * (uint64_t)packed->vectors);
  Ssa tile = LLVMBuildAlloca(gen->b, type, "");
  LLVMPositionBuilderAtEnd(gen->b, here);
  return tile;
}

static Ssa scratch_at(Gen *gen, int64_t bytes) {
  Ssa offset = gen_number(gen, gen->scratch_start + bytes);
  return LLVMBuildGEP2(gen->b, gen->i8, gen->arena, &offset, 1, "");
}

bool emit_packed(Gen *gen, const Node *kernel, const Buffer *outputs,
                 int width) {
  Packed *packed = gen_alloc(gen, sizeof *packed);
  if (packed == NULL) return true;
  const Node *einsum = gemm_einsum(kernel);
  *packed = (Packed){
      .gen = gen, .kernel = kernel, .einsum = einsum, .outputs = outputs};
  if (einsum == NULL || product_of(einsum, &packed->p) || width < 2 ||
      !product_read_blocks(kernel, &packed->blocks))
    return false;
  int target = gemm_target(kernel, einsum);
  if (target < 0 && is_blocked(packed)) return false;
  for (int i = 0; i < kernel->n_results; i++)
    if (!ir_shape_equal(kernel->results[i]->type, einsum->results[0]->type))
      return false;
  gen->width = width;
  gen->mode = OUTPUT_LANES;
  gen->lanes = 1;
  int64_t left = product_left_bytes(&packed->p, packed->blocks);
  choose_tile(packed);
  packed->tile = stack_tile(packed);
  packed->left = scratch_at(gen, 0);
  packed->right = scratch_at(gen, left);
  if (target >= 0) gen->buffers[einsum->results[0]->id] = outputs[target];
  emit_blocks(packed);
  return true;
}
