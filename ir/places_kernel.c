/* places_kernel.c: what may happen inside one kernel, and between the tiles of
 * a team.
 *
 * An output may lie over an operand only if element i is read for element i of
 * the outputs alone, so that no element is lost before it is read.  Whatever
 * depends on the operand is marked, in order; each node that reads a marked
 * value must keep positions: elementwise, of the operand's shape, or an update
 * whose base it is. */
#include "places.h"

static bool is_base_of_update(const Node *node, int operand) {
  return node->op == OP_dynamic_update_slice && operand == 0;
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

/* What a carry's next value left open is open at the start of the next step. */
static void enter_scan(Rounds *rounds, const Node *scan) {
  Places *p = rounds->places;
  const Block *body = scan->body;
  int last_meeting = -1;
  for (int i = 0; i < body->n_nodes; i++)
    if (body->nodes[i]->op == OP_kernel && ir_int(body->nodes[i], ATTR_sync))
      last_meeting = i;
  for (int i = 0; i < body->n_params; i++) {
    int *round = &p->team_round[body->params[i]->id];
    *round = p->team_round[scan->operands[i]->id];
    if (i >= scan->n_carries) continue;
    const Value *next = body->yields[i];
    if (is_team(next->node) && last_meeting <= p->index[next->node->id])
      *round = rounds->now;
  }
}

static bool sync_scan(Rounds *rounds, const Node *scan) {
  Places *p = rounds->places;
  int before = rounds->now;
  enter_scan(rounds, scan);
  if (!sync_block(rounds, scan->body)) return false;
  if (ir_int(scan, ATTR_length) == 0) rounds->now = before;
  for (int i = 0; i < scan->n_results; i++)
    p->team_round[scan->results[i]->id] =
        p->team_round[scan->body->yields[i]->id];
  return true;
}

static bool sync_block(Rounds *rounds, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel && !sync_kernel(rounds, node)) return false;
    if (node->op == OP_scan && !sync_scan(rounds, node)) return false;
  }
  return true;
}

bool ir_places_sync(Places *p) {
  Rounds rounds = {p, 1};
  return sync_block(&rounds, p->program->body);
}
