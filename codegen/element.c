/* element.c: the value of any node at any index.
 *
 * emit_value asks the node's emitter, which asks emit_value for its operands
 * at their indices; what the kernel does not compute is loaded.  A memo makes
 * each (value, index) be emitted once where it dominates.  The table of
 * emitters is at the end: a new op is one line there, unless it is elementwise:
 * those have their table in element_math.c. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* -- memo -------------------------------------------------------------- */

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

/* -- loads and stores -------------------------------------------------- */

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

/* -- values ------------------------------------------------------------ */

static bool computed_here(const Gen *gen, const Value *value) {
  return gen->kernel && value->block == gen->kernel->body &&
         value != gen->stored;
}

/* What the kernel computes.  fuse keeps chains short; a kernel that came as
 * text may be too deep for the stack. */
static Ssa computed(Gen *gen, const Value *value, const Ix *ix) {
  enum { DEEPEST = 512, VIEW_WEIGHT = 4 };
  const Node *node = value->node;
  bool elementwise = ir_ops[node->op].class == ELEMENTWISE;
  int weight = elementwise ? 1 : VIEW_WEIGHT;
  if (gen->depth + weight > DEEPEST) {
    gen_error(gen, "a kernel is nested too deep at %s", ir_ops[node->op].name);
    return literal(gen, value->type.dtype, (Scalar){0});
  }
  gen->depth += weight;
  Emitter *emitter = elementwise ? emit_arithmetic : emitters[node->op];
  Ssa ssa = emitter(gen, node, ix);
  gen->depth -= weight;
  return ssa;
}

/* From memory. */
Ssa load_element(Gen *gen, const Value *value, const Ix *ix) {
  Buffer buffer = gen_buffer(gen, value);
  return load_at(gen, value->type.dtype, buffer,
                 offset_of(gen, buffer, value->type.rank, ix));
}

Ssa emit_value(Gen *gen, const Value *value, const Ix *ix) {
  Scalar element;
  if (ir_is_splat(value, &element))
    return literal(gen, value->type.dtype, element);
  Ssa held = gen->held ? held_value(gen, value, ix) : NULL;
  if (held) return held;
  Ssa known = memo_find(gen, value, ix);
  if (known) return known;
  Ssa ssa = computed_here(gen, value) ? computed(gen, value, ix)
                                      : load_element(gen, value, ix);
  memo_add(gen, value, ix, ssa);
  return ssa;
}

/* -- the table --------------------------------------------------------- */

Emitter *const emitters[OP_COUNT] = {
    [OP_iota] = emit_iota,
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
    [OP_argmax] = emit_reduce,
    [OP_argmin] = emit_reduce,
    [OP_einsum] = emit_einsum,
    [OP_random_key] = emit_random_key,
    [OP_random_split] = emit_random_split,
    [OP_random_fold_in] = emit_random_fold_in,
    [OP_random_bits] = emit_random_bits,
    [OP_random_uniform] = emit_random_uniform,
    [OP_random_normal] = emit_random_normal,
};
