/* motion.c: loop-invariant motion: at which depth each node goes.
 *
 * A value's level is the outermost depth at which all that it needs is there:
 * a parameter's is that of its block, a node's the greatest of its operands',
 * a scan's also that of what its body takes from outside.  A node moves to its
 * level, out of as many loops as that is.  Ops are total, so work may be done
 * that a loop would not have done; but a branch keeps its own, or both would
 * always run, and what may not end stays where it is known to be wanted.
 *
 * Views and the like cost nothing where they fuse, but an array where they do
 * not: they move only as far as a consumer that moves needs them. */
#include <string.h>

#include "simplify.h"

/* -- levels, front to back --------------------------------------------- */

typedef struct Levels {
  Simplify *s;
  /* For each depth of a scan's body: the greatest level, below that depth, of
   * what the nodes in the body use. */
  unsigned char taken[IR_MAX_NESTING + 1];
  int branch; /* depth of the innermost branch of a cond */
  int wanted; /* and of the innermost of these or a while's bodies: no while
                 leaves it */
} Levels;

static void note_use(Levels *l, const Value *value, int depth) {
  int level = l->s->level[value->id];
  for (int d = level + 1; d <= depth; d++)
    if (l->taken[d] < level) l->taken[d] = (unsigned char)level;
}

static void level_block(Levels *l, const Block *block);

static int level_operands(Levels *l, const Node *node) {
  int level = 0;
  for (int i = 0; i < node->n_operands; i++) {
    const Value *operand = node->operands[i];
    if (!l->s->live[operand->id]) continue;
    note_use(l, operand, node->block->depth);
    if (l->s->level[operand->id] > level) level = l->s->level[operand->id];
  }
  return level;
}

static void level_body(Levels *l, const Node *node, const Block *body) {
  Simplify *s = l->s;
  Levels outside = *l;
  for (int i = 0; i < body->n_params; i++) {
    int id = body->params[i]->id;
    s->level[id] = s->constant_carry[id] ? s->level[node->operands[i]->id]
                                         : (unsigned char)body->depth;
  }
  if (node->op == OP_cond) l->branch = body->depth;
  if (node->op != OP_scan) l->wanted = body->depth;
  level_block(l, body);
  l->branch = outside.branch;
  l->wanted = outside.wanted;
}

static bool has_while(const Node *node) {
  if (node->op == OP_while) return true;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    for (int i = 0; i < node->bodies[b]->n_nodes; i++)
      if (has_while(node->bodies[b]->nodes[i])) return true;
  return false;
}

static int most(int a, int b) { return a > b ? a : b; }

/* A call of the host's function stays where it is, and so does each loop around
 * it: it takes something of the loop that it is in. */
static int stay(Levels *l, int depth) {
  for (int d = 1; d <= depth; d++)
    l->taken[d] = (unsigned char)most(l->taken[d], d - 1);
  return depth;
}

static void level_node(Levels *l, const Node *node) {
  int level = most(level_operands(l, node), l->branch);
  if (node->op == OP_call) level = stay(l, node->block->depth);
  if (node->body) {
    int depth = node->body->depth;
    l->taken[depth] = 0;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      level_body(l, node, node->bodies[b]);
    level = most(level, l->taken[depth]);
    if (has_while(node)) level = most(level, l->wanted);
  }
  for (int i = 0; i < node->n_results; i++)
    l->s->level[node->results[i]->id] = (unsigned char)level;
}

static void level_block(Levels *l, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++)
    if (!dead_node(l->s, block->nodes[i])) level_node(l, block->nodes[i]);
  for (int i = 0; i < block->n_yields; i++)
    if (l->s->live[block->yields[i]->id])
      note_use(l, block->yields[i], block->depth);
}

/* -- targets, back to front -------------------------------------------- */

static bool is_cheap(const Node *node) {
  OpClass class = ir_ops[node->op].class;
  if (class == LEAF || class == VIEW) return true;
  return node->op == OP_convert && made_by(node->operands[0], OP_iota);
}

/* A cheap node goes at least as far out as what uses it.  A carry that never
 * changes is read as its init. */
static void pull(Simplify *s, const Value *value, const Block *block,
                 int target) {
  while (s->constant_carry[value->id])
    value = value->block->owner->operands[value->index];
  const Node *node = value->node;
  if (node == NULL || !is_cheap(node)) return;
  while (block != node->block) {
    target = s->target[block->owner->id];
    block = block->owner->block;
  }
  if (target < s->target[node->id]) s->target[node->id] = (unsigned char)target;
}

static void target_block(Simplify *s, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool moves = node->n_results > 0 && !is_cheap(node);
    s->target[node->id] =
        moves ? s->level[node->results[0]->id] : (unsigned char)block->depth;
  }
  for (int i = 0; i < block->n_yields; i++)
    pull(s, block->yields[i], block, block->depth);
  for (int i = block->n_nodes - 1; i >= 0; i--) {
    const Node *node = block->nodes[i];
    if (dead_node(s, node)) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      target_block(s, node->bodies[b]);
    for (int k = 0; k < node->n_operands; k++)
      pull(s, node->operands[k], block, s->target[node->id]);
  }
}

void motion_plan(Simplify *s) {
  Levels levels = {.s = s};
  level_block(&levels, s->copier.from->body);
  target_block(s, s->copier.from->body);
}
