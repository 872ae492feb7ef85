/* verify.c: is a program what it claims to be?
 *
 * Verify = infer again and compare, node by node; operands are visible where
 * they are used; axes are the least fixpoint; what may not stand at this stage
 * does not.  Places have a verifier of their own (places.c). */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

typedef struct Verifier {
  Program *program;
  bool *visible;  /* by value id */
  uint64_t *axes; /* the fixpoint, by value id */
} Verifier;

static bool types_again(Verifier *v, const Node *node, Infer *in) {
  if (in->n_out != node->n_results)
    return infer_error(in, "has %d results, inferred %d", node->n_results,
                       in->n_out);
  for (int i = 0; i < in->n_out; i++) {
    Type type = node->results[i]->type;
    if (type.dtype != in->out[i].dtype || !ir_shape_equal(type, in->out[i]))
      return infer_error(in, "has type %s, inferred %s",
                         ir_type_text(v->program, type).text,
                         ir_type_text(v->program, in->out[i]).text);
  }
  return true;
}

static bool infer_again(Verifier *v, const Node *node) {
  bool typed = ir_ops[node->op].flags & TYPED;
  NodeSpec spec = {.op = node->op,
                   .n_operands = node->n_operands,
                   .operands = node->operands,
                   .n_attrs = node->n_attrs,
                   .attrs = node->attrs,
                   .type = typed ? &node->results[0]->type : NULL,
                   .literal = node->literal,
                   .splat = node->splat,
                   .n_carries = node->n_carries,
                   .place = node->place};
  memcpy(spec.bodies, node->bodies, sizeof spec.bodies);
  Infer in;
  infer_start(&in, v->program, &spec);
  if (v->program->stage < in.info->from || v->program->stage > in.info->to)
    return infer_error(&in, "may not stand at this stage");
  for (int i = 0; i < node->n_attrs; i++) {
    in.attr[node->attrs[i].key] = node->attrs[i];
    in.has |= UINT64_C(1) << node->attrs[i].key;
  }
  return in.info->infer(&in) && infer_finish(&in) && types_again(v, node, &in);
}

static bool check_axes(Verifier *v, const Value *value, Place place) {
  uint64_t expected = v->axes[value->id];
  if (value->type.axes == expected) return true;
  Type type = value->type;
  type.axes = expected;
  return ir_error(v->program, place, "a value of type %s should be %s",
                  ir_type_text(v->program, value->type).text,
                  ir_type_text(v->program, type).text);
}

static bool verify_block(Verifier *v, const Block *block);

/* A kernel stands in no kernel, a scan in one of form=loop only. */
static bool may_have_body(const Node *node) {
  for (const Block *b = node->block; b->owner; b = b->owner->block)
    if (b->owner->op == OP_kernel)
      return node->op == OP_scan && ir_int(b->owner, ATTR_form) == WORD_loop;
  return true;
}

static bool verify_node(Verifier *v, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    if (!v->visible[node->operands[i]->id])
      return ir_error(v->program, node->place,
                      "%s: operand %d is not defined here",
                      ir_ops[node->op].name, i);
  if (node->body) {
    if (!may_have_body(node))
      return ir_error(v->program, node->place, "%s may not stand in a kernel",
                      ir_ops[node->op].name);
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (!verify_block(v, node->bodies[b])) return false;
  }
  if (!infer_again(v, node)) return false;
  for (int i = 0; i < node->n_results; i++) {
    if (!check_axes(v, node->results[i], node->place)) return false;
    v->visible[node->results[i]->id] = true;
  }
  return true;
}

static void set_visible(Verifier *v, const Block *block, bool visible) {
  for (int i = 0; i < block->n_params; i++)
    v->visible[block->params[i]->id] = visible;
  for (int i = 0; !visible && i < block->n_nodes; i++)
    for (int r = 0; r < block->nodes[i]->n_results; r++)
      v->visible[block->nodes[i]->results[r]->id] = false;
}

static bool verify_block(Verifier *v, const Block *block) {
  set_visible(v, block, true);
  for (int i = 0; i < block->n_params; i++)
    if (!check_axes(v, block->params[i], (Place){0})) return false;
  for (int i = 0; i < block->n_nodes; i++)
    if (!verify_node(v, block->nodes[i])) return false;
  for (int i = 0; i < block->n_yields; i++)
    if (!v->visible[block->yields[i]->id])
      return ir_error(v->program, (Place){0},
                      "yield %d is not defined in its block", i);
  set_visible(v, block, false);
  return true;
}

bool ir_verify(Program *program) {
  if (program->error.failed) return false;
  size_t n = (size_t)program->n_values + 1;
  Verifier v = {program, calloc(n, 1), malloc(n * sizeof(uint64_t))};
  bool fine = v.visible && v.axes;
  if (!fine)
    ir_out_of_memory(program);
  else
    fine = ir_axes_fixpoint(program, v.axes) && verify_block(&v, program->body);
  free(v.visible);
  free(v.axes);
  return fine && (program->stage != KERNELS || ir_verify_places(program));
}
