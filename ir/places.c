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
 * A while is a scan without xs and ys whose length is not known: afterwards its
 * carries are held at all of their places.  Its test comes before the step, and
 * finds the carries held.
 *
 * A cond has no places of its own: the kernels of its branches write its
 * results, and may write over what comes from outside once nothing that runs
 * after them reads it.  Each branch starts from the same set; what either wrote
 * over is gone afterwards.
 *
 * Blocks are an interval: they hold their results from the start, and what the
 * body yields is written there, each block at its part.  Inside, everything has
 * the size of one block.
 *
 * Shares no code with the pass that chooses the places. */
#include "places.h"

#include <search.h>
#include <stdlib.h>

/* -- the set of live ranges -------------------------------------------- */

bool ir_places_no_memory(Places *p) {
  ir_out_of_memory(p->program);
  p->program->error.out_of_memory = true;
  return false;
}

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
  if (tsearch(live, &p->set, compare_ranges) == NULL)
    return ir_places_no_memory(p);
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

/* The value that is written where `value` is, a yield of a branch: a result of
 * the outermost cond. */
static const Value *outermost(const Places *p, const Value *value) {
  while (ir_is_branch(value->block))
    value = value->block->owner->results[p->slot[value->id]];
  return value;
}

static IntList places_of(const Value *result) {
  return ir_lists(result->node, ATTR_at).v[result->index];
}

static bool is_carried_on(const Value *result) {
  return places_of(result).v[0] == PLACE_CARRY;
}

/* The places of a carry of the scan or while around. */
static IntList carry_places(const Value *param) {
  return ir_lists(param->block->owner, ATTR_at).v[param->index];
}

/* Is `there` what the step reads where the next one reads `written`? */
static bool is_own_carry(const Places *p, const Value *written,
                         const Value *there) {
  if (there->node || !written->node || written->node->op == OP_scan ||
      written->node->op == OP_while || !is_carried_on(written))
    return false;
  const Value *next = outermost(p, written);
  return there->block == next->block && there->index == p->slot[next->id];
}

/* Who reads old after node has run, on the way out to the block of old? */
static const char *read_later(Places *p, const Node *node, const Value *old) {
  for (;; node = node->block->owner) {
    const Block *block = node->block;
    if (block != old->block && !ir_is_branch(block))
      return ir_format(p->program, "which lives as long as the %s around",
                       ir_ops[block->owner->op].name);
    int last = ir_places_last(p, block, old);
    if (last == block->n_nodes) return "which its block yields";
    if (last > p->index[node->id])
      return ir_format(p->program, "which %s reads later",
                       ir_places_node(p, block->nodes[last]));
    if (block == old->block) return NULL;
  }
}

/* Why node may not write `live` over `there`; NULL: it may. */
static const char *objection(Places *p, const Node *node, const Live *live,
                             const Live *there) {
  const Value *old = there->value;
  if (old->node == node || old->block->owner == node)
    return "which it writes too";
  const char *why = read_later(p, node, old);
  if (why) return why;
  /* Only the other branch of a cond reads it. */
  if (ir_places_last(p, node->block, old) < p->index[node->id]) return NULL;
  if (ir_ops[node->op].class == CONTROL || node->op == OP_blocks)
    return ir_format(p->program, "which lives as long as the %s",
                     ir_ops[node->op].name);
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

/* A branch writes over what is outside of it. */
static bool note_gone(Places *p, Live *live) {
  if (p->n_gone == p->gone_room) {
    int room = p->gone_room ? 2 * p->gone_room : 16;
    Live **more = realloc(p->gone, (size_t)room * sizeof(Live *));
    if (more == NULL) return ir_places_no_memory(p);
    p->gone = more;
    p->gone_room = room;
  }
  p->gone[p->n_gone++] = live;
  return true;
}

/* node writes live. */
static bool claim(Places *p, const Node *node, Live *live) {
  Live *there;
  if (live->range.start == live->range.end) return true;
  while ((there = find_overlap(p, live))) {
    bool other_step = is_own_carry(p, live->value, there->value) &&
                      carry_places(there->value).n > 1;
    const char *why = other_step ? NULL : objection(p, node, live, there);
    if (why) return clash(p, node, live, there, why);
    let_go(p, there);
    if (there->value->block != node->block && !note_gone(p, there))
      return false;
  }
  return hold(p, live);
}

/* -- where values lie -------------------------------------------------- */

static Live *add_live(Places *p, const Value *value, int64_t place, int slot) {
  int64_t bytes = ir_extent_bytes(&p->extents, value);
  int id = value->id;
  if (p->n_live[id]++ == 0) p->first_live[id] = p->n_lives;
  Live *live = &p->lives[p->n_lives++];
  live->value = value;
  live->range = place >= 0 ? (Range){ARENA_SPACE, place, place + bytes}
                           : (Range){FIRST_RESULT_SPACE + slot, 0, bytes};
  return live;
}

/* Where `result` lies in turn: for `carry` the list of the loop around.  *slot:
 * which of the program's results it is, if it is one. */
static IntList own_places(const Places *p, const Value *result, int *slot) {
  IntList places = places_of(result);
  *slot = -1;
  if (places.v[0] == PLACE_YS) return (IntList){0};
  if (result->node->op != OP_scan && places.v[0] < 0)
    result = outermost(p, result);
  if (places.v[0] == PLACE_CARRY)
    result = result->block->owner->results[p->slot[result->id]];
  *slot = p->slot[result->id];
  return places_of(result);
}

/* node writes value, in turn at each of the places. */
static bool claim_list(Places *p, const Node *node, const Value *value,
                       IntList places, int slot) {
  for (int k = 0; k < places.n; k++)
    if (!claim(p, node, add_live(p, value, places.v[k], slot))) return false;
  return true;
}

/* Is the value written to a part of what blocks hold already? */
static bool is_in_part(const Places *p, const Value *value) {
  while (ir_is_branch(value->block) && p->slot[value->id] >= 0)
    value = value->block->owner->results[p->slot[value->id]];
  return ir_is_part(value->block) && p->slot[value->id] >= 0;
}

/* The results of a kernel, a cond or blocks. */
static bool claim_results(Places *p, const Node *node) {
  for (int i = 0; i < node->n_results; i++) {
    int slot;
    if (is_in_part(p, node->results[i])) continue;
    IntList places = own_places(p, node->results[i], &slot);
    if (!claim_list(p, node, node->results[i], places, slot)) return false;
  }
  return true;
}

static bool walk_kernel(Places *p, const Node *kernel) {
  return ir_places_fused(p, kernel) && claim_results(p, kernel);
}

static bool walk_block(Places *p, const Block *block);

/* -- loops ------------------------------------------------------------- */

static const Block *step_of(const Node *loop) {
  return loop->op == OP_while ? loop->bodies[WHILE_STEP] : loop->body;
}

/* What the first step reads and where all of them write. */
static bool enter_loop(Places *p, const Node *loop) {
  for (int i = 0; i < loop->n_results; i++) {
    const Value *result = loop->results[i];
    const Value *value =
        i < loop->n_carries ? step_of(loop)->params[i] : result;
    if (i >= loop->n_carries && is_in_part(p, result)) continue;
    if (!claim_list(p, loop, value, places_of(result), p->slot[result->id]))
      return false;
  }
  return true;
}

static void release_unread(Places *p, const Node *loop) {
  const Block *step = step_of(loop);
  for (int i = 0; i < loop->n_carries; i++)
    if (p->last[step->params[i]->id] < 0) release(p, step->params[i]);
}

static bool leave_loop(Places *p, const Node *loop) {
  const Block *step = step_of(loop);
  for (int i = 0; i < loop->n_carries; i++) release(p, step->yields[i]);
  for (int i = 0; i < loop->n_carries; i++) {
    const Value *result = loop->results[i];
    IntList places = places_of(result);
    if (loop->op == OP_scan)
      places = (IntList){places.v + ir_places_final(loop, places), 1};
    if (!claim_list(p, loop, result, places, p->slot[result->id])) return false;
  }
  return true;
}

/* The predicate is read where the test ends. */
static bool walk_test(Places *p, const Block *test) {
  const Value *predicate = test->yields[0];
  if (!walk_block(p, test)) return false;
  if (predicate->block == test) release(p, predicate);
  return true;
}

static bool walk_loop(Places *p, const Node *loop) {
  if (!enter_loop(p, loop)) return false;
  if (loop->op == OP_while && !walk_test(p, loop->bodies[WHILE_TEST]))
    return false;
  release_unread(p, loop);
  return walk_block(p, step_of(loop)) && leave_loop(p, loop);
}

/* -- branches ---------------------------------------------------------- */

static bool walk_branch(Places *p, const Block *branch) {
  if (!walk_block(p, branch)) return false;
  for (int i = 0; i < branch->n_yields; i++) release(p, branch->yields[i]);
  return true;
}

static bool walk_cond(Places *p, const Node *cond) {
  int first = p->n_gone, kept = first;
  if (!walk_branch(p, cond->bodies[COND_THEN])) return false;
  for (int i = first; i < p->n_gone; i++)
    if (!p->gone[i]->held && !hold(p, p->gone[i])) return false;
  if (!walk_branch(p, cond->bodies[COND_ELSE])) return false;
  for (int i = first; i < p->n_gone; i++) {
    let_go(p, p->gone[i]);
    if (p->gone[i]->value->block != cond->block) p->gone[kept++] = p->gone[i];
  }
  p->n_gone = kept;
  return claim_results(p, cond);
}

/* -- blocks ------------------------------------------------------------ */

static bool walk_blocks(Places *p, const Node *blocks) {
  const Block *body = blocks->body;
  if (!claim_results(p, blocks) || !walk_block(p, body)) return false;
  for (int i = 0; i < body->n_nodes; i++)
    for (int r = 0; r < body->nodes[i]->n_results; r++)
      release(p, body->nodes[i]->results[r]);
  return true;
}

static bool walk_block(Places *p, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel && !walk_kernel(p, node)) return false;
    if (node->op == OP_blocks && !walk_blocks(p, node)) return false;
    if (node->op == OP_cond && !walk_cond(p, node)) return false;
    if ((node->op == OP_scan || node->op == OP_while) && !walk_loop(p, node))
      return false;
    for (int id = p->dying[node->id]; id >= 0; id = p->next_dying[id])
      release(p, p->values[id]);
  }
  return true;
}

/* -- the whole --------------------------------------------------------- */

/* How many ranges the walk will hold: a carry's list stands for its parameter,
 * its result, and each of its next values. */
static size_t count_lives(Places *p, const Block *block) {
  size_t count = 0;
  int slot;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int r = 0; r < ir_lists(node, ATTR_at).n; r++)
      count += 2 * (size_t)own_places(p, node->results[r], &slot).n;
    if (node->op == OP_kernel) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      count += count_lives(p, node->bodies[b]);
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
  p->index = numbers(nodes, 0);
  p->dying = numbers(nodes, -1);
  p->mark = calloc(values, sizeof *p->mark);
  p->values = calloc(values, sizeof *p->values);
  if (p->slot && p->last && p->first_live && p->n_live && p->next_dying &&
      p->index && p->dying && p->mark && p->values &&
      ir_extents(p->program, &p->extents))
    return true;
  return ir_places_no_memory(p);
}

static void places_end(Places *p) {
  tdestroy(p->set, keep_nothing);
  ir_places_forget_uses(p);
  free(p->slot);
  free(p->last);
  free(p->first_live);
  free(p->n_live);
  free(p->next_dying);
  free(p->index);
  free(p->dying);
  free(p->mark);
  free(p->values);
  free(p->lives);
  free(p->gone);
  free(p->names);
  ir_extents_free(&p->extents);
}

static bool walk(Places *p) {
  size_t most = count_lives(p, p->program->body) + 1;
  p->lives = calloc(most, sizeof *p->lives);
  if (p->lives == NULL) return ir_places_no_memory(p);
  ir_places_find_uses(p);
  return !p->program->error.failed && ir_places_sync(p) &&
         walk_block(p, p->program->body);
}

bool ir_verify_places(Program *program) {
  Places p = {.program = program};
  bool fine = !program->error.failed && places_begin(&p) && ir_places_form(&p);
  if (fine && p.n_planned > 0) fine = walk(&p);
  places_end(&p);
  return fine && !program->error.failed;
}
