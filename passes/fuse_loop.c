/* fuse_loop.c: which scans become one kernel of form=loop.
 *
 * Such a scan keeps its carries and whatever its step computes in registers,
 * or at worst in the stack: its step is straight-line code, without a loop
 * over any array and without a store that a later load waits for.  That is
 * right where a step is a few hundred instructions at most: the code of a
 * larger one takes long to compile, and its kernels, as loops over vectors, are
 * as fast.
 *
 * What counts is the code, not how often it runs: an inner scan counts once. */
#include "fuse.h"

enum {
  MOST_CODE = 600,      /* about as many instructions */
  MOST_VALUES = 128,    /* elements of all carries of a scan */
  MOST_STACK = 1 << 14, /* bytes of an array that lies in the stack */
  FUNCTION_CODE = 12    /* a call, and what it spills */
};

static int64_t einsum_code(const Node *node) {
  Einsum e;
  double terms = 1;
  ir_einsum_read(node, &e);
  for (int l = 0; l < e.n_labels; l++) terms *= (double)e.size[l];
  return terms > MOST_CODE ? MOST_CODE + 1 : (int64_t)terms;
}

/* The most that the result of an op with `each` instructions an element is. */
static int64_t elements_code(Type type, int64_t each) {
  int64_t elements = ir_type_elements(type);
  return elements > MOST_CODE ? MOST_CODE + 1 : elements * each;
}

static int64_t node_code(const Node *node) {
  if (node->n_results != 1) return MOST_CODE + 1;
  Type type = node->results[0]->type;
  switch (ir_ops[node->op].class) {
    case LEAF:
      return 0;
    case ELEMENTWISE:
      return elements_code(type,
                           ir_ops[node->op].flags & DEAR ? FUNCTION_CODE : 1);
    case VIEW: /* moves nothing, but is taken apart into its elements */
      return 1 + elements_code(type, 1) / 4;
    case INDEXED:
      return elements_code(type, 3 + 3 * (int64_t)type.rank);
    case REDUCE:
      return elements_code(node->operands[0]->type, 1);
    case EINSUM:
      return einsum_code(node);
    default:
      return MOST_CODE + 1;
  }
}

static int64_t scan_code(const Node *scan, bool inner);

static int64_t block_code(const Block *block) {
  int64_t code = 0;
  for (int i = 0; i < block->n_nodes && code <= MOST_CODE; i++) {
    const Node *node = block->nodes[i];
    code += node->op == OP_scan       ? scan_code(node, true)
            : node->op == OP_constant ? 0
                                      : node_code(node);
  }
  return code;
}

static int64_t scan_code(const Node *scan, bool inner) {
  int64_t values = 0, code = block_code(scan->body);
  for (int i = 0; i < scan->n_carries; i++) {
    int64_t own = ir_type_elements(scan->operands[i]->type);
    if (own > MOST_VALUES || (values += own) > MOST_VALUES)
      return MOST_CODE + 1;
  }
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    Type y = scan->body->yields[i]->type;
    if (inner && ir_type_bytes(scan->results[i]->type) > MOST_STACK)
      return MOST_CODE + 1;
    code += elements_code(y, 1);
  }
  return code;
}

bool fuse_is_loop(const Node *node) {
  return node->op == OP_scan && node->n_results > 0 &&
         scan_code(node, false) <= MOST_CODE;
}
