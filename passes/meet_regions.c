/* meet_regions.c: where values lie, and which part of what it reads a team's
 * kernel reads tile by tile. */
#include "meet.h"

#include <stdlib.h>

/* -- places ------------------------------------------------------------ */

/* A yield of a branch is written where the cond's result lies. */
static const Value *outermost(const Meet *meet, const Value *value) {
  for (;;) {
    const Node *owner = value->block->owner;
    int slot = meet->slot[value->id];
    if (owner == NULL || owner->op != OP_cond || slot < 0) return value;
    value = owner->results[slot];
  }
}

typedef struct Regions {
  const Meet *meet;
  Region *list;
  int n;
} Regions;

static void add(Regions *regions, const Value *result, int64_t place, Turn turn,
                const Value *carry) {
  int64_t bytes = ir_type_bytes(result->type);
  if (bytes == 0) return;
  if (regions->n == REGIONS) { /* as if it lay everywhere */
    regions->list[REGIONS - 1].space = -1;
    return;
  }
  Region region = {0, place, place + bytes, turn, carry};
  if (place < 0)
    region =
        (Region){1 + regions->meet->slot[result->id], 0, bytes, turn, carry};
  regions->list[regions->n++] = region;
}

/* All places of a loop's result. */
static void add_all(Regions *regions, const Value *result, Turn turn) {
  IntList places = ir_lists(result->node, ATTR_at).v[result->index];
  const Value *carry = turn && places.n > 1 ? result : NULL;
  for (int i = 0; i < places.n; i++)
    add(regions, result, places.v[i], carry ? turn : NO_TURN, carry);
}

/* What a kernel or a cond writes. */
static void add_written(Regions *regions, const Value *value) {
  int64_t place = ir_lists(value->node, ATTR_at).v[value->index].v[0];
  if (place >= 0) {
    add(regions, value, place, NO_TURN, NULL);
    return;
  }
  value = outermost(regions->meet, value);
  if (place == PLACE_RESULT) {
    add(regions, value, place, NO_TURN, NULL);
    return;
  }
  const Node *loop = value->block->owner;
  add_all(regions, loop->results[regions->meet->slot[value->id]],
          place == PLACE_CARRY ? NEXT : NO_TURN);
}

int meet_regions(const Meet *meet, const Value *value, Region *list) {
  Regions regions = {meet, list, 0};
  while (value->node == NULL) {
    const Node *owner = value->block->owner;
    if (owner == NULL) return regions.n;
    if (value->index < owner->n_carries)
      add_all(&regions, owner->results[value->index], NOW);
    if (owner->op == OP_while) return regions.n; /* its init was copied */
    value = owner->operands[value->index];       /* an init, or xs */
  }
  if (value->node->op == OP_constant) return regions.n;
  if (value->node->op == OP_scan || value->node->op == OP_while)
    add_all(&regions, value, NO_TURN);
  else
    add_written(&regions, value);
  return regions.n;
}

/* -- tiles ------------------------------------------------------------- */

static int kept_dim(const Node *node, int dim) {
  IntList dims = ir_ints(node, ATTR_dims);
  int64_t one = ir_int(node, ATTR_dim);
  if (node->op == OP_argmax || node->op == OP_argmin) dims = (IntList){&one, 1};
  for (int i = 0; i < dims.n && dims.v[i] <= dim; i++) dim++;
  return dim;
}

static int label_dim(const Node *einsum, int term, int dim) {
  Einsum e;
  int found = DEALT_ALL;
  ir_einsum_read(einsum, &e);
  for (int d = 0; d < e.rank[term]; d++) {
    if (e.term[term][d] != e.out[dim]) continue;
    if (found >= 0) return DEALT_ALL;
    found = d;
  }
  return found;
}

static int broadcast_dim(const Node *node, int dim) {
  IntList dims = ir_ints(node, ATTR_dims);
  Type from = node->operands[0]->type, to = node->results[0]->type;
  for (int i = 0; i < dims.n; i++)
    if (dims.v[i] == dim && from.dims[i] == to.dims[dim]) return i;
  return DEALT_ALL;
}

/* The dim of the operand that runs along with dim `dim` of the result. */
static int operand_dim(const Node *node, int operand, int dim) {
  Type from = node->operands[operand]->type, to = node->results[0]->type;
  if (dim < 0) return DEALT_ALL;
  switch (ir_ops[node->op].class) {
    case ELEMENTWISE:
      return ir_shape_equal(from, to) ? dim : DEALT_ALL;
    case REDUCE:
      return kept_dim(node, dim);
    case EINSUM:
      return label_dim(node, operand, dim);
    default:
      break;
  }
  if (node->op == OP_broadcast) return broadcast_dim(node, dim);
  if (node->op == OP_transpose) return (int)ir_ints(node, ATTR_perm).v[dim];
  return DEALT_ALL;
}

static void deal(Meet *meet, const Value *value, int dim) {
  int *known = &meet->dealt[value->id];
  *known = *known == DEALT_NOT || *known == dim ? dim : DEALT_ALL;
}

void meet_find_dealt(Meet *meet, const Node *kernel, int dim) {
  const Block *body = kernel->body;
  for (int i = 0; i < body->n_yields; i++) deal(meet, body->yields[i], dim);
  for (int i = body->n_nodes - 1; i >= 0; i--) {
    const Node *node = body->nodes[i];
    int own = meet->dealt[node->results[0]->id];
    if (node->n_results > 1) own = DEALT_ALL;
    for (int o = 0; own != DEALT_NOT && o < node->n_operands; o++)
      deal(meet, node->operands[o], operand_dim(node, o, own));
  }
}

void meet_clear_dealt(Meet *meet, const Node *kernel) {
  const Block *body = kernel->body;
  for (int i = 0; i < body->n_yields; i++)
    meet->dealt[body->yields[i]->id] = DEALT_NOT;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int r = 0; r < node->n_results; r++)
      meet->dealt[node->results[r]->id] = DEALT_NOT;
    for (int o = 0; o < node->n_operands; o++)
      meet->dealt[node->operands[o]->id] = DEALT_NOT;
  }
}
