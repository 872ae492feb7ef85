/* cost.c: what a planned program costs.
 *
 * Comes in: a program at the kernels stage.  Goes out: for each kernel how
 * often it runs, its floating-point operations and the bytes that it moves in
 * and out (what stays inside a kernel moves nowhere); their sums over one run;
 * the size of the arena, which follows from the places.
 *
 * Operations are those of pass_node_flops (model.h); a while counts as one
 * step, a cond as both of its branches.  Bytes are those of a perfect cache:
 * every element that is needed is read once, every result written once. */
#include <stdlib.h>
#include <string.h>

#include "../ir/blocks.h"
#include "model.h"

/* -- bytes ------------------------------------------------------------- */

static double type_bytes(Type type) { return (double)ir_type_bytes(type); }

/* A slice or a take reads what it yields, not all of its first operand. */
static bool reads_part(const Node *user, const Value *value) {
  return (user->op == OP_slice || user->op == OP_dynamic_slice ||
          user->op == OP_take) &&
         user->operands[0] == value;
}

/* How much of each outer value the nodes of a kernel read.  Kernels are short
 * lists with few captures, so a table by value id, cleared by walking the
 * kernel once more, keeps this linear in the program's size. */
typedef struct Reads {
  double *bytes; /* by value id */
} Reads;

static bool is_outer(const Block *body, const Value *value) {
  return value->block != body && value->block->depth < body->depth;
}

static void add_read(Reads *reads, const Node *user, const Value *value) {
  double whole = type_bytes(value->type), *sum = &reads->bytes[value->id];
  double part = whole;
  if (value->node && value->node->op == OP_constant && value->node->splat)
    return;
  if (reads_part(user, value)) part = type_bytes(user->results[0]->type);
  *sum = *sum + part < whole ? *sum + part : whole;
}

/* What an update in place reads and writes: the last operand but the starts. */
static const Value *updated_part(const Node *update) {
  return update->operands[update->op == OP_scatter_add ? 2 : 1];
}

/* An update in place writes only the window, and the carry is not read. */
static const Node *update_in_place(const Node *kernel, int result) {
  const Node *node = kernel->body->yields[result]->node;
  IntLists at = ir_lists(kernel, ATTR_at);
  bool carried =
      result < at.n && at.v[result].n == 1 && at.v[result].v[0] == PLACE_CARRY;
  if (!carried || !node) return NULL;
  if (node->op != OP_dynamic_update_slice && node->op != OP_scatter_add)
    return NULL;
  return is_outer(kernel->body, node->operands[0]) ? node : NULL;
}

static double kernel_writes(const Node *kernel) {
  double bytes = 0;
  for (int i = 0; i < kernel->n_results; i++) {
    const Node *update = update_in_place(kernel, i);
    Type type = update ? updated_part(update)->type : kernel->results[i]->type;
    bool adds = update && update->op == OP_scatter_add; /* to what is there */
    bytes += type_bytes(type) * (adds ? 2 : 1);
  }
  return bytes;
}

static bool is_updated_here(const Node *kernel, const Node *user, int operand) {
  for (int i = 0; operand == 0 && i < kernel->n_results; i++)
    if (update_in_place(kernel, i) == user) return true;
  return false;
}

static void scan_reads(const Node *kernel, const Block *block, Reads *reads) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_operands; k++)
      if (is_outer(kernel->body, node->operands[k]) &&
          !is_updated_here(kernel, node, k))
        add_read(reads, node, node->operands[k]);
    if (node->body) scan_reads(kernel, node->body, reads);
  }
}

/* Sum the table over what scan_reads touched, and clear it. */
static double take_reads(const Node *kernel, const Block *block, Reads *reads) {
  double bytes = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_operands; k++) {
      if (!is_outer(kernel->body, node->operands[k])) continue;
      bytes += reads->bytes[node->operands[k]->id];
      reads->bytes[node->operands[k]->id] = 0;
    }
    if (node->body) bytes += take_reads(kernel, node->body, reads);
  }
  return bytes;
}

/* A kernel may yield an outer value as it is: a copy. */
static double copied_bytes(const Node *kernel) {
  double bytes = 0;
  for (int i = 0; i < kernel->body->n_yields; i++)
    if (is_outer(kernel->body, kernel->body->yields[i]))
      bytes += type_bytes(kernel->body->yields[i]->type);
  return bytes;
}

/* -- the walk ---------------------------------------------------------- */

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  if (b < 0) b = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static double block_flops(const Block *block) {
  double flops = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_scan)
      flops += (double)pass_scan_length(node) * block_flops(node->body);
    else
      flops += pass_node_flops(node);
  }
  return flops;
}

typedef struct Walk {
  ProgramCost *cost;
  Reads reads;
  int room;
} Walk;

static bool add_kernel(Walk *walk, const Node *kernel, int64_t runs) {
  ProgramCost *cost = walk->cost;
  if (cost->n_kernels == walk->room) {
    int room = walk->room ? 2 * walk->room : 16;
    KernelCost *more =
        realloc(cost->kernels, (size_t)room * sizeof(KernelCost));
    if (!more) return false;
    cost->kernels = more;
    walk->room = room;
  }
  KernelCost *one = &cost->kernels[cost->n_kernels++];
  *one = (KernelCost){.kernel = kernel, .runs = runs};
  scan_reads(kernel, kernel->body, &walk->reads);
  one->bytes =
      take_reads(kernel, kernel->body, &walk->reads) + copied_bytes(kernel);
  one->written = kernel_writes(kernel);
  one->bytes += one->written;
  one->flops = block_flops(kernel->body);
  cost->flops += one->flops * (double)runs;
  cost->bytes += one->bytes * (double)runs;
  cost->n_blas += ir_int(kernel, ATTR_by) == WORD_blas;
  return true;
}

static bool walk_block(Walk *walk, const Block *block, int64_t runs);

/* Kernels in blocks move what the cache holds: what comes from outside is read
 * once, and the results are written once. */
static bool walk_blocks(Walk *walk, const Node *blocks, int64_t runs) {
  double before = walk->cost->bytes, bytes = 0;
  int cut;
  Dims *dims = ir_blocks_classes(blocks, &cut);
  if (dims == NULL || !walk_block(walk, blocks->body, runs)) {
    ir_dims_destroy(dims);
    return false;
  }
  for (int i = 0; i < ir_dims_count(dims); i++) {
    const Value *value = ir_dims_value(dims, i);
    Scalar element;
    if (value->block->depth <= blocks->block->depth &&
        !ir_is_splat(value, &element))
      bytes += type_bytes(value->type);
  }
  for (int i = 0; i < blocks->n_results; i++)
    bytes += type_bytes(blocks->results[i]->type);
  walk->cost->bytes = before + bytes * (double)runs;
  ir_dims_destroy(dims);
  return true;
}

static bool walk_block(Walk *walk, const Block *block, int64_t runs) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool fine = true;
    if (node->op == OP_kernel)
      fine = add_kernel(walk, node, runs);
    else if (node->op == OP_blocks)
      fine = walk_blocks(walk, node, runs);
    else if (node->op == OP_scan)
      fine = walk_block(walk, node->body, times(runs, pass_scan_length(node)));
    else
      for (int b = 0; b < IR_BODIES && node->bodies[b] && fine; b++)
        fine = walk_block(walk, node->bodies[b], runs);
    if (!fine) return false;
  }
  return true;
}

bool pass_cost(const Program *planned, ProgramCost *cost) {
  *cost = (ProgramCost){.arena_bytes = pass_arena_bytes(planned)};
  size_t values = (size_t)planned->n_values + 1;
  Walk walk = {.cost = cost, .reads = {calloc(values, sizeof(double))}};
  bool fine = walk.reads.bytes && walk_block(&walk, planned->body, 1);
  free(walk.reads.bytes);
  if (!fine) pass_cost_free(cost);
  return fine;
}

void pass_cost_free(ProgramCost *cost) {
  free(cost->kernels);
  *cost = (ProgramCost){0};
}
