/* predict_nodes.c: what the ops of a kernel take in the code that is generated
 * for them.
 *
 * Comes in: a node of a kernel.  Goes out: cycles of a core in which it is
 * busy with it, those in functions apart; cycles until its result is there. */
#include "model.h"

/* -- what generated code takes ----------------------------------------- */

enum {
  TILE_ROWS = 4,    /* of a contraction, inline */
  TILE_COLUMNS = 2, /* vectors of one */
  UNROLLED = 64,    /* operations: no loops, all tiles are in flight */
};
static const double unit = 0.5;         /* a vector operation; two units */
static const double part = 0.25;        /* an element of concatenate, pad */
static const double gathered = 1.5;     /* an element that is no neighbour */
static const double drawn = 8;          /* an element of random numbers */
static const double compared = 8;       /* an element of sort, each level */
static const double row = 4;            /* ends of a loop */
static const double inline_share = 0.6; /* of what a tile could do */

/* What a call of a function takes, for one element or for a vector of at most
 * CALL_BYTES; it is also its latency. */
enum { CALL_BYTES = 32 };
static const double function_cycles[OP_COUNT] = {
    [OP_exp] = 16,   [OP_exp2] = 14,  [OP_expm1] = 22, [OP_log] = 21,
    [OP_log1p] = 26, [OP_rsqrt] = 14, [OP_cbrt] = 30,  [OP_sin] = 15,
    [OP_cos] = 16,   [OP_tan] = 30,   [OP_asin] = 30,  [OP_acos] = 30,
    [OP_atan] = 25,  [OP_sinh] = 35,  [OP_cosh] = 30,  [OP_tanh] = 42,
    [OP_asinh] = 43, [OP_acosh] = 45, [OP_atanh] = 41, [OP_logistic] = 22,
    [OP_erf] = 21,   [OP_erfc] = 40,  [OP_pow] = 85,   [OP_atan2] = 40,
};

/* Work of slow arithmetic, a vector, and cycles until its result is there. */
static double slow_work(Op op) {
  return op == OP_div ? 6 : op == OP_sqrt ? 9 : op == OP_rem ? 25 : unit;
}

static double slow_latency(Op op) {
  return op == OP_div ? 13 : op == OP_sqrt ? 18 : op == OP_rem ? 30 : 3;
}

/* -- the work of nodes ------------------------------------------------- */

static double elements(Type type) { return (double)ir_type_elements(type); }

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* Elements of a type in one operation: vectors where the last dim fills one. */
static double lanes_of(const Hardware *machine, Type type) {
  double width = machine->vector / (double)ir_dtype_bytes(type.dtype);
  if (width > 16) width = 16;
  double last = type.rank ? (double)type.dims[type.rank - 1] : 1;
  return width >= 1 && last >= width ? width : 1;
}

static double function_calls(const Hardware *machine, Type type) {
  double bytes = (double)ir_dtype_bytes(type.dtype);
  double most_lanes = CALL_BYTES / (bytes < 4 ? 4 : bytes);
  return elements(type) / least(lanes_of(machine, type), most_lanes);
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
static double einsum_work(const Hardware *machine, const Node *node) {
  Einsum e;
  ir_einsum_read(node, &e);
  Type type = node->results[0]->type;
  double width = machine->vector / (double)ir_dtype_bytes(type.dtype);
  double results = elements(type), terms = summed(&e), join = 0;
  int last = e.out_rank ? e.out[e.out_rank - 1] : -1;
  double lanes = lanes_of(machine, type), columns = 1, loads = 0;
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

static double reduce_work(const Hardware *machine, const Node *node) {
  Type x = node->operands[0]->type, type = node->results[0]->type;
  double lanes = most(lanes_of(machine, x), lanes_of(machine, type));
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
double pass_node_work(const Hardware *machine, const Node *node,
                      double *calls) {
  if (node->n_results == 0) return 0;
  Type type = node->results[0]->type;
  switch (ir_ops[node->op].class) {
    case ELEMENTWISE:
      *calls += function_calls(machine, type) * function_cycles[node->op];
      if (function_cycles[node->op] > 0) return 0;
      return elements(type) / lanes_of(machine, type) * slow_work(node->op);
    case REDUCE:
      return reduce_work(machine, node);
    case EINSUM:
      return einsum_work(machine, node);
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

double pass_node_latency(const Hardware *machine, const Node *node) {
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
      if (terms > 1 && lanes_of(machine, type) == 1) terms = least(terms, 16);
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
