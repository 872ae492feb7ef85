/* places_form.c: what an `at` may say.
 *
 * Comes in: a program at the kernels stage.  Goes out: an error, or slot[],
 * n_planned and the certainty that each entry is well formed and that each
 * yield of the program and of a scan has exactly one value written for it. */
#include "places.h"

int ir_places_final(const Node *scan, IntList places) {
  int64_t length = ir_int(scan, ATTR_length);
  return length > 0 ? (int)((length - 1) % places.n) : places.n - 1;
}

/* -- is the program planned? ------------------------------------------- */

static bool wants_places(const Node *node) {
  return (node->op == OP_kernel || node->op == OP_scan) && node->n_results > 0;
}

static void count_planned(Places *p, const Block *block,
                          const Node **unplanned) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (!wants_places(node)) {
      if (node->op == OP_scan) count_planned(p, node->body, unplanned);
      continue;
    }
    if (ir_attr(node, ATTR_at))
      p->n_planned++;
    else if (*unplanned == NULL)
      *unplanned = node;
    if (node->op == OP_scan) count_planned(p, node->body, unplanned);
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
  if (__builtin_add_overflow(offset, ir_type_bytes(value->type), &end))
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

static bool in_scan(const Node *node) {
  return node->block->owner && node->block->owner->op == OP_scan;
}

/* carry or ys, of a kernel: the value must be a yield of that kind. */
static bool check_step_place(Places *p, const Node *node, int i,
                             int64_t place) {
  bool carry = place == PLACE_CARRY;
  const char *name = carry ? "carry" : "ys";
  int slot = p->slot[node->results[i]->id];
  if (!in_scan(node))
    return wrong_place(p, node, i, name, "but no scan is around it");
  if (slot < 0 || (slot < node->block->owner->n_carries) != carry)
    return wrong_place(p, node, i, name,
                       carry ? "but the step does not carry it on"
                             : "but the step does not yield it as a y");
  return true;
}

static bool check_kernel_entry(Places *p, const Node *node, int i,
                               IntList list) {
  if (list.n != 1)
    return ir_error(p->program, node->place,
                    "kernel: %s has %d places; a kernel's result has one",
                    ir_places_value(p, node->results[i]), list.n);
  int64_t place = list.v[0];
  if (place >= 0) return check_offset(p, node, i, place);
  if (place == PLACE_RESULT) return check_result_place(p, node, i);
  if (place == PLACE_YS || place == PLACE_CARRY)
    return check_step_place(p, node, i, place);
  return ir_error(p->program, node->place, "kernel: %s lies at %lld",
                  ir_places_value(p, node->results[i]), (long long)place);
}

static bool check_scan_entry(Places *p, const Node *node, int i, IntList list) {
  bool carry = i < node->n_carries;
  if (list.n < 1 || (!carry && list.n != 1))
    return ir_error(p->program, node->place, "scan: %s has %d places; %s",
                    ir_places_value(p, node->results[i]), list.n,
                    carry ? "a carry has at least one" : "a ys has one");
  for (int k = 0; k < list.n; k++) {
    int64_t place = list.v[k];
    if (place >= 0) {
      if (!check_offset(p, node, i, place)) return false;
      continue;
    }
    if (place != PLACE_RESULT)
      return wrong_place(p, node, i, place == PLACE_YS ? "ys" : "carry",
                         "which only a kernel's result may have");
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

static bool check_entries(Places *p, const Node *node) {
  IntLists at = ir_lists(node, ATTR_at);
  if (at.n != node->n_results)
    return ir_error(p->program, node->place,
                    "%s: `at` has %d entries for %d results",
                    ir_ops[node->op].name, at.n, node->n_results);
  for (int i = 0; i < at.n; i++)
    if (!(node->op == OP_kernel ? check_kernel_entry : check_scan_entry)(
            p, node, i, at.v[i]))
      return false;
  return true;
}

/* -- the yields of a block --------------------------------------------- */

typedef struct Slot {
  const char *what; /* for messages: "result 2 of the program" */
  int64_t place;    /* that its value must have */
} Slot;

static Slot slot_of(Places *p, const Block *block, int i) {
  Program *program = p->program;
  const Node *scan = block->owner;
  if (scan == NULL)
    return (Slot){ir_format(program, "result %d of the program", i),
                  PLACE_RESULT};
  if (i < scan->n_carries)
    return (Slot){ir_format(program, "next value %d of the scan's carries", i),
                  PLACE_CARRY};
  return (Slot){
      ir_format(program, "yield %d of the scan's ys", i - scan->n_carries),
      PLACE_YS};
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

/* Nothing is formatted unless it goes wrong. */
static bool serves(const Block *block, const Value *value, int64_t place) {
  const Node *node = value->node;
  if (node == NULL || value->block != block) return false;
  if (node->op != OP_kernel && (node->op != OP_scan || block->owner))
    return false;
  return has_place(value, place);
}

static int64_t place_of_slot(const Block *block, int i) {
  if (block->owner == NULL) return PLACE_RESULT;
  return i < block->owner->n_carries ? PLACE_CARRY : PLACE_YS;
}

static bool slot_error(Places *p, const Block *block, int i) {
  static const char *const names[] = {"result", "ys", "carry"};
  const Value *value = block->yields[i];
  Slot slot = slot_of(p, block, i);
  Place place = value->node    ? value->node->place
                : block->owner ? block->owner->place
                               : (Place){0};
  if (p->slot[value->id] != i && p->slot[value->id] >= 0 &&
      value->block == block)
    return ir_error(p->program, place,
                    "%s is yielded twice: %s has no place of its own",
                    ir_places_value(p, value), slot.what);
  return ir_error(p->program, place,
                  "%s is %s: it must be written by a %s in the same block, "
                  "with the place `%s`",
                  ir_places_value(p, value), slot.what,
                  block->owner ? "kernel" : "kernel or a scan",
                  names[-1 - slot.place]);
}

static void fill_slots(Places *p, const Block *block) {
  for (int i = block->n_yields - 1; i >= 0; i--)
    if (block->yields[i]->block == block) p->slot[block->yields[i]->id] = i;
}

static bool check_yields(Places *p, const Block *block) {
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
    if (node->op != OP_kernel && node->op != OP_scan)
      return ir_error(p->program, node->place,
                      "%s: %s has no place: it stands outside all kernels",
                      ir_ops[node->op].name,
                      ir_places_value(p, node->results[0]));
    if (!check_entries(p, node)) return false;
    if (node->op == OP_scan && !check_block(p, node->body)) return false;
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
