/* blocks.c: what a `blocks` node may say, and how much a block holds.
 *
 * The rule of inference does not trust the pass that made the node: it finds
 * the dim classes of the body and refuses what is not independent along the
 * dim. */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"

int ir_blocks_dim(const Node *blocks, int i) {
  IntList dims = ir_ints(blocks, ATTR_dims);
  return (int)(dims.n ? dims.v[i] : ir_int(blocks, ATTR_dim));
}

int64_t ir_blocks_extent(const Node *blocks) {
  return blocks->results[0]->type.dims[ir_blocks_dim(blocks, 0)];
}

int64_t ir_blocks_size(const Node *blocks) {
  int64_t size = ir_int(blocks, ATTR_size), all = ir_blocks_extent(blocks);
  return size < all ? size : all;
}

const Node *ir_blocks_around(const Block *block) {
  while (block->owner && block->owner->op != OP_blocks) block = block->parent;
  return block->owner;
}

Dims *ir_blocks_classes(const Node *blocks, int *cut) {
  const Block *body = blocks->body;
  Dims *dims = ir_dims_create();
  *cut = -1;
  if (dims == NULL) return NULL;
  ir_dims_add_block(dims, body);
  for (int i = 1; i < body->n_yields; i++)
    ir_dims_join(dims, body->yields[0], ir_blocks_dim(blocks, 0),
                 body->yields[i], ir_blocks_dim(blocks, i));
  *cut = ir_dims_class(dims, body->yields[0], ir_blocks_dim(blocks, 0));
  if (!ir_dims_failed(dims)) return dims;
  ir_dims_destroy(dims);
  return NULL;
}

/* -- inference --------------------------------------------------------- */

/* One dim a result, of one size. */
static bool result_dims(Infer *in) {
  const Block *body = in->spec->body;
  IntList given = in->attr[ATTR_dims].ints;
  int n = body->n_yields;
  bool listed = infer_has(in, ATTR_dims), same = true;
  int64_t *dims = infer_ints(in, n), size = 0;
  if (dims == NULL) return false;
  if (listed && given.n != n)
    return infer_error(in, "dims has %d entr%s for %d result%s", given.n,
                       given.n == 1 ? "y" : "ies", n, n == 1 ? "" : "s");
  for (int i = 0; i < n; i++) {
    Type type = body->yields[i]->type;
    dims[i] = listed ? given.v[i] : in->attr[ATTR_dim].i;
    if (!infer_dim(in, listed ? "dims" : "dim", &dims[i], type.rank))
      return false;
    if (i == 0) size = type.dims[dims[0]];
    if (type.dims[dims[i]] != size)
      return infer_error(in,
                         "dim %lld of result %d has %lld elements, but dim "
                         "%lld of result 0 has %lld",
                         (long long)dims[i], i, (long long)type.dims[dims[i]],
                         (long long)dims[0], (long long)size);
    same &= dims[i] == dims[0];
  }
  in->attr[ATTR_dim].i = dims[0];
  infer_set_ints(in, ATTR_dims, dims, n);
  if (same) in->has &= ~(UINT64_C(1) << ATTR_dims);
  return true;
}

/* A node that may not stand in blocks at all; NULL: none. */
static const Node *intruder(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i], *found = NULL;
    if (node->op == OP_blocks || node->op == OP_call) return node;
    for (int b = 0; b < IR_BODIES && node->bodies[b] && !found; b++)
      found = intruder(node->bodies[b]);
    if (found) return found;
  }
  return NULL;
}

static bool shows_team(const Block *block) {
  bool team = false;
  for (int i = 0; i < block->n_nodes && !team; i++) {
    const Node *node = block->nodes[i];
    team = node->op == OP_kernel &&
           (ir_int(node, ATTR_team) || ir_int(node, ATTR_sync));
    for (int b = 0; b < IR_BODIES && node->bodies[b] && !team; b++)
      team = shows_team(node->bodies[b]);
  }
  return team;
}

static bool independent(Infer *in, Dims *dims, int cut) {
  long long dim = in->attr[ATTR_dim].i;
  DimMixer mixer = ir_dims_mixer(dims, cut);
  const Value *twice = ir_dims_twice(dims, cut);
  if (mixer.node)
    return ir_error(
        in->program,
        mixer.node->place.line ? mixer.node->place : in->spec->place,
        "blocks: the body is not independent along dim %lld: %s "
        "%s (%s)",
        dim, ir_ops[mixer.node->op].name, mixer.why,
        ir_operands_text(in->program, mixer.node->operands,
                         mixer.node->n_operands));
  if (twice)
    return infer_error(in,
                       "the body is not independent along dim %lld: a value "
                       "of type %s has that dim twice",
                       dim, ir_type_text(in->program, twice->type).text);
  if (infer_int(in, ATTR_inner) && !ir_may_turn(in->spec->body, dims, cut))
    return infer_error(in,
                       "inner=true: an op of the body has batch dims or "
                       "positions that cannot be turned");
  return true;
}

static bool check_independence(Infer *in) {
  /* The node is not there yet: what the classes need of it stands here. */
  Attr attrs[2] = {in->attr[ATTR_dim], in->attr[ATTR_dims]};
  Node node = {.op = OP_blocks, .attrs = attrs, .body = in->spec->body};
  attrs[0].key = ATTR_dim;
  attrs[1].key = ATTR_dims;
  node.n_attrs = infer_has(in, ATTR_dims) ? 2 : 1;
  int cut;
  Dims *dims = ir_blocks_classes(&node, &cut);
  if (dims == NULL) return ir_out_of_memory(in->program);
  bool fine = independent(in, dims, cut);
  ir_dims_destroy(dims);
  return fine;
}

bool infer_blocks(Infer *in) {
  const Block *body = in->spec->body;
  in->has_axes = true;
  if (body == NULL) return infer_error(in, "has no body");
  if (body->n_yields == 0) return infer_error(in, "yields nothing");
  if (in->attr[ATTR_size].i < 1)
    return infer_error(in, "size=%lld is not positive",
                       (long long)in->attr[ATTR_size].i);
  const Node *other = intruder(body);
  if (other)
    return infer_error(in, "%s may not stand in it", ir_ops[other->op].name);
  if (shows_team(body))
    return infer_error(in,
                       "a kernel in it has team or sync: a block is run "
                       "by one thread");
  if (!result_dims(in) || !check_independence(in) ||
      !infer_results(in, body->n_yields))
    return false;
  for (int i = 0; i < body->n_yields; i++) in->out[i] = body->yields[i]->type;
  return true;
}

/* -- how much is held -------------------------------------------------- */

static bool has_blocks(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_blocks) return true;
    if (ir_ops[node->op].class != CONTROL) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (has_blocks(node->bodies[b])) return true;
  }
  return false;
}

static bool note_extents(const Node *blocks, Extents *extents) {
  int cut;
  Dims *dims = ir_blocks_classes(blocks, &cut);
  if (dims == NULL) return false;
  for (int i = 0; i < ir_dims_count(dims); i++) {
    const Value *value = ir_dims_value(dims, i);
    if (value->block->depth <= blocks->block->depth) continue;
    extents->dim[value->id] = ir_dims_of(dims, value, cut);
    extents->size[value->id] = ir_blocks_size(blocks);
  }
  ir_dims_destroy(dims);
  return true;
}

static bool find_extents(const Block *block, Extents *extents) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_blocks && !note_extents(node, extents)) return false;
    if (ir_ops[node->op].class != CONTROL) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (!find_extents(node->bodies[b], extents)) return false;
  }
  return true;
}

bool ir_extents(const Program *program, Extents *extents) {
  size_t n = (size_t)program->n_values + 1;
  *extents = (Extents){0};
  if (!has_blocks(program->body)) return true;
  extents->dim = malloc(n * sizeof *extents->dim);
  extents->size = malloc(n * sizeof *extents->size);
  if (extents->dim && extents->size) {
    memset(extents->dim, -1, n * sizeof *extents->dim);
    if (find_extents(program->body, extents)) return true;
  }
  ir_extents_free(extents);
  return false;
}

void ir_extents_free(Extents *extents) {
  free(extents->dim);
  free(extents->size);
  *extents = (Extents){0};
}

int64_t ir_extent_bytes(const Extents *extents, const Value *value) {
  int64_t bytes = ir_type_bytes(value->type);
  int dim = extents->dim ? extents->dim[value->id] : -1;
  if (dim < 0 || bytes == 0) return bytes;
  return bytes / value->type.dims[dim] * extents->size[value->id];
}
