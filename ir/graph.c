/* graph.c: the one node constructor.
 *
 * ir_node is the only way to make a node: it checks operands
 * and attributes against the op's row, runs the inference rule, and appends.
 * Whatever the text form, the builder or a pass makes comes through here. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- tables ------------------------------------------------------------ */

#define A(key) (UINT64_C(1) << ATTR_##key)
const OpInfo ir_ops[OP_COUNT] = {
#define OP(name, arity, class, rule, flags, required, optional, from, to) \
  [OP_##name] = {#name,    arity, class, infer_##rule, flags, required,   \
                 optional, from,  to},
#include "ops.def"
#undef OP
};
#undef A

const char *const ir_words[WORD_COUNT] = {
    "",       "eq",       "ne",   "lt",   "le",     "gt",     "ge",  "map",
    "reduce", "contract", "loop", "call", "inline", "packed", "blas"};

bool ir_op_find(const char *name, size_t length, Op *op) {
  for (int i = 0; i < OP_COUNT; i++)
    if (strlen(ir_ops[i].name) == length &&
        memcmp(ir_ops[i].name, name, length) == 0) {
      *op = (Op)i;
      return true;
    }
  return false;
}

/* -- the node constructor ---------------------------------------------- */

static bool check_spec(Infer *in, const NodeSpec *spec) {
  const OpInfo *info = in->info;
  Program *program = in->program;
  if (program->stage < info->from || program->stage > info->to) {
    static const char *const stages[] = {"named", "batched", "kernels"};
    return infer_error(in, "may not stand in a program at the %s stage",
                       stages[program->stage]);
  }
  int least = info->arity < 0 ? -1 - info->arity : info->arity;
  bool wrong =
      info->arity < 0 ? spec->n_operands < least : spec->n_operands != least;
  if (wrong)
    return infer_error(in, "takes %s%d operand%s, not %d",
                       info->arity < 0 ? "at least " : "", least,
                       least == 1 ? "" : "s", spec->n_operands);
  if ((info->flags & TYPED) && spec->type == NULL)
    return infer_error(in, "needs its result type to be written");
  return graph_take_attrs(in, spec);
}

static bool copy_literal(Infer *in, const NodeSpec *spec, Node *node) {
  if (!(in->info->flags & LITERAL)) return true;
  size_t width = ir_dtype_bytes(in->out[0].dtype);
  int64_t elements = ir_type_elements(in->out[0]);
  node->splat = spec->splat || elements == 1;
  size_t count = node->splat ? 1 : (size_t)elements;
  node->literal = graph_copy(in->program, spec->literal, count * width);
  return node->literal != NULL;
}

static Node *append(Infer *in, Block *block, const NodeSpec *spec) {
  Program *program = in->program;
  Node *node = ir_alloc(program, sizeof *node);
  Node **nodes =
      graph_grow(program, block->nodes, block->n_nodes, &block->node_room);
  if (node == NULL || nodes == NULL) return NULL;
  node->op = spec->op;
  node->place = spec->place;
  node->block = block;
  memcpy(node->bodies, spec->bodies, sizeof node->bodies);
  node->n_carries = spec->n_carries;
  node->n_operands = spec->n_operands;
  node->operands = graph_copy(program, spec->operands,
                              (size_t)spec->n_operands * sizeof(Value *));
  node->n_results = in->n_out;
  Value **results = ir_alloc(program, (size_t)in->n_out * sizeof *results + 1);
  node->results = results;
  if (!node->operands || !results || !graph_keep_attrs(in, node) ||
      !copy_literal(in, spec, node))
    return NULL;
  for (int i = 0; i < in->n_out; i++) {
    results[i] = graph_value(block, in->out[i], i == 0 ? spec->name : NULL);
    if (results[i] == NULL) return NULL;
    results[i]->node = node;
    results[i]->index = i;
  }
  node->id = program->n_nodes++;
  block->nodes = nodes;
  nodes[block->n_nodes++] = node;
  for (int b = 0; b < IR_BODIES; b++)
    if (node->bodies[b]) node->bodies[b]->owner = node;
  return node;
}

Node *ir_node(Block *block, const NodeSpec *spec) {
  if (block == NULL || block->program->error.failed) return NULL;
  for (int i = 0; i < spec->n_operands; i++)
    if (spec->operands[i] == NULL) return NULL;
  Infer in;
  infer_start(&in, block->program, spec);
  if (!check_spec(&in, spec) || !in.info->infer(&in) || !infer_finish(&in))
    return NULL;
  return append(&in, block, spec);
}

Value *ir_make(Block *block, Op op, int n_operands, Value *const *operands,
               int n_attrs, const Attr *attrs, const Type *type,
               const char *name, Place place) {
  Node *node = ir_node(block, &(NodeSpec){.op = op,
                                          .n_operands = n_operands,
                                          .operands = operands,
                                          .n_attrs = n_attrs,
                                          .attrs = attrs,
                                          .type = type,
                                          .name = name,
                                          .place = place});
  return node ? node->results[0] : NULL;
}

Value *ir_make_splat(Block *block, DType dtype, Scalar value, int rank,
                     const int64_t *dims, Place place) {
  uint64_t element = 0;
  ir_scalar_store(dtype, &element, value);
  Type type = {dtype, rank, dims, 0};
  Node *node = ir_node(block, &(NodeSpec){.op = OP_constant,
                                          .type = &type,
                                          .literal = &element,
                                          .splat = true,
                                          .place = place});
  return node ? node->results[0] : NULL;
}

Value *ir_make_ints(Block *block, DType dtype, const int64_t *values, int n,
                    Place place) {
  if (block == NULL) return NULL;
  char *data = ir_alloc(block->program, (size_t)n * 8 + 1);
  if (data == NULL) return NULL;
  for (int i = 0; i < n; i++)
    ir_scalar_store(dtype, data + (size_t)i * ir_dtype_bytes(dtype),
                    (Scalar){.i = values[i]});
  Type type = {dtype, 1, &(int64_t){n}, 0};
  Node *node = ir_node(
      block,
      &(NodeSpec){
          .op = OP_constant, .type = &type, .literal = data, .place = place});
  return node ? node->results[0] : NULL;
}

Node *ir_clone(Block *block, const Node *node, Value *const *operands,
               Block *const *bodies) {
  Type type = node->n_results ? node->results[0]->type : (Type){0};
  bool typed = ir_ops[node->op].flags & TYPED;
  NodeSpec spec = {.op = node->op,
                   .n_operands = node->n_operands,
                   .operands = operands,
                   .n_attrs = node->n_attrs,
                   .attrs = node->attrs,
                   .type = typed ? &type : NULL,
                   .literal = node->literal,
                   .splat = node->splat,
                   .n_carries = node->n_carries,
                   .place = node->place};
  if (bodies) memcpy(spec.bodies, bodies, sizeof spec.bodies);
  Node *copy = ir_node(block, &spec);
  if (copy == NULL) return NULL;
  for (int i = 0; i < node->n_results && i < copy->n_results; i++)
    if (node->results[i]->name)
      copy->results[i]->name =
          ir_copy_string(block->program, node->results[i]->name);
  return copy;
}
