/* copy.c: the one way to turn a program into another: copy it through ir_node,
 * with a rule.  Also ir_strip, and ir_equal, which tells whether a copy
 * differs. */
#include <stdlib.h>
#include <string.h>

#include "ir.h"

bool ir_copy_begin(Copier *copier, Stage stage) {
  const Program *from = copier->from;
  copier->to = ir_program_create(from->name, stage);
  copier->map = calloc((size_t)from->n_values + 1, sizeof(Value *));
  if (copier->to == NULL) return false;
  if (copier->map == NULL) return ir_out_of_memory(copier->to);
  if (!ir_copy_callees(copier->to, from)) return false;
  if (stage == NAMED)
    for (int a = 0; a < from->n_axes; a++)
      ir_axis_declare(copier->to, from->axes[a].name, from->axes[a].size,
                      (Place){0});
  for (int i = 0; i < from->body->n_params; i++) {
    const Value *param = from->body->params[i];
    Type type =
        copier->param_type ? copier->param_type(copier, param) : param->type;
    ir_map(copier, param, ir_block_param(copier->to->body, type, param->name));
  }
  return true;
}

Block *ir_copy_params(Copier *copier, const Block *from, Block *to) {
  Block *body = ir_block_begin(to);
  for (int i = 0; i < from->n_params; i++) {
    const Value *param = from->params[i];
    Type type =
        copier->param_type ? copier->param_type(copier, param) : param->type;
    ir_map(copier, param, ir_block_param(body, type, param->name));
  }
  return body;
}

static Value **mapped_list(Copier *copier, Value *const *values, int n) {
  Value **list = ir_alloc(copier->to, (size_t)n * sizeof *list + 1);
  for (int i = 0; list && i < n; i++) list[i] = ir_mapped(copier, values[i]);
  return list;
}

Node *ir_copy_node(Copier *copier, Block *to, const Node *node) {
  Block *bodies[IR_BODIES] = {NULL};
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    bodies[b] = ir_copy_params(copier, node->bodies[b], to);
    if (bodies[b] == NULL) return NULL;
    ir_copy_block(copier, node->bodies[b], bodies[b]);
  }
  Value **operands = mapped_list(copier, node->operands, node->n_operands);
  if (operands == NULL) return NULL;
  Node *copy = ir_clone(to, node, operands, bodies);
  for (int i = 0; copy && i < node->n_results; i++)
    ir_map(copier, node->results[i], copy->results[i]);
  return copy;
}

void ir_copy_block(Copier *copier, const Block *from, Block *to) {
  for (int i = 0; i < from->n_nodes && !copier->to->error.failed; i++)
    if (copier->rule == NULL || !copier->rule(copier, to, from->nodes[i]))
      ir_copy_node(copier, to, from->nodes[i]);
  Value **yields = mapped_list(copier, from->yields, from->n_yields);
  if (yields) ir_block_yield(to, yields, from->n_yields);
}

Program *ir_copy_end(Copier *copier) {
  Program *to = copier->to;
  free(copier->map);
  copier->map = NULL;
  if (to && !to->error.failed && copier->from->result_names)
    ir_result_names(to, copier->from->result_names);
  return to;
}

Program *ir_copy(Copier *copier, Stage stage) {
  if (ir_copy_begin(copier, stage))
    ir_copy_block(copier, copier->from->body, copier->to->body);
  return ir_copy_end(copier);
}

/* -- strip ------------------------------------------------------------- */

/* A wrapper's nodes stand where it stood; a loop loses its places. */
static bool unwrap(Copier *copier, Block *to, const Node *node) {
  if (ir_ops[node->op].class == WRAPPER) {
    const Block *body = node->body;
    for (int i = 0; i < body->n_nodes; i++)
      if (!unwrap(copier, to, body->nodes[i]))
        ir_copy_node(copier, to, body->nodes[i]);
    for (int i = 0; i < node->n_results; i++) {
      Value *value = ir_mapped(copier, body->yields[i]);
      if (value && value->name == NULL && value->node && node->results[i]->name)
        value->name = ir_copy_string(copier->to, node->results[i]->name);
      ir_map(copier, node->results[i], value);
    }
    return true;
  }
  if (ir_ops[node->op].class != CONTROL) return false;
  Attr attrs[ATTR_COUNT];
  int n = 0;
  for (int i = 0; i < node->n_attrs; i++)
    if (node->attrs[i].key != ATTR_at) attrs[n++] = node->attrs[i];
  Node plain = *node;
  plain.attrs = attrs;
  plain.n_attrs = n;
  ir_copy_node(copier, to, &plain);
  return true;
}

Program *ir_strip(const Program *program) {
  Copier copier = {.from = program, .rule = unwrap};
  return ir_copy(&copier, program->stage == KERNELS ? BATCHED : program->stage);
}

/* -- equality ---------------------------------------------------------- */

static bool same_ints(IntList a, IntList b) {
  return a.n == b.n &&
         (a.n == 0 || memcmp(a.v, b.v, (size_t)a.n * sizeof *a.v) == 0);
}

bool ir_attr_equal(const Attr *a, const Attr *b) {
  if (a->key != b->key) return false;
  switch (ir_attr_kind(a->key)) {
    case NUMBER:
      return memcmp(&a->f, &b->f, sizeof a->f) == 0;
    case STRING:
      return strcmp(a->s, b->s) == 0;
    case INTS:
    case AXES:
      return same_ints(a->ints, b->ints);
    case LISTS:
    case PLACES:
      if (a->lists.n != b->lists.n) return false;
      for (int i = 0; i < a->lists.n; i++)
        if (!same_ints(a->lists.v[i], b->lists.v[i])) return false;
      return true;
    default:
      return a->i == b->i;
  }
}

static bool same_literal(const Node *a, const Node *b) {
  if (a->op != OP_constant) return true;
  if (a->splat != b->splat) return false;
  Type type = a->results[0]->type;
  int64_t count = a->splat ? 1 : ir_type_elements(type);
  size_t bytes = (size_t)count * ir_dtype_bytes(type.dtype);
  return memcmp(a->literal, b->literal, bytes) == 0;
}

/* Ids are dense and in definition order, so equal programs have equal ids. */
static bool same_values(Value *const *a, Value *const *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i]->id != b[i]->id || !ir_type_equal(a[i]->type, b[i]->type))
      return false;
  return true;
}

static bool same_block(const Block *a, const Block *b);

static bool same_node(const Node *a, const Node *b) {
  if (a->op != b->op || a->n_operands != b->n_operands ||
      a->n_results != b->n_results || a->n_attrs != b->n_attrs ||
      a->n_carries != b->n_carries)
    return false;
  for (int i = 0; i < a->n_attrs; i++)
    if (!ir_attr_equal(&a->attrs[i], &b->attrs[i])) return false;
  for (int i = 0; i < IR_BODIES && a->bodies[i]; i++)
    if (!same_block(a->bodies[i], b->bodies[i])) return false;
  return same_literal(a, b) &&
         same_values(a->operands, b->operands, a->n_operands) &&
         same_values(a->results, b->results, a->n_results);
}

static bool same_block(const Block *a, const Block *b) {
  if (a->n_params != b->n_params || a->n_nodes != b->n_nodes ||
      a->n_yields != b->n_yields)
    return false;
  for (int i = 0; i < a->n_nodes; i++)
    if (!same_node(a->nodes[i], b->nodes[i])) return false;
  return same_values(a->params, b->params, a->n_params) &&
         same_values(a->yields, b->yields, a->n_yields);
}

bool ir_equal(const Program *a, const Program *b) {
  if (a->stage != b->stage || a->n_axes != b->n_axes ||
      a->n_values != b->n_values)
    return false;
  return same_block(a->body, b->body);
}
