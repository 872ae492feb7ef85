/* hoist.c: the collective hoist and carry split.
 *
 * Comes in: a named program.  Goes out: a named program in which work has left
 * scans, across collectives.
 *
 * The idea.  In
 *
 *   scan carry(c = c0):   u = psum(einsum(J, c));   c' = c + u
 *
 * J and c vary over the devices, so each step costs as much as there are
 * devices.  But u is the same on all of them.  So c = c0 + s, where s is the
 * sum of all u so far, and shared.  Then
 *
 *   psum(einsum(J, c0 + s)) = psum(einsum(J, c0)) + einsum(psum(J), s)
 *
 * since s does not depend on the device.  Both psums are of values that do not
 * change in the loop: they go before it.  The loop is left with s alone, and a
 * step costs as much as one device; c is c0 + s where something asks for it.
 *
 * In general, time is separated from device.  A value is separable if it is a
 * finite sum of
 *
 *   own      what does not change in the loop, but varies      (v; 1)
 *   shared   what is the same on all devices, but may change   (1; q)
 *   terms    chain(w): w is own, and the chain is ops that are linear in
 *            what came before, their other operands being shared
 *
 * (hoist_separate.c, hoist_rules.c).  A chain commutes with a sum over devices,
 * so psum(chain(w)) = chain(psum(w)), and psum(w) goes before the loop; so
 * does psum(own).  psum(shared) is a product.  Where two own factors meet on
 * the way, they are multiplied first (hoist_merge.c).  What is none of this,
 * as tanh(c), is the rest: it stays as it is, and so does its psum.
 *
 * A carry is separable by an assumption (hoist_carry.c): carry i is
 * sum over j of p_ij c0_j, plus s_i, with numbers p that are carries, too.  Its
 * next value must then be a constant multiple of carries plus something
 * shared.  As an example, momentum:
 *
 *   v' = 0.9 v + psum(einsum(J, c));   c' = c + v'
 *
 * In the next values, v' = 0.9 v + shared and c' = c + 0.9 v + shared, so
 *
 *   a = | 1   0.9 |   p(t+1) = a p(t), p(0) = 1   p_cc = 1 always, p_vc = 0
 *       | 0   0.9 |                               p_vv' = 0.9 p_vv
 *                                                 p_cv' = p_cv + 0.9 p_vv
 *
 * and einsum(J, c) is the sum of
 *
 *   einsum(J, c0)             own
 *   p_cv einsum(J, v0)        a term: root einsum(J, v0), chain p_cv * .
 *   einsum(J, s_c)            a term: root J, chain einsum(., s_c)
 *
 * of which the psum is shared, as was assumed:
 *
 *   psum(einsum(J, c0)) + p_cv psum(einsum(J, v0)) + einsum(psum(J), s_c)
 *
 * The new loop has the carries s_c, s_v, p_vv, p_cv.
 *
 * Which axes are "devices" here is tried out: those of all collectives of the
 * body together, or of each.  So is whether own factors are multiplied.  The
 * cheapest way is taken if it pays (hoist_price.c).  Scans in scans come in
 * later rounds: work that has left the inner one may then leave the outer. */
#include "hoist.h"

#include <stdlib.h>
#include <string.h>

/* PAYS: what the loop may take of what it took, what is before it counted. */
#define PAYS 0.9
enum { MOST_ROUNDS = 100, MOST_TRIES = 8 };

/* -- attempts ---------------------------------------------------------- */

static int floor_of(const Block *block) {
  while (block->owner && block->owner->op == OP_scan) block = block->parent;
  return block->depth;
}

static int count_collectives(const Block *body) {
  int n = 0;
  for (int i = 0; i < body->n_nodes; i++)
    n += ir_ops[body->nodes[i]->op].class == COLLECTIVE;
  return n;
}

static bool attempt_start(Attempt *a) {
  const Block *body = a->body;
  size_t fates = (size_t)count_collectives(body);
  a->arena = ir_program_create("hoist", NAMED);
  if (a->arena == NULL) return false;
  a->fates = ir_alloc(a->arena, fates * sizeof *a->fates + 1);
  a->yields =
      ir_alloc(a->arena, (size_t)body->n_yields * sizeof *a->yields + 1);
  a->xs = ir_alloc(a->arena, (size_t)body->n_params * sizeof *a->xs + 1);
  return a->fates && a->yields && a->xs && hoist_exprs_begin(a) &&
         hoist_carries_begin(a);
}

static Attempt *attempt_end(Attempt *a) {
  if (a == NULL) return NULL;
  hoist_exprs_end(a);
  free(a->touched);
  ir_program_destroy(a->arena);
  free(a);
  return NULL;
}

/* NULL: no memory, and hoist knows it. */
static Attempt *try_scan(Hoist *hoist, const Node *scan, uint64_t axes,
                         bool merges) {
  Attempt *a = calloc(1, sizeof *a);
  if (a) {
    *a = (Attempt){.hoist = hoist,
                   .scan = scan,
                   .body = scan->body,
                   .axes = axes,
                   .merges = merges,
                   .depth = scan->body->depth,
                   .floor = floor_of(scan->block)};
    bool started = attempt_start(a);
    if (started) {
      hoist_split(a);
      hoist_forget(a);
      hoist_price(a);
    }
    if (started && !attempt_failed(a)) return a;
  }
  hoist->no_memory = true;
  return attempt_end(a);
}

/* -- choosing ---------------------------------------------------------- */

/* The sets of axes to try: all together first. */
static int sets_to_try(const Block *body, uint64_t *sets) {
  int n = 1;
  sets[0] = 0;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (!hoist_collects(node)) continue;
    uint64_t set = hoist_axes(node);
    sets[0] |= set;
    int known = 1;
    while (known < n && sets[known] != set) known++;
    if (known == n && n < MOST_TRIES) sets[n++] = set;
  }
  if (sets[0] == 0) return 0;
  return n == 2 ? 1 : n;
}

static double total(const Attempt *a) { return a->setup + a->step; }

/* What is made before the loop may be large where it takes the place of
 * something larger, which may then be summed as it is made. */
static bool fits(const Attempt *a, const Attempt *base) {
  if (a->extra + a->held <= base->held) return true;
  return a->extra <= pass_memory(&a->hoist->options->hardware) / 4;
}

static bool pays(const Attempt *a, const Attempt *base) {
  return a->n_moved > 0 && fits(a, base) &&
         a->setup - base->setup + a->step < PAYS * base->step;
}

/* Of two attempts the better one; the other is dropped. */
static Attempt *better(Attempt *a, Attempt *b, const Attempt *base) {
  if (a == NULL || b == NULL) {
    attempt_end(a);
    attempt_end(b);
    return NULL;
  }
  bool first = pays(a, base) != pays(b, base)
                   ? pays(a, base)
                   : a->n_moved > 0 && total(a) <= total(b);
  attempt_end(first ? b : a);
  return first ? a : b;
}

static bool crosses(const Block *body) {
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (ir_ops[node->op].class == COLLECTIVE && node->n_operands > 0 &&
        node->operands[0]->type.axes & hoist_axes(node))
      return true;
  }
  return false;
}

/* -- one scan ---------------------------------------------------------- */

/* base: the scan as it is; or NULL, and hoist knows why. */
static Attempt *best_of(Hoist *hoist, const Node *scan, const Attempt *base) {
  uint64_t sets[MOST_TRIES];
  int n = sets_to_try(scan->body, sets);
  Attempt *best = NULL;
  for (int i = 0; i < n && !hoist->no_memory; i++) {
    for (int merges = 0; merges < 2 && !hoist->no_memory; merges++) {
      Attempt *a = try_scan(hoist, scan, sets[i], merges);
      best = best ? better(best, a, base) : a;
    }
  }
  return best;
}

static bool rewrite(Hoist *hoist, Block *to, const Node *scan) {
  Attempt *base = try_scan(hoist, scan, 0, false);
  Attempt *best = base ? best_of(hoist, scan, base) : NULL;
  Attempt *chosen = best && pays(best, base) ? best : NULL;
  if (chosen == NULL && base && base->n_standing > 0) chosen = base;
  if (hoist->no_memory) chosen = NULL;
  if (base && hoist->note && !hoist->no_memory)
    hoist_note(best ? best : base, base, chosen != NULL);
  if (chosen) hoist_emit(chosen, to);
  hoist->fired |= chosen != NULL;
  if (chosen) hoist->moved |= chosen->moved;
  attempt_end(best);
  attempt_end(base);
  return chosen != NULL;
}

static bool hoist_node(Copier *copier, Block *to, const Node *node) {
  Hoist *hoist = copier->context;
  if (node->op != OP_scan || hoist->plain || hoist->no_memory) return false;
  if (ir_int(node, ATTR_length) == 0 || !crosses(node->body)) return false;
  return rewrite(hoist, to, node);
}

/* -- rounds ------------------------------------------------------------ */

void hoist_note_uses(bool *used, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_operands; k++)
      used[node->operands[k]->id] = true;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      hoist_note_uses(used, node->bodies[b]);
  }
  for (int i = 0; i < block->n_yields; i++) used[block->yields[i]->id] = true;
}

static bool round_start(Hoist *hoist) {
  const Program *from = hoist->copier.from;
  size_t values = (size_t)from->n_values + 1;
  hoist->used = calloc(values, sizeof *hoist->used);
  hoist->direct = malloc(values * sizeof *hoist->direct);
  hoist->reps = calloc(values, sizeof *hoist->reps);
  hoist->stamp = calloc(values, sizeof *hoist->stamp);
  if (!hoist->used || !hoist->direct || !hoist->reps || !hoist->stamp)
    return false;
  memset(hoist->direct, -1, values * sizeof *hoist->direct);
  hoist_note_uses(hoist->used, from->body);
  return true;
}

static void round_end(Hoist *hoist) {
  free(hoist->used);
  free(hoist->direct);
  free(hoist->reps);
  free(hoist->stamp);
}

/* A copy, with all axes found anew if something was rewritten: what varied may
 * be shared now. */
static Program *round_of(Hoist *hoist) {
  Program *to = NULL;
  hoist->fired = false;
  if (round_start(hoist)) {
    to = ir_copy(&hoist->copier, NAMED);
    if (to && hoist->no_memory) ir_out_of_memory(to);
    if (to && hoist->fired) to = ir_finish(to, NULL);
  }
  round_end(hoist);
  return to;
}

static Program *all_rounds(const Program *program, const Options *options,
                           PassNote *note, void *context, uint64_t *moved) {
  Program *current = NULL;
  bool again = true;
  for (int i = 0; again && i < MOST_ROUNDS; i++) {
    const Program *from = current ? current : program;
    Hoist hoist = {.copier = {.from = from, .rule = hoist_node},
                   .options = options,
                   .note = note,
                   .note_context = context};
    hoist.copier.context = &hoist;
    Program *next = round_of(&hoist);
    ir_program_destroy(current);
    current = next;
    if (moved) *moved |= hoist.moved;
    again = hoist.fired && current && !current->error.failed;
  }
  return current;
}

Program *pass_hoist_noting(const Program *program, const Options *options,
                           PassNote *note, void *context) {
  return all_rounds(program, options, note, context, NULL);
}

Program *pass_hoist_moving(const Program *program, const Options *options,
                           uint64_t *moved) {
  *moved = 0;
  return all_rounds(program, options, NULL, NULL, moved);
}

Program *pass_hoist(const Program *program, const Options *options) {
  return all_rounds(program, options, NULL, NULL, NULL);
}
