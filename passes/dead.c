/* dead.c: which values of a program are needed, and by how many.
 *
 * Comes in: the program that a round of simplify copies, its carries that
 * never change already known.  Goes out: live and uses, by value id.  What is
 * not live is not copied; of a loop only the carries, xs and ys that something
 * outside or another carry that is live asks for.  A carry that only feeds
 * itself is asked for by no one. */
#include <stdlib.h>

#include "simplify.h"

typedef struct Marker {
  Simplify *s;
  Value **stack; /* live values whose needs are not marked yet */
  int n;
} Marker;

static void mark(Marker *m, Value *value) {
  if (m->s->live[value->id]) return;
  m->s->live[value->id] = true;
  m->stack[m->n++] = value;
}

static bool is_empty(const Node *loop) {
  return loop->op == OP_scan && ir_int(loop, ATTR_length) == 0;
}

static void mark_carry(Marker *m, const Node *loop, int i) {
  const Block *body = loop_body(loop);
  mark(m, loop->operands[i]);
  if (!is_empty(loop) && !m->s->constant_carry[body->params[i]->id])
    mark(m, body->yields[i]);
  if (loop->op == OP_while) mark(m, loop->bodies[WHILE_TEST]->yields[0]);
}

static void mark_needs(Marker *m, const Value *value) {
  const Node *node = value->node, *owner = value->block->owner;
  if (node && node->op == OP_cond) {
    mark(m, node->operands[0]);
    for (int b = 0; b < IR_BODIES; b++)
      mark(m, node->bodies[b]->yields[value->index]);
  } else if (node && node->body) {
    if (value->index < node->n_carries)
      mark_carry(m, node, value->index);
    else if (!is_empty(node))
      mark(m, node->body->yields[value->index]);
  } else if (node && node->op == OP_sort) {
    mark(m, node->operands[0]);
    mark(m, node->operands[value->index]);
  } else if (node) {
    for (int i = 0; i < node->n_operands; i++) mark(m, node->operands[i]);
  } else if (owner && value->index < owner->n_carries) {
    mark_carry(m, owner, value->index);
  } else if (owner) {
    mark(m, owner->operands[value->index]);
  }
}

bool dead_node(const Simplify *s, const Node *node) {
  for (int i = 0; i < node->n_results; i++)
    if (s->live[node->results[i]->id]) return false;
  return true;
}

static void count_block(Simplify *s, const Block *block);

static void count_node(Simplify *s, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    if (s->live[node->operands[i]->id]) s->uses[node->operands[i]->id]++;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    count_block(s, node->bodies[b]);
}

static void count_block(Simplify *s, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++)
    if (!dead_node(s, block->nodes[i])) count_node(s, block->nodes[i]);
  for (int i = 0; i < block->n_yields; i++) s->uses[block->yields[i]->id]++;
}

bool dead_mark(Simplify *s) {
  const Program *from = s->copier.from;
  Marker m = {.s = s};
  m.stack = malloc(((size_t)from->n_values + 1) * sizeof *m.stack);
  if (m.stack == NULL) return false;
  for (int i = 0; i < from->body->n_yields; i++)
    mark(&m, from->body->yields[i]);
  while (m.n > 0) mark_needs(&m, m.stack[--m.n]);
  free(m.stack);
  count_block(s, from->body);
  return true;
}
