/* simplify_control.c: what a round of simplify makes of a while and a cond.
 *
 * A while loses the carries that never change or that no one asks for, and all
 * of itself if its predicate is false.  A cond becomes the branch that a
 * constant predicate takes; what both branches only hand through is chosen
 * outside. */
#include <string.h>

#include "simplify.h"

/* A node with two bodies under way. */
typedef struct Build {
  Simplify *s;
  const Node *node;
  Block *outside;
  Block *bodies[IR_BODIES];
  int n; /* of the new node's results */
  Value **operands, **yields[IR_BODIES];
  int *place; /* of result i among the new ones; -1: mapped already */
} Build;

static bool begin(Build *b, Simplify *s, const Node *node) {
  size_t n = (size_t)node->n_results + 1;
  *b = (Build){.s = s, .node = node};
  b->outside = s->open[s->target[node->id]];
  Value **room = ir_alloc(s->copier.to, 3 * n * sizeof *room);
  b->place = ir_alloc(s->copier.to, n * sizeof *b->place);
  if (room == NULL || b->place == NULL) return false;
  b->operands = room;
  b->yields[0] = room + n;
  b->yields[1] = room + 2 * n;
  return true;
}

/* The nodes of a body, into a block of the new program. */
static void fill(Build *b, const Block *from, Block *to) {
  Block *saved = b->s->open[from->depth];
  b->s->open[from->depth] = to;
  simplify_block(b->s, from);
  b->s->open[from->depth] = saved;
}

static void finish(Build *b, NodeSpec spec) {
  const Node *node = b->node;
  spec.op = node->op;
  spec.operands = b->operands;
  spec.place = node->place;
  memcpy(spec.bodies, b->bodies, sizeof spec.bodies);
  const Node *made = ir_node(b->outside, &spec);
  for (int i = 0; made && i < node->n_results; i++) {
    const Value *old = node->results[i];
    if (b->place[i] < 0) continue;
    Value *value = made->results[b->place[i]];
    if (value->name == NULL && old->name)
      value->name = ir_copy_string(b->s->copier.to, old->name);
    simplify_map(b->s, old, value);
  }
}

static Value *mapped(const Build *b, const Value *value) {
  return ir_mapped(&b->s->copier, value);
}

/* -- while ------------------------------------------------------------- */

static bool carry_stays(const Build *b, int i) {
  const Simplify *s = b->s;
  const Value *param = b->node->bodies[WHILE_STEP]->params[i];
  return !s->constant_carry[param->id] &&
         (s->live[param->id] || s->live[b->node->results[i]->id] ||
          s->live[b->node->bodies[WHILE_TEST]->params[i]->id]);
}

static void begin_body(Build *b, int which) {
  const Block *from = b->node->bodies[which];
  Block *body = ir_block_begin(b->outside);
  b->bodies[which] = body;
  for (int i = 0; body && i < from->n_params; i++) {
    const Value *param = from->params[i];
    Value *value = mapped(b, b->node->operands[i]);
    if (b->place[i] >= 0)
      value = ir_block_param(body, param->type, param->name);
    ir_map(&b->s->copier, param, value);
  }
  fill(b, from, body);
}

void while_build(Simplify *s, const Node *node) {
  Build b;
  Scalar element;
  if (!begin(&b, s, node)) return;
  for (int i = 0; i < node->n_results; i++) {
    b.place[i] = carry_stays(&b, i) ? b.n : -1;
    if (b.place[i] >= 0) b.operands[b.n++] = mapped(&b, node->operands[i]);
  }
  begin_body(&b, WHILE_TEST);
  Value *predicate = mapped(&b, node->bodies[WHILE_TEST]->yields[0]);
  bool never = predicate && ir_is_splat(predicate, &element) && !element.u;
  for (int i = 0; i < node->n_results; i++) {
    if (never) b.place[i] = -1;
    if (b.place[i] < 0 && s->live[node->results[i]->id])
      simplify_map(s, node->results[i], mapped(&b, node->operands[i]));
  }
  if (never || b.bodies[WHILE_TEST] == NULL) return;
  begin_body(&b, WHILE_STEP);
  if (b.bodies[WHILE_STEP] == NULL) return;
  for (int i = 0; i < node->n_results; i++)
    if (b.place[i] >= 0)
      b.yields[WHILE_STEP][b.place[i]] =
          mapped(&b, node->bodies[WHILE_STEP]->yields[i]);
  ir_block_yield(b.bodies[WHILE_TEST], &predicate, 1);
  ir_block_yield(b.bodies[WHILE_STEP], b.yields[WHILE_STEP], b.n);
  finish(&b, (NodeSpec){.n_operands = b.n, .n_carries = b.n});
}

/* -- cond -------------------------------------------------------------- */

static void take_branch(Build *b, const Block *branch) {
  fill(b, branch, b->outside);
  for (int i = 0; i < b->node->n_results; i++)
    if (b->s->live[b->node->results[i]->id])
      simplify_map(b->s, b->node->results[i], mapped(b, branch->yields[i]));
}

/* What result i is where no branch does anything for it. */
static Value *choose_outside(Build *b, Value *yes, Value *no) {
  if (yes == no) return yes;
  Node like = {.block = b->outside, .place = b->node->place};
  return simplify_make(b->s, &like, OP_select,
                       IR_VALUES(b->operands[0], yes, no), 0, NULL, NULL);
}

static int place_of(Build *b, Value *yes, Value *no) {
  for (int i = 0; i < b->n; i++)
    if (b->yields[COND_THEN][i] == yes && b->yields[COND_ELSE][i] == no)
      return i;
  b->yields[COND_THEN][b->n] = yes;
  b->yields[COND_ELSE][b->n] = no;
  return b->n++;
}

static void keep_branches(Build *b) {
  const Node *node = b->node;
  for (int which = 0; which < IR_BODIES; which++) {
    b->bodies[which] = ir_block_begin(b->outside);
    if (b->bodies[which] == NULL) return;
    fill(b, node->bodies[which], b->bodies[which]);
  }
  for (int i = 0; i < node->n_results; i++) {
    b->place[i] = -1;
    if (!b->s->live[node->results[i]->id]) continue;
    Value *yes = mapped(b, node->bodies[COND_THEN]->yields[i]);
    Value *no = mapped(b, node->bodies[COND_ELSE]->yields[i]);
    if (yes == NULL || no == NULL) return;
    bool outside = simplify_sees(b->outside, yes->block) &&
                   simplify_sees(b->outside, no->block);
    if (outside)
      simplify_map(b->s, node->results[i], choose_outside(b, yes, no));
    else
      b->place[i] = place_of(b, yes, no);
  }
  if (b->n == 0) return;
  for (int which = 0; which < IR_BODIES; which++)
    ir_block_yield(b->bodies[which], b->yields[which], b->n);
  finish(b, (NodeSpec){.n_operands = 1});
}

void cond_build(Simplify *s, const Node *node) {
  Build b;
  Scalar element;
  if (!begin(&b, s, node)) return;
  Value *predicate = mapped(&b, node->operands[0]);
  if (predicate == NULL) return;
  b.operands[0] = predicate;
  if (ir_is_splat(predicate, &element))
    take_branch(&b, node->bodies[element.u ? COND_THEN : COND_ELSE]);
  else
    keep_branches(&b);
}
