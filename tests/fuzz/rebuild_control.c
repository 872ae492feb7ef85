/* rebuild_control.c: while and cond in a copy with one edit.
 *
 * What nothing needs is left out: carries of a while, results of a cond.  To
 * expose a float of a while's step a carry keeps the largest magnitude that it
 * has had; a float of one branch of a cond is a result, zeros in the other. */
#include <stdlib.h>

#include "rebuild.h"

/* -- what is still needed ---------------------------------------------- */

static bool keeps_carry(const Rebuild *r, const Node *node, int i) {
  return r->live[node->results[i]->id] ||
         r->live[node->bodies[WHILE_TEST]->params[i]->id] ||
         r->live[node->bodies[WHILE_STEP]->params[i]->id];
}

void rebuild_mark_while(Rebuild *r, const Node *node) {
  const Block *test = node->bodies[WHILE_TEST];
  const Block *step = node->bodies[WHILE_STEP];
  if (!rebuild_is_live(r, node)) return;
  rebuild_mark(r, test->yields[0]);
  for (int i = 0; i < node->n_carries; i++) {
    if (!keeps_carry(r, node, i)) continue;
    rebuild_mark(r, step->yields[i]);
    rebuild_mark(r, node->operands[i]);
  }
  rebuild_mark_block(r, test);
  rebuild_mark_block(r, step);
}

void rebuild_mark_cond(Rebuild *r, const Node *node) {
  if (!rebuild_is_live(r, node)) return;
  rebuild_mark(r, node->operands[0]);
  for (int b = 0; b < IR_BODIES; b++) {
    for (int i = 0; i < node->n_results; i++)
      if (r->live[node->results[i]->id])
        rebuild_mark(r, node->bodies[b]->yields[i]);
    rebuild_mark_block(r, node->bodies[b]);
  }
}

void rebuild_mark_inlined(Rebuild *r, const Node *node) {
  const Block *body = node->bodies[r->edit->body];
  for (int i = 0; i < node->n_results; i++)
    if (r->live[node->results[i]->id]) rebuild_mark(r, body->yields[i]);
  for (int i = 0; i < body->n_params; i++)
    if (r->live[body->params[i]->id]) rebuild_mark(r, node->operands[i]);
  rebuild_mark_block(r, body);
}

/* -- copying ----------------------------------------------------------- */

static Value *zeros(Block *to, Type type) {
  return ir_make_splat(to, type.dtype, (Scalar){0}, type.rank, type.dims,
                       (Place){0});
}

static void map_results(Rebuild *r, const Node *node, const bool *kept,
                        const Node *copy, Exposed *outer) {
  int used = 0;
  for (int i = 0; copy && i < node->n_results; i++)
    if (kept[i]) ir_map(&r->copier, node->results[i], copy->results[used++]);
  for (int i = 0; copy && i < copy->n_results; i++)
    rebuild_expose(r, outer, copy->results[i]);
}

/* One body with the parameters that stay; its nodes. */
static Block *copy_body(Rebuild *r, const Node *node, int which,
                        const bool *kept, Block *to, Exposed *inner) {
  const Block *from = node->bodies[which];
  Block *body = ir_block_begin(to);
  for (int i = 0; body && i < from->n_params; i++) {
    const Value *param = from->params[i];
    if (kept[i]) {
      const Value *operand = ir_mapped(&r->copier, node->operands[i]);
      Type type = param->type;
      type.axes = operand ? operand->type.axes : 0;
      ir_map(&r->copier, param, ir_block_param(body, type, param->name));
    }
    if (param == r->edit->replaced) rebuild_replace(r, body);
  }
  if (body) rebuild_copy_nodes(r, from, body, inner);
  return body;
}

/* max(carry, |value|) is what the carry is next. */
static Value *keep_largest(Block *test, Block *step, Value *value) {
  Type type = value->type;
  Value *carry = ir_block_param(step, type, NULL);
  ir_block_param(test, type, NULL);
  Value *size =
      ir_make(step, OP_abs, IR_VALUES(value), 0, NULL, NULL, NULL, (Place){0});
  return ir_make(step, OP_max, IR_VALUES(carry, size), 0, NULL, NULL, NULL,
                 (Place){0});
}

static Node *make_while(Rebuild *r, const Node *node, const bool *kept,
                        Block *bodies[IR_BODIES], Block *to,
                        const Exposed *inner) {
  Program *program = r->copier.to;
  size_t room = (size_t)(node->n_carries + inner->n + 1);
  Value **operands = ir_alloc(program, room * sizeof *operands);
  Value **yields = ir_alloc(program, room * sizeof *yields);
  Block *test = bodies[WHILE_TEST], *step = bodies[WHILE_STEP];
  Value *predicate = ir_mapped(&r->copier, node->bodies[WHILE_TEST]->yields[0]);
  int n = 0;
  if (!operands || !yields) return NULL;
  for (int i = 0; i < node->n_carries; i++) {
    if (!kept[i]) continue;
    operands[n] = ir_mapped(&r->copier, node->operands[i]);
    yields[n++] = ir_mapped(&r->copier, node->bodies[WHILE_STEP]->yields[i]);
  }
  for (int i = 0; i < inner->n && !program->error.failed; i++) {
    operands[n] = zeros(to, inner->values[i]->type);
    yields[n++] = keep_largest(test, step, inner->values[i]);
  }
  ir_block_yield(test, &predicate, 1);
  ir_block_yield(step, yields, n);
  return ir_node(to, &(NodeSpec){.op = OP_while,
                                 .n_operands = n,
                                 .operands = operands,
                                 .n_carries = n,
                                 .bodies = {test, step}});
}

void rebuild_copy_while(Rebuild *r, const Node *node, Block *to,
                        Exposed *outer) {
  Exposed asked = {0}, inner = {0};
  Block *bodies[IR_BODIES];
  bool *kept = ir_alloc(r->copier.to, (size_t)node->n_carries + 1);
  if (!kept) return;
  for (int i = 0; i < node->n_carries; i++) kept[i] = keeps_carry(r, node, i);
  bodies[WHILE_TEST] = copy_body(r, node, WHILE_TEST, kept, to, &asked);
  bodies[WHILE_STEP] = copy_body(r, node, WHILE_STEP, kept, to, &inner);
  if (bodies[WHILE_TEST] && bodies[WHILE_STEP])
    map_results(r, node, kept, make_while(r, node, kept, bodies, to, &inner),
                outer);
  free(asked.values);
  free(inner.values);
}

/* What branch b yields: what stays, then its own of what is exposed. */
static void yield_branch(Rebuild *r, const Node *node, const bool *kept, int b,
                         Block *body, const Exposed inner[IR_BODIES]) {
  size_t room = (size_t)(node->n_results + inner[0].n + inner[1].n + 1);
  Value **yields = ir_alloc(r->copier.to, room * sizeof *yields);
  int n = 0;
  if (!yields) return;
  for (int i = 0; i < node->n_results; i++)
    if (kept[i])
      yields[n++] = ir_mapped(&r->copier, node->bodies[b]->yields[i]);
  for (int from = 0; from < IR_BODIES; from++)
    for (int i = 0; i < inner[from].n; i++)
      yields[n++] = from == b ? inner[from].values[i]
                              : zeros(body, inner[from].values[i]->type);
  ir_block_yield(body, yields, n);
}

void rebuild_copy_cond(Rebuild *r, const Node *node, Block *to,
                       Exposed *outer) {
  Exposed inner[IR_BODIES] = {{0}};
  Block *bodies[IR_BODIES];
  Value *predicate = ir_mapped(&r->copier, node->operands[0]);
  bool *kept = ir_alloc(r->copier.to, (size_t)node->n_results + 1);
  if (!kept) return;
  for (int i = 0; i < node->n_results; i++)
    kept[i] = r->live[node->results[i]->id];
  for (int b = 0; b < IR_BODIES; b++)
    bodies[b] = copy_body(r, node, b, kept, to, &inner[b]);
  for (int b = 0; b < IR_BODIES; b++)
    if (bodies[0] && bodies[1])
      yield_branch(r, node, kept, b, bodies[b], inner);
  if (bodies[0] && bodies[1] && !r->copier.to->error.failed)
    map_results(r, node, kept,
                ir_node(to, &(NodeSpec){.op = OP_cond,
                                        .n_operands = 1,
                                        .operands = &predicate,
                                        .bodies = {bodies[0], bodies[1]}}),
                outer);
  for (int b = 0; b < IR_BODIES; b++) free(inner[b].values);
}

void rebuild_copy_inlined(Rebuild *r, const Node *node, Block *to,
                          Exposed *outer) {
  const Block *body = node->bodies[r->edit->body];
  for (int i = 0; i < body->n_params; i++)
    ir_map(&r->copier, body->params[i],
           ir_mapped(&r->copier, node->operands[i]));
  rebuild_copy_nodes(r, body, to, outer);
  for (int i = 0; i < node->n_results; i++)
    ir_map(&r->copier, node->results[i],
           ir_mapped(&r->copier, body->yields[i]));
}
