/* places_form.c: what an `at` may say.
 *
 * Comes in: a program at the kernels stage.  Goes out: an error, or slot[],
 * n_planned and the certainty that each entry is well formed and that each
 * yield of the program, of a step and of a branch has exactly one value written
 * for it.  In a branch `carry`, `ys` and `result` mean what they mean for the
 * cond: its entries and those of its branches' yields are the same; so in
 * blocks, where a scan may yield ys, but no carry: where that lies changes from
 * step to step. */
#include "places.h"

int ir_places_final(const Node *scan, IntList places) {
  int64_t length = ir_int(scan, ATTR_length);
  return length > 0 ? (int)((length - 1) % places.n) : places.n - 1;
}

/* -- is the program planned? ------------------------------------------- */

static bool wants_places(const Node *node) {
  return (ir_ops[node->op].class == WRAPPER ||
          ir_ops[node->op].class == CONTROL) &&
         node->n_results > 0;
}

static void count_planned(Places *p, const Block *block,
                          const Node **unplanned) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (ir_attr(node, ATTR_at))
      p->n_planned++;
    else if (wants_places(node) && *unplanned == NULL)
      *unplanned = node;
    if (node->op == OP_kernel) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      count_planned(p, node->bodies[b], unplanned);
  }
}

/* -- one entry --------------------------------------------------------- */

static bool check_offset(Places *p, const Node *node, int i, int64_t offset) {
  int64_t end;
  const Value *value = node->results[i];
  if (offset % PLACE_ALIGN != 0)
    return ir_error(p->program, node->place,
                    "%s: %s lies at %lld, which is no multiple of %d",
                    ir_ops[node->op].name, ir_places_value(p, value),
                    (long long)offset, PLACE_ALIGN);
  if (__builtin_add_overflow(offset, ir_extent_bytes(&p->extents, value), &end))
    return ir_error(
        p->program, node->place, "%s: %s at %lld ends past 2^63 bytes",
        ir_ops[node->op].name, ir_places_value(p, value), (long long)offset);
  return true;
}

static bool wrong_place(Places *p, const Node *node, int i, const char *place,
                        const char *why) {
  return ir_error(p->program, node->place, "%s: %s has the place `%s`, %s",
                  ir_ops[node->op].name, ir_places_value(p, node->results[i]),
                  place, why);
}

static bool check_result_place(Places *p, const Node *node, int i) {
  if (node->block != p->program->body || p->slot[node->results[i]->id] < 0)
    return wrong_place(p, node, i, "result",
                       "but the program does not return "
                       "it");
  return true;
}

static const char *place_name(int64_t place) {
  static const char *const names[] = {"result", "ys", "carry"};
  return names[-1 - place];
}

/* carry or ys: the value must be a yield of that kind. */
static bool check_step_place(Places *p, const Node *node, int i,
                             int64_t place) {
  bool carry = place == PLACE_CARRY;
  const Node *loop = ir_step_of(node->block);
  int slot = p->slot[node->results[i]->id];
  if (loop == NULL)
    return wrong_place(p, node, i, place_name(place),
                       "but it stands in no step of a scan or while");
  if (slot < 0 || (slot < loop->n_carries) != carry)
    return wrong_place(p, node, i, place_name(place),
                       carry ? "but the step does not carry it on"
                             : "but the step does not yield it as a y");
  return true;
}

/* Of a kernel, a cond or blocks. */
static bool check_written_entry(Places *p, const Node *node, int i,
                                IntList list) {
  const char *op = ir_ops[node->op].name;
  if (list.n != 1)
    return ir_error(p->program, node->place,
                    "%s: %s has %d places; a %s's result has one", op,
                    ir_places_value(p, node->results[i]), list.n, op);
  int64_t place = list.v[0];
  if (place >= 0) return check_offset(p, node, i, place);
  bool branch = ir_is_branch(node->block), part = ir_is_part(node->block);
  if ((branch || part) && p->slot[node->results[i]->id] < 0)
    return wrong_place(p, node, i, place_name(place),
                       branch ? "but the branch does not yield it"
                              : "but the blocks do not yield it");
  if (branch || part) return true;
  if (place == PLACE_RESULT) return check_result_place(p, node, i);
  return check_step_place(p, node, i, place);
}

/* Where the last step writes is not known before. */
static bool check_while_entry(Places *p, const Node *node, int i,
                              IntList list) {
  for (int k = 0; k < list.n; k++) {
    if (list.v[k] < 0)
      return wrong_place(p, node, i, place_name(list.v[k]),
                         "but a while's carry lies in the arena");
    if (!check_offset(p, node, i, list.v[k])) return false;
  }
  return true;
}

static bool check_scan_entry(Places *p, const Node *node, int i, IntList list) {
  bool carry = i < node->n_carries;
  if (!carry && ir_is_part(node->block) && list.n == 1 &&
      p->slot[node->results[i]->id] >= 0)
    return list.v[0] < 0 || check_offset(p, node, i, list.v[0]);
  if (!carry && list.n != 1)
    return ir_error(p->program, node->place,
                    "scan: %s has %d places; a ys has one",
                    ir_places_value(p, node->results[i]), list.n);
  for (int k = 0; k < list.n; k++) {
    int64_t place = list.v[k];
    if (place >= 0) {
      if (!check_offset(p, node, i, place)) return false;
      continue;
    }
    if (place != PLACE_RESULT)
      return wrong_place(p, node, i, place_name(place),
                         "which only a kernel's or a cond's result may have");
    if (!check_result_place(p, node, i)) return false;
    if (carry && k != ir_places_final(node, list))
      return ir_error(p->program, node->place,
                      "scan: %s has `result` as number %d of its places, but "
                      "after %lld steps it lies in number %d",
                      ir_places_value(p, node->results[i]), k,
                      (long long)ir_int(node, ATTR_length),
                      ir_places_final(node, list));
  }
  return true;
}

/* Of any kind: some numbers, each one that means something. */
static bool check_numbers(Places *p, const Node *node, int i, IntList list) {
  bool fine = list.n > 0;
  for (int k = 0; fine && k < list.n; k++) fine = list.v[k] >= PLACE_CARRY;
  if (fine) return true;
  return ir_error(p->program, node->place, "%s: %s lies at %lld",
                  ir_ops[node->op].name, ir_places_value(p, node->results[i]),
                  list.n > 0 ? (long long)list.v[0] : 0);
}

static bool check_entries(Places *p, const Node *node) {
  IntLists at = ir_lists(node, ATTR_at);
  if (at.n != node->n_results)
    return ir_error(p->program, node->place,
                    "%s: `at` has %d entries for %d results",
                    ir_ops[node->op].name, at.n, node->n_results);
  for (int i = 0; i < at.n; i++) {
    if (!check_numbers(p, node, i, at.v[i])) return false;
    bool fine = node->op == OP_scan ? check_scan_entry(p, node, i, at.v[i])
                : node->op == OP_while
                    ? check_while_entry(p, node, i, at.v[i])
                    : check_written_entry(p, node, i, at.v[i]);
    if (!fine) return false;
  }
  return true;
}

/* -- the yields of a block --------------------------------------------- */

/* For messages: which yield of the block. */
static const char *slot_name(Places *p, const Block *block, int i) {
  Program *program = p->program;
  const Node *owner = block->owner;
  if (owner == NULL) return ir_format(program, "result %d of the program", i);
  const char *op = ir_ops[owner->op].name;
  if (owner->op == OP_blocks)
    return ir_format(program, "yield %d of the blocks", i);
  if (owner->op == OP_cond)
    return ir_format(program, "yield %d of the cond's %s", i,
                     block == owner->bodies[COND_THEN] ? "then" : "else");
  if (i < owner->n_carries)
    return ir_format(program, "next value %d of the %s's carries", i, op);
  return ir_format(program, "yield %d of the %s's ys", i - owner->n_carries,
                   op);
}

/* The place that its value must have. */
static int64_t place_of_slot(const Block *block, int i) {
  const Node *owner = block->owner;
  if (owner == NULL) return PLACE_RESULT;
  if (owner->op == OP_cond || owner->op == OP_blocks)
    return ir_lists(owner, ATTR_at).v[i].v[0];
  return i < owner->n_carries ? PLACE_CARRY : PLACE_YS;
}

/* Has value this place?  A scan's result has it as one of a list. */
static bool has_place(const Value *value, int64_t place) {
  IntLists at = ir_lists(value->node, ATTR_at);
  if (value->index >= at.n) return false;
  IntList list = at.v[value->index];
  for (int k = 0; k < list.n; k++)
    if (list.v[k] == place) return true;
  return false;
}

static bool serves(const Block *block, const Value *value, int64_t place) {
  const Node *node = value->node;
  if (node == NULL || value->block != block) return false;
  bool ys = node->op == OP_scan && value->index >= node->n_carries;
  if (ir_ops[node->op].class != WRAPPER && node->op != OP_cond &&
      !(ys && ir_is_part(block)) && (node->op != OP_scan || block->owner))
    return false;
  return has_place(value, place);
}

static bool slot_error(Places *p, const Block *block, int i) {
  const Value *value = block->yields[i];
  const char *slot = slot_name(p, block, i);
  int64_t wanted = place_of_slot(block, i);
  Place place = value->node    ? value->node->place
                : block->owner ? block->owner->place
                               : (Place){0};
  if (p->slot[value->id] != i && p->slot[value->id] >= 0 &&
      value->block == block)
    return ir_error(p->program, place,
                    "%s is yielded twice: %s has no place of its own",
                    ir_places_value(p, value), slot);
  return ir_error(
      p->program, place,
      "%s is %s: it must be written by a %s in the same block, with the place "
      "`%s`",
      ir_places_value(p, value), slot,
      block->owner ? "kernel or a cond" : "kernel, a cond or a scan",
      wanted < 0 ? place_name(wanted)
                 : ir_format(p->program, "%lld", (long long)wanted));
}

static void fill_slots(Places *p, const Block *block) {
  for (int i = block->n_yields - 1; i >= 0; i--)
    if (block->yields[i]->block == block) p->slot[block->yields[i]->id] = i;
}

/* A while's predicate is read wherever it lies. */
static bool check_yields(Places *p, const Block *block) {
  const Node *owner = block->owner;
  if (owner && owner->op == OP_while && ir_step_of(block) == NULL) return true;
  for (int i = 0; i < block->n_yields; i++)
    if (!serves(block, block->yields[i], place_of_slot(block, i)) ||
        p->slot[block->yields[i]->id] != i)
      return slot_error(p, block, i);
  return true;
}

static bool check_block(Places *p, const Block *block) {
  fill_slots(p, block);
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_constant) continue;
    if (ir_ops[node->op].class != WRAPPER && ir_ops[node->op].class != CONTROL)
      return ir_error(p->program, node->place,
                      "%s: %s has no place: it stands outside all kernels",
                      ir_ops[node->op].name,
                      ir_places_value(p, node->results[0]));
    if (!check_entries(p, node)) return false;
    if (node->op == OP_kernel) continue;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (!check_block(p, node->bodies[b])) return false;
  }
  return check_yields(p, block);
}

bool ir_places_form(Places *p) {
  const Node *unplanned = NULL;
  count_planned(p, p->program->body, &unplanned);
  if (p->n_planned == 0) return true;
  if (unplanned)
    return ir_error(p->program, unplanned->place,
                    "%s: has no `at`, but other nodes of the program have",
                    ir_places_node(p, unplanned));
  return check_block(p, p->program->body);
}
