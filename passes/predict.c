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
 * of the last ten years; those that hang on how code is generated today stand
 * together below. */
#include <stdlib.h>

#include "model.h"

/* -- what generated code takes ----------------------------------------- */

enum {
  TILE_ROWS = 4,    /* of a contraction, inline */
  TILE_COLUMNS = 2, /* vectors of one */
  UNROLLED = 64,    /* operations: no loops, all tiles are in flight */
  BLAS_CALL = 250,  /* to and from a library */
};
static const double unit = 0.5;         /* a vector operation; two units */
static const double blas_share = 0.85;  /* of the peak */
static const double packed_share = 0.7; /* of the peak */
static const double part = 2.4; /* an element of concatenate, pad: it asks where
                                 it is */
static const double gathered = 1.5;     /* an element that is no neighbour */
static const double drawn = 30;         /* an element of random numbers */
static const double compared = 8;       /* an element of sort, each level */
static const double forward = 8;        /* from a store to the load of it */
static const double row = 4;            /* ends of a loop */
static const double inline_share = 0.6; /* of what a tile could do */

/* Functions of one element, called lane by lane: what a call takes, which is
 * also its latency.  An element's share of a call that computes several at once
 * would be less; call_share says so. */
static const double call_share = 1;
static const double function_cycles[OP_COUNT] = {
    [OP_exp] = 24,   [OP_exp2] = 17,  [OP_expm1] = 25, [OP_log] = 20,
    [OP_log1p] = 26, [OP_rsqrt] = 14, [OP_cbrt] = 77,  [OP_sin] = 31,
    [OP_cos] = 30,   [OP_tan] = 33,   [OP_asin] = 39,  [OP_acos] = 27,
    [OP_atan] = 31,  [OP_sinh] = 42,  [OP_cosh] = 51,  [OP_tanh] = 47,
    [OP_asinh] = 43, [OP_acosh] = 54, [OP_atanh] = 41, [OP_logistic] = 28,
    [OP_erf] = 20,   [OP_erfc] = 30,  [OP_pow] = 50,   [OP_atan2] = 60,
};

/* Work of slow arithmetic, a vector, and cycles until its result is there. */
static double slow_work(Op op) {
  return op == OP_div ? 6 : op == OP_sqrt ? 9 : op == OP_rem ? 25 : unit;
}

static double slow_latency(Op op) {
  return op == OP_div ? 13 : op == OP_sqrt ? 18 : op == OP_rem ? 30 : 3;
}

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

/* -- the work of nodes ------------------------------------------------- */

static double elements(Type type) { return (double)ir_type_elements(type); }

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* Elements of a type in one operation: vectors where the last dim fills one. */
static double lanes_of(const Walk *walk, Type type) {
  double width = walk->machine.vector / (double)ir_dtype_bytes(type.dtype);
  if (width > 16) width = 16;
  double last = type.rank ? (double)type.dims[type.rank - 1] : 1;
  return width >= 1 && last >= width ? width : 1;
}

/* Does label lie at neighbours, or nowhere, in every term? */
static bool is_unit(const Einsum *e, int label) {
  for (int t = 0; t < e->n_terms; t++) {
    int64_t stride = 1;
    for (int d = e->rank[t] - 1; d >= 0; d--) {
      if (e->term[t][d] == label && stride > 1) return false;
      stride *= e->size[e->term[t][d]];
    }
  }
  return true;
}

static double summed(const Einsum *e) {
  double terms = 1;
  for (int l = 0; l < e->n_labels; l++)
    if (!e->in_out[l]) terms *= (double)e->size[l];
  return terms;
}

/* The longest dim that is summed and can run in vectors; 0: none. */
static double vector_sum(const Einsum *e, double width) {
  double longest = 0;
  for (int l = 0; l < e->n_labels; l++)
    if (!e->in_out[l] && is_unit(e, l) && (double)e->size[l] >= width)
      longest = most(longest, (double)e->size[l]);
  return longest;
}

/* A tile of results at once, each a chain of multiply-adds: bound by the
 * units, by the loads or by the chains. */
static double einsum_work(const Walk *walk, const Node *node) {
  Einsum e;
  ir_einsum_read(node, &e);
  Type type = node->results[0]->type;
  double width = walk->machine.vector / (double)ir_dtype_bytes(type.dtype);
  double results = elements(type), terms = summed(&e), join = 0;
  int last = e.out_rank ? e.out[e.out_rank - 1] : -1;
  double lanes = lanes_of(walk, type), columns = 1, loads = 0;
  bool along = lanes > 1 && is_unit(&e, last);
  if (!along && vector_sum(&e, width) > 0) {
    lanes = 1; /* of results; the sum runs in vectors */
    terms = terms / width + 1;
    join = 4;
  } else if (lanes > 1) {
    columns = (double)type.dims[type.rank - 1] >= 2 * lanes ? TILE_COLUMNS : 1;
    loads = along ? 0 : lanes * gathered;
  }
  double vectors = results / lanes;
  double rows = most(1, least(TILE_ROWS, vectors / columns));
  double points = rows * columns, tiles = most(1, vectors / points);
  double trip = most(points * unit, (rows + columns) * unit) + loads;
  if (tiles * points * terms <= UNROLLED) return tiles * terms * trip;
  double chain = join > 0 ? 2 : 4; /* two vectors of a sum are in flight */
  return tiles * (terms * most(chain, trip) / inline_share + join * rows + row);
}

static double reduce_work(const Walk *walk, const Node *node) {
  Type x = node->operands[0]->type, type = node->results[0]->type;
  double lanes = most(lanes_of(walk, x), lanes_of(walk, type));
  double terms = elements(x) / most(1, elements(type));
  double chain = terms > 16 ? 2 : unit; /* two vectors are in flight */
  return elements(x) / lanes * chain + row;
}

static double whole_work(const Node *node) {
  if (node->op == OP_call || node->n_operands == 0) return 0;
  double n = elements(node->operands[node->n_operands - 1]->type), levels = 1;
  if (node->op != OP_sort) return n * 4;
  for (double left = n; left > 1; left /= 2) levels++;
  return n * levels * compared;
}

/* Functions apart: *calls. */
static double node_work(const Walk *walk, const Node *node, double *calls) {
  if (node->n_results == 0) return 0;
  Type type = node->results[0]->type;
  switch (ir_ops[node->op].class) {
    case ELEMENTWISE:
      *calls += elements(type) * function_cycles[node->op] * call_share;
      if (function_cycles[node->op] > 0) return 0;
      return elements(type) / lanes_of(walk, type) * slow_work(node->op);
    case REDUCE:
      return reduce_work(walk, node);
    case EINSUM:
      return einsum_work(walk, node);
    case RANDOM:
      *calls += elements(type) * drawn;
      return 0;
    case WHOLE:
      return whole_work(node);
    case INDEXED:
      return elements(type) * gathered;
    case VIEW:
      if (node->op == OP_concatenate || node->op == OP_pad)
        return elements(type) * part;
      return node->op == OP_transpose ? elements(type) * gathered : 0;
    default:
      return 0;
  }
}

/* -- chains ------------------------------------------------------------ */

static double node_latency(const Walk *walk, const Node *node) {
  Type type = node->results[0]->type;
  double terms;
  Einsum e;
  switch (ir_ops[node->op].class) {
    case ELEMENTWISE:
      if (!ir_is_float(type.dtype)) return 1;
      return most(function_cycles[node->op], slow_latency(node->op));
    case EINSUM:
      ir_einsum_read(node, &e);
      terms = summed(&e);
      if (terms > 1 && lanes_of(walk, type) == 1) terms = least(terms, 16);
      return 4 * terms;
    case REDUCE:
      terms = elements(node->operands[0]->type) / most(1, elements(type));
      return 3 * least(terms, 16);
    case INDEXED:
      return 5;
    case RANDOM:
      return drawn;
    default:
      return 0;
  }
}

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
  double work, calls; /* cycles of arithmetic, and of functions in them */
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
      }
      if (node->n_results == 0) continue;
      time.work += node_work(walk, node, &time.calls);
      if (at >= 0) at += node_latency(walk, node);
    }
    set_known(walk, node, at);
    sum.work += time.work;
    sum.calls += time.calls;
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
  step.work = most(most(step.work, chain - step.calls), 1);
  return (Time){step.work * length, step.calls * length};
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
    cycles -= node_work(walk, node, &none);
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
  Time time = inner_time(walk, kernel->body, depth);
  if (ir_int(kernel, ATTR_by) == WORD_blas ||
      ir_int(kernel, ATTR_by) == WORD_packed)
    time.work += fast_product(walk, kernel);
  double compute = time.work + time.calls;
  if (ir_int(kernel, ATTR_team)) compute /= walk->threads;
  double move = kernel_move(walk, k, touched, &k->bound);
  k->cycles = most(most(compute, move), 2);
  if (compute >= move)
    k->bound = time.calls > time.work ? BOUND_FUNCTIONS : BOUND_ARITHMETIC;
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

/* A node that is no kernel: its bodies, as often as they run. */
static double control_time(Walk *walk, const Node *node, Bound *bound) {
  double cycles = 0;
  bool loops = node->op == OP_scan || node->op == OP_while;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    cycles += block_time(walk, node->bodies[b], loops ? node : NULL, bound);
  return node->op == OP_scan ? cycles * (double)pass_scan_length(node) : cycles;
}

/* One step of a loop, or a branch, or the program; *bound: what binds most of
 * it. */
static double block_time(Walk *walk, const Block *block, const Node *loop,
                         Bound *bound) {
  double busy = 0, longest = -1;
  double touched = block_bytes(walk, block);
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
