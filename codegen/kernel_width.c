/* kernel_width.c: how many lanes a kernel's vectors have, by what it holds. */
#include "emit.h"

/* The hash behind random numbers is most of their cost: words of 32 bits in
 * one chain of 80 dependent steps.  Two vectors of them at once keep the
 * machine busy. */
enum { CHAINS = 2 };

static size_t widest(const Node *kernel) {
  size_t bytes = 1;
  for (int i = 0; i < kernel->n_results; i++) {
    size_t own = ir_dtype_bytes(kernel->results[i]->type.dtype);
    if (own > bytes) bytes = own;
  }
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    const Node *node = kernel->body->nodes[i];
    for (int o = 0; o < node->n_operands; o++) {
      size_t own = ir_dtype_bytes(node->operands[o]->type.dtype);
      if (own > bytes) bytes = own;
    }
  }
  return bytes;
}

bool draws_numbers(const Node *node) {
  return node->op == OP_random_bits || node->op == OP_random_uniform ||
         node->op == OP_random_normal;
}

static bool holds_draws(const Node *kernel) {
  for (int i = 0; i < kernel->body->n_nodes; i++)
    if (draws_numbers(kernel->body->nodes[i])) return true;
  return false;
}

int kernel_width(const Gen *gen, const Node *kernel) {
  int width = gen->vector_bytes / (int)widest(kernel);
  if (holds_draws(kernel)) width = gen->vector_bytes / 4 * CHAINS;
  return width > 16 ? 16 : width;
}

bool kernel_is_dear(const Node *kernel) {
  for (int i = 0; i < kernel->body->n_nodes; i++)
    if (ir_ops[kernel->body->nodes[i]->op].flags & DEAR) return true;
  return false;
}
