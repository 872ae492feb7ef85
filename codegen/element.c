/* element.c: the value of any node at any index.
 *
 * emit_value asks the node's emitter, which asks emit_value for its operands
 * at their indices; what the kernel does not compute is loaded.  A memo makes
 * each (value, index) be emitted once where it dominates.  The table of
 * emitters is at the end: a new op is one line there. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* -- memo
 * ------------------------------------------------------------------------ */

static bool same_index(const Ix *a, const Ix *b, int rank) {
  for (int d = 0; d < rank; d++)
    if (a[d].v != b[d].v || a[d].lane != b[d].lane) return false;
  return true;
}

static int index_rank(const Gen *gen, const Value *value) {
  return gen->flat && value->type.rank ? 1 : value->type.rank;
}

static Ssa memo_find(Gen *gen, const Value *value, const Ix *ix) {
  int rank = index_rank(gen, value);
  for (int m = gen->memo_of[value->id]; m >= 0; m = gen->memos[m].next)
    if (same_index(gen->memos[m].ix, ix, rank)) return gen->memos[m].ssa;
  return NULL;
}

void memo_add(Gen *gen, const Value *value, const Ix *ix, Ssa ssa) {
  if (gen->n_memos == gen->memo_room) {
    int room = gen->memo_room ? gen->memo_room * 2 : 256;
    Memo *bigger = realloc(gen->memos, (size_t)room * sizeof *bigger);
    if (bigger == NULL) return; /* only slower */
    gen->memos = bigger;
    gen->memo_room = room;
  }
  int rank = index_rank(gen, value);
  Ix *copy = gen_alloc(gen, (size_t)(rank + 1) * sizeof *copy);
  if (copy == NULL) return;
  if (rank) memcpy(copy, ix, (size_t)rank * sizeof *copy);
  gen->memos[gen->n_memos] = (Memo){value, copy, ssa, gen->memo_of[value->id]};
  gen->memo_of[value->id] = gen->n_memos++;
}

int memo_mark(Gen *gen) { return gen->n_memos; }

void memo_release(Gen *gen, int mark) {
  while (gen->n_memos > mark) {
    const Memo *memo = &gen->memos[--gen->n_memos];
    gen->memo_of[memo->value->id] = memo->next;
  }
}

/* -- loads and stores
 * -------------------------------------------------------------- */

/* The offset, in elements, of index ix. */
static Ix offset_of(Gen *gen, Buffer buffer, int rank, const Ix *ix) {
  Ix offset = ix_const(gen, 0);
  if (gen->flat) return rank ? ix[0] : offset;
  for (int d = 0; d < rank; d++) {
    if (buffer.strides[d] == 0) continue;
    offset = ix_add(gen, offset, ix_scaled(gen, ix[d], buffer.strides[d], 0));
  }
  return offset;
}

static Ssa element_pointer(Gen *gen, LLVMTypeRef type, Ssa base, Ssa offset) {
  return LLVMBuildGEP2(gen->b, type, base, &offset, 1, "");
}

static Ssa lane_number(Gen *gen, int lane) {
  return LLVMConstInt(gen->i64, (unsigned long long)lane, 0);
}

/* Lanes that lie anywhere: one load each. */
static Ssa load_scattered(Gen *gen, LLVMTypeRef type, Ssa base, Ix offset) {
  Ssa offsets = ix_value(gen, offset);
  Ssa all = LLVMGetPoison(LLVMVectorType(type, (unsigned)gen->lanes));
  for (int l = 0; l < gen->lanes; l++) {
    Ssa one = LLVMBuildExtractElement(gen->b, offsets, lane_number(gen, l), "");
    Ssa loaded =
        LLVMBuildLoad2(gen->b, type, element_pointer(gen, type, base, one), "");
    all = LLVMBuildInsertElement(gen->b, all, loaded, lane_number(gen, l), "");
  }
  return all;
}

static Ssa reversed(Gen *gen, Ssa vector) {
  Ssa mask[64];
  for (int l = 0; l < gen->lanes; l++)
    mask[l] =
        LLVMConstInt(gen->i32, (unsigned long long)(gen->lanes - 1 - l), 0);
  return LLVMBuildShuffleVector(
      gen->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
      LLVMConstVector(mask, (unsigned)gen->lanes), "");
}

static Ssa load_at(Gen *gen, DType dtype, Buffer buffer, Ix offset) {
  LLVMTypeRef type = memory_type(gen, dtype);
  unsigned width = (unsigned)ir_dtype_bytes(dtype);
  if (offset.lane == 0 || gen->lanes == 1) {
    Ssa loaded = LLVMBuildLoad2(
        gen->b, type, element_pointer(gen, type, buffer.pointer, offset.v), "");
    return from_memory(gen, dtype, loaded);
  }
  bool backward = offset.lane == -1;
  if (offset.lane != 1 && !backward)
    return from_memory(gen, dtype,
                       load_scattered(gen, type, buffer.pointer, offset));
  Ssa first = offset.v;
  if (backward)
    first = LLVMBuildSub(gen->b, first, lane_number(gen, gen->lanes - 1), "");
  Ssa loaded =
      LLVMBuildLoad2(gen->b, LLVMVectorType(type, (unsigned)gen->lanes),
                     element_pointer(gen, type, buffer.pointer, first), "");
  LLVMSetAlignment(loaded, width);
  if (backward) loaded = reversed(gen, loaded);
  return from_memory(gen, dtype, loaded);
}

void emit_store(Gen *gen, Buffer buffer, Type type, const Ix *ix, Ssa value) {
  Ix offset = offset_of(gen, buffer, type.rank, ix);
  LLVMTypeRef element = memory_type(gen, type.dtype);
  if (gen->lanes > 1) value = splat(gen, value);
  Ssa memory = to_memory(gen, type.dtype, value);
  if (gen->lanes == 1 || offset.lane == 1) {
    Ssa store =
        LLVMBuildStore(gen->b, memory,
                       element_pointer(gen, element, buffer.pointer, offset.v));
    LLVMSetAlignment(store, (unsigned)ir_dtype_bytes(type.dtype));
    return;
  }
  Ssa offsets = ix_value(gen, offset);
  for (int l = 0; l < gen->lanes; l++) {
    Ssa one = LLVMBuildExtractElement(gen->b, offsets, lane_number(gen, l), "");
    Ssa lane = LLVMBuildExtractElement(gen->b, memory, lane_number(gen, l), "");
    LLVMBuildStore(gen->b, lane,
                   element_pointer(gen, element, buffer.pointer, one));
  }
}

/* -- values
 * -------------------------------------------------------------------------- */

static bool computed_here(const Gen *gen, const Value *value) {
  return gen->kernel && value->block == gen->kernel->body &&
         value != gen->stored;
}

Ssa emit_value(Gen *gen, const Value *value, const Ix *ix) {
  Scalar element;
  if (ir_is_splat(value, &element))
    return literal(gen, value->type.dtype, element);
  Ssa known = memo_find(gen, value, ix);
  if (known) return known;
  Ssa ssa;
  if (computed_here(gen, value)) {
    ssa = emitters[value->node->op](gen, value->node, ix);
  } else {
    Buffer buffer = gen_buffer(gen, value);
    ssa = load_at(gen, value->type.dtype, buffer,
                  offset_of(gen, buffer, value->type.rank, ix));
  }
  memo_add(gen, value, ix, ssa);
  return ssa;
}

/* -- views
 * -----------------------------------------------------------------------------
 */

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

/* -- choosing between two sources
 * --------------------------------------------------------- */

static Ssa both(Gen *gen, Ssa a, Ssa b) {
  if (a == NULL) return b;
  match(gen, &a, &b);
  return LLVMBuildAnd(gen->b, a, b, "");
}

static Ssa choose(Gen *gen, Ssa condition, Ssa yes, Ssa no) {
  match(gen, &yes, &no);
  if (is_vector(condition)) {
    yes = splat(gen, yes);
    no = splat(gen, no);
  }
  return LLVMBuildSelect(gen->b, condition, yes, no, "");
}

static Ssa compare_ix(Gen *gen, LLVMIntPredicate predicate, Ix ix,
                      int64_t limit) {
  Ssa v = ix_value(gen, ix);
  return LLVMBuildICmp(gen->b, predicate, v, int_like(gen, v, limit), "");
}

/* Into [0, limit]. */
static Ix clamped(Gen *gen, Ix ix, int64_t limit) {
  Ssa v = ix_value(gen, ix);
  v = intrinsic(gen, "llvm.smax", (Ssa[]){v, int_like(gen, v, 0)}, 2);
  v = intrinsic(gen, "llvm.smin", (Ssa[]){v, int_like(gen, v, limit)}, 2);
  return ix_of(gen, v);
}

Ssa emit_concatenate(Gen *gen, const Node *node, const Ix *ix) {
  int64_t dim = ir_int(node, ATTR_dim), end = node->results[0]->type.dims[dim];
  Ssa result = NULL;
  for (int i = node->n_operands - 1; i >= 0; i--) {
    const Value *x = node->operands[i];
    int64_t size = x->type.dims[dim], start = end - size;
    end = start;
    if (size == 0) continue;
    Ix inner[IR_MAX_RANK];
    memcpy(inner, ix, (size_t)x->type.rank * sizeof *inner);
    inner[dim] = clamped(gen, ix_scaled(gen, ix[dim], 1, -start), size - 1);
    Ssa value = emit_value(gen, x, inner);
    if (result)
      result = choose(gen, compare_ix(gen, LLVMIntSLT, ix[dim], start + size),
                      value, result);
    else
      result = value;
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
    Ssa v = ix_value(gen, at);
    inside = both(gen, inside, compare_ix(gen, LLVMIntSGE, at, 0));
    inside =
        both(gen, inside, compare_ix(gen, LLVMIntSLE, at, (size - 1) * step));
    if (step > 1) {
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

/* -- positions known at run time
 * -------------------------------------------------------------- */

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
    inside = both(gen, inside, compare_ix(gen, LLVMIntSGE, at, 0));
    inside = both(gen, inside, compare_ix(gen, LLVMIntSLT, at, size));
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

/* -- the table
 * ------------------------------------------------------------------------------------
 */

Emitter *const emitters[OP_COUNT] = {
    [OP_iota] = emit_iota,
    [OP_neg] = emit_arithmetic,
    [OP_abs] = emit_arithmetic,
    [OP_sign] = emit_arithmetic,
    [OP_sqrt] = emit_arithmetic,
    [OP_floor] = emit_arithmetic,
    [OP_ceil] = emit_arithmetic,
    [OP_round] = emit_arithmetic,
    [OP_is_finite] = emit_arithmetic,
    [OP_not] = emit_arithmetic,
    [OP_popcount] = emit_arithmetic,
    [OP_add] = emit_arithmetic,
    [OP_sub] = emit_arithmetic,
    [OP_mul] = emit_arithmetic,
    [OP_div] = emit_arithmetic,
    [OP_rem] = emit_arithmetic,
    [OP_max] = emit_arithmetic,
    [OP_min] = emit_arithmetic,
    [OP_and] = emit_arithmetic,
    [OP_or] = emit_arithmetic,
    [OP_xor] = emit_arithmetic,
    [OP_shift_left] = emit_arithmetic,
    [OP_shift_right_logical] = emit_arithmetic,
    [OP_shift_right_arithmetic] = emit_arithmetic,
    [OP_compare] = emit_arithmetic,
    [OP_select] = emit_arithmetic,
    [OP_clamp] = emit_arithmetic,
    [OP_convert] = emit_arithmetic,
    [OP_bitcast] = emit_arithmetic,
    [OP_broadcast] = emit_broadcast,
    [OP_reshape] = emit_reshape,
    [OP_transpose] = emit_transpose,
    [OP_slice] = emit_slice,
    [OP_concatenate] = emit_concatenate,
    [OP_pad] = emit_pad,
    [OP_reverse] = emit_reverse,
    [OP_dynamic_slice] = emit_dynamic_slice,
    [OP_dynamic_update_slice] = emit_dynamic_update_slice,
    [OP_take] = emit_take,
    [OP_reduce_sum] = emit_reduce,
    [OP_reduce_prod] = emit_reduce,
    [OP_reduce_max] = emit_reduce,
    [OP_reduce_min] = emit_reduce,
    [OP_reduce_and] = emit_reduce,
    [OP_reduce_or] = emit_reduce,
    [OP_einsum] = emit_einsum,
    [OP_random_key] = emit_random_key,
    [OP_random_split] = emit_random_split,
    [OP_random_fold_in] = emit_random_fold_in,
    [OP_random_bits] = emit_random_bits,
    [OP_random_uniform] = emit_random_uniform,
};
