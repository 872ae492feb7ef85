/* whole.c: scratch of the kernels whose ops take whole arrays (whole.h).
 *
 * Comes in: a planned program.  Goes out: byte counts and offsets, which follow
 * from its types and places alone. */
#include "whole.h"

#include "../ir/blocks.h"
#include "passes.h"
#include "product.h"

static int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t aligned(int64_t bytes) {
  bytes = add(bytes, WHOLE_ALIGN - 1);
  return bytes - bytes % WHOLE_ALIGN;
}

/* -- what lies strided ------------------------------------------------- */

static bool is_step_of(const Node *scan, AttrKey key, int i) {
  IntList dims = ir_ints(scan, key);
  return i < dims.n && dims.v[i] != 0;
}

static int yield_number(const Value *value) {
  const Block *block = value->block;
  for (int i = 0; i < block->n_yields; i++)
    if (block->yields[i] == value) return i;
  return -1;
}

/* A y of a scan may be a slice, also where a branch of a cond writes it, or a
 * scan in the scan. */
static bool is_slice_of_ys(const Value *value) {
  for (;;) {
    const Node *owner = value->block->owner;
    int i = yield_number(value);
    if (owner == NULL || i < 0) return false;
    if (owner->op == OP_scan && i >= owner->n_carries) {
      if (is_step_of(owner, ATTR_ys_dims, i - owner->n_carries)) return true;
    } else if (owner->op != OP_cond) {
      return false;
    }
    value = owner->results[i];
  }
}

/* So may an x, also a slice of one; and a splat is one element. */
static bool lies_strided(const Value *value) {
  Scalar element;
  while (value->node == NULL) {
    const Node *owner = value->block->owner;
    if (owner == NULL || owner->op != OP_scan) return false;
    int x = value->index - owner->n_carries;
    if (x < 0) return false;
    if (is_step_of(owner, ATTR_xs_dims, x)) return true;
    value = owner->operands[value->index];
  }
  return ir_is_splat(value, &element) || is_slice_of_ys(value);
}

/* -- one kernel -------------------------------------------------------- */

static const Node *node_of(const Node *kernel) {
  bool call = ir_int(kernel, ATTR_form) == WORD_call;
  return call && kernel->body->n_nodes == 1 ? kernel->body->nodes[0] : NULL;
}

static bool is_copied(const Node *kernel, const Node *node, int i) {
  if (i < node->n_operands) return lies_strided(node->operands[i]);
  return kernel->n_results > 0 && lies_strided(kernel->results[0]);
}

static int64_t bytes_of(const Node *node, int i) {
  const Value *value =
      i < node->n_operands ? node->operands[i] : node->results[0];
  return aligned(ir_type_bytes(value->type));
}

int64_t whole_copy_at(const Node *kernel, int i) {
  const Node *node = node_of(kernel);
  int64_t at = 0;
  if (node == NULL || !is_copied(kernel, node, i)) return -1;
  for (int k = 0; k < i; k++)
    if (is_copied(kernel, node, k)) at = add(at, bytes_of(node, k));
  return at;
}

int64_t whole_scratch(const Node *kernel) {
  const Node *node = node_of(kernel);
  int64_t bytes = 0;
  if (node == NULL) return product_scratch(kernel);
  if (node->op == OP_sort) {
    int64_t n = node->results[0]->type.dims[ir_int(node, ATTR_dim)];
    if (__builtin_mul_overflow(n, 2 * SORT_ENTRY, &bytes)) return INT64_MAX;
  }
  if (node->op == OP_call)
    for (int i = 0; i <= node->n_operands; i++)
      if (is_copied(kernel, node, i)) bytes = add(bytes, bytes_of(node, i));
  return bytes;
}

/* -- the program ------------------------------------------------------- */

static void grow(int64_t *bytes, const Node *node, const Extents *extents) {
  IntLists at = ir_lists(node, ATTR_at);
  for (int i = 0; i < at.n && i < node->n_results; i++)
    for (int k = 0; k < at.v[i].n; k++) {
      if (at.v[i].v[k] < 0) continue;
      int64_t end =
          add(at.v[i].v[k], ir_extent_bytes(extents, node->results[i]));
      if (end > *bytes) *bytes = end;
    }
}

static void measure(const Block *block, const Extents *extents, int64_t *arena,
                    int64_t *scratch) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    grow(arena, node, extents);
    int64_t own = node->op == OP_kernel ? whole_scratch(node) : 0;
    if (own > *scratch) *scratch = own;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      measure(node->bodies[b], extents, arena, scratch);
  }
}

/* Without memory for the extents whole arrays are counted: enough in any
 * case. */
static void measure_program(const Program *planned, int64_t *arena,
                            int64_t *scratch) {
  Extents extents;
  if (!ir_extents(planned, &extents)) extents = (Extents){0};
  measure(planned->body, &extents, arena, scratch);
  ir_extents_free(&extents);
}

int64_t whole_scratch_start(const Program *planned) {
  int64_t arena = 0, scratch = 0;
  measure_program(planned, &arena, &scratch);
  return aligned(arena);
}

int64_t whole_end(const Program *planned) {
  return aligned(pass_arena_bytes(planned));
}

/* What each thread has of its own: the scratch of a kernel that they share; all
 * places in blocks that they share, and behind them the scratch. */
static int64_t shared_bytes(const Program *planned, const Extents *extents,
                            const Block *block) {
  int64_t most = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool team = ir_ops[node->op].class == WRAPPER && ir_int(node, ATTR_team);
    int64_t own = 0, scratch = 0;
    if (node->op == OP_kernel && team) own = aligned(whole_scratch(node));
    if (node->op == OP_blocks && team) {
      measure(node->body, extents, &own, &scratch);
      own = scratch ? whole_end(planned) : aligned(own);
    }
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
      int64_t inner = shared_bytes(planned, extents, node->bodies[b]);
      if (inner > own) own = inner;
    }
    if (own > most) most = own;
  }
  return most;
}

int64_t pass_thread_bytes(const Program *planned) {
  Extents extents;
  if (!ir_has_team(planned->body)) return 0;
  if (!ir_extents(planned, &extents)) extents = (Extents){0};
  int64_t bytes = shared_bytes(planned, &extents, planned->body);
  ir_extents_free(&extents);
  return bytes;
}

int64_t pass_arena_bytes(const Program *planned) {
  int64_t arena = 0, scratch = 0;
  measure_program(planned, &arena, &scratch);
  return scratch ? add(aligned(arena), scratch) : arena;
}
