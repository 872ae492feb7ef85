/* meet.c: where the threads of a team wait for each other; the end of the pass
 * plan, since it depends on the places.
 *
 * Comes in: a planned program with kernels that the team shares.  Goes out: the
 * same with sync=true on the kernels before which all threads meet.
 *
 * All threads walk the program; of a kernel with team=true each computes its
 * tiles, any other is thread 0's.  A loop or a cond without such a kernel is
 * thread 0's as a whole; the threads meet before it.  They also meet before
 * each predicate, and around the copy of a carry's init (codegen/team.c).
 *
 * The walk keeps a log of accesses: what memory, read or written, and whose:
 * thread 0's, dealt in tiles, or read by anyone.  Two accesses to the same
 * memory, one of which writes, need a meeting between them unless each byte has
 * the same owner in both.  So a chain of kernels over the same tiles never
 * meets.  A step of a loop follows itself: what is open at its end is held
 * against what comes before its first meeting.
 *
 * Example: c' = tanh(A c), dealt by rows.  Step t writes its rows of c'; step
 * t + 1 reads all of them: one meeting a step.  c and c' take turns in two
 * places, so that no one writes what is still read.  c' = 2 c needs none. */
#include "meet.h"

#include <stdlib.h>
#include <string.h>

/* So many open accesses, and the team meets: the walk stays linear. */
enum { MOST_OPEN = 512 };

/* -- the log ----------------------------------------------------------- */

static bool same_owner(const Access *a, const Access *b) {
  if (a->share.who == ANYONE || a->share.who != b->share.who) return false;
  if (a->share.who == THREAD_0) return true;
  return a->region.start == b->region.start &&
         a->share.outer == b->share.outer &&
         a->share.extent == b->share.extent && a->share.tile == b->share.tile;
}

/* The two halves of a carry that takes turns lie apart within a step. */
static bool take_turns(const Region *a, const Region *b) {
  return a->carry && a->carry == b->carry && a->turn != b->turn;
}

static bool overlap(const Region *a, const Region *b) {
  if (a->space < 0 || b->space < 0) return true;
  return a->space == b->space && a->start < b->end && b->start < a->end;
}

static bool conflict(const Access *a, const Access *b) {
  return (a->writes || b->writes) && overlap(&a->region, &b->region) &&
         !same_owner(a, b);
}

static void append(Meet *meet, Access access) {
  if (meet->n == meet->room) {
    int room = meet->room ? 2 * meet->room : 256;
    Access *bigger = realloc(meet->log, (size_t)room * sizeof *bigger);
    if (bigger == NULL) {
      meet->failed = true;
      return;
    }
    meet->log = bigger;
    meet->room = room;
  }
  meet->log[meet->n++] = access;
}

static void log_value(Meet *meet, const Node *node, const Value *value,
                      Share share, bool writes) {
  Region regions[REGIONS];
  int n = meet_regions(meet, value, regions);
  for (int i = 0; i < n && !meet->failed; i++)
    append(meet, (Access){node, regions[i], share, writes});
}

/* All threads are here; the log goes on from `at`. */
static void met(Meet *meet, int at) {
  meet->since = at;
  for (int i = 0; i < meet->n_heads; i++)
    if (meet->heads[i] < 0) meet->heads[i] = at;
}

/* Does what the node does, logged from `first`, need a meeting? */
static bool is_open(const Meet *meet, int first) {
  if (first - meet->since > MOST_OPEN) return true;
  for (int i = first; i < meet->n; i++)
    for (int k = meet->since; k < first; k++)
      if (conflict(&meet->log[i], &meet->log[k]) &&
          !take_turns(&meet->log[i].region, &meet->log[k].region))
        return true;
  return false;
}

/* -- kernels ----------------------------------------------------------- */

static Share tiles_along(const Value *value, int dim, int64_t tile) {
  Type type = value->type;
  Share share = {TILES, 1, 1, 1};
  if (dim < 0) return (Share){.who = ANYONE};
  int64_t inner = (int64_t)ir_dtype_bytes(type.dtype);
  for (int d = 0; d < dim; d++) share.outer *= type.dims[d];
  for (int d = dim + 1; d < type.rank; d++) inner *= type.dims[d];
  share.extent = type.dims[dim] * inner;
  share.tile = tile * inner;
  return share;
}

static bool is_xs(const Value *value) {
  const Node *owner = value->block->owner;
  return value->node == NULL && owner && value->index >= owner->n_carries;
}

static void log_read(Meet *meet, const Node *kernel, const Value *value,
                     bool team, int64_t tile) {
  if (value->block == kernel->body) return;
  int dim = meet->dealt[value->id];
  if (dim == DEALT_NOT)
    return; /* seen before, or read by nothing that counts */
  Share share = {.who = THREAD_0};
  if (team) share = tiles_along(value, is_xs(value) ? DEALT_ALL : dim, tile);
  log_value(meet, kernel, value, share, false);
  meet->dealt[value->id] = DEALT_NOT;
}

static void log_outer(Meet *meet, const Node *kernel, const Value *value) {
  if (value->block->depth < kernel->body->depth)
    log_value(meet, kernel, value, (Share){.who = THREAD_0}, false);
}

/* What the loops in a kernel read from outside of it: thread 0 does. */
static void log_loops(Meet *meet, const Node *kernel, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool inner = block != kernel->body;
    for (int o = 0; inner && o < node->n_operands; o++)
      log_outer(meet, kernel, node->operands[o]);
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
      log_loops(meet, kernel, node->bodies[b]);
      for (int y = 0; y < node->bodies[b]->n_yields; y++)
        log_outer(meet, kernel, node->bodies[b]->yields[y]);
    }
  }
}

static void log_kernel(Meet *meet, const Node *kernel, bool team) {
  const Block *body = kernel->body;
  int dealt = team ? ir_dealt_dim(kernel) : DEALT_ALL;
  if (kernel->n_results == 0) return;
  int64_t tile = dealt >= 0 ? ir_ints(kernel, ATTR_tile).v[dealt] : 0;
  meet_find_dealt(meet, kernel, dealt);
  for (int i = 0; i < body->n_nodes; i++)
    for (int o = 0; o < body->nodes[i]->n_operands; o++)
      log_read(meet, kernel, body->nodes[i]->operands[o], team, tile);
  for (int i = 0; i < body->n_yields; i++)
    log_read(meet, kernel, body->yields[i], team, tile);
  meet_clear_dealt(meet, kernel);
  log_loops(meet, kernel, body);
  Share share = {.who = THREAD_0};
  for (int i = 0; i < kernel->n_results; i++) {
    if (team) share = tiles_along(kernel->results[i], dealt, tile);
    log_value(meet, kernel, kernel->results[i], share, true);
  }
}

static void walk_kernel(Meet *meet, const Node *kernel) {
  int first = meet->n;
  log_kernel(meet, kernel, ir_int(kernel, ATTR_team) != 0);
  bool *sync = &meet->sync[kernel->id];
  *sync |= is_open(meet, first);
  if (*sync) met(meet, first);
}

/* -- thread 0's alone -------------------------------------------------- */

static void log_alone(Meet *meet, const Node *node) {
  Share share = {.who = THREAD_0};
  if (meet->n - meet->since > MOST_OPEN) return; /* the next one meets */
  if (node->op == OP_kernel) {
    log_kernel(meet, node, false);
    return;
  }
  for (int o = 0; o < node->n_operands; o++)
    log_value(meet, node, node->operands[o], share, false);
  for (int i = 0; i < node->n_results && node->op != OP_constant; i++)
    log_value(meet, node, node->results[i], share, true);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    const Block *body = node->bodies[b];
    for (int i = 0; i < body->n_nodes; i++) log_alone(meet, body->nodes[i]);
    for (int i = 0; i < body->n_yields; i++)
      log_value(meet, node, body->yields[i], share, false);
  }
}

/* -- control ----------------------------------------------------------- */

static void walk_block(Meet *meet, const Block *block);

/* A step follows a step: its end, the log from `since`, against its start, from
 * `first`.  A kernel of the loop's own block that meets covers all behind. */
static void close_loop(Meet *meet, const Node *loop, int first) {
  int head = meet->heads[--meet->n_heads];
  if (head < 0) head = meet->n;
  for (int i = first; i < head; i++) {
    const Node *node = meet->log[i].node;
    if (meet->sync[node->id]) continue;
    bool open = meet->n - meet->since > MOST_OPEN;
    open |= head - first > MOST_OPEN && node->block->owner == loop;
    for (int k = meet->since; k < meet->n && !open; k++)
      open = conflict(&meet->log[i], &meet->log[k]);
    if (!open) continue;
    meet->sync[node->id] = true;
    if (node->block->owner == loop) return;
  }
}

static void open_loop(Meet *meet) { meet->heads[meet->n_heads++] = -1; }

static void walk_scan(Meet *meet, const Node *scan) {
  int first = meet->n;
  if (ir_int(scan, ATTR_length) == 0) return;
  open_loop(meet);
  walk_block(meet, scan->body);
  close_loop(meet, scan, first);
}

static void log_predicate(Meet *meet, const Node *node, const Value *value) {
  met(meet, meet->n);
  log_value(meet, node, value, (Share){.who = ANYONE}, false);
}

/* It ends after a test. */
static void walk_while(Meet *meet, const Node *loop) {
  const Block *test = loop->bodies[WHILE_TEST];
  int first = meet->n;
  open_loop(meet);
  walk_block(meet, test);
  log_predicate(meet, loop, test->yields[0]);
  int tested = meet->since;
  walk_block(meet, loop->bodies[WHILE_STEP]);
  close_loop(meet, loop, first);
  meet->since = tested;
}

/* What either branch leaves open is open. */
static void walk_cond(Meet *meet, const Node *cond) {
  log_predicate(meet, cond, cond->operands[0]);
  int before = meet->since;
  for (int b = 0; b < IR_BODIES; b++) {
    walk_block(meet, cond->bodies[b]);
    meet->since = before;
  }
}

static void walk_block(Meet *meet, const Block *block) {
  for (int i = 0; i < block->n_nodes && !meet->failed; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel) {
      walk_kernel(meet, node);
    } else if (node->op == OP_blocks) {
      met(meet, meet->n); /* before them, and after */
    } else if (ir_is_alone(node)) {
      met(meet, meet->n);
      log_alone(meet, node);
    } else if (node->op == OP_scan) {
      walk_scan(meet, node);
    } else if (node->op == OP_while) {
      walk_while(meet, node);
    } else if (node->op == OP_cond) {
      walk_cond(meet, node);
    }
  }
}

/* -- the whole --------------------------------------------------------- */

static void find_slots(Meet *meet, const Block *block) {
  for (int i = block->n_yields - 1; i >= 0; i--)
    if (block->yields[i]->block == block) meet->slot[block->yields[i]->id] = i;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (node->op != OP_kernel) find_slots(meet, node->bodies[b]);
  }
}

static bool write_sync(Copier *copier, Block *to, const Node *node) {
  const Meet *meet = copier->context;
  if (!meet->sync[node->id] || ir_int(node, ATTR_sync)) return false;
  Attr attrs[ATTR_COUNT];
  int n = 0;
  for (int i = 0; i < node->n_attrs; i++) attrs[n++] = node->attrs[i];
  attrs[n++] = (Attr)IR_INT(sync, 1);
  Node meeting = *node;
  meeting.attrs = attrs;
  meeting.n_attrs = n;
  ir_copy_node(copier, to, &meeting);
  return true;
}

static void keep_sync(Meet *meet, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    meet->sync[node->id] = ir_int(node, ATTR_sync) != 0;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (node->op != OP_kernel) keep_sync(meet, node->bodies[b]);
  }
}

static void find_meetings(Meet *meet) {
  size_t values = (size_t)meet->program->n_values + 1;
  meet->slot = malloc(values * sizeof *meet->slot);
  meet->dealt = malloc(values * sizeof *meet->dealt);
  meet->heads = malloc((IR_MAX_NESTING + 1) * sizeof *meet->heads);
  if (!meet->slot || !meet->dealt || !meet->heads) {
    meet->failed = true;
    return;
  }
  memset(meet->slot, -1, values * sizeof *meet->slot);
  for (size_t i = 0; i < values; i++) meet->dealt[i] = DEALT_NOT;
  find_slots(meet, meet->program->body);
  keep_sync(meet, meet->program->body);
  walk_block(meet, meet->program->body);
}

Program *pass_meet(const Program *program) {
  Copier copier = {.from = program};
  Meet meet = {.program = program};
  if (!ir_has_team(program->body)) return ir_copy(&copier, KERNELS);
  meet.sync = calloc((size_t)program->n_nodes + 1, sizeof *meet.sync);
  meet.failed = meet.sync == NULL;
  if (!meet.failed) find_meetings(&meet);
  copier.rule = meet.failed ? NULL : write_sync;
  copier.context = &meet;
  Program *made = ir_copy(&copier, KERNELS);
  if (meet.failed && made) ir_out_of_memory(made);
  free(meet.slot);
  free(meet.dealt);
  free(meet.sync);
  free(meet.heads);
  free(meet.log);
  return made;
}
