/* places_uses.c: which node reads a value last, and after which it dies.
 *
 * Comes in: a program whose `at`s are well formed.  Goes out: last[], index[],
 * dying[], next_dying[] and values[] of Places, and the tree of uses.
 *
 * A use in an inner block is one by the node that encloses it, so a value dies
 * in the block that defines it.  A branch of a cond may write over a value from
 * outside once it has read it, so for each branch the last use in it is kept
 * too. */
#include "places.h"

#include <search.h>
#include <stdlib.h>

/* The last node of `branch` that reads a value from outside. */
typedef struct Use {
  const Value *value;
  const Block *branch;
  int last;
} Use;

static int compare_uses(const void *left, const void *right) {
  const Use *a = left, *b = right;
  if (a->value != b->value)
    return (uintptr_t)a->value < (uintptr_t)b->value ? -1 : 1;
  if (a->branch == b->branch) return 0;
  return (uintptr_t)a->branch < (uintptr_t)b->branch ? -1 : 1;
}

int ir_places_last(const Places *p, const Block *block, const Value *value) {
  if (block == value->block) return p->last[value->id];
  Use key = {value, block, 0}, **found = tfind(&key, &p->uses, compare_uses);
  return found ? (*found)->last : -1;
}

/* The walk goes forwards: the latest use is the last one. */
static void use_in_branch(Places *p, const Value *value, const Block *branch,
                          int index) {
  Use key = {value, branch, 0}, **found = tfind(&key, &p->uses, compare_uses);
  if (found) {
    (*found)->last = index;
    return;
  }
  Use *fresh = malloc(sizeof *fresh);
  if (fresh) *fresh = (Use){value, branch, index};
  if (fresh && tsearch(fresh, &p->uses, compare_uses)) return;
  free(fresh);
  ir_places_no_memory(p);
}

static void use(Places *p, const Value *value, const Block *block, int index) {
  while (block != value->block) {
    const Node *owner = block->owner;
    if (owner->op == OP_cond) use_in_branch(p, value, block, index);
    index = p->index[owner->id];
    block = block->parent;
  }
  if (index > p->last[value->id]) p->last[value->id] = index;
}

static void find_uses(Places *p, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    p->index[node->id] = i;
    for (int k = 0; k < node->n_operands; k++)
      use(p, node->operands[k], block, i);
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      find_uses(p, node->bodies[b]);
  }
  for (int i = 0; i < block->n_yields; i++)
    use(p, block->yields[i], block, block->n_nodes);
}

static void dies_after(Places *p, const Value *value, const Node *node) {
  p->next_dying[value->id] = p->dying[node->id];
  p->dying[node->id] = value->id;
}

static void find_deaths(Places *p, const Block *block) {
  for (int i = 0; i < block->n_params; i++) {
    const Value *param = block->params[i];
    int last = p->last[param->id];
    p->values[param->id] = param;
    if (last >= 0 && last < block->n_nodes)
      dies_after(p, param, block->nodes[last]);
  }
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int r = 0; r < node->n_results; r++) {
      const Value *value = node->results[r];
      int last = p->last[value->id];
      p->values[value->id] = value;
      if (last < block->n_nodes)
        dies_after(p, value, last < 0 ? node : block->nodes[last]);
    }
    if (node->op == OP_kernel) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      find_deaths(p, node->bodies[b]);
  }
}

void ir_places_find_uses(Places *p) {
  find_uses(p, p->program->body);
  find_deaths(p, p->program->body);
}

void ir_places_forget_uses(Places *p) { tdestroy(p->uses, free); }
