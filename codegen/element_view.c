/* element_view.c: ops that move elements: each asks its operand for the element
 * at another index.  Positions that are known at run time are clamped, and
 * where an element may come from one of two sources both are read, inside their
 * bounds, and one is selected. */
#include <string.h>

#include "emit.h"

/* -- views ------------------------------------------------------------- */

Ssa emit_iota(Gen *gen, const Node *node, const Ix *ix) {
  DType dtype = node->results[0]->type.dtype;
  Ssa at = ix_value(gen, ix[ir_int(node, ATTR_dim)]);
  return convert(gen, dtype, DT_I64, at);
}

Ssa emit_broadcast(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  IntList dims = ir_ints(node, ATTR_dims);
  Ix inner[IR_MAX_RANK];
  for (int d = 0; d < x->type.rank; d++)
    inner[d] = x->type.dims[d] == 1 ? ix_const(gen, 0) : ix[dims.v[d]];
  return emit_value(gen, x, inner);
}

Ssa emit_transpose(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  IntList perm = ir_ints(node, ATTR_perm);
  Ix inner[IR_MAX_RANK];
  for (int d = 0; d < perm.n; d++) inner[perm.v[d]] = ix[d];
  return emit_value(gen, x, inner);
}

Ssa emit_slice(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  IntList start = ir_ints(node, ATTR_start);
  IntList stride = ir_ints(node, ATTR_stride);
  Ix inner[IR_MAX_RANK];
  for (int d = 0; d < start.n; d++)
    inner[d] = ix_scaled(gen, ix[d], stride.n ? stride.v[d] : 1, start.v[d]);
  return emit_value(gen, x, inner);
}

Ssa emit_reverse(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  IntList dims = ir_ints(node, ATTR_dims);
  Ix inner[IR_MAX_RANK];
  for (int d = 0; d < x->type.rank; d++) inner[d] = ix[d];
  for (int i = 0; i < dims.n; i++) {
    int64_t d = dims.v[i];
    inner[d] = ix_scaled(gen, ix[d], -1, x->type.dims[d] - 1);
  }
  return emit_value(gen, x, inner);
}

static Ix ix_divided(Gen *gen, Ix ix, int64_t by, bool remainder) {
  if (by == 1) return remainder ? ix_const(gen, 0) : ix;
  Ssa v = ix_value(gen, ix), divisor = int_like(gen, v, by);
  return ix_of(gen, remainder ? LLVMBuildURem(gen->b, v, divisor, "")
                              : LLVMBuildUDiv(gen->b, v, divisor, ""));
}

/* Runs of dims with equal products are translated apart, so that a reshape
 * that only splits, joins or adds dims needs no more division than it must. */
Ssa emit_reshape(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  Type from = x->type, to = node->results[0]->type;
  Ix inner[IR_MAX_RANK];
  if (ir_type_elements(from) == 0) {
    for (int d = 0; d < from.rank; d++) inner[d] = ix_const(gen, 0);
    return emit_value(gen, x, inner);
  }
  int f = 0, t = 0;
  while (f < from.rank || t < to.rank) {
    int f0 = f, t0 = t;
    int64_t have = 1, want = 1;
    if (f < from.rank) have = from.dims[f++];
    if (t < to.rank) want = to.dims[t++];
    while (have != want) {
      if (have < want)
        have *= from.dims[f++];
      else
        want *= to.dims[t++];
    }
    Ix run = ix_const(gen, 0);
    for (int d = t0; d < t; d++) {
      run = d == t0 ? ix[d]
                    : ix_add(gen, ix_scaled(gen, run, to.dims[d], 0), ix[d]);
      if (d == t0 && to.dims[d] == 1) run = ix_const(gen, 0);
    }
    for (int d = f - 1; d >= f0; d--) {
      inner[d] = d == f0 ? run : ix_divided(gen, run, from.dims[d], true);
      if (d > f0) run = ix_divided(gen, run, from.dims[d], false);
    }
  }
  return emit_value(gen, x, inner);
}

/* -- choosing between two sources -------------------------------------- */

/* Conditions that are known are i1 constants. */
static bool is_known(Ssa condition, bool value) {
  return LLVMIsAConstantInt(condition) &&
         (LLVMConstIntGetZExtValue(condition) != 0) == value;
}

static Ssa both(Gen *gen, Ssa a, Ssa b) {
  if (a == NULL || is_known(a, true) || is_known(b, false)) return b;
  if (is_known(a, false) || is_known(b, true)) return a;
  match(gen, &a, &b);
  return LLVMBuildAnd(gen->b, a, b, "");
}

/* Is ix in [0, limit)? */
static Ssa within(Gen *gen, Ix ix, int64_t limit) {
  int64_t least, most;
  bool ranged = ix_range(gen, ix, &least, &most);
  if (ranged && least >= 0 && most < limit) return LLVMConstInt(gen->i1, 1, 0);
  if (ranged && (most < 0 || least >= limit))
    return LLVMConstInt(gen->i1, 0, 0);
  Ssa v = ix_value(gen, ix); /* negative ones are large */
  return LLVMBuildICmp(gen->b, LLVMIntULT, v, int_like(gen, v, limit), "");
}

/* Into [0, limit]. */
static Ix clamped(Gen *gen, Ix ix, int64_t limit) {
  int64_t least, most;
  if (ix_range(gen, ix, &least, &most) && least >= 0 && most <= limit)
    return ix;
  Ssa v = ix_value(gen, ix);
  if (LLVMIsConstant(v)) { /* the builder folds these */
    Ssa first = int_like(gen, v, 0), last = int_like(gen, v, limit);
    v = LLVMBuildSelect(gen->b, LLVMBuildICmp(gen->b, LLVMIntSLT, v, first, ""),
                        first, v, "");
    v = LLVMBuildSelect(gen->b, LLVMBuildICmp(gen->b, LLVMIntSGT, v, last, ""),
                        last, v, "");
    return ix_of(gen, v);
  }
  v = intrinsic(gen, "llvm.smax", (Ssa[]){v, int_like(gen, v, 0)}, 2);
  v = intrinsic(gen, "llvm.smin", (Ssa[]){v, int_like(gen, v, limit)}, 2);
  return ix_of(gen, v);
}

/* The pieces of a concatenation that an index may lie in. */
typedef struct Pieces {
  const Node *node;
  const Ix *ix;
  int64_t dim;
  int *operand; /* those that are not empty */
  int64_t *start;
  int n;
} Pieces;

static bool find_pieces(Gen *gen, Pieces *pieces) {
  const Node *node = pieces->node;
  size_t n = (size_t)node->n_operands;
  int64_t least, most, end = 0;
  int64_t size = node->results[0]->type.dims[pieces->dim];
  bool ranged = ix_range(gen, pieces->ix[pieces->dim], &least, &most) &&
                least < size && most >= 0;
  pieces->operand = gen_alloc(gen, n * sizeof *pieces->operand);
  pieces->start = gen_alloc(gen, n * sizeof *pieces->start);
  if (pieces->operand == NULL || pieces->start == NULL) return false;
  for (int i = 0; i < node->n_operands; i++) {
    int64_t start = end;
    end += node->operands[i]->type.dims[pieces->dim];
    if (start == end || (ranged && (end <= least || start > most))) continue;
    pieces->operand[pieces->n] = i;
    pieces->start[pieces->n++] = start;
  }
  return true;
}

/* The element of piece p; if the index may lie outside of it, then of one at
 * its edge. */
static Ssa piece_value(Gen *gen, const Pieces *pieces, int p, bool inside) {
  const Value *x = pieces->node->operands[pieces->operand[p]];
  int64_t dim = pieces->dim;
  Ix inner[IR_MAX_RANK];
  memcpy(inner, pieces->ix, (size_t)x->type.rank * sizeof *inner);
  int64_t last = x->type.dims[dim] - 1;
  inner[dim] = ix_scaled(gen, inner[dim], 1, -pieces->start[p]);
  if (last == 0)
    inner[dim] = ix_const(gen, 0);
  else if (!inside)
    inner[dim] = clamped(gen, inner[dim], last);
  return emit_value(gen, x, inner);
}

static Ssa in_piece_before(Gen *gen, const Pieces *pieces, int p) {
  Ssa v = ix_value(gen, pieces->ix[pieces->dim]);
  return LLVMBuildICmp(gen->b, LLVMIntSLT, v,
                       int_like(gen, v, pieces->start[p]), "");
}

static Ssa search_pieces(Gen *gen, const Pieces *pieces, int from, int to);

/* Ends in a jump to `after`; what was made on this way is known on it only. */
static Ssa one_way(Gen *gen, const Pieces *pieces, int from, int to,
                   LLVMBasicBlockRef *way, LLVMBasicBlockRef after) {
  int mark = memo_mark(gen);
  LLVMPositionBuilderAtEnd(gen->b, *way);
  Ssa value = search_pieces(gen, pieces, from, to);
  memo_release(gen, mark);
  *way = LLVMGetInsertBlock(gen->b);
  LLVMBuildBr(gen->b, after);
  return value;
}

/* Of many pieces one is found by branches, halving; the depth is log n. */
static Ssa search_pieces(Gen *gen, const Pieces *pieces, int from, int to) {
  if (to - from == 1) return piece_value(gen, pieces, from, true);
  int half = from + (to - from) / 2;
  LLVMBasicBlockRef ways[2], after;
  for (int i = 0; i < 2; i++)
    ways[i] = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, in_piece_before(gen, pieces, half), ways[0], ways[1]);
  Ssa values[2] = {one_way(gen, pieces, from, half, &ways[0], after),
                   one_way(gen, pieces, half, to, &ways[1], after)};
  LLVMPositionBuilderAtEnd(gen->b, after);
  if (is_vector(values[0]) != is_vector(values[1])) {
    for (int i = 0; i < 2; i++) {
      LLVMPositionBuilderBefore(gen->b, LLVMGetBasicBlockTerminator(ways[i]));
      values[i] = splat(gen, values[i]);
    }
    LLVMPositionBuilderAtEnd(gen->b, after);
  }
  Ssa phi = LLVMBuildPhi(gen->b, LLVMTypeOf(values[0]), "");
  LLVMAddIncoming(phi, values, ways, 2);
  return phi;
}

Ssa emit_concatenate(Gen *gen, const Node *node, const Ix *ix) {
  enum { FEW = 4 };
  Pieces pieces = {.node = node, .ix = ix, .dim = ir_int(node, ATTR_dim)};
  if (!find_pieces(gen, &pieces))
    return literal(gen, node->results[0]->type.dtype, (Scalar){0});
  int64_t lane = ix[pieces.dim].lane;
  bool uniform = lane == 0 || (gen->lanes == 1 && lane != IX_VECTOR);
  if (pieces.n > FEW && uniform && !gen->held)
    return search_pieces(gen, &pieces, 0, pieces.n);
  Ssa result = piece_value(gen, &pieces, pieces.n - 1, false);
  for (int p = pieces.n - 2; p >= 0; p--) {
    Ssa value = piece_value(gen, &pieces, p, false);
    result = choose(gen, in_piece_before(gen, &pieces, p + 1), value, result);
  }
  return result;
}

Ssa emit_pad(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  IntList low = ir_ints(node, ATTR_low), gap = ir_ints(node, ATTR_interior);
  Ssa padding = emit_value(gen, node->operands[1], NULL);
  if (ir_type_elements(x->type) == 0) return padding;
  Ix inner[IR_MAX_RANK];
  Ssa inside = NULL;
  for (int d = 0; d < x->type.rank; d++) {
    int64_t step = gap.n ? gap.v[d] + 1 : 1, size = x->type.dims[d];
    Ix at = ix_scaled(gen, ix[d], 1, -low.v[d]);
    inside = both(gen, inside, within(gen, at, (size - 1) * step + 1));
    if (is_known(inside, false)) return padding;
    if (step > 1) {
      Ssa v = ix_value(gen, at);
      Ssa off = LLVMBuildSRem(gen->b, v, int_like(gen, v, step), "");
      inside =
          both(gen, inside,
               LLVMBuildICmp(gen->b, LLVMIntEQ, off, int_like(gen, v, 0), ""));
      v = LLVMBuildSDiv(gen->b, v, int_like(gen, v, step), "");
      at = ix_of(gen, v);
    }
    inner[d] = clamped(gen, at, size - 1);
  }
  Ssa value = emit_value(gen, x, inner);
  return inside ? choose(gen, inside, value, padding) : value;
}

/* -- positions known at run time --------------------------------------- */

/* An index of any integer dtype, clamped into [0, limit], as an Ix. */
static Ix start_of(Gen *gen, const Value *start, const Ix *batch,
                   int64_t limit) {
  DType dtype = start->type.dtype;
  Ssa v = emit_value(gen, start, batch);
  if (dtype == DT_U64)
    v = intrinsic(gen, "llvm.umin", (Ssa[]){v, int_like(gen, v, limit)}, 2);
  return clamped(gen, ix_of(gen, convert(gen, DT_I64, dtype, v)), limit);
}

Ssa emit_dynamic_slice(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0];
  Type window = node->results[0]->type;
  int batch = (int)ir_int(node, ATTR_batch);
  Ix inner[IR_MAX_RANK];
  for (int d = 0; d < x->type.rank; d++) {
    inner[d] = ix[d];
    if (d < batch) continue;
    Ix start = start_of(gen, node->operands[1 + d - batch], ix,
                        x->type.dims[d] - window.dims[d]);
    inner[d] = ix_add(gen, start, ix[d]);
  }
  return emit_value(gen, x, inner);
}

/* Where element `at` of the update goes in the array. */
void emit_window_index(Gen *gen, const Node *node, const Ix *at, Ix *to) {
  const Value *x = node->operands[0], *update = node->operands[1];
  int batch = (int)ir_int(node, ATTR_batch);
  for (int d = 0; d < x->type.rank; d++) {
    to[d] = at[d];
    if (d < batch) continue;
    Ix start = start_of(gen, node->operands[2 + d - batch], at,
                        x->type.dims[d] - update->type.dims[d]);
    to[d] = ix_add(gen, start, at[d]);
  }
}

Ssa emit_dynamic_update_slice(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0], *update = node->operands[1];
  int batch = (int)ir_int(node, ATTR_batch);
  Ix inner[IR_MAX_RANK];
  Ssa inside = NULL, old = emit_value(gen, x, ix);
  if (ir_type_elements(update->type) == 0) return old;
  for (int d = 0; d < x->type.rank; d++) {
    inner[d] = ix[d];
    if (d < batch) continue;
    int64_t size = update->type.dims[d];
    Ix start = start_of(gen, node->operands[2 + d - batch], ix,
                        x->type.dims[d] - size);
    Ix at = ix_add(gen, ix[d], ix_scaled(gen, start, -1, 0));
    inside = both(gen, inside, within(gen, at, size));
    inner[d] = clamped(gen, at, size - 1);
  }
  Ssa value = emit_value(gen, update, inner);
  return inside ? choose(gen, inside, value, old) : value;
}

Ssa emit_take(Gen *gen, const Node *node, const Ix *ix) {
  const Value *x = node->operands[0], *index = node->operands[1];
  int64_t dim = ir_int(node, ATTR_dim);
  int batch = (int)ir_int(node, ATTR_batch);
  int inserted = index->type.rank - batch;
  Ix at[IR_MAX_RANK], inner[IR_MAX_RANK];
  for (int d = 0; d < batch; d++) at[d] = ix[d];
  for (int d = 0; d < inserted; d++) at[batch + d] = ix[dim + d];
  for (int d = 0; d < x->type.rank; d++)
    inner[d] = d < dim    ? ix[d]
               : d == dim ? start_of(gen, index, at, x->type.dims[d] - 1)
                          : ix[d - 1 + inserted];
  return emit_value(gen, x, inner);
}
