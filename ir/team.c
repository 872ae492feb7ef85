/* team.c: what the threads of a team do together, and what thread 0 does alone.
 *
 * The rule, for the pass that places meetings, for the verifier and for code
 * generation: all threads walk the program's blocks.  Of a kernel with
 * team=true each computes its tiles; any other kernel is thread 0's.  Of blocks
 * with team=true each runs some, alone; any other blocks are thread 0's; they
 * meet before and after either.  Thread 0's is a loop or a cond in which there
 * is no team's kernel.  (Not a while whose carries take turns: where they end
 * only who walks it knows.) */
#include "graph.h"

bool ir_has_team(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool wrapper = ir_ops[node->op].class == WRAPPER;
    if (wrapper && ir_int(node, ATTR_team)) return true;
    for (int b = 0; !wrapper && b < IR_BODIES && node->bodies[b]; b++)
      if (ir_has_team(node->bodies[b])) return true;
  }
  return false;
}

bool ir_is_alone(const Node *node) {
  if (ir_ops[node->op].class != CONTROL) return false;
  IntLists at = ir_lists(node, ATTR_at);
  for (int i = 0; node->op == OP_while && i < at.n; i++)
    if (at.v[i].n > 1) return false;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    if (ir_has_team(node->bodies[b])) return false;
  return true;
}

int ir_dealt_dim(const Node *kernel) {
  IntList tile = ir_ints(kernel, ATTR_tile);
  int dealt = -1;
  if (kernel->n_results == 0) return -1;
  Type type = kernel->results[0]->type;
  if (tile.n != type.rank) return -1;
  for (int d = 0; d < tile.n; d++) {
    if (tile.v[d] < 1 || (dealt >= 0 && tile.v[d] < type.dims[d])) return -1;
    if (tile.v[d] < type.dims[d]) dealt = d;
  }
  return dealt;
}
