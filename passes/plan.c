/* plan.c: a place for every result of a kernel, scan, while or cond.
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
 * A while is not known to end after some step: its init is copied to the last
 * of its places, and its result lies at whichever was written last, all in the
 * arena.  What a branch of a cond yields is written where the cond's result
 * lies.
 *
 * In blocks what lies inside takes the room of one block.  What the body yields
 * is written where the blocks' results lie, each block at its part.
 *
 * Arena.  Time is the order of kernels; a loop or cond is an interval from its
 * start to its end, through which everything it reads from outside stays
 * live.  Values
 * are placed in the order of their start, each at the lowest offset that no
 * live value overlaps.
 *
 * Example: c -> [add(c, u)] with u elementwise in c: at=[[64]], written over
 * itself.  c -> [einsum(A, c)]: at=[[64,128]], ping-pong. */
#include "../ir/blocks.h"
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
  int *start, *end;    /* by node id */
  int *last_use;       /* by value id */
  int *yield;          /* by value id: which of its block; -1: none */
  int now;
  Extents extents; /* of values in blocks */
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

/* A loop uses what it reads until it ends, in whatever body the use is. */
static void use(Plan *plan, const Value *value, const Node *user) {
  int end = plan->end[standing_in(user, value->block)->id];
  int *last = &plan->last_use[value->id];
  if (*last < end) *last = end;
}

static void time_block(Plan *plan, const Block *block);

static bool has_steps(const Node *node) {
  return ir_ops[node->op].class == CONTROL || node->op == OP_blocks;
}

static void time_node(Plan *plan, const Node *node) {
  bool control = has_steps(node);
  plan->start[node->id] = plan->now++;
  for (int b = 0; control && b < IR_BODIES && node->bodies[b]; b++)
    time_block(plan, node->bodies[b]);
  plan->end[node->id] = control ? plan->now++ : plan->now - 1;
}

static void time_block(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) time_node(plan, block->nodes[i]);
}

static void note_uses(Plan *plan, const Block *block);

/* A test's predicate is read where the test ends; what blocks yield lives to
 * their end. */
static void note_body(Plan *plan, const Node *node, const Block *body) {
  bool test = node->op == OP_while && body == node->bodies[WHILE_TEST];
  test |= node->op == OP_blocks;
  note_uses(plan, body);
  for (int y = 0; y < body->n_yields; y++) {
    const Value *yield = body->yields[y];
    if (yield->block != body)
      use(plan, yield, node);
    else if (test)
      plan->last_use[yield->id] = plan->end[node->id];
  }
}

/* A second walk, when the loops' ends are known. */
static void note_uses(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      use(plan, node->operands[o], node);
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      note_body(plan, node, node->bodies[b]);
  }
}

/* -- the arena --------------------------------------------------------- */

static int64_t round_up(int64_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The lowest free offset for `bytes` from now until `end`.  live is sorted by
 * offset. */
static int64_t take_space(Plan *plan, const Value *value, int end) {
  int64_t bytes = ir_extent_bytes(&plan->extents, value), offset = 0;
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

/* -- carries ----------------------------------------------------------- */

static bool reads(const Node *node, const Value *value);

static bool reads_inside(const Block *body, const Value *value) {
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (reads(node, value)) return true;
  }
  for (int i = 0; i < body->n_yields; i++)
    if (body->yields[i] == value) return true;
  return false;
}

/* Does the node read the value, or do its bodies? */
static bool reads(const Node *node, const Value *value) {
  for (int o = 0; o < node->n_operands; o++)
    if (node->operands[o] == value) return true;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    if (reads_inside(node->bodies[b], value)) return true;
  return false;
}

/* Does the user read an operand at the index that it makes?  An update leaves
 * the rest of its base as it is; a running sum reads an element before it
 * writes the one there. */
static bool keeps_index(const Node *user, int operand) {
  switch (user->op) {
    case OP_dynamic_update_slice:
    case OP_scatter_add:
    case OP_cumsum:
    case OP_cumprod:
    case OP_cummax:
    case OP_cummin:
      return operand == 0;
    default:
      return ir_ops[user->op].class == ELEMENTWISE;
  }
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
        bool keeps = keeps_index(user, o);
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
      fine &= keeps_index(node, o) && aligned[node->id - first];
    }
  }
  free(aligned);
  return fine;
}

static bool over_in_block(const Block *block, const Value *next,
                          const Value *param);

/* May this node write `next`, one of its results, over the carry? */
static bool over_in_node(const Node *writer, const Value *next,
                         const Value *param) {
  if (writer->op == OP_kernel) {
    int64_t by = ir_int(writer, ATTR_by);
    bool whole = by == WORD_blas || by == WORD_packed;
    if (!reads_inside(writer->body, param)) return true;
    whole |= ir_int(writer, ATTR_form) == WORD_loop;
    return !whole && reads_aligned(writer, param);
  }
  if (writer->op != OP_cond) return false;
  for (int b = 0; b < IR_BODIES; b++)
    if (!over_in_block(writer->bodies[b],
                       writer->bodies[b]->yields[next->index], param))
      return false;
  return true;
}

/* So in a block, where nothing after the writer may read the old carry. */
static bool over_in_block(const Block *block, const Value *next,
                          const Value *param) {
  const Node *writer = next->node;
  bool after = false;
  if (writer == NULL || next->block != block) return false;
  for (int i = 0; i < block->n_nodes; i++) {
    if (after && reads(block->nodes[i], param)) return false;
    after |= block->nodes[i] == writer;
  }
  return over_in_node(writer, next, param);
}

/* May the step write carry i over itself? */
static bool in_place(const Node *loop, int i) {
  const Block *body =
      loop->op == OP_while ? loop->bodies[WHILE_STEP] : loop->body;
  return over_in_block(body, body->yields[i], body->params[i]);
}

/* -- decisions --------------------------------------------------------- */

static void decide(Plan *plan, const Value *value, int64_t place) {
  Decision *decision = &plan->decisions[value->id];
  decision->place[decision->n++] = place;
}

static void plan_block(Plan *plan, const Block *block);

/* Where a result of a kernel or cond goes.  A branch writes where its cond's
 * result lies. */
static int64_t place_of(Plan *plan, const Node *node, const Value *value) {
  const Block *block = value->block;
  const Node *owner = block->owner;
  int yield = plan->yield[value->id], end = plan->end[node->id];
  int last = plan->last_use[value->id]; /* 0: no one reads it */
  bool test =
      owner && owner->op == OP_while && block == owner->bodies[WHILE_TEST];
  if (yield < 0 || test)
    return take_space(plan, value, last > end ? last : end);
  if (owner == NULL) return PLACE_RESULT;
  if (owner->op == OP_cond || owner->op == OP_blocks)
    return plan->decisions[owner->results[yield]->id].place[0];
  return yield < owner->n_carries ? PLACE_CARRY : PLACE_YS;
}

static void plan_results(Plan *plan, const Node *node) {
  for (int i = 0; i < node->n_results; i++)
    decide(plan, node->results[i], place_of(plan, node, node->results[i]));
}

/* Where a scan's result ends: the caller's buffer, or the arena. */
static int64_t final_place(Plan *plan, const Node *scan, const Value *value) {
  const Node *owner = scan->block->owner;
  int yield = plan->yield[value->id];
  if (owner == NULL && yield >= 0) return PLACE_RESULT;
  if (owner && owner->op == OP_blocks && yield >= 0)
    return plan->decisions[owner->results[yield]->id].place[0];
  int end = plan->end[scan->id];
  int last = plan->last_use[value->id];
  return take_space(plan, value, last > end ? last : end);
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
    int64_t other = take_space(plan, value, plan->end[scan->id]);
    bool odd = length % 2 == 1; /* the last step, length - 1, is number 0 */
    decide(plan, value, odd ? last : other);
    decide(plan, value, odd ? other : last);
  }
  plan_block(plan, scan->body);
}

static void plan_while(Plan *plan, const Node *loop) {
  int end = plan->end[loop->id];
  for (int i = 0; i < loop->n_results; i++) {
    const Value *value = loop->results[i];
    int last = plan->last_use[value->id];
    int n = in_place(loop, i) ? 1 : 2;
    for (int k = 0; k < n; k++)
      decide(plan, value, take_space(plan, value, last > end ? last : end));
  }
  for (int b = 0; b < IR_BODIES; b++) plan_block(plan, loop->bodies[b]);
}

static void plan_cond(Plan *plan, const Node *cond) {
  plan_results(plan, cond);
  for (int b = 0; b < IR_BODIES; b++) plan_block(plan, cond->bodies[b]);
}

static void plan_block(Plan *plan, const Block *block) {
  for (int i = 0; i < block->n_nodes && !plan->failed; i++) {
    const Node *node = block->nodes[i];
    plan->now = plan->start[node->id];
    if (ir_ops[node->op].class == WRAPPER) plan_results(plan, node);
    if (node->op == OP_blocks) plan_block(plan, node->body);
    if (node->op == OP_scan) plan_scan(plan, node);
    if (node->op == OP_while) plan_while(plan, node);
    if (node->op == OP_cond) plan_cond(plan, node);
  }
}

/* -- the copy ---------------------------------------------------------- */

static bool write_places(Copier *copier, Block *to, const Node *node) {
  const Plan *plan = copier->context;
  bool placed = ir_ops[node->op].class == WRAPPER || has_steps(node);
  if (!placed || node->n_results == 0) return false;
  if (plan->decisions[node->results[0]->id].n == 0) return false;
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
  plan.yield = malloc(values * sizeof *plan.yield);
  plan.start = calloc(nodes, sizeof *plan.start);
  plan.end = calloc(nodes, sizeof *plan.end);
  plan.failed = !plan.decisions || !plan.last_use || !plan.yield ||
                !plan.start || !plan.end || !ir_extents(program, &plan.extents);
  copier.rule = write_places;
  copier.context = &plan;
  if (ir_copy_begin(&copier, KERNELS) && !plan.failed) {
    memset(plan.yield, -1, values * sizeof *plan.yield);
    ir_number_yields(program->body, plan.yield);
    time_block(&plan, program->body);
    note_uses(&plan, program->body);
    plan_block(&plan, program->body);
    if (!plan.failed) ir_copy_block(&copier, program->body, copier.to->body);
  }
  Program *planned = ir_copy_end(&copier);
  if (plan.failed && planned) ir_out_of_memory(planned);
  free(plan.decisions);
  free(plan.last_use);
  free(plan.yield);
  free(plan.start);
  free(plan.end);
  free(plan.live);
  ir_extents_free(&plan.extents);
  if (planned == NULL || planned->error.failed) return planned;
  Program *meeting = pass_meet(planned);
  ir_program_destroy(planned);
  return meeting;
}
