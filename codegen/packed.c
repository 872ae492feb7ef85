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

#include "../passes/gemm.h"
#include "../passes/whole.h"

/* -- loops and branches ------------------------------------------------ */

Ssa plus(Gen *gen, Ssa a, Ssa b) { return LLVMBuildAdd(gen->b, a, b, ""); }

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

LLVMTypeRef packed_vector(Packed *packed) {
  Gen *gen = packed->gen;
  return LLVMVectorType(memory_type(gen, packed->p.dtype),
                        (unsigned)gen->width);
}

/* Aligned as an element is, no more: the audit of tests/llvm wants it, and it
 * costs nothing. */
Ssa packed_load(Packed *packed, LLVMTypeRef type, Ssa from) {
  Ssa loaded = LLVMBuildLoad2(packed->gen->b, type, from, "");
  LLVMSetAlignment(loaded, (unsigned)ir_dtype_bytes(packed->p.dtype));
  return loaded;
}

void packed_store(Packed *packed, Ssa value, Ssa to) {
  Ssa store = LLVMBuildStore(packed->gen->b, value, to);
  LLVMSetAlignment(store, (unsigned)ir_dtype_bytes(packed->p.dtype));
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

/* -- the loops around -------------------------------------------------- */

/* What of a label of the result is to be done. */
static Range range_of(Packed *packed, int label) {
  Gen *gen = packed->gen;
  const Einsum *e = &packed->p.e;
  int dim = packed->part.dim;
  if (dim >= 0 && e->out[dim] == label)
    return (Range){packed->part.from, packed->part.to};
  return (Range){gen_number(gen, 0),
                 gen_number(gen, label < 0 ? 1 : e->size[label])};
}

static void label_begin(Packed *packed, Walk *walk, int label, int64_t step) {
  Range range = range_of(packed, label);
  walk_begin(packed->gen, walk, range.from, range.to, step);
  if (label >= 0) packed->at[label] = (Ix){walk->index, 0};
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
  packed_tile(packed, rows.index, columns.index);
  walk_end(gen, &rows, NULL, NULL, 0);
  walk_end(gen, &columns, NULL, NULL, 0);
}

static void emit_rows(Packed *packed) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Walk more[52], blocks;
  for (int i = 0; i < p->n_more; i++)
    label_begin(packed, &more[i], p->more[i], 1);
  label_begin(packed, &blocks, p->row, packed->blocks.rows);
  packed->row = block_of(gen, &blocks);
  pack_left(packed);
  emit_tiles(packed);
  walk_end(gen, &blocks, NULL, NULL, 0);
  for (int i = p->n_more - 1; i >= 0; i--)
    walk_end(gen, &more[i], NULL, NULL, 0);
}

static void emit_all_blocks(Packed *packed) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Walk outer[52], columns, sums;
  for (int i = 0; i < p->n_outer; i++)
    label_begin(packed, &outer[i], p->outer[i], 1);
  label_begin(packed, &columns, p->column, packed->blocks.columns);
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
  LLVMTypeRef type =
      LLVMArrayType2(packed_vector(packed),
                     (uint64_t)packed->rows * (uint64_t)packed->vectors);
  Ssa tile = LLVMBuildAlloca(gen->b, type, "");
  LLVMPositionBuilderAtEnd(gen->b, here);
  return tile;
}

/* Each thread has its own. */
static Ssa scratch_at(Gen *gen, const Node *kernel, int64_t bytes) {
  Ssa offset = gen_number(gen, gen->scratch_start + bytes);
  if (gen->team && ir_int(kernel, ATTR_team)) {
    int64_t own = (whole_scratch(kernel) + WHOLE_ALIGN - 1) / WHOLE_ALIGN;
    Ssa number = team_number(gen);
    offset = plus(gen, offset, times(gen, number, own * WHOLE_ALIGN));
  }
  return LLVMBuildGEP2(gen->b, gen->i8, gen->arena, &offset, 1, "");
}

bool emit_packed(Gen *gen, const Node *kernel, const Buffer *outputs, int width,
                 PackedPart part) {
  Packed *packed = gen_alloc(gen, sizeof *packed);
  if (packed == NULL) return true;
  const Node *einsum = gemm_einsum(kernel);
  *packed = (Packed){.gen = gen,
                     .kernel = kernel,
                     .einsum = einsum,
                     .outputs = outputs,
                     .part = part};
  if (einsum == NULL || product_of(einsum, &packed->p) || width < 2 ||
      !product_read_blocks(kernel, &packed->p, &packed->blocks))
    return false;
  int target = gemm_target(kernel, einsum);
  if (target < 0 && packed_in_blocks(packed)) return false;
  for (int i = 0; i < kernel->n_results; i++)
    if (!ir_shape_equal(kernel->results[i]->type, einsum->results[0]->type))
      return false;
  gen->width = width;
  gen->mode = OUTPUT_LANES;
  gen->lanes = 1;
  int64_t left = product_left_bytes(&packed->p, packed->blocks);
  choose_tile(packed);
  packed->tile = stack_tile(packed);
  packed->left = scratch_at(gen, kernel, 0);
  packed->right = scratch_at(gen, kernel, left);
  if (target >= 0) gen->buffers[einsum->results[0]->id] = outputs[target];
  Fork fork = {0};
  if (part.dim >= 0) /* a thread may have none */
    fork_begin(gen, &fork,
               LLVMBuildICmp(gen->b, LLVMIntULT, part.from, part.to, ""));
  emit_all_blocks(packed);
  if (part.dim >= 0) {
    fork_else(gen, &fork);
    fork_end(gen, &fork);
  }
  return true;
}
