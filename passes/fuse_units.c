/* fuse_units.c: which nodes share a kernel.
 *
 * The block is walked backwards, so that all users of a node have their unit
 * when the node's turn comes.
 *
 *  - All users in one unit, and it costs nothing to compute the node there:
 *    the node joins it, and its value is never stored.
 *  - The users are sums in several units that can be swept together: the units
 *    become one first (fuse_sweep.c).
 *  - The value is needed elsewhere, but a unit that uses it at its own index
 *    has the same shape, and no other user comes before that unit: the node
 *    joins as one more output.
 *  - Otherwise the node starts a unit.
 *  - A node of class WHOLE always does, and nothing joins it.
 *
 * "Costs nothing" is kept honest by the index at which a member is evaluated:
 * 0 is the kernel's own; each view opens another.  What is read at several
 * indices is computed several times, so only cheap work, and only up to
 * MOST_EVALS of them; what a broadcast or a contraction reads more often than
 * it has elements must be a view or (broadcast only) plain arithmetic.
 *
 * Example: n = add(c, mul(eps, einsum(J, c))).  add starts a unit of shape
 * [m,1]; mul joins it at index 0; einsum, a reduction of the same shape used at
 * index 0, joins as the unit's one heavy node, and the unit is a contraction
 * with an epilogue. */
#include "fuse.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_EVALS = 8,
  MOST_VIEWS = 24, /* code generation recurses through them */
  MOST_STEPS = 512,
  INLINE_FLOPS = 2 * 32 * 32 * 32
};

/* -- uses -------------------------------------------------------------- */

static bool grow(void **array, size_t width, int used, int *room) {
  if (used < *room) return true;
  int wanted = *room ? *room * 2 : 64;
  void *bigger = realloc(*array, width * (size_t)wanted);
  if (bigger == NULL) return false;
  *array = bigger;
  *room = wanted;
  return true;
}

static void add_use(Fuse *fuse, const Value *value, const Node *user) {
  if (!grow((void **)&fuse->uses, sizeof(Use), fuse->n_uses, &fuse->use_room)) {
    fuse->failed = true;
    return;
  }
  fuse->uses[fuse->n_uses] = (Use){user, fuse->first_use[value->id]};
  fuse->first_use[value->id] = fuse->n_uses++;
}

/* What a body reads of `block`, as uses by the node that stands in `block`. */
static void captures(Fuse *fuse, const Block *body, const Block *block,
                     const Node *user) {
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      if (node->operands[o]->block == block) {
        add_use(fuse, node->operands[o], user);
        fuse->escapes[node->operands[o]->id] = true;
      }
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      captures(fuse, node->bodies[b], block, user);
  }
  for (int i = 0; i < body->n_yields; i++)
    if (body->yields[i]->block == block) {
      add_use(fuse, body->yields[i], user);
      fuse->escapes[body->yields[i]->id] = true;
    }
}

static void collect_uses(Fuse *fuse, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int o = 0; o < node->n_operands; o++) {
      if (node->operands[o]->block != block) continue;
      add_use(fuse, node->operands[o], node);
      if (fuse_is_alone(node)) fuse->escapes[node->operands[o]->id] = true;
    }
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      captures(fuse, node->bodies[b], block, node);
  }
}

/* -- units ------------------------------------------------------------- */

static int unit_new(Fuse *fuse, const Node *fixed, Type shape) {
  if (!grow((void **)&fuse->units, sizeof(Unit), fuse->n_units,
            &fuse->unit_room)) {
    fuse->failed = true;
    return -1;
  }
  fuse->units[fuse->n_units] = (Unit){.fixed = fixed, .shape = shape};
  return fuse->n_units++;
}

void fuse_add_output(Fuse *fuse, int unit, const Value *value, int slot) {
  Unit *u = &fuse->units[unit];
  if (!grow((void **)&u->outputs, sizeof(Output), u->n_outputs,
            &u->output_room)) {
    fuse->failed = true;
    return;
  }
  u->outputs[u->n_outputs++] = (Output){value, slot};
}

bool fuse_reaches(Fuse *fuse, const Block *block, int from, int to) {
  int stack[MOST_STEPS], depth = 0, steps = 0;
  fuse->walk++;
  stack[depth++] = from;
  while (depth > 0) {
    int unit = stack[--depth];
    if (unit == to) return true;
    if (fuse->units[unit].seen == fuse->walk) continue;
    fuse->units[unit].seen = fuse->walk;
    const Unit *u = &fuse->units[unit];
    int n = u->fixed ? u->fixed->n_results : u->n_outputs;
    for (int i = 0; i < n; i++) {
      const Value *value =
          u->fixed ? u->fixed->results[i] : u->outputs[i].value;
      if (value->block != block) continue;
      for (int use = fuse->first_use[value->id]; use >= 0;
           use = fuse->uses[use].next) {
        int next = fuse->unit_of[fuse->uses[use].user->id];
        if (next < 0 || next == unit) continue;
        if (++steps >= MOST_STEPS || depth >= MOST_STEPS) return true;
        stack[depth++] = next;
      }
    }
  }
  return false;
}

/* -- indices ----------------------------------------------------------- */

/* How often a pair einsum reads each element of operand `o`, times out. */
static double einsum_reads(const Node *node, int o, double *flops) {
  Einsum e;
  double all = 1, own = 1;
  ir_einsum_read(node, &e);
  bool seen[52] = {false};
  for (int l = 0; l < e.n_labels; l++) all *= (double)e.size[l];
  for (int d = 0; d < e.rank[o]; d++) {
    if (!seen[e.term[o][d]]) own *= (double)e.size[e.term[o][d]];
    seen[e.term[o][d]] = true;
  }
  *flops = all * 2;
  return own > 0 ? all / own : 0;
}

/* The node whose operands' index is user's: sums that are swept together have
 * one. */
static const Node *space_of(const Fuse *fuse, const Node *user) {
  int unit = fuse->unit_of[user->id];
  bool swept = unit >= 0 && fuse->units[unit].n_swept && fuse_is_heavy(user);
  return swept ? fuse->units[unit].heavy : user;
}

/* The index at which user reads operand `value`; ok = false: the value must
 * be in memory. */
static Index demanded(const Fuse *fuse, const Node *user, const Value *value,
                      const Node *producer, bool *ok) {
  Index at = fuse->index[user->id];
  OpClass class = ir_ops[user->op].class;
  bool view = ir_ops[producer->op].class == VIEW || producer->op == OP_iota;
  if (class == ELEMENTWISE) {
    if (value->type.rank == user->results[0]->type.rank) return at;
    bool many = ir_type_elements(user->results[0]->type) != 1;
    return (Index){1, 1, at.expanding || many, at.views};
  }
  Index inner = {2 + space_of(fuse, user)->id, at.evals, at.expanding,
                 at.views + 1};
  if (class == EINSUM) {
    for (int o = 0; o < user->n_operands; o++) {
      double flops;
      if (user->operands[o] != value) continue;
      bool again = einsum_reads(user, o, &flops) > 1;
      if (again && (!view || flops >= INLINE_FLOPS)) *ok = false;
      inner.expanding |= again;
    }
  } else if (class != REDUCE) {
    int64_t reads = ir_type_elements(user->results[0]->type);
    inner.expanding |= reads > ir_type_elements(value->type);
  }
  return inner;
}

bool fuse_computable(const Fuse *fuse, const Node *node, int unit, Index *at) {
  const Unit *u = &fuse->units[unit];
  const Value *value = node->results[0];
  bool ok = true, first = true;
  if (u->fixed || u->whole || u->n_members >= MOST_MEMBERS) return false;
  for (int use = fuse->first_use[value->id]; use >= 0;
       use = fuse->uses[use].next) {
    const Node *user = fuse->uses[use].user;
    if (fuse->unit_of[user->id] != unit) continue;
    Index wanted = demanded(fuse, user, value, node, &ok);
    if (first)
      *at = wanted;
    else if (at->id != wanted.id)
      *at = (Index){2 + fuse->program->n_nodes + node->id,
                    at->evals + wanted.evals, at->expanding || wanted.expanding,
                    at->views > wanted.views ? at->views : wanted.views};
    first = false;
  }
  if (!ok || first) return false;
  bool dear = ir_ops[node->op].flags & DEAR;
  if (fuse_is_heavy(node))
    return at->id == 0 && u->heavy == NULL &&
           ir_shape_equal(value->type, u->shape);
  if (dear && (at->evals > 1 || at->expanding)) return false;
  return at->evals <= MOST_EVALS && at->views <= MOST_VIEWS;
}

/* -- the walk ---------------------------------------------------------- */

static void join(Fuse *fuse, const Node *node, int unit, Index at) {
  Unit *u = &fuse->units[unit];
  fuse->unit_of[node->id] = unit;
  fuse->index[node->id] = at;
  u->n_members++;
  fuse->fellow[node->id] = u->last;
  u->last = node;
  if (fuse_is_heavy(node)) u->heavy = node;
}

/* The one unit that all users are in; -1: several, or none. */
static int only_unit(const Fuse *fuse, const Value *value) {
  int only = -1;
  for (int use = fuse->first_use[value->id]; use >= 0;
       use = fuse->uses[use].next) {
    int unit = fuse->unit_of[fuse->uses[use].user->id];
    if (only >= 0 && unit != only) return -1;
    only = unit;
  }
  return only;
}

/* May `node`, which other units read too, become an output of `unit`? */
static bool may_be_output(Fuse *fuse, const Block *block, const Node *node,
                          int unit) {
  const Unit *u = &fuse->units[unit];
  const Value *value = node->results[0];
  if (u->fixed || u->whole || !ir_shape_equal(u->shape, value->type) ||
      u->n_members >= MOST_MEMBERS || u->n_outputs >= MOST_OUTPUTS)
    return false;
  for (int use = fuse->first_use[value->id]; use >= 0;
       use = fuse->uses[use].next) {
    int other = fuse->unit_of[fuse->uses[use].user->id];
    if (other != unit && fuse_reaches(fuse, block, other, unit)) return false;
  }
  return true;
}

/* A unit that `node` can join as one more output, or -1: one that reads it at
 * its own index; else, for arithmetic, the latest of the same shape. */
static int output_unit(Fuse *fuse, const Block *block, const Node *node,
                       int first_unit) {
  const Value *value = node->results[0];
  Index at;
  for (int use = fuse->first_use[value->id]; use >= 0;
       use = fuse->uses[use].next) {
    int unit = fuse->unit_of[fuse->uses[use].user->id];
    if (fuse_computable(fuse, node, unit, &at) && at.id == 0 &&
        may_be_output(fuse, block, node, unit))
      return unit;
  }
  if (fuse_is_heavy(node)) return -1;
  for (int unit = fuse->n_units - 1, tries = 0; unit >= first_unit && tries < 8;
       unit--, tries++) {
    bool reads = false;
    for (int use = fuse->first_use[value->id]; use >= 0;
         use = fuse->uses[use].next)
      reads |= fuse->unit_of[fuse->uses[use].user->id] == unit;
    if (!reads && fuse->units[unit].heavy == NULL &&
        may_be_output(fuse, block, node, unit))
      return unit;
  }
  return -1;
}

/* Arithmetic behind a reduction or a contraction of its own shape: as the
 * epilogue there it runs once an element, behind a broadcast many times. */
static bool is_epilogue(const Node *node, const Block *block) {
  if (ir_ops[node->op].class != ELEMENTWISE) return false;
  for (int o = 0; o < node->n_operands; o++) {
    const Value *operand = node->operands[o];
    if (operand->node && operand->block == block &&
        fuse_is_heavy(operand->node) &&
        ir_shape_equal(operand->type, node->results[0]->type))
      return true;
  }
  return false;
}

/* By another unit than its own?  (Slots add outputs of their own.) */
static bool is_wanted(const Fuse *fuse, const Value *value, int unit) {
  bool wanted = false;
  for (int use = fuse->first_use[value->id]; use >= 0;
       use = fuse->uses[use].next)
    wanted |= fuse->unit_of[fuse->uses[use].user->id] != unit;
  return wanted;
}

/* An op on whole arrays: a unit that nothing else joins. */
static void place_whole(Fuse *fuse, const Node *node) {
  int unit = unit_new(fuse, NULL, node->results[0]->type);
  if (fuse->failed) return;
  fuse->units[unit].whole = node;
  join(fuse, node, unit, (Index){0, 1, false, 0});
  for (int i = 0; i < node->n_results; i++)
    if (is_wanted(fuse, node->results[i], unit))
      fuse_add_output(fuse, unit, node->results[i], -1);
}

static void place_node(Fuse *fuse, const Block *block, const Node *node,
                       int first_unit) {
  const Value *value = node->results[0];
  Index at = {0, 1, false, 0};
  if (!fuse->escapes[value->id]) fuse_share(fuse, block, node);
  int unit = only_unit(fuse, value);
  if (!fuse->escapes[value->id] && unit >= 0 &&
      fuse_computable(fuse, node, unit, &at) &&
      !(at.expanding && is_epilogue(node, block))) {
    join(fuse, node, unit, at);
    return;
  }
  at = (Index){0, 1, false, 0};
  unit = output_unit(fuse, block, node, first_unit);
  if (unit < 0) unit = unit_new(fuse, NULL, value->type);
  if (fuse->failed) return;
  join(fuse, node, unit, at);
  if (is_wanted(fuse, value, unit)) fuse_add_output(fuse, unit, value, -1);
}

/* -- yields ------------------------------------------------------------ */

/* Does yield i already have storage of its own: the result of a kernel that
 * was there, of a cond, of blocks or, in the program's body, of a scan, and no
 * yield before it?  (Where a while ends is not known beforehand.)  In blocks a
 * scan's carries lie in the arena and are copied out at the end; its ys are
 * written where they belong. */
static bool has_storage(const Block *block, int i) {
  const Value *value = block->yields[i];
  if (value->node == NULL || value->block != block) return false;
  bool blocks = block->owner && block->owner->op == OP_blocks;
  bool ys =
      value->node->op == OP_scan && value->index >= value->node->n_carries;
  bool alone = ir_ops[value->node->op].class == WRAPPER ||
               value->node->op == OP_cond || (blocks && ys) ||
               (block->owner == NULL && value->node->op == OP_scan) ||
               fuse_is_loop(value->node);
  for (int j = 0; alone && j < i; j++) alone = block->yields[j] != value;
  return alone;
}

static bool made_here(const Fuse *fuse, const Block *block,
                      const Value *value) {
  return value->block == block && value->node &&
         fuse->unit_of[value->node->id] >= 0 && !fuse_is_alone(value->node);
}

/* A value that is copied at the end: into a unit of its shape if it is there
 * from the start, else into one of its own; so in a branch, where the copy is
 * left out if the value lies there already. */
static int copy_unit(Fuse *fuse, const Block *block, const Value *value,
                     int first_unit) {
  bool early = value->block != block || value->node == NULL ||
               value->node->op == OP_constant;
  if (block->owner && block->owner->op == OP_cond) early = false;
  for (int unit = fuse->n_units - 1; early && unit >= first_unit; unit--) {
    const Unit *u = &fuse->units[unit];
    if (!u->fixed && !u->whole && !u->gone &&
        ir_shape_equal(u->shape, value->type) && u->n_outputs < MOST_OUTPUTS)
      return unit;
  }
  return unit_new(fuse, NULL, value->type);
}

static void fill_slots(Fuse *fuse, const Block *block, int first_unit) {
  for (int i = 0; i < block->n_yields; i++) {
    const Value *value = block->yields[i];
    if (has_storage(block, i)) continue;
    int unit = made_here(fuse, block, value)
                   ? fuse->unit_of[value->node->id]
                   : copy_unit(fuse, block, value, first_unit);
    if (fuse->failed) return;
    fuse_add_output(fuse, unit, value, i);
  }
}

void fuse_block_units(Fuse *fuse, const Block *block) {
  int first_unit = fuse->n_units;
  collect_uses(fuse, block);
  for (int i = 0; i < block->n_yields; i++)
    if (block->yields[i]->block == block)
      fuse->escapes[block->yields[i]->id] = true;
  for (int i = block->n_nodes - 1; i >= 0 && !fuse->failed; i--) {
    const Node *node = block->nodes[i];
    if (node->op == OP_constant)
      fuse->unit_of[node->id] = -1;
    else if (fuse_is_alone(node))
      fuse->unit_of[node->id] = unit_new(fuse, node, (Type){0});
    else if (ir_ops[node->op].class == WHOLE)
      place_whole(fuse, node);
    else
      place_node(fuse, block, node, first_unit);
  }
  if (!fuse->failed) fill_slots(fuse, block, first_unit);
}
