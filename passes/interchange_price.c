/* interchange_price.c: what a scan takes as it is, and in blocks of which size.
 *
 * Comes in: a scan, its dim classes, and the class to cut.  Goes out: the size
 * of a block, 0 if none pays, and the cycles that were compared.
 *
 * Elementwise work and views are taken to fuse: they cost operations.  Bytes
 * that move at every step: carries, twice; what is read from outside; what a
 * sum or an indexed op makes, twice.  Where they come from is up to what the
 * loop touches: all of it as the scan is, one part of what is cut and all of
 * the rest in blocks.  xs and ys move once in either case, and add to neither.
 *
 * Small systems.  Ops on [4096,3] that are more than plain arithmetic compute
 * vectors along the last dim: of 3 elements there is none, and they go one by
 * one; of 8 there are too few to hide what each waits for.  In blocks the dim
 * that is cut can be made the innermost, [3,64], and all lanes work. */
#include "interchange.h"

enum { DEAR_FLOPS = 20, LOOP_CYCLES = 24, ROW_CYCLES = 8, LINE = 64 };

/* Of one step.  [1]: of values that are cut, [0]: of all others. */
typedef struct Step {
  double flops[2], moved[2], touched[2];
  double slow;   /* of flops[1], what it costs more without long rows */
  int n_heavy;   /* loops that a step is made of, about */
  double rows;   /* and what they have besides the dim that is cut */
  size_t widest; /* bytes of an element */
} Step;

typedef struct Price {
  const Node *scan;
  Dims *dims;
  int cut;
  double extent;
  int64_t lanes; /* of f64, about */
  Step step;
} Price;

/* -- operations and bytes ---------------------------------------------- */

static double einsum_flops(const Node *node) {
  Einsum e;
  double work = 1;
  ir_einsum_read(node, &e);
  for (int i = 0; i < e.n_labels; i++) work *= (double)e.size[i];
  return work * 2 * (e.n_terms > 2 ? e.n_terms - 1 : 1);
}

static double elements(const Value *value) {
  return (double)ir_type_elements(value->type);
}

static double node_flops(const Node *node) {
  const Value *result = node->results[0];
  bool dear = ir_ops[node->op].flags & DEAR;
  switch (ir_ops[node->op].class) {
    case EINSUM:
      return einsum_flops(node);
    case REDUCE:
      return elements(node->operands[0]);
    case WHOLE:
      return elements(node->operands[0]) * DEAR_FLOPS;
    case ELEMENTWISE:
    case RANDOM:
    case INDEXED:
      return elements(result) * (dear ? DEAR_FLOPS : 1);
    default:
      return 0;
  }
}

static int is_cut(const Price *price, const Value *value) {
  return ir_dims_of(price->dims, value, price->cut) >= 0;
}

static bool is_heavy(const Node *node) {
  OpClass class = ir_ops[node->op].class;
  return class == REDUCE || class == EINSUM || class == INDEXED ||
         class == WHOLE;
}

/* By how much an op is slower than with long rows: the last dim, not the one
 * that is cut, is too short for vectors, or for several in flight. */
static double slowness(const Price *price, const Value *value) {
  int last = value->type.rank - 1;
  if (!is_cut(price, value) || last < 0 ||
      ir_dims_of(price->dims, value, price->cut) == last)
    return 1;
  if (value->type.dims[last] < price->lanes) return (double)price->lanes;
  return value->type.dims[last] < 4 * price->lanes ? 2 : 1;
}

static void add_bytes(Price *price, const Value *value, double times) {
  double bytes = (double)ir_type_bytes(value->type);
  int cut = is_cut(price, value);
  price->step.moved[cut] += bytes * times;
  price->step.touched[cut] += bytes;
}

static void add_block(Price *price, const Block *block, double runs);

static double trips(const Node *node) {
  return node->op == OP_scan ? (double)ir_int(node, ATTR_length) : 1;
}

static void add_node(Price *price, const Node *node, double runs) {
  Step *step = &price->step;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    add_block(price, node->bodies[b], runs * trips(node));
  if (node->n_results == 0) return;
  const Value *result = node->results[0];
  int cut = is_cut(price, result);
  double flops = node_flops(node) * runs;
  step->flops[cut] += flops;
  step->slow += flops * (slowness(price, result) - 1);
  size_t width = ir_dtype_bytes(result->type.dtype);
  if (width > step->widest) step->widest = width;
  if (is_heavy(node)) {
    step->n_heavy++;
    if (cut) step->rows += elements(result) / price->extent;
    add_bytes(price, result, 2 * runs);
  }
  for (int i = 0; node->op == OP_scan && i < node->n_carries; i++)
    add_bytes(price, node->results[i], 2 * runs * trips(node));
}

static void add_block(Price *price, const Block *block, double runs) {
  for (int i = 0; i < block->n_nodes; i++)
    add_node(price, block->nodes[i], runs);
}

/* Does the step do no more than arithmetic at one index?  Then it is one loop,
 * in place. */
static bool is_plain(const Block *body) {
  for (int i = 0; i < body->n_nodes; i++) {
    OpClass class = ir_ops[body->nodes[i]->op].class;
    if (class != ELEMENTWISE && class != LEAF) return false;
  }
  return true;
}

static void add_edges(Price *price, const Node *scan) {
  bool plain = is_plain(scan->body);
  for (int i = 0; i < scan->n_carries; i++) {
    add_bytes(price, scan->operands[i], 2);
    if (!plain)
      price->step.touched[is_cut(price, scan->operands[i])] +=
          (double)ir_type_bytes(scan->operands[i]->type);
  }
  for (int i = 0; i < ir_dims_count(price->dims); i++) {
    const Value *value = ir_dims_value(price->dims, i);
    Scalar element;
    bool outside = value->block->depth <= scan->block->depth &&
                   value->node != scan && !ir_is_splat(value, &element);
    for (int k = 0; k < scan->n_operands && outside; k++)
      outside = scan->operands[k] != value;
    if (outside) add_bytes(price, value, 1);
  }
  if (plain) price->step.slow = 0; /* it runs over one flat index */
}

/* -- what it takes ----------------------------------------------------- */

static double steps_of(const Node *scan) {
  return (double)ir_int(scan, ATTR_length);
}

static double whole_cycles(const Interchange *pass, const Price *price) {
  const Step *s = &price->step;
  return steps_of(price->scan) *
         pass_cycles(&pass->options->hardware,
                     s->flops[0] + s->flops[1] + s->slow,
                     s->moved[0] + s->moved[1], s->touched[0] + s->touched[1]);
}

/* A step of one block, all blocks of it, and each block's way in and out. */
static double block_cycles(const Interchange *pass, const Price *price,
                           const Choice *choice, int64_t size, bool inner) {
  const Hardware *hardware = &pass->options->hardware;
  const Step *s = &price->step;
  double count = (double)((choice->extent + size - 1) / size);
  double share = (double)size / (double)choice->extent;
  if (share > 1) share = 1;
  double flops = s->flops[1] + (inner ? 0 : s->slow);
  double step = pass_cycles(hardware, s->flops[0] + flops * share,
                            s->moved[0] + s->moved[1] * share,
                            s->touched[0] + s->touched[1] * share);
  double edge = pass_cycles(hardware, 0, 2 * s->touched[1], s->touched[1]);
  bool last = choice->dim == choice->result->type.rank - 1;
  double loops = LOOP_CYCLES * (1 + s->n_heavy) +
                 (inner || last ? ROW_CYCLES * s->rows : 0);
  return steps_of(price->scan) * count * (step + loops) + edge;
}

/* -- the size ---------------------------------------------------------- */

static int64_t cache_bytes(const Interchange *pass, int level) {
  static const int64_t guess[] = {32 << 10, 512 << 10, 8 << 20};
  int64_t bytes = pass->options->hardware.cache[level];
  return bytes > 0 ? bytes : guess[level];
}

/* Blocks are whole lines where the dim is the innermost. */
static int64_t grain_of(const Price *price, const Choice *choice, bool inner) {
  bool last = choice->dim == choice->result->type.rank - 1;
  return last || inner ? LINE / (int64_t)price->step.widest : 1;
}

/* A size near `most` and not above it that leaves no remainder, or a small one:
 * equal blocks. */
static int64_t even_size(int64_t extent, int64_t most, int64_t grain) {
  for (int64_t size = most; size > most / 2; size -= grain)
    if (extent % size == 0) return size;
  int64_t count = (extent + most - 1) / most;
  int64_t size = (extent + count - 1) / count;
  return (size + grain - 1) / grain * grain;
}

/* The largest size of which what is touched fills a share of the cache. */
static int64_t fitting(const Price *price, const Choice *choice, double cache,
                       int64_t grain) {
  const Step *s = &price->step;
  double room = cache - s->touched[0];
  double each = s->touched[1] / (double)choice->extent;
  if (room <= 0 || each <= 0) return 0;
  double most = room / each;
  if (most >= (double)choice->extent) return choice->extent;
  int64_t size = (int64_t)most / grain * grain;
  return size ? even_size(choice->extent, size, grain) : 0;
}

/* Is some value's dim that is cut not its last one, and may it be? */
static bool may_turn(const Price *price, const Node *scan) {
  bool other = false;
  for (int i = 0; i < ir_dims_count(price->dims); i++) {
    const Value *value = ir_dims_value(price->dims, i);
    int dim = ir_dims_of(price->dims, value, price->cut);
    other |= dim >= 0 && dim != value->type.rank - 1;
  }
  return other && ir_may_turn(scan->body, price->dims, price->cut);
}

/* A block that is all there is changes nothing but where the dim stands. */
static void try_size(const Interchange *pass, const Price *price,
                     Choice *choice, int64_t size, bool inner) {
  if (size < 1 || (size >= choice->extent && !inner)) return;
  double cycles = block_cycles(pass, price, choice, size, inner);
  if (choice->in > 0 && cycles >= choice->in) return;
  choice->in = cycles;
  choice->size = size;
  choice->inner = inner;
}

static void force(const Interchange *pass, bool turns, Choice *choice) {
  int64_t block = pass->options->block;
  choice->size = block < 0 ? -block : block;
  choice->inner = turns && block > 0;
  choice->in = 1;
}

void interchange_price(const Interchange *pass, const Node *scan, Dims *dims,
                       Choice *choice) {
  double flops = pass->options->hardware.flops;
  Price price = {.scan = scan,
                 .dims = dims,
                 .cut = choice->cut,
                 .extent = (double)choice->extent,
                 .lanes = flops >= 8 ? (int64_t)(flops / 4) : 4};
  price.step.widest = 1;
  add_block(&price, scan->body, 1);
  add_edges(&price, scan);
  bool turns = may_turn(&price, scan);
  choice->whole = whole_cycles(pass, &price);
  if (pass->options->block != 0) {
    force(pass, turns, choice);
    return;
  }
  for (int i = 0; i < 12 && choice->extent > 1; i++) {
    bool inner = i % 2;
    int64_t grain = grain_of(&price, choice, inner);
    double cache = (double)cache_bytes(pass, i / 4) / (i / 2 % 2 ? 2 : 4);
    if (inner && !turns) continue;
    try_size(pass, &price, choice, fitting(&price, choice, cache, grain),
             inner);
  }
  if (choice->in >= 0.9 * choice->whole) choice->size = 0;
}
