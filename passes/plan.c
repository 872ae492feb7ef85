/* plan.c: a place for every kernel and scan result.
 *
 * Places are byte offsets in one arena, or buffers that are there anyway:
 * `result` (the caller's), `ys` (a slice of the stacked array), `carry` (where
 * the next step reads the carry).
 *
 * Carries.  A scan's carry result has a list of places; step t writes number
 * t mod k.  One place is enough when the step may overwrite the carry that it
 * reads: the kernel that writes the next value reads the old one at the written
 * index only, and nothing reads it later.  Else two places take turns, and the
 * list is turned so that the last step ends in `result` where the scan's value
 * is the program's.
 *
 * Arena.  Time is the order of kernels; a scan is an interval from its start to
 * its end, through which everything it reads from outside stays live.  Values
 * are placed in the order of their start, each at the lowest offset that no
 * live value overlaps.
 *
 * Example: c -> [add(c, u)] with u elementwise in c: at=[[64]], written over
 * itself.  c -> [einsum(A, c)]: at=[[64,128]], ping-pong. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

typedef struct Live {
  int64_t offset, bytes;
  int end;
} Live;

/* What is decided for one value: up to two places. */
typedef struct Decision {
  int n;
  int64_t place[2];
} Decision;

typedef struct Plan {
  Copier *copier;
  const Program *program;
  Decision *decisions; /* by value id */
  int *start, *end;    /* of scans, by node id */
  int *last_use;       /* by value id */
  int now;
  Live *live;
  int n_live, live_room;
  bool failed;
} Plan;

/* -- time -------------------------------------------------------------- */

/* The node in `block` inside which (or as which) `node` stands. */
static const Node *standing_in(const Node *node, const Block *block) {
  while (node->block != block) node = node->block->owner;
  return node;
}

/* A scan uses what it reads until it ends, in whatever body the use is. */
static void use(Plan *plan, const Value *value, const Node *user) {
  int end = plan->end[standing_in(user, value->block)->id];
  int *last = &plan->last_use[value->id];
  if (*last < end) *last = end;
}

static void time_block(Plan *plan, const Block *block);

static void time_node(Plan *plan, const Node *node) {
  plan->start[node->id] = plan->now++;
  if (node->op == OP_scan) time_block(plan, node->body);
  plan->end[node->id] = node->op == OP_scan ? plan->now++ : plan->now - 1;
}

static void time_block(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) time_node(plan, block->nodes[i]);
}

/* A second walk, when the scans' ends are known. */
static void note_uses(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      use(plan, node->operands[o], node);
    if (node->body == NULL) continue;
    note_uses(plan, node->body);
    for (int y = 0; y < node->body->n_yields; y++)
      if (node->body->yields[y]->block != node->body)
        use(plan, node->body->yields[y], node);
  }
}

/* -- the arena --------------------------------------------------------- */

static int64_t round_up(int64_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The lowest free offset for `bytes` from now until `end`.  live is sorted by
 * offset. */
static int64_t take_space(Plan *plan, Type type, int end) {
  int64_t bytes = ir_type_bytes(type), offset = 0;
  if (bytes == 0) bytes = 1;
  if (bytes > INT64_MAX / 2) {
    ir_error(plan->copier->to, (Place){0}, "a value of %lld bytes is too large",
             (long long)bytes);
    return 0;
  }
  bytes = round_up(bytes);
  int kept = 0, at = 0;
  for (int i = 0; i < plan->n_live; i++)
    if (plan->live[i].end >= plan->now) plan->live[kept++] = plan->live[i];
  plan->n_live = kept;
  while (at < kept && plan->live[at].offset - offset < bytes) {
    int64_t behind = plan->live[at].offset + plan->live[at].bytes;
    if (behind > offset) offset = behind;
    at++;
  }
  if (plan->n_live == plan->live_room) {
    int room = plan->live_room ? plan->live_room * 2 : 64;
    Live *bigger = realloc(plan->live, (size_t)room * sizeof *bigger);
    if (bigger == NULL) {
      plan->failed = true;
      return 0;
    }
    plan->live = bigger;
    plan->live_room = room;
  }
  memmove(plan->live + at + 1, plan->live + at,
          (size_t)(plan->n_live - at) * sizeof *plan->live);
  plan->live[at] = (Live){offset, bytes, end};
  plan->n_live++;
  if (offset > INT64_MAX - bytes)
    ir_error(plan->copier->to, (Place){0}, "the arena passes 2^63 bytes");
  return offset;
}

/* -- where a value is wanted ------------------------------------------- */

/* Which yield of its block the value is; -1: none. */
static int yield_of(const Block *block, const Value *value) {
  for (int i = 0; i < block->n_yields; i++)
    if (block->yields[i] == value) return i;
  return -1;
}

/* -- carries ----------------------------------------------------------- */

static bool reads_inside(const Block *body, const Value *value) {
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      if (node->operands[o] == value) return true;
    if (node->body && reads_inside(node->body, value)) return true;
  }
  for (int i = 0; i < body->n_yields; i++)
    if (body->yields[i] == value) return true;
  return false;
}

/* The nodes of a kernel that are evaluated at the written index only. */
static void mark_aligned(const Node *kernel, bool *aligned, int first) {
  const Block *body = kernel->body;
  Type shape = kernel->results[0]->type;
  for (int i = body->n_nodes - 1; i >= 0; i--) {
    const Node *node = body->nodes[i];
    bool other = false, any = false;
    for (int y = 0; y < body->n_yields; y++)
      any |= body->yields[y] == node->results[0];
    for (int u = i + 1; u < body->n_nodes; u++) {
      const Node *user = body->nodes[u];
      for (int o = 0; o < user->n_operands; o++) {
        if (user->operands[o] != node->results[0]) continue;
        bool keeps = ir_ops[user->op].class == ELEMENTWISE ||
                     (user->op == OP_dynamic_update_slice && o == 0);
        any |= keeps && aligned[user->id - first];
        other |= !(keeps && aligned[user->id - first]);
      }
    }
    aligned[node->id - first] =
        any && !other && ir_shape_equal(node->results[0]->type, shape);
  }
}

/* Does the kernel read value only at the index it writes? */
static bool reads_aligned(const Node *kernel, const Value *value) {
  const Block *body = kernel->body;
  if (!ir_shape_equal(value->type, kernel->results[0]->type)) return false;
  if (body->n_nodes == 0) return true;
  int first = body->nodes[0]->id;
  int span = body->nodes[body->n_nodes - 1]->id - first + 1;
  bool *aligned = calloc((size_t)span, sizeof *aligned);
  bool fine = aligned != NULL;
  if (fine) mark_aligned(kernel, aligned, first);
  for (int i = 0; fine && i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int o = 0; o < node->n_operands; o++) {
      if (node->operands[o] != value) continue;
      bool keeps = ir_ops[node->op].class == ELEMENTWISE ||
                   (node->op == OP_dynamic_update_slice && o == 0);
      fine &= keeps && aligned[node->id - first];
    }
  }
  free(aligned);
  return fine;
}

/* May the step write carry i over itself? */
static bool in_place(const Node *scan, int i) {
  const Block *body = scan->body;
  const Value *param = body->params[i], *next = body->yields[i];
  const Node *writer = next->node;
  bool after = false;
  if (writer->op != OP_kernel) return false;
  for (int n = 0; n < body->n_nodes; n++) {
    const Node *node = body->nodes[n];
    if (node == writer) {
      bool reads = reads_inside(node->body, param);
      int64_t by = ir_int(node, ATTR_by);
      bool whole = by == WORD_blas || by == WORD_packed;
      if (reads && (whole || !reads_aligned(node, param))) return false;
      after = true;
      continue;
    }
    if (!after) continue;
    for (int o = 0; o < node->n_operands; o++)
      if (node->operands[o] == param) return false;
    if (node->body && reads_inside(node->body, param)) return false;
  }
  return true;
}

/* -- decisions --------------------------------------------------------- */

static void decide(Plan *plan, const Value *value, int64_t place) {
  Decision *decision = &plan->decisions[value->id];
  decision->place[decision->n++] = place;
}

static void plan_block(Plan *plan, const Block *block);

static void plan_kernel(Plan *plan, const Node *kernel) {
  const Block *block = kernel->block;
  const Node *scan = block->owner;
  for (int i = 0; i < kernel->n_results; i++) {
    const Value *value = kernel->results[i];
    int yield = yield_of(block, value);
    int64_t place = yield < 0                 ? 0
                    : scan == NULL            ? PLACE_RESULT
                    : yield < scan->n_carries ? PLACE_CARRY
                                              : PLACE_YS;
    int last = plan->last_use[value->id]; /* 0: no one reads it */
    if (yield < 0)
      place =
          take_space(plan, value->type, last > plan->now ? last : plan->now);
    decide(plan, value, place);
  }
}

/* Where a scan's result ends: the caller's buffer, or the arena. */
static int64_t final_place(Plan *plan, const Node *scan, const Value *value) {
  bool result = scan->block->owner == NULL && yield_of(scan->block, value) >= 0;
  if (result) return PLACE_RESULT;
  int end = plan->end[scan->id];
  int last = plan->last_use[value->id];
  return take_space(plan, value->type, last > end ? last : end);
}

static void plan_scan(Plan *plan, const Node *scan) {
  int64_t length = ir_int(scan, ATTR_length);
  for (int i = 0; i < scan->n_results; i++) {
    const Value *value = scan->results[i];
    int64_t last = final_place(plan, scan, value);
    if (i >= scan->n_carries || in_place(scan, i)) {
      decide(plan, value, last);
      continue;
    }
    int64_t other = take_space(plan, value->type, plan->end[scan->id]);
    bool odd = length % 2 == 1; /* the last step, length - 1, is number 0 */
    decide(plan, value, odd ? last : other);
    decide(plan, value, odd ? other : last);
  }
  plan_block(plan, scan->body);
}

static void plan_block(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes && !plan->failed; i++) {
    const Node *node = block->nodes[i];
    plan->now = plan->start[node->id];
    if (node->op == OP_kernel) plan_kernel(plan, node);
    if (node->op == OP_scan) plan_scan(plan, node);
  }
}

/* -- the copy ---------------------------------------------------------- */

static bool write_places(Copier *copier, Block *to, const Node *node) {
  const Plan *plan = copier->context;
  bool placed = node->op == OP_kernel || node->op == OP_scan;
  if (!placed || node->n_results == 0) return false;
  IntList *lists =
      ir_alloc(copier->to, (size_t)(node->n_results + 1) * sizeof *lists);
  if (lists == NULL) return true;
  for (int i = 0; i < node->n_results; i++) {
    const Decision *decision = &plan->decisions[node->results[i]->id];
    lists[i] = (IntList){decision->place, decision->n};
  }
  Attr attrs[ATTR_COUNT];
  int n = 0;
  for (int i = 0; i < node->n_attrs; i++) attrs[n++] = node->attrs[i];
  attrs[n++] = (Attr){.key = ATTR_at, .lists = {lists, node->n_results}};
  Node planned = *node;
  planned.attrs = attrs;
  planned.n_attrs = n;
  ir_copy_node(copier, to, &planned);
  return true;
}

/* A planned program is left as it is. */
static bool is_planned(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++)
    if (ir_attr(block->nodes[i], ATTR_at)) return true;
  return false;
}

Program *pass_plan(const Program *program, const Options *options) {
  (void)options;
  Copier copier = {.from = program};
  if (is_planned(program->body)) return ir_copy(&copier, KERNELS);
  Plan plan = {.copier = &copier, .program = program};
  size_t values = (size_t)program->n_values + 1;
  size_t nodes = (size_t)program->n_nodes + 1;
  plan.decisions = calloc(values, sizeof *plan.decisions);
  plan.last_use = calloc(values, sizeof *plan.last_use);
  plan.start = calloc(nodes, sizeof *plan.start);
  plan.end = calloc(nodes, sizeof *plan.end);
  plan.failed = !plan.decisions || !plan.last_use || !plan.start || !plan.end;
  copier.rule = write_places;
  copier.context = &plan;
  if (ir_copy_begin(&copier, KERNELS) && !plan.failed) {
    time_block(&plan, program->body);
    note_uses(&plan, program->body);
    plan_block(&plan, program->body);
    if (!plan.failed) ir_copy_block(&copier, program->body, copier.to->body);
  }
  Program *planned = ir_copy_end(&copier);
  if (plan.failed && planned) ir_out_of_memory(planned);
  free(plan.decisions);
  free(plan.last_use);
  free(plan.start);
  free(plan.end);
  free(plan.live);
  return planned;
}
