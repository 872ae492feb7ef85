/* team.c: which kernels the team shares, and in what tiles.
 *
 * Comes in: kernels, and for each by what its product is made.  Goes out:
 * tiles. A kernel is dealt along one dim of its results, in tiles that depend
 * on its shape alone, so that results do not depend on how many threads there
 * are. It is dealt where half of what it takes is well above what two meetings
 * cost, and only in programs that run long enough to wake the threads for.
 *
 * The dim: the first that gives enough tiles, else the one that gives most.  A
 * tile holds whole cache lines of every result, and whole vectors.  A BLAS call
 * packs its operands anew for each tile, so its tiles are few and large; the
 * packed kernel does once for what a thread has, which are rows (or a batch),
 * unless there is only one. */
#include "team.h"

#include <stdlib.h>

#include "../ir/blocks.h"
#include "gemm.h"
#include "model.h"
#include "product.h"

/* A meeting costs about a hundred nanoseconds, waking a thread tens of
 * microseconds; both in cycles, with a wide margin. */
static const double least_kernel = 40e3, least_program = 400e3;
enum {
  MOST_TILES = 256,
  ENOUGH_TILES = 16,
  LINE_ELEMENTS = 64, /* whole lines of the narrowest dtype, whole vectors */
  SUM_ELEMENTS = 16,  /* where each element is a long sum */
  BLAS_TILES = 4,
  BLAS_ROWS = 64, /* at least, in a tile */
  FUNCTION_FLOPS = 16,
  RANDOM_FLOPS = 32
};

/* -- work -------------------------------------------------------------- */

/* What the count of operations leaves out: functions and draws take long. */
static double more_flops(const Node *kernel) {
  double flops = 0;
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    const Node *node = kernel->body->nodes[i];
    OpClass class = ir_ops[node->op].class;
    double elements = (double)ir_type_elements(node->results[0]->type);
    if (class == ELEMENTWISE && ir_ops[node->op].flags & DEAR)
      flops += FUNCTION_FLOPS * elements;
    if (class == RANDOM) flops += RANDOM_FLOPS * elements;
  }
  return flops;
}

static double cycles_of(const KernelCost *cost, const Options *options) {
  double flops = cost->flops + more_flops(cost->kernel);
  return pass_cycles(&options->hardware, flops, cost->bytes, cost->bytes);
}

/* -- tiles ------------------------------------------------------------- */

static bool holds_sum(const Node *kernel) {
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    OpClass class = ir_ops[kernel->body->nodes[i]->op].class;
    if (class == REDUCE || class == EINSUM) return true;
  }
  return false;
}

static int64_t inner_of(Type type, int dim) {
  int64_t inner = 1;
  for (int d = dim + 1; d < type.rank; d++) inner *= type.dims[d];
  return inner;
}

static int64_t up(int64_t a, int64_t b) { return (a - 1) / b + 1; }

/* The least tile along a dim. */
static int64_t granule(const Node *kernel, int dim, const Options *options) {
  Type type = kernel->results[0]->type;
  bool last = dim == type.rank - 1 && type.rank > 1;
  int64_t elements = holds_sum(kernel) && !last ? SUM_ELEMENTS : LINE_ELEMENTS;
  return options->deal_all ? 1 : up(elements, inner_of(type, dim));
}

/* The dim to deal; -1: none has two tiles. */
static int dim_to_deal(const Node *kernel, const Options *options) {
  Type type = kernel->results[0]->type;
  int best = -1;
  int64_t most = 1;
  for (int d = 0; d < type.rank; d++) {
    int64_t tiles = up(type.dims[d], granule(kernel, d, options));
    if (tiles > most) {
      best = d;
      most = tiles;
    }
    if (most >= ENOUGH_TILES) break;
  }
  return best;
}

/* The first dim that is not 1: a batch, or the outermost rows (or columns). */
static int dim_of_product(Type type) {
  int dim = 0;
  while (dim < type.rank && type.dims[dim] == 1) dim++;
  return dim < type.rank ? dim : -1;
}

static bool leads_batch(const Node *kernel, int dim) {
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    const Node *node = kernel->body->nodes[i];
    if (node->op != OP_einsum) continue;
    Einsum e;
    bool in[2] = {false, false};
    ir_einsum_read(node, &e);
    for (int t = 0; t < 2; t++)
      for (int d = 0; d < e.rank[t]; d++) in[t] |= e.term[t][d] == e.out[dim];
    return in[0] && in[1];
  }
  return false;
}

static int64_t product_tile(const Node *kernel, int dim, Word by,
                            const Options *options) {
  Type type = kernel->results[0]->type;
  int64_t size = type.dims[dim];
  bool columns = by == WORD_packed && dim == type.rank - 1;
  if (!columns && (leads_batch(kernel, dim) || options->deal_all))
    return up(size, MOST_TILES);
  int64_t tile = up(size, by == WORD_blas ? BLAS_TILES : ENOUGH_TILES);
  int64_t least = by == WORD_blas ? BLAS_ROWS : SUM_ELEMENTS;
  if (columns) return PRODUCT_MOST_COLUMNS * up(tile, PRODUCT_MOST_COLUMNS);
  return tile > least ? tile : least;
}

/* Is it one update of an array in memory?  Written in place it writes a window
 * only, wherever that may be. */
static bool is_update(const Node *kernel) {
  const Node *node = kernel->body->yields[0]->node;
  return node && node->block == kernel->body &&
         node->op == OP_dynamic_update_slice;
}

static bool has_one_shape(const Node *kernel) {
  for (int i = 1; i < kernel->n_results; i++)
    if (!ir_shape_equal(kernel->results[i]->type, kernel->results[0]->type))
      return false;
  return kernel->n_results > 0;
}

static const char *no_tiles(const Node *kernel) {
  int64_t form = ir_int(kernel, ATTR_form);
  if (form == WORD_call || form == WORD_loop) return "its kind has no tiles";
  if (ir_blocks_around(kernel->block)) return "its block is one thread's";
  if (!has_one_shape(kernel)) return "its results differ in shape";
  if (ir_type_elements(kernel->results[0]->type) == 0) return "it is empty";
  if (is_update(kernel)) return "it updates a part in place";
  return NULL;
}

/* Inside a branch, where the team would have to meet before each predicate,
 * often for nothing? */
static bool is_conditional(const Node *kernel) {
  const Node *owner = kernel->block->owner;
  for (; owner; owner = owner->block->owner)
    if (owner->op == OP_cond) return true;
  return false;
}

static const char *choose_tile(const KernelCost *cost, bool pays, Word by,
                               const Options *options, int64_t *tile) {
  const Node *kernel = cost->kernel;
  const char *why = no_tiles(kernel);
  if (why) return why;
  Type type = kernel->results[0]->type;
  if (!options->deal_all) {
    if (cycles_of(cost, options) < least_kernel) return "too small to share";
    if (is_conditional(kernel)) return "it may not run";
    if (!pays) return "the program is over before threads wake";
  }
  bool product = by == WORD_blas || by == WORD_packed;
  int dim = product ? dim_of_product(type) : dim_to_deal(kernel, options);
  if (dim < 0) return "no dim is long enough to share";
  for (int d = 0; d < type.rank; d++) tile[d] = type.dims[d];
  int64_t least = granule(kernel, dim, options);
  tile[dim] = product ? product_tile(kernel, dim, by, options)
                      : least * up(type.dims[dim], least * MOST_TILES);
  return tile[dim] < type.dims[dim] ? NULL : "no dim is long enough to share";
}

/* -- the program ------------------------------------------------------- */

static bool is_large(const KernelCost *cost, const Options *options) {
  return no_tiles(cost->kernel) == NULL && !is_conditional(cost->kernel) &&
         cycles_of(cost, options) >= least_kernel;
}

/* -- blocks ------------------------------------------------------------ */

static double runs_of(const Node *blocks) {
  double runs = 1;
  const Node *owner = blocks->block->owner;
  for (; owner; owner = owner->block->owner)
    if (owner->op == OP_scan) runs *= (double)pass_scan_length(owner);
  return runs;
}

/* Cycles of all runs of what is inside. */
static double blocks_cycles(const ProgramCost *cost, const Node *blocks,
                            const Options *options) {
  double total = 0;
  for (int i = 0; i < cost->n_kernels; i++) {
    const KernelCost *k = &cost->kernels[i];
    if (ir_blocks_around(k->kernel->block) == blocks)
      total += cycles_of(k, options) * (double)k->runs;
  }
  return total;
}

static bool blocks_are_large(const ProgramCost *cost, const Node *blocks,
                             const Options *options) {
  if (ir_blocks_extent(blocks) < 2 * ir_blocks_size(blocks) ||
      is_conditional(blocks))
    return false;
  if (options->deal_all) return true;
  double total = blocks_cycles(cost, blocks, options);
  return total >= least_program && total >= least_kernel * runs_of(blocks);
}

bool team_blocks(const TeamPlan *plan, const Node *blocks,
                 const Options *options) {
  return blocks_are_large(&plan->cost, blocks, options);
}

static bool pays_at_all(const ProgramCost *cost, const Options *options) {
  double total = 0;
  for (int i = 0; i < cost->n_kernels; i++)
    if (is_large(&cost->kernels[i], options))
      total +=
          cycles_of(&cost->kernels[i], options) * (double)cost->kernels[i].runs;
  return total >= least_program;
}

bool team_plan_begin(TeamPlan *plan, const Program *program,
                     const Options *options) {
  *plan = (TeamPlan){.pays = false};
  size_t nodes = (size_t)program->n_nodes + 1;
  plan->cost_of = calloc(nodes, sizeof *plan->cost_of);
  if (plan->cost_of == NULL || !pass_cost(program, &plan->cost)) return false;
  for (int i = 0; i < plan->cost.n_kernels; i++)
    plan->cost_of[plan->cost.kernels[i].kernel->id] = &plan->cost.kernels[i];
  plan->pays = pays_at_all(&plan->cost, options);
  return true;
}

const char *team_tile(const TeamPlan *plan, const Node *kernel, Word by,
                      const Options *options, int64_t *tile) {
  const KernelCost *cost = plan->cost_of[kernel->id];
  return cost ? choose_tile(cost, plan->pays, by, options, tile)
              : "its cost is not known";
}

const char *pass_team_reason(const ProgramCost *cost, const KernelCost *kernel,
                             const Options *options) {
  int64_t tile[IR_MAX_RANK];
  Word by = (Word)ir_int(kernel->kernel, ATTR_by);
  if (ir_int(kernel->kernel, ATTR_team)) return NULL;
  const char *why =
      choose_tile(kernel, pays_at_all(cost, options), by, options, tile);
  return why ? why : "it came with a schedule of its own";
}

void team_plan_end(TeamPlan *plan) {
  pass_cost_free(&plan->cost);
  free(plan->cost_of);
}
