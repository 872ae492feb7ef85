/* places_kernel.c: what may happen inside one kernel.
 *
 * An output may lie over an operand only if element i is read for element i of
 * the outputs alone, so that no element is lost before it is read.  Whatever
 * depends on the operand is marked, in order; each node that reads a marked
 * value must keep positions: elementwise, of the operand's shape, or an update
 * whose base it is. */
#include "places.h"

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
