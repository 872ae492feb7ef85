/* places_kernel.c: what may happen inside one kernel, and between the tiles of
 * a team.
 *
 * An output may lie over an operand only if element i is read for element i of
 * the outputs alone, so that no element is lost before it is read.  Whatever
 * depends on the operand is marked, in order; each node that reads a marked
 * value must keep positions: elementwise, of the operand's shape, or an update
 * whose base it is. */
#include "places.h"

#include <limits.h>

/* A running sum reads each element before it writes the one there. */
static bool is_base_of_update(const Node *node, int operand) {
  bool runs = node->op == OP_cumsum || node->op == OP_cumprod ||
              node->op == OP_cummax || node->op == OP_cummin;
  return operand == 0 && (runs || node->op == OP_scatter_add ||
                          node->op == OP_dynamic_update_slice);
}

/* One node of the kernel; *marked: it depends on the operand. */
static bool keeps_positions(Places *p, const Node *node, Type type,
                            bool *marked) {
  *marked = false;
  for (int i = 0; i < node->n_operands; i++) {
    if (p->mark[node->operands[i]->id] != p->stamp) continue;
    *marked = true;
    if (is_base_of_update(node, i)) continue;
    if (ir_ops[node->op].class != ELEMENTWISE ||
        !ir_shape_equal(node->results[0]->type, type))
      return false;
  }
  return true;
}

bool ir_reads_where_written(Places *p, const Node *kernel, const Value *value) {
  const Block *body = kernel->body;
  bool marked;
  if (ir_int(kernel, ATTR_form) == WORD_loop) return false;
  p->mark[value->id] = ++p->stamp;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (!keeps_positions(p, node, value->type, &marked)) return false;
    for (int r = 0; marked && r < node->n_results; r++)
      p->mark[node->results[r]->id] = p->stamp;
  }
  return true;
}

static bool is_dear(const Value *value, const Block *body) {
  if (value->block != body || value->node == NULL) return false;
  OpClass class = ir_ops[value->node->op].class;
  return class == REDUCE || class == EINSUM;
}

bool ir_places_fused(Places *p, const Node *kernel) {
  const Block *body = kernel->body;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (node->op != OP_einsum) continue;
    for (int k = 0; k < node->n_operands; k++)
      if (is_dear(node->operands[k], body))
        return ir_error(p->program, node->place,
                        "kernel: %s is computed anew for each time that %s "
                        "reads it",
                        ir_places_value(p, node->operands[k]),
                        ir_places_value(p, node->results[0]));
  }
  return true;
}

/* -- teams --------------------------------------------------------------------
 *
 * Rounds are what lies between two meetings.  team_round[v] is the round in
 * which a team wrote v, tile by tile; 0: it is safe to read everywhere. */

typedef struct Rounds {
  Places *places;
  int now;
} Rounds;

static bool is_team(const Node *kernel) {
  return ir_int(kernel, ATTR_team) != 0;
}

/* A team's tiles are the same for the same shape, so a tile reads its own part
 * of what the last kernel wrote.  A slice or a stack has other tiles. */
static bool same_tiles(const Value *value) {
  const Node *owner = value->node ? value->node : value->block->owner;
  if (owner == NULL || owner->op != OP_scan) return true;
  return value->index < owner->n_carries;
}

static bool read_by_team(Rounds *rounds, const Node *kernel,
                         const Value *value) {
  Places *p = rounds->places;
  if (value->block == kernel->body || p->team_round[value->id] != rounds->now)
    return true;
  if (same_tiles(value) && ir_reads_where_written(p, kernel, value))
    return true;
  return ir_error(p->program, kernel->place,
                  "%s: reads %s across tiles, so that its team has to meet "
                  "first: sync=true is missing",
                  ir_places_node(p, kernel), ir_places_value(p, value));
}

static bool sync_kernel(Rounds *rounds, const Node *kernel) {
  const Block *body = kernel->body;
  if (ir_int(kernel, ATTR_sync)) rounds->now++;
  bool team = is_team(kernel), fine = true;
  for (int i = 0; team && fine && i < body->n_nodes; i++)
    for (int k = 0; fine && k < body->nodes[i]->n_operands; k++)
      fine = read_by_team(rounds, kernel, body->nodes[i]->operands[k]);
  for (int i = 0; team && fine && i < body->n_yields; i++)
    fine = read_by_team(rounds, kernel, body->yields[i]);
  for (int i = 0; i < kernel->n_results; i++)
    rounds->places->team_round[kernel->results[i]->id] = team ? rounds->now : 0;
  return fine;
}

static bool sync_block(Rounds *rounds, const Block *block);

/* Is value, a result of a kernel or a cond, written tile by tile? */
static bool is_by_team(const Value *value) {
  const Node *node = value->node;
  if (node->op == OP_kernel) return is_team(node);
  return is_by_team(node->bodies[COND_THEN]->yields[value->index]) ||
         is_by_team(node->bodies[COND_ELSE]->yields[value->index]);
}

/* All threads go the same way, so each reads the predicate. */
static bool check_predicate(Rounds *rounds, const Node *node,
                            const Value *predicate) {
  Places *p = rounds->places;
  if (p->team_round[predicate->id] != rounds->now) return true;
  return ir_error(p->program, node->place,
                  "%s: reads its predicate %s, which a team has written "
                  "without a meeting since",
                  ir_places_node(p, node), ir_places_value(p, predicate));
}

/* What a carry's next value left open is open at the start of the next step. */
static void enter_loop(Rounds *rounds, const Node *loop, const Block *step,
                       const Block *body) {
  Places *p = rounds->places;
  int last_meeting = -1;
  for (int i = 0; i < step->n_nodes; i++)
    if (step->nodes[i]->op == OP_kernel && ir_int(step->nodes[i], ATTR_sync))
      last_meeting = i;
  for (int i = 0; i < body->n_params; i++) {
    int *round = &p->team_round[body->params[i]->id];
    *round = p->team_round[loop->operands[i]->id];
    if (i >= loop->n_carries) continue;
    const Value *next = step->yields[i];
    if (is_by_team(next) && last_meeting <= p->index[next->node->id])
      *round = rounds->now;
  }
}

static bool sync_scan(Rounds *rounds, const Node *scan) {
  Places *p = rounds->places;
  int before = rounds->now;
  enter_loop(rounds, scan, scan->body, scan->body);
  if (!sync_block(rounds, scan->body)) return false;
  if (ir_int(scan, ATTR_length) == 0) rounds->now = before;
  for (int i = 0; i < scan->n_results; i++)
    p->team_round[scan->results[i]->id] =
        p->team_round[scan->body->yields[i]->id];
  return true;
}

/* Only the test is sure to run. */
static bool sync_while(Rounds *rounds, const Node *loop) {
  Places *p = rounds->places;
  const Block *test = loop->bodies[WHILE_TEST];
  const Block *step = loop->bodies[WHILE_STEP];
  enter_loop(rounds, loop, step, test);
  if (!sync_block(rounds, test) ||
      !check_predicate(rounds, loop, test->yields[0]))
    return false;
  int tested = rounds->now;
  enter_loop(rounds, loop, step, step);
  if (!sync_block(rounds, step)) return false;
  for (int i = 0; i < loop->n_results; i++) {
    bool open = p->team_round[step->yields[i]->id] == rounds->now ||
                p->team_round[loop->operands[i]->id] == tested;
    p->team_round[loop->results[i]->id] = open ? tested : 0;
  }
  rounds->now = tested;
  return true;
}

/* The team has met in a cond if it meets in both branches. */
static bool sync_cond(Rounds *rounds, const Node *cond) {
  int *team_round = rounds->places->team_round;
  int before = rounds->now, after = INT_MAX;
  if (!check_predicate(rounds, cond, cond->operands[0])) return false;
  for (int b = 0; b < IR_BODIES; b++) {
    const Block *branch = cond->bodies[b];
    rounds->now = before;
    if (!sync_block(rounds, branch)) return false;
    for (int i = 0; i < cond->n_results; i++) {
      bool open = team_round[branch->yields[i]->id] == rounds->now;
      team_round[cond->results[i]->id] |= open;
    }
    if (rounds->now < after) after = rounds->now;
  }
  rounds->now = after;
  for (int i = 0; i < cond->n_results; i++)
    team_round[cond->results[i]->id] *= after;
  return true;
}

static bool sync_block(Rounds *rounds, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel && !sync_kernel(rounds, node)) return false;
    if (node->op == OP_scan && !sync_scan(rounds, node)) return false;
    if (node->op == OP_while && !sync_while(rounds, node)) return false;
    if (node->op == OP_cond && !sync_cond(rounds, node)) return false;
  }
  return true;
}

bool ir_places_sync(Places *p) {
  Rounds rounds = {p, 1};
  return sync_block(&rounds, p->program->body);
}
