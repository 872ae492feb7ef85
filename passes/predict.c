/* predict.c: how many cycles a planned program takes.
 *
 * Comes in: a planned program, its cost (cost.c), a machine.  Goes out: cycles
 * and what binds them, for each kernel and for a run of the whole.
 *
 * A kernel takes the greatest of what its arithmetic, its functions and its
 * bytes take.  In a loop the steps wait for each other through the carries: a
 * step takes no less than its longest chain of operations from a carry to the
 * next one, for which every value gets the cycle at which it is known.
 *
 *   scan carry(c)                    known at      work
 *     p = kernel { mul c, a; add b }  0 + 3 + 3 + 8   2   (8: through memory)
 *     q = kernel { div p, c }         14 + 13 + 8     5
 *   a step: max(7 of work, 35 of waiting) = 35, bound by latency
 *
 * Here a vector operation takes half a cycle of work, but three or four until
 * its result is there.  Numbers of this kind are about the same on all cores
 * of the last ten years; those that hang on how code is generated today are in
 * predict_nodes.c. */
#include <assert.h>
#include <stdlib.h>

#include "../ir/blocks.h"
#include "model.h"

enum { BLAS_CALL = 250 };               /* to and from a library */
static const double blas_share = 0.85;  /* of the peak */
static const double packed_share = 0.7; /* of the peak */
static const double forward = 8;        /* from a store to the load of it */

const char *const pass_bound_names[] = {
    "arithmetic", "functions", "L1", "L2", "L3", "memory", "latency",
};

typedef struct Walk {
  Hardware machine, team; /* one thread of it; all */
  int threads;
  ProgramCost *cost;
  double *known; /* by value id: its cycle in the step; -1: always known */
  int next;      /* kernel of cost */
} Walk;

static double most(double a, double b) { return a > b ? a : b; }

/* -- chains ------------------------------------------------------------ */

/* When the operands are known that hang on the step of the loop at `depth`;
 * -1: none does. */
static double operands_known(const Walk *walk, const Node *node, int depth) {
  double at = -1;
  for (int i = 0; i < node->n_operands; i++)
    if (node->operands[i]->block->depth >= depth)
      at = most(at, walk->known[node->operands[i]->id]);
  return at;
}

static double yields_known(const Walk *walk, const Block *block, int n,
                           int depth) {
  double at = -1;
  for (int i = 0; i < n; i++)
    if (block->yields[i]->block->depth >= depth)
      at = most(at, walk->known[block->yields[i]->id]);
  return at;
}

static void set_known(Walk *walk, const Node *node, double at) {
  for (int i = 0; i < node->n_results; i++)
    walk->known[node->results[i]->id] = at;
}

/* -- blocks ------------------------------------------------------------ */

typedef struct Time {
  double work, calls; /* cycles of arithmetic, and of functions besides */
  double waits;       /* those of both in which a loop waits for its chain */
} Time;

static Time loop_time(Walk *walk, const Node *scan);

/* The nodes of a kernel, or of a loop that is in one: their work; their
 * chains go into known[]. */
static Time inner_time(Walk *walk, const Block *block, int depth) {
  Time sum = {0};
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    Time time = {0};
    double at = operands_known(walk, node, depth);
    if (node->op == OP_scan) {
      time = loop_time(walk, node);
      at = at < 0 ? at : at + time.work + time.calls;
    } else {
      for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
        Time body = inner_time(walk, node->bodies[b], depth);
        time.work += body.work;
        time.calls += body.calls;
        time.waits += body.waits;
      }
      if (node->n_results == 0) continue;
      time.work += pass_node_work(&walk->machine, node, &time.calls);
      if (at >= 0) at += pass_node_latency(&walk->machine, node);
    }
    set_known(walk, node, at);
    sum.work += time.work;
    sum.calls += time.calls;
    sum.waits += time.waits;
  }
  return sum;
}

static void start_step(Walk *walk, const Node *loop, const Block *body) {
  for (int i = 0; i < body->n_params; i++)
    walk->known[body->params[i]->id] =
        loop->op == OP_while || i < loop->n_carries ? 0 : -1;
}

/* A loop in registers: no step is shorter than its chain. */
static Time loop_time(Walk *walk, const Node *scan) {
  double length = (double)pass_scan_length(scan);
  start_step(walk, scan, scan->body);
  Time step = inner_time(walk, scan->body, scan->body->depth);
  double chain =
      yields_known(walk, scan->body, scan->n_carries, scan->body->depth);
  if (chain > step.work + step.calls) {
    step.work = chain - step.calls;
    step.waits = chain;
  }
  step.work = most(step.work, 1);
  return (Time){step.work * length, step.calls * length, step.waits * length};
}

/* BLAS and packed tiles run near the peak. */
static double fast_product(const Walk *walk, const Node *kernel) {
  bool blas = ir_int(kernel, ATTR_by) == WORD_blas;
  double cycles = 0;
  for (int i = 0; i < kernel->body->n_nodes; i++) {
    const Node *node = kernel->body->nodes[i];
    if (node->op != OP_einsum) continue;
    double f64 = (double)ir_dtype_bytes(node->results[0]->type.dtype) / 8;
    double peak = walk->machine.flops * (blas ? blas_share : packed_share);
    cycles += pass_node_flops(node) * f64 / peak + (blas ? BLAS_CALL : 0);
    double none = 0;
    cycles -= pass_node_work(&walk->machine, node, &none);
  }
  return cycles;
}

static double kernel_move(const Walk *walk, const KernelCost *k, double touched,
                          Bound *bound) {
  const Hardware *machine =
      ir_int(k->kernel, ATTR_team) ? &walk->team : &walk->machine;
  int level = pass_level(machine, touched);
  *bound = (Bound)(BOUND_L1 + level);
  /* Some of what is written to memory is read before. */
  double bytes = k->bytes + (level == 3 ? 0.25 * k->written : 0);
  return pass_move_cycles(machine, bytes, touched);
}

/* How long a kernel keeps the core busy; when its results are known. */
static double kernel_time(Walk *walk, const Node *kernel, int depth,
                          double touched) {
  KernelCost *k = &walk->cost->kernels[walk->next++];
  assert(k->kernel == kernel); /* cost.c walks in the same order */
  Time time = inner_time(walk, kernel->body, depth);
  if (ir_int(kernel, ATTR_by) == WORD_blas ||
      ir_int(kernel, ATTR_by) == WORD_packed)
    time.work += fast_product(walk, kernel);
  double compute = time.work + time.calls;
  if (ir_int(kernel, ATTR_team)) compute /= walk->threads;
  double move = kernel_move(walk, k, touched, &k->bound);
  k->cycles = most(most(compute, move), 2);
  if (compute >= move)
    k->bound = time.waits > compute / 2 ? BOUND_LATENCY
               : time.calls > time.work ? BOUND_FUNCTIONS
                                        : BOUND_ARITHMETIC;
  double busy = k->cycles;
  for (int i = 0; i < kernel->n_results; i++) {
    const Value *yield = kernel->body->yields[i];
    double at = yield->block->depth >= depth ? walk->known[yield->id] : -1;
    walk->known[kernel->results[i]->id] = at < 0 ? at : at + forward;
  }
  return busy;
}

/* Where its chain is longer than its work, a kernel in a loop waits. */
static void note_wait(Walk *walk, KernelCost *k, double start, double busy) {
  double end = -1;
  for (int i = 0; i < k->kernel->n_results; i++)
    end = most(end, walk->known[k->kernel->results[i]->id]);
  if (end < 0) return;
  double wait = end - most(start, 0);
  if (wait > k->cycles) {
    k->cycles = wait;
    k->bound = BOUND_LATENCY;
  }
  end = most(end, most(start, 0) + busy);
  for (int i = 0; i < k->kernel->n_results; i++)
    if (walk->known[k->kernel->results[i]->id] >= 0)
      walk->known[k->kernel->results[i]->id] = end;
}

/* When what a kernel reads from its own step is known. */
static double captured_known(const Walk *walk, const Block *body,
                             const Block *step) {
  double at = yields_known(walk, body, body->n_yields, step->depth);
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int k = 0; k < node->n_operands; k++)
      if (node->operands[k]->block == step)
        at = most(at, walk->known[node->operands[k]->id]);
  }
  return at;
}

static bool is_within(const Block *inner, const Block *block) {
  while (inner->depth > block->depth) inner = inner->owner->block;
  return inner == block;
}

/* What the kernels of a block that comes now touch, once each: they are the
 * next ones of the list. */
static double block_bytes(const Walk *walk, const Block *block) {
  const ProgramCost *cost = walk->cost;
  double bytes = 0;
  for (int i = walk->next; i < cost->n_kernels; i++) {
    if (!is_within(cost->kernels[i].kernel->block, block)) break;
    bytes += cost->kernels[i].bytes;
  }
  return bytes;
}

static double block_time(Walk *walk, const Block *block, const Node *loop,
                         Bound *bound);

/* Of what is touched inside of blocks, the part that is there at a time. */
static double part_at_a_time(const Block *block) {
  const Node *blocks = ir_blocks_around(block);
  int64_t extent = blocks ? ir_blocks_extent(blocks) : 0;
  if (extent == 0) return 1;
  return (double)ir_blocks_size(blocks) / (double)extent;
}

/* Blocks: what is in them, and once the way in and out of what they cut: about
 * as much is read as is written. */
static double blocks_time(const Walk *walk, const Node *blocks, double inside) {
  double bytes = 0;
  bool team = ir_int(blocks, ATTR_team) != 0;
  for (int i = 0; i < blocks->n_results; i++)
    bytes += 2 * (double)ir_type_bytes(blocks->results[i]->type);
  const Hardware *machine = team ? &walk->team : &walk->machine;
  return inside / (team ? walk->threads : 1) +
         pass_move_cycles(machine, bytes, bytes);
}

/* A node that is no kernel: its bodies, as often as they run. */
static double control_time(Walk *walk, const Node *node, Bound *bound) {
  double cycles = 0;
  bool loops = node->op == OP_scan || node->op == OP_while;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    cycles += block_time(walk, node->bodies[b], loops ? node : NULL, bound);
  if (node->op == OP_blocks) return blocks_time(walk, node, cycles);
  return node->op == OP_scan ? cycles * (double)pass_scan_length(node) : cycles;
}

/* One step of a loop, or a branch, or the program; *bound: what binds most of
 * it. */
static double block_time(Walk *walk, const Block *block, const Node *loop,
                         Bound *bound) {
  double busy = 0, longest = -1;
  double touched = block_bytes(walk, block) * part_at_a_time(block);
  if (loop) start_step(walk, loop, block);
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    Bound own = BOUND_ARITHMETIC;
    double cycles = 0;
    if (node->op == OP_kernel) {
      double start = captured_known(walk, node->body, block);
      int at = walk->next;
      cycles = kernel_time(walk, node, block->depth, touched);
      if (loop) note_wait(walk, &walk->cost->kernels[at], start, cycles);
      own = walk->cost->kernels[at].bound;
    } else if (node->bodies[0]) {
      double start = operands_known(walk, node, block->depth);
      cycles = control_time(walk, node, &own);
      set_known(walk, node, start < 0 ? start : start + cycles);
    }
    busy += cycles;
    if (cycles > longest) *bound = own;
    longest = most(longest, cycles);
  }
  if (loop == NULL) return busy;
  int n = loop->op == OP_scan ? loop->n_carries : block->n_yields;
  double chain = yields_known(walk, block, n, block->depth);
  if (chain > busy) *bound = BOUND_LATENCY;
  return most(most(busy, chain), 1);
}

bool pass_predict(const Program *planned, const Hardware *hardware, int threads,
                  ProgramCost *cost) {
  size_t values = (size_t)planned->n_values + 1;
  Walk walk = {.machine = pass_machine(hardware),
               .team = pass_team(hardware, threads),
               .threads = threads < 1 ? 1 : threads,
               .cost = cost};
  walk.known = malloc(values * sizeof *walk.known);
  if (walk.known == NULL) return false;
  for (size_t i = 0; i < values; i++) walk.known[i] = -1;
  cost->bound = BOUND_ARITHMETIC;
  cost->cycles = block_time(&walk, planned->body, NULL, &cost->bound);
  free(walk.known);
  return true;
}
