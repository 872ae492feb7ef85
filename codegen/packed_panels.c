/* packed_panels.c: the operands of a product, packed in panels (packed.c).
 *
 * A panel of right holds, line by line of the sums, the `panel` columns of a
 * tile; a panel of left the `rows` rows of one.  Panels lie one behind another.
 * What lies beyond the matrix is zero in right, and the last row again in
 * left. */
#include "packed.h"

/* An operand where the loops are. */
static Ssa operand_here(Packed *packed, int t) {
  const Einsum *e = &packed->p.e;
  Ix at[IR_MAX_RANK];
  for (int d = 0; d < e->rank[t]; d++) at[d] = packed->at[e->term[t][d]];
  return emit_value(packed->gen, packed->einsum->operands[t], at);
}

/* -- right ------------------------------------------------------------- */

/* `vectors` of them, from column on. */
static void put_columns(Packed *packed, Ssa line, Ssa column, int vectors) {
  Gen *gen = packed->gen;
  gen->lanes = gen->width;
  for (int v = 0; v < vectors; v++) {
    Ssa shift = gen_number(gen, (int64_t)v * gen->width);
    int mark = memo_mark(gen);
    packed->at[packed->p.column] = (Ix){plus(gen, column, shift), 1};
    packed_store(packed, splat(gen, operand_here(packed, packed->p.right)),
                 packed_at(packed, line, shift));
    memo_release(gen, mark);
  }
  gen->lanes = 1;
}

/* The last panel, where it is not full: vectors, single columns, zeros. */
static void put_part(Packed *packed, Ssa line, Ssa column) {
  Gen *gen = packed->gen;
  int64_t rest = packed->p.n % packed->panel;
  int whole = (int)(rest / gen->width);
  put_columns(packed, line, column, whole);
  gen->lanes = gen->width;
  Ssa zero = splat(gen, literal(gen, packed->p.dtype, (Scalar){.f = 0}));
  for (int v = whole; v < packed->vectors; v++)
    packed_store(
        packed, zero,
        packed_at(packed, line, gen_number(gen, (int64_t)v * gen->width)));
  gen->lanes = 1;
  if (rest == (int64_t)whole * gen->width) return;
  Walk walk;
  walk_begin(gen, &walk, gen_number(gen, (int64_t)whole * gen->width),
             gen_number(gen, rest), 1);
  int mark = memo_mark(gen);
  packed->at[packed->p.column] = (Ix){plus(gen, column, walk.index), 0};
  packed_store(packed, operand_here(packed, packed->p.right),
               packed_at(packed, line, walk.index));
  memo_release(gen, mark);
  walk_end(gen, &walk, NULL, NULL, 0);
}

static void put_panel(Packed *packed, Ssa panel, Ssa column, bool part) {
  Gen *gen = packed->gen;
  Sums sums;
  sums_begin(packed, &sums);
  Ssa line = packed_at(packed, panel, times(gen, sums.line, packed->panel));
  if (part)
    put_part(packed, line, column);
  else
    put_columns(packed, line, column, packed->vectors);
  sums_end(packed, &sums);
}

void pack_right(Packed *packed) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Walk walk;
  walk_begin(gen, &walk, packed->column.from, packed->column.to, packed->panel);
  Ssa across = minus(gen, walk.index, packed->column.from);
  Ssa panel =
      packed_at(packed, packed->right, times(gen, across, packed->depth));
  bool full = p->n >= packed->panel, part = p->n % packed->panel != 0;
  Fork fork = {0};
  if (full && part) {
    Ssa end = plus(gen, walk.index, gen_number(gen, packed->panel));
    fork_begin(
        gen, &fork,
        LLVMBuildICmp(gen->b, LLVMIntULE, end, gen_number(gen, p->n), ""));
  }
  if (full) put_panel(packed, panel, walk.index, false);
  if (full && part) fork_else(gen, &fork);
  if (part) put_panel(packed, panel, walk.index, true);
  if (full && part) fork_end(gen, &fork);
  walk_end(gen, &walk, NULL, NULL, 0);
}

/* -- left -------------------------------------------------------------- */

static void put_rows(Packed *packed, Ssa line, Ssa first) {
  Gen *gen = packed->gen;
  const Product *p = &packed->p;
  Ssa last = gen_number(gen, p->m - 1);
  for (int r = 0; r < packed->rows; r++) {
    int mark = memo_mark(gen);
    if (p->row >= 0)
      packed->at[p->row] =
          (Ix){least(gen, plus(gen, first, gen_number(gen, r)), last), 0};
    packed_store(packed, operand_here(packed, p->left),
                 packed_at(packed, line, gen_number(gen, r)));
    memo_release(gen, mark);
  }
}

void pack_left(Packed *packed) {
  Gen *gen = packed->gen;
  Walk walk;
  walk_begin(gen, &walk, packed->row.from, packed->row.to, packed->rows);
  Ssa down = minus(gen, walk.index, packed->row.from);
  Ssa panel = packed_at(packed, packed->left, times(gen, down, packed->depth));
  Sums sums;
  sums_begin(packed, &sums);
  put_rows(packed,
           packed_at(packed, panel, times(gen, sums.line, packed->rows)),
           walk.index);
  sums_end(packed, &sums);
  walk_end(gen, &walk, NULL, NULL, 0);
}
