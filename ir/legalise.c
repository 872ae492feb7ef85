/* legalise.c: what users write becomes what ir_node takes.
 *
 * Elementwise operands of different shapes get the broadcast that NumPy's rules
 * imply; an einsum's ellipsis becomes labels, and operands that stretch under
 * it lose their dims of size 1. */
#include <string.h>

#include "ir.h"

/* NumPy's result shape of all operands of rank > 0 (a select's predicate does
 * not stretch).  False: they do not go together (ir_node will say so). */
static bool joined_shape(const NodeSpec *spec, int first, int64_t *dims,
                         int *rank) {
  *rank = 0;
  for (int i = first; i < spec->n_operands; i++)
    if (spec->operands[i]->type.rank > *rank)
      *rank = spec->operands[i]->type.rank;
  for (int d = 0; d < *rank; d++) dims[d] = 1;
  for (int i = first; i < spec->n_operands; i++) {
    Type type = spec->operands[i]->type;
    for (int d = 0; d < type.rank; d++) {
      int64_t *joined = &dims[*rank - type.rank + d];
      if (*joined == 1) *joined = type.dims[d];
      if (type.dims[d] != 1 && type.dims[d] != *joined) return false;
    }
  }
  return true;
}

static Value *broadcast_to(Block *block, Value *value, int rank,
                           const int64_t *dims, Place place) {
  Type from = value->type, to = {from.dtype, rank, dims, 0};
  if (from.rank == 0 || ir_shape_equal(from, to)) return value;
  int64_t positions[IR_MAX_RANK];
  for (int d = 0; d < from.rank; d++) positions[d] = rank - from.rank + d;
  return ir_make(block, OP_broadcast, IR_VALUES(value),
                 IR_ATTRS(IR_INTS(dims, positions, from.rank)), &to, NULL,
                 place);
}

static Node *emit_elementwise(Block *block, const NodeSpec *spec) {
  int64_t dims[IR_MAX_RANK];
  int rank;
  Value *operands[3] = {spec->n_operands ? spec->operands[0] : NULL};
  int first = spec->op == OP_select;
  if (spec->n_operands < 2 || spec->n_operands > 3 ||
      !joined_shape(spec, first, dims, &rank))
    return ir_node(block, spec);
  for (int i = first; i < spec->n_operands; i++)
    operands[i] =
        broadcast_to(block, spec->operands[i], rank, dims, spec->place);
  NodeSpec widened = *spec;
  widened.operands = operands;
  return ir_node(block, &widened);
}

static Value *drop_dims(Block *block, Value *value, uint64_t dropped,
                        Place place) {
  if (dropped == 0) return value;
  int64_t dims[IR_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < value->type.rank; d++)
    if (!(dropped >> d & 1)) dims[rank++] = value->type.dims[d];
  Type to = {value->type.dtype, rank, dims, 0};
  return ir_make(block, OP_reshape, IR_VALUES(value), 0, NULL, &to, NULL,
                 place);
}

static const char *spec_of(const NodeSpec *spec) {
  for (int i = 0; i < spec->n_attrs; i++)
    if (spec->attrs[i].key == ATTR_spec) return spec->attrs[i].s;
  return NULL;
}

static Node *emit_einsum(Block *block, const NodeSpec *spec) {
  enum { MOST = 52 };
  Program *program = block->program;
  const char *written = spec_of(spec);
  if (written == NULL || spec->n_operands == 0 || spec->n_operands > MOST)
    return ir_node(block, spec);
  uint64_t stretched[MOST];
  Value *operands[MOST];
  char *canonical;
  if (!ir_einsum_resolve(program, written, spec->operands, spec->n_operands,
                         spec->place, &canonical, stretched))
    return NULL;
  for (int i = 0; i < spec->n_operands; i++)
    operands[i] =
        drop_dims(block, spec->operands[i], stretched[i], spec->place);
  Attr attrs[ATTR_COUNT];
  for (int i = 0; i < spec->n_attrs && i < ATTR_COUNT; i++) {
    attrs[i] = spec->attrs[i];
    if (attrs[i].key == ATTR_spec) attrs[i].s = canonical;
  }
  NodeSpec plain = *spec;
  plain.operands = operands;
  plain.attrs = attrs;
  return ir_node(block, &plain);
}

Node *ir_emit(Block *block, const NodeSpec *spec) {
  if (block == NULL || block->program->error.failed) return NULL;
  for (int i = 0; i < spec->n_operands; i++)
    if (spec->operands[i] == NULL) return NULL;
  if (spec->op == OP_einsum) return emit_einsum(block, spec);
  if (ir_ops[spec->op].class == ELEMENTWISE)
    return emit_elementwise(block, spec);
  return ir_node(block, spec);
}
