/* places_team.c: does the team meet wherever it has to?
 *
 * Comes in: a planned program, its places well formed.  Goes out: true, or the
 * first error.  What each thread does is said in team.c; besides where
 * sync=true stands the team meets before what thread 0 walks alone, before each
 * predicate, and around the copy of an init.
 *
 * Every part of a program is summed up by what it touches before its first
 * meeting and after its last one.  Where two parts follow each other, the end
 * of the one is held against the start of the other; a step of a loop follows
 * itself.  Two touches of the same bytes, one of them a write, must be by the
 * same thread: both by thread 0, or both in the same tiles. */
#include <stdlib.h>

#include "places.h"

/* Who touches: thread 0; all of them, anywhere; or each its tiles, `run` bytes
 * of each of the `pieces` pieces of `span` bytes. */
typedef enum Owner { FIRST_THREAD, EVERYONE, EACH_ITS_TILES } Owner;

/* What a step reads of a carry, and what it makes. */
typedef enum Half { WHOLE_CARRY, READ_HALF, WRITTEN_HALF } Half;

typedef struct Touch {
  const Node *node;
  const Value *value;
  bool writes;
  Owner owner;
  int64_t pieces, span, run;
  Range range;
  const Value *carry; /* its places take turns; NULL: they do not */
  Half half;
} Touch;

/* A part of the walk: touches [from, to); head: where it first meets; tail:
 * where it last does. */
typedef struct Part {
  int from, to, head, tail;
  bool meets;
} Part;

typedef struct Walk {
  Places *p;
  Touch *touches;
  int n, room;
} Walk;

/* -- touches ----------------------------------------------------------- */

static bool add_touch(Walk *walk, Touch touch) {
  if (touch.range.start == touch.range.end) return true;
  if (walk->n == walk->room) {
    int room = walk->room ? 2 * walk->room : 128;
    Touch *more = realloc(walk->touches, (size_t)room * sizeof *more);
    if (more == NULL) return ir_places_no_memory(walk->p);
    walk->touches = more;
    walk->room = room;
  }
  walk->touches[walk->n++] = touch;
  return true;
}

static bool touch_place(Walk *walk, Touch touch, const Value *holder,
                        int64_t place) {
  int64_t bytes = ir_type_bytes(holder->type);
  touch.range = (Range){ARENA_SPACE, place, place + bytes};
  if (place < 0)
    touch.range =
        (Range){FIRST_RESULT_SPACE + walk->p->slot[holder->id], 0, bytes};
  return add_touch(walk, touch);
}

/* At each of the places of a loop's result. */
static bool touch_loop(Walk *walk, Touch touch, const Value *result,
                       Half half) {
  IntList places = ir_lists(result->node, ATTR_at).v[result->index];
  bool fine = true;
  if (half != WHOLE_CARRY && places.n > 1) {
    touch.carry = result;
    touch.half = half;
  }
  for (int k = 0; fine && k < places.n; k++)
    fine = touch_place(walk, touch, result, places.v[k]);
  return fine;
}

static bool touch_written(Walk *walk, Touch touch, const Value *value) {
  int64_t place = ir_lists(value->node, ATTR_at).v[value->index].v[0];
  if (place >= 0) return touch_place(walk, touch, value, place);
  while (ir_is_branch(value->block))
    value = value->block->owner->results[walk->p->slot[value->id]];
  if (place == PLACE_RESULT) return touch_place(walk, touch, value, place);
  const Value *result = value->block->owner->results[walk->p->slot[value->id]];
  return touch_loop(walk, touch, result,
                    place == PLACE_CARRY ? WRITTEN_HALF : WHOLE_CARRY);
}

/* Wherever the value may lie.  A param lies where its loop carries it, or in
 * what the loop started from. */
static bool touch_value(Walk *walk, Touch touch) {
  const Value *value = touch.value;
  for (; value->node == NULL;) {
    const Node *owner = value->block->owner;
    if (owner == NULL) return true; /* an input: no one writes it */
    if (value->index < owner->n_carries &&
        !touch_loop(walk, touch, owner->results[value->index], READ_HALF))
      return false;
    if (owner->op == OP_while) return true;
    value = owner->operands[value->index];
  }
  if (value->node->op == OP_constant) return true;
  if (value->node->op == OP_scan || value->node->op == OP_while)
    return touch_loop(walk, touch, value, WHOLE_CARRY);
  return touch_written(walk, touch, value);
}

/* -- two touches ------------------------------------------------------- */

static bool by_same_thread(const Touch *a, const Touch *b) {
  if (a->owner != b->owner || a->owner == EVERYONE) return false;
  return a->owner == FIRST_THREAD ||
         (a->range.start == b->range.start && a->pieces == b->pieces &&
          a->span == b->span && a->run == b->run);
}

static bool collide(const Touch *a, const Touch *b, bool same_step) {
  bool apart = a->range.space != b->range.space ||
               a->range.end <= b->range.start || b->range.end <= a->range.start;
  if (apart || !(a->writes || b->writes) || by_same_thread(a, b)) return false;
  return !(same_step && a->carry && a->carry == b->carry && a->half != b->half);
}

static bool refuse(Walk *walk, const Touch *before, const Touch *after) {
  Places *p = walk->p;
  const char *node = ir_places_node(p, after->node);
  const char *value = ir_places_value(p, after->value);
  if (!after->writes)
    return ir_error(p->program, after->node->place,
                    "%s: reads %s across tiles, so that its team has to meet "
                    "first: sync=true is missing",
                    node, value);
  return ir_error(p->program, after->node->place,
                  "%s: writes %s over %s, which another thread may still %s: "
                  "sync=true is missing",
                  node, value, ir_places_value(p, before->value),
                  before->writes ? "write" : "read");
}

/* [from, to) and then [start, end), without a meeting between. */
static bool follow(Walk *walk, int from, int to, int start, int end,
                   bool same_step) {
  for (int i = start; i < end; i++)
    for (int k = from; k < to; k++)
      if (collide(&walk->touches[k], &walk->touches[i], same_step))
        return refuse(walk, &walk->touches[k], &walk->touches[i]);
  return true;
}

/* -- parts ------------------------------------------------------------- */

static Part part_at(const Walk *walk) {
  return (Part){walk->n, walk->n, walk->n, walk->n, false};
}

static void part_meets(const Walk *walk, Part *part) {
  if (!part->meets) part->head = walk->n;
  part->tail = walk->n;
  part->meets = true;
}

/* The touches of `part` go up to where the walk is. */
static void part_ends(const Walk *walk, Part *part) {
  part->to = walk->n;
  if (!part->meets) part->head = walk->n;
}

static bool part_then(Walk *walk, Part *first, const Part *next) {
  if (!follow(walk, first->tail, first->to, next->from, next->head, true))
    return false;
  if (next->meets) {
    if (!first->meets) first->head = next->head;
    first->tail = next->tail;
    first->meets = true;
  }
  part_ends(walk, first);
  return true;
}

/* -- kernels ----------------------------------------------------------- */

static bool has_tiles(Walk *walk, const Node *kernel) {
  Places *p = walk->p;
  int64_t form = ir_int(kernel, ATTR_form);
  bool one_shape = true;
  for (int i = 1; i < kernel->n_results; i++)
    one_shape &=
        ir_shape_equal(kernel->results[i]->type, kernel->results[0]->type);
  if (one_shape && ir_dealt_dim(kernel) >= 0 && form != WORD_call &&
      form != WORD_loop)
    return true;
  return ir_error(p->program, kernel->place,
                  "%s: a team shares results of one shape in tiles along one "
                  "dim: `tile` has a number for each dim, one of them less "
                  "than the dim",
                  ir_places_node(p, kernel));
}

/* Which dim of an operand has the index that dim `dim` of the result has; -1:
 * none is sure to. */
static int same_index(const Node *node, int operand, int dim) {
  Type type = node->operands[operand]->type;
  OpClass class = ir_ops[node->op].class;
  int found = -1;
  if (class == ELEMENTWISE)
    return ir_shape_equal(type, node->results[0]->type) ? dim : -1;
  if (class == REDUCE) {
    IntList dims = ir_ints(node, ATTR_dims);
    int64_t single = ir_int(node, ATTR_dim);
    if (!ir_attr(node, ATTR_dims) &&
        (node->op == OP_argmax || node->op == OP_argmin))
      dims = (IntList){&single, 1};
    for (int d = 0, kept = 0, next = 0; d < type.rank; d++) {
      if (next < dims.n && dims.v[next] == d)
        next++;
      else if (kept++ == dim)
        found = d;
    }
  } else if (class == EINSUM) {
    Einsum e;
    ir_einsum_read(node, &e);
    for (int d = 0, n = 0; d < e.rank[operand]; d++)
      if (e.term[operand][d] == e.out[dim]) found = n++ ? -1 : d;
  } else if (node->op == OP_broadcast) {
    IntList dims = ir_ints(node, ATTR_dims);
    for (int d = 0; d < dims.n; d++)
      if (dims.v[d] == dim && type.dims[d] == node->results[0]->type.dims[dim])
        found = d;
  } else if (node->op == OP_transpose) {
    found = (int)ir_ints(node, ATTR_perm).v[dim];
  }
  return found;
}

/* What is kept of a value of a kernel, in mark[]: 0: not read; 1: read
 * anywhere; 2 + d: read where dim d has the tile's index. */
static void mark_read(Places *p, const Value *value, int dim) {
  unsigned now = dim < 0 ? 1 : 2 + (unsigned)dim;
  unsigned *mark = &p->mark[value->id];
  *mark = *mark == 0 || *mark == now ? now : 1;
}

static void mark_kernel(Places *p, const Node *kernel, int dealt) {
  const Block *body = kernel->body;
  for (int i = 0; i < body->n_yields; i++) mark_read(p, body->yields[i], dealt);
  for (int i = body->n_nodes - 1; i >= 0; i--) {
    const Node *node = body->nodes[i];
    unsigned mark = 0;
    for (int r = 0; r < node->n_results; r++)
      if (p->mark[node->results[r]->id])
        mark = node->n_results > 1 ? 1 : p->mark[node->results[r]->id];
    for (int k = 0; mark && k < node->n_operands; k++)
      mark_read(p, node->operands[k],
                mark > 1 ? same_index(node, k, (int)mark - 2) : -1);
  }
}

static void unmark(Places *p, const Node *kernel) {
  const Block *body = kernel->body;
  for (int i = 0; i < body->n_yields; i++) p->mark[body->yields[i]->id] = 0;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int r = 0; r < node->n_results; r++) p->mark[node->results[r]->id] = 0;
    for (int k = 0; k < node->n_operands; k++)
      p->mark[node->operands[k]->id] = 0;
  }
}

/* An array dealt along a dim. */
static Touch dealt_touch(const Node *kernel, const Value *value, int dim) {
  Touch touch = {.node = kernel, .value = value, .owner = EVERYONE};
  if (dim < 0) return touch;
  int64_t bytes = (int64_t)ir_dtype_bytes(value->type.dtype);
  for (int d = value->type.rank - 1; d > dim; d--) bytes *= value->type.dims[d];
  touch.owner = EACH_ITS_TILES;
  touch.span = value->type.dims[dim] * bytes;
  touch.run = ir_ints(kernel, ATTR_tile).v[ir_dealt_dim(kernel)] * bytes;
  touch.pieces = touch.span ? ir_type_bytes(value->type) / touch.span : 0;
  return touch;
}

static bool touch_read(Walk *walk, const Node *kernel, const Value *value,
                       bool team) {
  unsigned mark = walk->p->mark[value->id];
  const Node *owner = value->block->owner;
  bool slice = value->node == NULL && owner && value->index >= owner->n_carries;
  if (mark == 0 || value->block == kernel->body) return true;
  walk->p->mark[value->id] = 0;
  Touch touch = {.node = kernel, .value = value, .owner = FIRST_THREAD};
  if (team)
    touch = dealt_touch(kernel, value, mark == 1 || slice ? -1 : (int)mark - 2);
  return touch_value(walk, touch);
}

static bool touch_outer(Walk *walk, const Node *kernel, const Value *value) {
  Touch touch = {.node = kernel, .value = value, .owner = FIRST_THREAD};
  return value->block->depth >= kernel->body->depth || touch_value(walk, touch);
}

/* What loops in a kernel read from outside of it. */
static bool touch_loops(Walk *walk, const Node *kernel, const Block *block) {
  bool fine = true, inner = block != kernel->body;
  for (int i = 0; fine && i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; fine && inner && k < node->n_operands; k++)
      fine = touch_outer(walk, kernel, node->operands[k]);
    for (int b = 0; fine && b < IR_BODIES && node->bodies[b]; b++)
      fine = touch_loops(walk, kernel, node->bodies[b]);
  }
  for (int i = 0; fine && inner && i < block->n_yields; i++)
    fine = touch_outer(walk, kernel, block->yields[i]);
  return fine;
}

static bool touch_kernel(Walk *walk, const Node *kernel, bool team) {
  const Block *body = kernel->body;
  int dealt = team ? ir_dealt_dim(kernel) : -1;
  bool fine = true;
  mark_kernel(walk->p, kernel, dealt);
  for (int i = 0; fine && i < body->n_nodes; i++)
    for (int k = 0; fine && k < body->nodes[i]->n_operands; k++)
      fine = touch_read(walk, kernel, body->nodes[i]->operands[k], team);
  for (int i = 0; fine && i < body->n_yields; i++)
    fine = touch_read(walk, kernel, body->yields[i], team);
  unmark(walk->p, kernel);
  fine = fine && touch_loops(walk, kernel, body);
  for (int i = 0; fine && i < kernel->n_results; i++) {
    const Value *result = kernel->results[i];
    Touch touch = {.node = kernel, .value = result, .owner = FIRST_THREAD};
    if (team) touch = dealt_touch(kernel, result, dealt);
    touch.writes = true;
    fine = touch_value(walk, touch);
  }
  return fine;
}

static bool walk_kernel(Walk *walk, const Node *kernel, Part *part) {
  bool team = ir_int(kernel, ATTR_team) != 0;
  if (team && !has_tiles(walk, kernel)) return false;
  if (ir_int(kernel, ATTR_sync)) part_meets(walk, part);
  return touch_kernel(walk, kernel, team);
}

/* -- control ----------------------------------------------------------- */

static bool touch_alone(Walk *walk, const Node *node) {
  Touch touch = {.node = node, .owner = FIRST_THREAD};
  bool fine = true;
  if (node->op == OP_kernel) return touch_kernel(walk, node, false);
  if (node->op == OP_constant) return true;
  for (int i = 0; fine && i < node->n_operands; i++) {
    touch.value = node->operands[i];
    fine = touch_value(walk, touch);
  }
  for (int b = 0; fine && b < IR_BODIES && node->bodies[b]; b++) {
    const Block *body = node->bodies[b];
    for (int i = 0; fine && i < body->n_nodes; i++)
      fine = touch_alone(walk, body->nodes[i]);
    for (int i = 0; fine && i < body->n_yields; i++) {
      touch.value = body->yields[i];
      fine = touch_value(walk, touch);
    }
  }
  touch.writes = true;
  for (int i = 0; fine && i < node->n_results; i++) {
    touch.value = node->results[i];
    fine = touch_value(walk, touch);
  }
  return fine;
}

static bool walk_block(Walk *walk, const Block *block, Part *part);

static bool read_predicate(Walk *walk, const Node *node, const Value *value,
                           Part *part) {
  part_meets(walk, part);
  return touch_value(walk,
                     (Touch){.node = node, .value = value, .owner = EVERYONE});
}

/* The end of a step and the start of the next one. */
static bool step_again(Walk *walk, const Part *part) {
  return follow(walk, part->tail, part->to, part->from, part->head, false);
}

static bool walk_scan(Walk *walk, const Node *scan, Part *part) {
  if (ir_int(scan, ATTR_length) == 0) return true;
  return walk_block(walk, scan->body, part) && step_again(walk, part);
}

/* The last thing that runs is a test. */
static bool walk_while(Walk *walk, const Node *loop, Part *part) {
  const Block *test = loop->bodies[WHILE_TEST];
  Part step;
  if (!walk_block(walk, test, part) ||
      !read_predicate(walk, loop, test->yields[0], part))
    return false;
  part_ends(walk, part);
  int tested = part->tail;
  step = part_at(walk);
  if (!walk_block(walk, loop->bodies[WHILE_STEP], &step) ||
      !part_then(walk, part, &step) || !step_again(walk, part))
    return false;
  part->tail = tested;
  return true;
}

static bool walk_cond(Walk *walk, const Node *cond, Part *part) {
  if (!read_predicate(walk, cond, cond->operands[0], part)) return false;
  part_ends(walk, part);
  for (int b = 0; b < IR_BODIES; b++) {
    Part both = *part, branch = part_at(walk);
    if (!walk_block(walk, cond->bodies[b], &branch) ||
        !part_then(walk, &both, &branch))
      return false;
    part_ends(walk, part); /* what either leaves open */
  }
  return true;
}

static bool walk_node(Walk *walk, const Node *node, Part *part) {
  if (node->op == OP_kernel) return walk_kernel(walk, node, part);
  if (node->op == OP_constant) return true;
  if (node->op == OP_blocks) { /* all meet before and after */
    part_meets(walk, part);
    return true;
  }
  if (ir_is_alone(node)) {
    part_meets(walk, part);
    return touch_alone(walk, node);
  }
  if (node->op == OP_scan) return walk_scan(walk, node, part);
  if (node->op == OP_while) return walk_while(walk, node, part);
  return walk_cond(walk, node, part);
}

static bool walk_block(Walk *walk, const Block *block, Part *part) {
  for (int i = 0; i < block->n_nodes; i++) {
    Part next = part_at(walk);
    if (!walk_node(walk, block->nodes[i], &next)) return false;
    part_ends(walk, &next);
    if (!part_then(walk, part, &next)) return false;
  }
  return true;
}

bool ir_places_sync(Places *p) {
  Walk walk = {.p = p};
  if (!ir_has_team(p->program->body)) return true;
  for (int i = 0; i <= p->program->n_values; i++) p->mark[i] = 0;
  Part part = part_at(&walk);
  bool fine = walk_block(&walk, p->program->body, &part);
  free(walk.touches);
  for (int i = 0; i <= p->program->n_values; i++) p->mark[i] = 0;
  return fine;
}
