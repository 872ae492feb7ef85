/* dims_labels.c: which dims of one node's operands and results are walked by
 * one index.
 *
 * Comes in: a node without bodies.  Goes out: a label for each dim of each
 * port, and what the node does along it.  A rule labels what it knows; each dim
 * that it leaves out is DIM_MIXED, with a label of its own.
 *
 *   %y = einsum %J, %c, spec="dmn,dni->dmi"
 *
 *   port   J: d m n   c: d n i   y: d m i      d m i PARALLEL, n SUMMED */
#include <stdlib.h>
#include <string.h>

#include "dims.h"

enum { UNLABELLED = -1 };

/* -- making labels ----------------------------------------------------- */

static int new_label(DimLabels *labels, DimRole role) {
  labels->role[labels->n_labels] = (unsigned char)role;
  return labels->n_labels++;
}

static void put(DimLabels *labels, int port, int dim, int label) {
  labels->label[labels->first[port] + dim] = label;
}

/* One label for two dims. */
static void pair(DimLabels *labels, int port, int dim, int other, int at) {
  int label = new_label(labels, DIM_PARALLEL);
  put(labels, port, dim, label);
  put(labels, other, at, label);
}

static int result_port(const Node *node) { return node->n_operands; }

static Type type_of(const Node *node, int port) {
  return port < node->n_operands ? node->operands[port]->type
                                 : node->results[port - node->n_operands]->type;
}

/* Dims [from, to) of all ports that have as many dims as port 0, alike. */
static void all_alike(DimLabels *labels, const Node *node, int from, int to) {
  int start = labels->n_labels;
  for (int d = from; d < to; d++) new_label(labels, DIM_PARALLEL);
  for (int p = 0; p < labels->n_ports; p++)
    for (int d = from; d < to && d < type_of(node, p).rank; d++)
      put(labels, p, d, start + d - from);
}

/* -- rules ------------------------------------------------------------- */

static void elementwise(DimLabels *labels, const Node *node) {
  all_alike(labels, node, 0, node->results[0]->type.rank);
}

static void leaf(DimLabels *labels, const Node *node) {
  int rank = node->results[0]->type.rank;
  for (int d = 0; d < rank; d++)
    if (node->op == OP_constant ? node->splat : d != ir_int(node, ATTR_dim))
      put(labels, 0, d, new_label(labels, DIM_PARALLEL));
}

static void broadcast(DimLabels *labels, const Node *node) {
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList dims = ir_ints(node, ATTR_dims);
  for (int d = 0; d < to.rank; d++)
    put(labels, 1, d, new_label(labels, DIM_PARALLEL));
  for (int d = 0; d < dims.n; d++)
    if (from.dims[d] == to.dims[dims.v[d]])
      put(labels, 0, d, labels->label[labels->first[1] + dims.v[d]]);
}

/* Row-major, so dims correspond where the products up to them do. */
static void reshape(DimLabels *labels, const Node *node) {
  Type from = node->operands[0]->type, to = node->results[0]->type;
  int i = 0, j = 0;
  if (ir_type_elements(to) == 0) return;
  while (i < from.rank && j < to.rank) {
    int64_t a = from.dims[i], b = to.dims[j];
    if (a == b) {
      pair(labels, 0, i++, 1, j++);
    } else if (a == 1) {
      i++;
    } else if (b == 1) {
      j++;
    } else { /* some together are some others together */
      for (i++, j++; a != b;)
        if (a < b)
          a *= from.dims[i++];
        else
          b *= to.dims[j++];
    }
  }
}

static void transpose(DimLabels *labels, const Node *node) {
  IntList perm = ir_ints(node, ATTR_perm);
  for (int d = 0; d < perm.n; d++) pair(labels, 0, (int)perm.v[d], 1, d);
}

static int64_t entry(IntList list, int d, int64_t otherwise) {
  return d < list.n ? list.v[d] : otherwise;
}

static void slice(DimLabels *labels, const Node *node) {
  Type from = node->operands[0]->type, to = node->results[0]->type;
  IntList stride = ir_ints(node, ATTR_stride);
  for (int d = 0; d < to.rank; d++)
    if (from.dims[d] == to.dims[d] && entry(stride, d, 1) == 1)
      pair(labels, 0, d, 1, d);
}

static void pad(DimLabels *labels, const Node *node) {
  IntList low = ir_ints(node, ATTR_low), high = ir_ints(node, ATTR_high);
  IntList interior = ir_ints(node, ATTR_interior);
  for (int d = 0; d < node->results[0]->type.rank; d++)
    if (low.v[d] == 0 && high.v[d] == 0 && entry(interior, d, 0) == 0)
      pair(labels, 0, d, 2, d);
}

/* All dims but `dim` alike, in all ports. */
static void along(DimLabels *labels, const Node *node) {
  int dim = (int)ir_int(node, ATTR_dim), rank = node->results[0]->type.rank;
  all_alike(labels, node, 0, dim);
  all_alike(labels, node, dim + 1, rank);
}

static bool has(IntList list, int d) {
  for (int i = 0; i < list.n; i++)
    if (list.v[i] == d) return true;
  return false;
}

static void reverse(DimLabels *labels, const Node *node) {
  IntList dims = ir_ints(node, ATTR_dims);
  for (int d = 0; d < node->results[0]->type.rank; d++)
    if (!has(dims, d)) pair(labels, 0, d, 1, d);
}

static void reduce(DimLabels *labels, const Node *node) {
  Type from = node->operands[0]->type;
  IntList dims = ir_ints(node, ATTR_dims);
  bool arg = node->op == OP_argmax || node->op == OP_argmin;
  bool sums = node->op == OP_reduce_sum && from.dtype != DT_BOOL;
  int kept = 0;
  for (int d = 0; d < from.rank; d++) {
    bool gone = arg ? d == ir_int(node, ATTR_dim) : has(dims, d);
    if (!arg && ir_attr(node, ATTR_dims) == NULL) gone = true;
    if (gone)
      put(labels, 0, d, new_label(labels, sums ? DIM_SUMMED : DIM_REDUCED));
    else
      pair(labels, 0, d, 1, kept++);
  }
}

/* A label twice in one operand is a diagonal: it is left out. */
static void einsum(DimLabels *labels, const Node *node) {
  Einsum e;
  int of[52];
  ir_einsum_read(node, &e);
  for (int l = 0; l < e.n_labels; l++)
    of[l] = new_label(labels, e.in_out[l] ? DIM_PARALLEL : DIM_SUMMED);
  for (int t = 0; t < e.n_terms; t++) {
    uint64_t seen = 0;
    for (int d = 0; d < e.rank[t]; d++) {
      int l = e.term[t][d];
      if (seen >> l & 1) labels->role[of[l]] = DIM_MIXED;
      seen |= UINT64_C(1) << l;
      put(labels, t, d, of[l]);
    }
  }
  for (int d = 0; d < e.out_rank; d++)
    put(labels, result_port(node), d, of[e.out[d]]);
}

/* -- positions known at run time --------------------------------------- */

static int batch_of(const Node *node) { return (int)ir_int(node, ATTR_batch); }

/* What is taken or replaced as a whole does not move: starts are clamped. */
static void dynamic(DimLabels *labels, const Node *node) {
  bool updates = node->op == OP_dynamic_update_slice;
  Type whole = node->operands[0]->type;
  Type part = updates ? node->operands[1]->type : node->results[0]->type;
  int batch = batch_of(node), result = result_port(node);
  all_alike(labels, node, 0, batch);
  for (int d = batch; d < whole.rank; d++) {
    if (part.dims[d] != whole.dims[d]) continue;
    pair(labels, 0, d, result, d);
    if (updates) put(labels, 1, d, labels->label[labels->first[0] + d]);
  }
}

/* take: `part` is the result; scatter_add: operand 2. */
static void indexed(DimLabels *labels, const Node *node) {
  int batch = batch_of(node), dim = (int)ir_int(node, ATTR_dim);
  int rank = node->operands[0]->type.rank;
  int more = node->operands[1]->type.rank - batch;
  bool takes = node->op == OP_take;
  all_alike(labels, node, 0, batch);
  for (int d = batch; d < rank; d++) {
    if (d == dim) continue;
    int at = d < dim ? d : d + more - 1;
    pair(labels, 0, d, 2, at);
    if (!takes) put(labels, 3, d, labels->label[labels->first[2] + at]);
  }
  for (int d = 0; takes && d < more; d++)
    pair(labels, 1, batch + d, 2, dim + d);
}

static void drawn(DimLabels *labels, const Node *node) {
  all_alike(labels, node, 0, batch_of(node));
}

/* -- collectives ------------------------------------------------------- */

/* What comes or goes at `dim`; the others keep their order. */
static void shifted(DimLabels *labels, const Node *node) {
  int dim = (int)ir_int(node, ATTR_dim);
  Type from = node->operands[0]->type, to = node->results[0]->type;
  int rank = from.rank < to.rank ? from.rank : to.rank;
  bool same = from.rank == to.rank;
  for (int d = 0; d < rank; d++) {
    if (same && d == dim) continue;
    int past = !same && d >= dim;
    pair(labels, 0, d + (past && from.rank > to.rank), 1,
         d + (past && to.rank > from.rank));
  }
}

typedef void Rule(DimLabels *labels, const Node *node);

static Rule *const rules[OP_COUNT] = {
    [OP_constant] = leaf,
    [OP_iota] = leaf,
    [OP_broadcast] = broadcast,
    [OP_reshape] = reshape,
    [OP_transpose] = transpose,
    [OP_slice] = slice,
    [OP_concatenate] = along,
    [OP_pad] = pad,
    [OP_reverse] = reverse,
    [OP_dynamic_slice] = dynamic,
    [OP_dynamic_update_slice] = dynamic,
    [OP_take] = indexed,
    [OP_scatter_add] = indexed,
    [OP_cumsum] = along,
    [OP_cumprod] = along,
    [OP_cummax] = along,
    [OP_cummin] = along,
    [OP_sort] = along,
    [OP_reduce_sum] = reduce,
    [OP_reduce_prod] = reduce,
    [OP_reduce_max] = reduce,
    [OP_reduce_min] = reduce,
    [OP_reduce_and] = reduce,
    [OP_reduce_or] = reduce,
    [OP_argmax] = reduce,
    [OP_argmin] = reduce,
    [OP_einsum] = einsum,
    [OP_random_split] = drawn,
    [OP_random_fold_in] = drawn,
    [OP_random_bits] = drawn,
    [OP_random_uniform] = drawn,
    [OP_random_normal] = drawn,
    [OP_psum] = elementwise,
    [OP_pmean] = elementwise,
    [OP_pmax] = elementwise,
    [OP_pmin] = elementwise,
    [OP_pbroadcast] = elementwise,
    [OP_ppermute] = elementwise,
    [OP_all_gather] = shifted,
    [OP_psum_scatter] = shifted,
    [OP_map] = shifted,
    [OP_unmap] = shifted,
};

/* -- the whole --------------------------------------------------------- */

static bool make_room(DimLabels *labels, const Node *node) {
  int dims = 0;
  labels->n_ports = node->n_operands + node->n_results;
  for (int p = 0; p < labels->n_ports; p++) dims += type_of(node, p).rank;
  if (labels->n_ports >= labels->port_room) {
    int room = 2 * labels->n_ports + 8;
    int *first = realloc(labels->first, (size_t)room * sizeof *first);
    if (first == NULL) return false;
    labels->first = first;
    labels->port_room = room;
  }
  labels->n_dims = dims;
  if (dims < labels->dim_room) return true;
  int room = 2 * dims + 64;
  int *label = realloc(labels->label, (size_t)room * sizeof *label);
  if (label) labels->label = label;
  unsigned char *role = realloc(labels->role, 3 * (size_t)room + 64);
  if (role) labels->role = role;
  if (label == NULL || role == NULL) return false;
  labels->dim_room = room;
  return true;
}

bool pass_dim_labels(DimLabels *labels, const Node *node) {
  if (!make_room(labels, node)) return false;
  int dims = 0;
  for (int p = 0; p < labels->n_ports; p++) {
    labels->first[p] = dims;
    dims += type_of(node, p).rank;
  }
  for (int d = 0; d < dims; d++) labels->label[d] = UNLABELLED;
  labels->n_labels = 0;
  Rule *rule = rules[node->op];
  if (ir_ops[node->op].class == ELEMENTWISE) rule = elementwise;
  if (rule) rule(labels, node);
  for (int d = 0; d < dims; d++)
    if (labels->label[d] == UNLABELLED)
      labels->label[d] = new_label(labels, DIM_MIXED);
  return true;
}

void pass_dim_labels_free(DimLabels *labels) {
  free(labels->first);
  free(labels->label);
  free(labels->role);
  *labels = (DimLabels){0};
}
