/* element_arg.c: argmax and argmin: one loop along the dim, around the best
 * element so far and its index.
 *
 * The first best element wins: along the loop a later one must be better; where
 * lanes are joined, the lower index wins among equals.  Everything starts from
 * the identity of max or min, at index 0: if that is never beaten, all elements
 * equal it, and 0 is right. */
#include "sum.h"

enum { VECTORS = 2 }; /* in flight, where lanes run along the dim */

typedef struct Best {
  Ssa value, index; /* index: i32 */
} Best;

typedef struct Search {
  Gen *gen;
  const Node *node;
  const Ix *point; /* of the result */
  DType dtype;
  int dim;
  int64_t size;
  bool lanes;             /* along the dim */
  Best one, all[VECTORS]; /* of single elements; of vectors */
} Search;

/* -- one element ------------------------------------------------------- */

/* Is a better than b: greater (argmin: less), or a NaN where b is none? */
static Ssa better(const Search *search, Ssa a, Ssa b) {
  LLVMBuilderRef builder = search->gen->b;
  bool least = search->node->op == OP_argmin;
  if (ir_is_float(search->dtype)) {
    LLVMRealPredicate wanted = least ? LLVMRealULT : LLVMRealUGT;
    return LLVMBuildAnd(builder, LLVMBuildFCmp(builder, wanted, a, b, ""),
                        LLVMBuildFCmp(builder, LLVMRealORD, b, b, ""), "");
  }
  bool has_sign = ir_is_signed(search->dtype);
  if (least)
    return LLVMBuildICmp(builder, has_sign ? LLVMIntSLT : LLVMIntULT, a, b, "");
  return LLVMBuildICmp(builder, has_sign ? LLVMIntSGT : LLVMIntUGT, a, b, "");
}

static Best chosen(const Search *search, Ssa condition, Best yes, Best no) {
  Gen *gen = search->gen;
  return (Best){choose(gen, condition, yes.value, no.value),
                choose(gen, condition, yes.index, no.index)};
}

/* A position along the dim as i32: it fits, inference saw to that. */
static Ssa index_at(Gen *gen, Ix at) {
  Ix narrow = {LLVMBuildTrunc(gen->b, at.v, gen->i32, ""), at.lane};
  if (narrow.lane == 0 || gen->lanes == 1) return narrow.v;
  Ssa steps[64];
  for (int l = 0; l < gen->lanes; l++)
    steps[l] = LLVMConstInt(gen->i32, (unsigned)l, 0);
  return LLVMBuildAdd(gen->b, splat(gen, narrow.v),
                      LLVMConstVector(steps, (unsigned)gen->lanes), "");
}

/* The best after one more element, or vector of elements. */
static Best after(const Search *search, Best best, Ix at) {
  Gen *gen = search->gen;
  const Value *x = search->node->operands[0];
  Ix ix[IR_MAX_RANK];
  for (int d = 0; d < x->type.rank; d++)
    ix[d] = d == search->dim ? at : search->point[d - (d > search->dim)];
  Best other = {emit_value(gen, x, ix), index_at(gen, at)};
  match(gen, &other.value, &best.value);
  return chosen(search, better(search, other.value, best.value), other, best);
}

/* -- the loop ---------------------------------------------------------- */

/* From `from` to `to`, `vectors` at a time; 0: single elements. */
static void run(Search *search, int64_t from, int64_t to, int vectors) {
  Gen *gen = search->gen;
  int n = vectors ? vectors : 1;
  Best *best = vectors ? search->all : &search->one;
  Ssa phis[2 * VECTORS], next[2 * VECTORS];
  Loop loop;
  for (; gen->held && from < to; from++) /* no loop at all */
    *best = after(search, *best, ix_const(gen, from));
  if (from >= to) return;
  loop_begin(gen, &loop, from, to, vectors ? vectors * (int64_t)gen->width : 1);
  for (int v = 0; v < n; v++) {
    phis[2 * v] = best[v].value = loop_phi(gen, &loop, best[v].value);
    phis[2 * v + 1] = best[v].index = loop_phi(gen, &loop, best[v].index);
  }
  int mark = memo_mark(gen);
  if (vectors) gen->lanes = gen->width;
  for (int v = 0; v < n; v++) {
    Ix at = {loop.index, vectors ? 1 : 0};
    best[v] =
        after(search, best[v], ix_scaled(gen, at, 1, (int64_t)v * gen->width));
    next[2 * v] = best[v].value;
    next[2 * v + 1] = best[v].index;
  }
  if (vectors) gen->lanes = 1;
  memo_release(gen, mark);
  loop_end(gen, &loop, phis, next, 2 * n);
}

/* -- lanes ------------------------------------------------------------- */

/* The better of two; of two that are as good, the one that came first. */
static Best joined(const Search *search, Best a, Best b) {
  LLVMBuilderRef builder = search->gen->b;
  Ssa lower = LLVMBuildICmp(builder, LLVMIntULT, b.index, a.index, "");
  Ssa worse = better(search, a.value, b.value);
  Ssa first =
      LLVMBuildAnd(builder, lower, LLVMBuildNot(builder, worse, ""), "");
  Ssa wins = LLVMBuildOr(builder, better(search, b.value, a.value), first, "");
  return chosen(search, wins, b, a);
}

static Best join_lanes(const Search *search, Best best) {
  Gen *gen = search->gen;
  Ssa first = gen_number(gen, 0);
  for (int by = gen->width / 2; by > 0; by /= 2)
    best = joined(search, best,
                  (Best){shuffled_down(gen, best.value, by),
                         shuffled_down(gen, best.index, by)});
  return (Best){LLVMBuildExtractElement(gen->b, best.value, first, ""),
                LLVMBuildExtractElement(gen->b, best.index, first, "")};
}

/* In vectors as far as they go, then in single elements. */
static void run_lanes(Search *search) {
  Gen *gen = search->gen;
  int64_t size = search->size, width = gen->width, chunk = width * VECTORS;
  int64_t whole = size / chunk * chunk, most = size / width * width;
  Best start = search->one;
  gen->lanes = gen->width;
  for (int v = 0; v < VECTORS; v++)
    search->all[v] = (Best){splat(gen, start.value), splat(gen, start.index)};
  gen->lanes = 1;
  run(search, 0, whole, VECTORS);
  run(search, whole, most, 1);
  run(search, most, size, 0);
  Best total = search->all[0];
  for (int v = 1; v < VECTORS; v++)
    total = joined(search, total, search->all[v]);
  search->one = joined(search, join_lanes(search, total), search->one);
}

Ssa arg_found(Gen *gen, const Node *node, const Ix *point) {
  Type type = node->operands[0]->type;
  Search search = {.gen = gen, .node = node, .point = point};
  search.dtype = type.dtype;
  search.dim = (int)ir_int(node, ATTR_dim);
  search.size = type.dims[search.dim];
  search.lanes =
      gen->mode == SUM_LANES && gen->lanes == 1 && search.size >= gen->width;
  Op op = node->op == OP_argmin ? OP_reduce_min : OP_reduce_max;
  search.one.value =
      splat(gen, literal(gen, type.dtype, sum_identity(op, type.dtype)));
  search.one.index = splat(gen, LLVMConstInt(gen->i32, 0, 0));
  if (search.lanes)
    run_lanes(&search);
  else
    run(&search, 0, search.size, 0);
  return search.one.index;
}
