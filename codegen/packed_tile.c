/* packed_tile.c: one tile of a product, rows x vectors sums in registers
 * (packed.c).
 *
 * Comes in: the panels, and the first row and column of the tile.  Goes out:
 * the sums so far in memory, or behind the last block of sums the kernel's
 * results. */
#include "packed.h"

/* -- a tile: the sums -------------------------------------------------- */

enum { MOST_POINTS = PRODUCT_MOST_ROWS * 4 };

static Ssa tile_at(Packed *packed, int row, int vector) {
  Gen *gen = packed->gen;
  int64_t offset = (int64_t)row * packed->panel + (int64_t)vector * gen->width;
  return packed_at(packed, packed->tile, gen_number(gen, offset));
}

/* One line: every row's element times every vector, added. */
static void add_line(Packed *packed, Ssa left, Ssa right, Ssa *sums) {
  Gen *gen = packed->gen;
  LLVMTypeRef type = memory_type(gen, packed->p.dtype);
  Ssa vectors[PRODUCT_MOST_COLUMNS];
  for (int v = 0; v < packed->vectors; v++) {
    Ssa at = gen_number(gen, (int64_t)v * gen->width);
    vectors[v] = packed_load(packed, packed_vector(packed),
                             packed_at(packed, right, at));
  }
  for (int r = 0; r < packed->rows; r++) {
    Ssa from = packed_at(packed, left, gen_number(gen, r));
    Ssa element = splat(gen, packed_load(packed, type, from));
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
  int mark = memo_mark(gen);
  if (use == LOAD) {
    gen->stored = product;
    packed_store(packed, splat(gen, emit_value(gen, product, point)), element);
    gen->stored = NULL;
  } else {
    Ssa sum = packed_load(packed, type, element);
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

/* The sums so far, or zeros: on the stack, from where they are loaded. */
static void start_sums(Packed *packed, Ssa row, Ssa column, Ssa *sums) {
  Gen *gen = packed->gen;
  gen->lanes = gen->width;
  Ssa zero = splat(gen, literal(gen, packed->p.dtype, (Scalar){.f = 0}));
  gen->lanes = 1;
  int n = packed->rows * packed->vectors;
  for (int i = 0; i < n; i++) sums[i] = zero;
  if (!packed_in_blocks(packed)) return;
  Fork fork = {0};
  fork_begin(gen, &fork,
             LLVMBuildICmp(gen->b, LLVMIntEQ, packed->sum.from,
                           gen_number(gen, 0), ""));
  LLVMBasicBlockRef ways[2] = {LLVMGetInsertBlock(gen->b)};
  fork_else(gen, &fork);
  use_tile(packed, LOAD, row, column);
  Ssa loaded[MOST_POINTS];
  for (int i = 0; i < n; i++)
    loaded[i] =
        packed_load(packed, packed_vector(packed),
                    tile_at(packed, i / packed->vectors, i % packed->vectors));
  ways[1] = LLVMGetInsertBlock(gen->b);
  fork_end(gen, &fork);
  for (int i = 0; i < n; i++) {
    Ssa both[] = {zero, loaded[i]};
    sums[i] = LLVMBuildPhi(gen->b, packed_vector(packed), "");
    LLVMAddIncoming(sums[i], both, ways, 2);
  }
}

static void finish_tile(Packed *packed, Ssa row, Ssa column) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Fork fork = {0};
  if (packed_in_blocks(packed)) {
    Ssa all = gen_number(gen, p->e.size[p->sums[0]]);
    fork_begin(gen, &fork,
               LLVMBuildICmp(gen->b, LLVMIntULT, packed->sum.to, all, ""));
    use_tile(packed, STORE, row, column);
    fork_else(gen, &fork);
  }
  use_tile(packed, FINISH, row, column);
  if (packed_in_blocks(packed)) fork_end(gen, &fork);
}

void packed_tile(Packed *packed, Ssa row, Ssa column) {
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
    packed_store(packed, sums[i],
                 tile_at(packed, i / packed->vectors, i % packed->vectors));
  finish_tile(packed, row, column);
}
