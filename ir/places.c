/* places.c: are the places of a planned program safe?
 *
 * Comes in: a program at the kernels stage whose types have been verified.
 * Goes out: true, or the program's first error.
 *
 * The walk follows the order of execution with the set of live ranges: what
 * has been written and will be read again.  All ranges in the set are disjoint.
 * Each write adds its range; it may meet none that is there, but for one case:
 * an operand that dies here and is read only at the index that is written.
 *
 * A scan's body is walked once for all of its steps:
 *   - what is defined outside and used inside, inits and xs among it, lives
 *     until the scan is over;
 *   - a carry is held at each of its k places from before the first step; the
 *     parameter lets go of them after its last read, the kernel that writes the
 *     next value takes them again.  With k > 1 step t writes another place than
 *     the one that it reads; with k = 1 it writes over its operand;
 *   - the stacked ys are one range, held from before the first step.
 * Afterwards a carry is held where the last step wrote it.
 *
 * Shares no code with the pass that chooses the places. */
#include "places.h"

#include <search.h>
#include <stdlib.h>

/* -- how messages call things ------------------------------------------ */

const char *ir_places_value(Places *p, const Value *value) {
  if (p->names == NULL) p->names = ir_names(p->program);
  if (p->names == NULL) return "a value";
  Name name = p->names[value->id];
  if (name.base == NULL) return ir_format(p->program, "%%%d", name.suffix);
  if (name.suffix == 0) return ir_format(p->program, "%%%s", name.base);
  return ir_format(p->program, "%%%s_%d", name.base, name.suffix);
}

const char *ir_places_node(Places *p, const Node *node) {
  const char *op = ir_ops[node->op].name;
  if (node->n_results == 0) return op;
  return ir_format(p->program, "%s %s", op,
                   ir_places_value(p, node->results[0]));
}

const char *ir_places_range(Places *p, Range range) {
  long long start = range.start, end = range.end;
  int result = range.space - FIRST_RESULT_SPACE;
  if (range.space == ARENA_SPACE)
    return ir_format(p->program, "arena [%lld,%lld)", start, end);
  if (p->program->result_names == NULL)
    return ir_format(p->program, "result %d [%lld,%lld)", result, start, end);
  return ir_format(p->program, "result %s [%lld,%lld)",
                   p->program->result_names[result], start, end);
}

/* -- when values are read last ----------------------------------------- */

/* A use in an inner block is one by the node that encloses it. */
static void use(Places *p, const Value *value, const Block *block, int index) {
  while (block != value->block) {
    index = p->index[block->owner->id];
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
    if (node->body) find_uses(p, node->body);
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
    if (node->op == OP_scan) find_deaths(p, node->body);
  }
}

/* -- the set of live ranges -------------------------------------------- */

/* An order of disjoint ranges, in which ranges that overlap are equal. */
static int compare_ranges(const void *left, const void *right) {
  const Range *a = &((const Live *)left)->range;
  const Range *b = &((const Live *)right)->range;
  if (a->space != b->space) return a->space < b->space ? -1 : 1;
  if (a->end <= b->start) return -1;
  return a->start >= b->end;
}

static Live *find_overlap(Places *p, Live *live) {
  Live **found = tfind(live, &p->set, compare_ranges);
  return found ? *found : NULL;
}

static bool hold(Places *p, Live *live) {
  if (tsearch(live, &p->set, compare_ranges) == NULL) {
    ir_out_of_memory(p->program);
    p->program->error.out_of_memory = true;
    return false;
  }
  return live->held = true;
}

static void let_go(Places *p, Live *live) {
  if (live->held) tdelete(live, &p->set, compare_ranges);
  live->held = false;
}

static void release(Places *p, const Value *value) {
  int first = p->first_live[value->id];
  for (int i = 0; i < p->n_live[value->id]; i++)
    let_go(p, &p->lives[first + i]);
}

static void keep_nothing(void *live) { (void)live; }

/* -- may a write meet what is there? ----------------------------------- */

/* The carry of the scan around block that value is the parameter of. */
static bool is_own_carry(const Places *p, const Value *written,
                         const Value *there) {
  const Block *block = written->block;
  return there->node == NULL && there->block == block && block->owner &&
         p->slot[written->id] == there->index &&
         there->index < block->owner->n_carries;
}

static bool alternates(const Value *param) {
  return ir_lists(param->block->owner, ATTR_at).v[param->index].n > 1;
}

/* Why node may not write `live` over `there`; NULL: it may. */
static const char *objection(Places *p, const Node *node, const Live *live,
                             const Live *there) {
  const Value *old = there->value;
  int last = p->last[old->id], index = p->index[node->id];
  if (old->node == node || (node->op == OP_scan && old->block == node->body))
    return "which it writes too";
  if (old->block != node->block)
    return "which lives as long as the scan around";
  if (last == node->block->n_nodes) return "which its block yields";
  if (last > index)
    return ir_format(p->program, "which %s reads later",
                     ir_places_node(p, node->block->nodes[last]));
  if (node->op == OP_scan) return "which lives as long as the scan";
  int64_t by = ir_int(node, ATTR_by);
  if (by == WORD_blas || by == WORD_packed)
    return "which it reads while it writes";
  if (live->range.start != there->range.start ||
      live->range.end != there->range.end ||
      !ir_shape_equal(live->value->type, old->type))
    return "which it reads, and which lies elsewhere";
  if (!ir_reads_where_written(p, node, old))
    return "which it reads elsewhere than it writes";
  return NULL;
}

static bool clash(Places *p, const Node *node, const Live *live,
                  const Live *there, const char *why) {
  const Value *old = there->value;
  const Node *writer = old->node ? old->node : old->block->owner;
  return ir_error(
      p->program, node->place, "%s: writes %s at %s over %s at %s (of %s), %s",
      ir_places_node(p, node), ir_places_value(p, live->value),
      ir_places_range(p, live->range), ir_places_value(p, old),
      ir_places_range(p, there->range), ir_places_node(p, writer), why);
}

/* node writes live. */
static bool claim(Places *p, const Node *node, Live *live) {
  if (live->range.start == live->range.end) return true;
  Live *there = find_overlap(p, live);
  if (there == NULL) return hold(p, live);
  bool other_step = node->op == OP_kernel &&
                    is_own_carry(p, live->value, there->value) &&
                    alternates(there->value);
  const char *why = other_step ? NULL : objection(p, node, live, there);
  if (why) return clash(p, node, live, there, why);
  let_go(p, there);
  return hold(p, live);
}

/* -- where values lie -------------------------------------------------- */

static Live *add_live(Places *p, const Value *value, int64_t place, int slot) {
  int64_t bytes = ir_type_bytes(value->type);
  int id = value->id;
  if (p->n_live[id]++ == 0) p->first_live[id] = p->n_lives;
  Live *live = &p->lives[p->n_lives++];
  live->value = value;
  live->range = place >= 0 ? (Range){ARENA_SPACE, place, place + bytes}
                           : (Range){FIRST_RESULT_SPACE + slot, 0, bytes};
  return live;
}

/* All numbers of a carry of the scan, for its parameter or next value. */
static bool claim_carry(Places *p, const Node *node, const Node *scan, int i,
                        const Value *value) {
  IntList list = ir_lists(scan, ATTR_at).v[i];
  int slot = p->slot[scan->results[i]->id];
  for (int k = 0; k < list.n; k++)
    if (!claim(p, node, add_live(p, value, list.v[k], slot))) return false;
  return true;
}

static bool walk_kernel(Places *p, const Node *kernel) {
  IntLists at = ir_lists(kernel, ATTR_at);
  if (!ir_places_fused(p, kernel)) return false;
  for (int i = 0; i < kernel->n_results; i++) {
    const Value *value = kernel->results[i];
    int64_t place = at.v[i].v[0];
    int slot = p->slot[value->id];
    bool fine = true;
    if (place == PLACE_CARRY)
      fine = claim_carry(p, kernel, kernel->block->owner, slot, value);
    else if (place != PLACE_YS)
      fine = claim(p, kernel, add_live(p, value, place, slot));
    if (!fine) return false;
  }
  return true;
}

static bool walk_block(Places *p, const Block *block);

static bool enter_scan(Places *p, const Node *scan) {
  IntLists at = ir_lists(scan, ATTR_at);
  for (int i = 0; i < scan->n_results; i++) {
    const Value *result = scan->results[i];
    bool fine =
        i < scan->n_carries
            ? claim_carry(p, scan, scan, i, scan->body->params[i])
            : claim(p, scan,
                    add_live(p, result, at.v[i].v[0], p->slot[result->id]));
    if (!fine) return false;
  }
  for (int i = 0; i < scan->n_carries; i++)
    if (p->last[scan->body->params[i]->id] < 0)
      release(p, scan->body->params[i]);
  return true;
}

static bool leave_scan(Places *p, const Node *scan) {
  IntLists at = ir_lists(scan, ATTR_at);
  for (int i = 0; i < scan->n_carries; i++) release(p, scan->body->yields[i]);
  for (int i = 0; i < scan->n_carries; i++) {
    const Value *result = scan->results[i];
    int64_t place = at.v[i].v[ir_places_final(scan, at.v[i])];
    if (!claim(p, scan, add_live(p, result, place, p->slot[result->id])))
      return false;
  }
  return true;
}

static bool walk_scan(Places *p, const Node *scan) {
  return enter_scan(p, scan) && walk_block(p, scan->body) &&
         leave_scan(p, scan);
}

static bool walk_block(Places *p, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel && !walk_kernel(p, node)) return false;
    if (node->op == OP_scan && !walk_scan(p, node)) return false;
    for (int id = p->dying[node->id]; id >= 0; id = p->next_dying[id])
      release(p, p->values[id]);
  }
  return true;
}

/* -- the whole --------------------------------------------------------- */

/* How many ranges the walk will hold: a carry's list stands for its parameter,
 * its next value and its result. */
static size_t count_lives(const Block *block) {
  size_t count = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    IntLists at = ir_lists(block->nodes[i], ATTR_at);
    for (int k = 0; k < at.n; k++) count += 2 * (size_t)at.v[k].n + 1;
    if (block->nodes[i]->op == OP_scan)
      count += count_lives(block->nodes[i]->body);
  }
  return count;
}

static int *numbers(size_t n, int value) {
  int *list = malloc(n * sizeof *list);
  for (size_t i = 0; list && i < n; i++) list[i] = value;
  return list;
}

static bool places_begin(Places *p) {
  size_t values = (size_t)p->program->n_values + 1;
  size_t nodes = (size_t)p->program->n_nodes + 1;
  p->slot = numbers(values, -1);
  p->last = numbers(values, -1);
  p->first_live = numbers(values, 0);
  p->n_live = numbers(values, 0);
  p->next_dying = numbers(values, -1);
  p->team_round = numbers(values, 0);
  p->index = numbers(nodes, 0);
  p->dying = numbers(nodes, -1);
  p->mark = calloc(values, sizeof *p->mark);
  p->values = calloc(values, sizeof *p->values);
  p->lives = calloc(count_lives(p->program->body) + 1, sizeof *p->lives);
  if (p->slot && p->last && p->first_live && p->n_live && p->next_dying &&
      p->team_round && p->index && p->dying && p->mark && p->values && p->lives)
    return true;
  ir_out_of_memory(p->program);
  p->program->error.out_of_memory = true;
  return false;
}

static void places_end(Places *p) {
  tdestroy(p->set, keep_nothing);
  free(p->slot);
  free(p->last);
  free(p->first_live);
  free(p->n_live);
  free(p->next_dying);
  free(p->team_round);
  free(p->index);
  free(p->dying);
  free(p->mark);
  free(p->values);
  free(p->lives);
  free(p->names);
}

static bool walk(Places *p) {
  find_uses(p, p->program->body);
  find_deaths(p, p->program->body);
  return ir_places_sync(p) && walk_block(p, p->program->body);
}

bool ir_verify_places(Program *program) {
  Places p = {.program = program};
  bool fine = !program->error.failed && places_begin(&p) && ir_places_form(&p);
  if (fine && p.n_planned > 0) fine = walk(&p);
  places_end(&p);
  return fine && !program->error.failed;
}
