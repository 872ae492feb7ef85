/* narrow.c: the body of a `blocks` node as a program of its own, for one part
 * of the dim that is cut.
 *
 * Comes in: a blocks node whose independence has been verified.  Goes out: a
 * program whose types have `extent` where those of the body have all of the
 * dim.  Inference does the rest: what is narrow at the edges is narrow inside.
 * Only what is written in attributes has to be rewritten.
 *
 * With inner=true the cut dim also becomes the last one ("turned"), so that
 * neighbours along it lie side by side, whatever the layout outside:
 *
 *   f64[4096,3] cut into 64  ->  f64[64,3]; turned f64[3,64]
 *
 * The order of the other dims stays, and with it the order of every sum. */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

typedef struct Narrow {
  Copier copier;
  const Node *blocks;
  Dims *dims;
  int cut;
  int64_t extent;
  bool inner;
  Narrowed *out;
} Narrow;

/* -- types ------------------------------------------------------------- */

static int cut_of(const Narrow *n, const Value *value) {
  return ir_dims_of(n->dims, value, n->cut);
}

/* Where dim d of value stands. */
static int moved(const Narrow *n, const Value *value, int64_t d) {
  int cut = n->inner ? cut_of(n, value) : -1;
  if (cut < 0 || d < cut) return (int)d;
  return d == cut ? value->type.rank - 1 : (int)d - 1;
}

static Type narrow_type(const Narrow *n, const Value *value) {
  Type type = value->type;
  int cut = cut_of(n, value);
  if (cut < 0) return type;
  int64_t *dims =
      ir_alloc(n->copier.to, (size_t)(type.rank + 1) * sizeof *dims);
  for (int d = 0; dims && d < type.rank; d++)
    dims[moved(n, value, d)] = d == cut ? n->extent : type.dims[d];
  if (dims) type.dims = dims;
  return type;
}

static Type param_type(Copier *copier, const Value *param) {
  return narrow_type(copier->context, param);
}

/* -- attributes -------------------------------------------------------- */

/* What the dims in an attribute of the node count: operand 0's, or, where
 * there is none, the result's. */
static const Value *subject(const Node *node) {
  return node->n_operands ? node->operands[0] : node->results[0];
}

static int64_t *copy_of(const Narrow *n, IntList list) {
  int64_t *v = ir_alloc(n->copier.to, (size_t)(list.n + 1) * sizeof *v);
  if (v && list.n) memcpy(v, list.v, (size_t)list.n * sizeof *v);
  return v;
}

/* One entry a dim of the subject. */
static void turn_entries(const Narrow *n, const Node *node, Attr *attr) {
  const Value *value = subject(node);
  IntList old = attr->ints;
  int64_t *v = copy_of(n, old);
  for (int d = 0; v && d < old.n; d++) v[moved(n, value, d)] = old.v[d];
  int cut = cut_of(n, value);
  if (v && attr->key == ATTR_limit && cut >= 0)
    v[moved(n, value, cut)] = n->extent;
  if (v) attr->ints.v = v;
}

/* Entries are dims of the subject. */
static void turn_dims(const Narrow *n, const Node *node, Attr *attr) {
  int64_t *v = copy_of(n, attr->ints);
  for (int i = 0; v && i < attr->ints.n; i++)
    v[i] = moved(n, subject(node), attr->ints.v[i]);
  if (v) attr->ints.v = v;
}

/* Entry d of a broadcast is the result's dim for the operand's dim d; entry k
 * of a transpose is the operand's dim for the result's dim k. */
static void turn_between(const Narrow *n, const Node *node, Attr *attr) {
  const Value *from = node->operands[0], *to = node->results[0];
  if (node->op == OP_transpose) {
    from = node->results[0];
    to = node->operands[0];
  }
  IntList old = attr->ints;
  int64_t *v = copy_of(n, old);
  for (int d = 0; v && d < old.n; d++)
    v[moved(n, from, d)] = moved(n, to, old.v[d]);
  if (v) attr->ints.v = v;
}

/* The window of a dim that is cut is all of it; sizes start after the batch
 * dims. */
static void cut_window(const Narrow *n, const Node *node, Attr *attr) {
  int at = cut_of(n, node->results[0]) - (int)ir_int(node, ATTR_batch);
  int64_t *v = copy_of(n, attr->ints);
  if (v && at >= 0) v[at] = n->extent;
  if (v) attr->ints.v = v;
}

/* The step dims of the stacked arrays: operands, or results. */
static void turn_steps(const Narrow *n, const Node *scan, Attr *attr) {
  int64_t *v = copy_of(n, attr->ints);
  Value *const *stacked =
      attr->key == ATTR_xs_dims ? scan->operands : scan->results;
  for (int i = 0; v && i < attr->ints.n; i++)
    v[i] = moved(n, stacked[scan->n_carries + i], v[i]);
  if (v) attr->ints.v = v;
}

static void turn_labels(const Narrow *n, const Value *value,
                        int8_t labels[IR_MAX_RANK]) {
  int8_t old[IR_MAX_RANK];
  int rank = value->type.rank < IR_MAX_RANK ? value->type.rank : IR_MAX_RANK;
  memcpy(old, labels, sizeof old);
  for (int d = 0; d < rank; d++) labels[moved(n, value, d)] = old[d];
}

static void turn_spec(const Narrow *n, const Node *node, Attr *attr) {
  Einsum e;
  int8_t out[IR_MAX_RANK] = {0};
  ir_einsum_read(node, &e);
  for (int t = 0; t < e.n_terms; t++)
    turn_labels(n, node->operands[t], e.term[t]);
  memcpy(out, e.out, sizeof e.out);
  turn_labels(n, node->results[0], out);
  memcpy(e.out, out, sizeof e.out);
  const char *spec = ir_einsum_spec(n->copier.to, &e);
  if (spec) attr->s = spec;
}

static void narrow_attr(const Narrow *n, const Node *node, Attr *attr) {
  switch (attr->key) {
    case ATTR_dim:
      attr->i = moved(n, subject(node), attr->i);
      break;
    case ATTR_dims:
      if (node->op == OP_broadcast)
        turn_between(n, node, attr);
      else
        turn_dims(n, node, attr);
      break;
    case ATTR_perm:
      turn_between(n, node, attr);
      break;
    case ATTR_start:
    case ATTR_limit:
    case ATTR_stride:
    case ATTR_low:
    case ATTR_high:
    case ATTR_interior:
      turn_entries(n, node, attr);
      break;
    case ATTR_sizes:
      cut_window(n, node, attr);
      break;
    case ATTR_xs_dims:
    case ATTR_ys_dims:
      turn_steps(n, node, attr);
      break;
    case ATTR_spec:
      turn_spec(n, node, attr);
      break;
    default:
      break;
  }
}

static bool turns(const Node *node) {
  OpClass class = ir_ops[node->op].class;
  return class != INDEXED && class != RANDOM && node->op != OP_scatter_add;
}

static bool has_cut(const Node *node, Dims *dims, int cut) {
  bool has = false;
  for (int i = 0; i < node->n_operands; i++)
    has |= ir_dims_of(dims, node->operands[i], cut) >= 0;
  for (int i = 0; i < node->n_results; i++)
    has |= ir_dims_of(dims, node->results[i], cut) >= 0;
  return has;
}

bool ir_may_turn(const Block *body, Dims *dims, int cut) {
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    if (!turns(node) && has_cut(node, dims, cut)) return false;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (!ir_may_turn(node->bodies[b], dims, cut)) return false;
  }
  return true;
}

/* -- the copy ---------------------------------------------------------- */

/* The node with narrow results and attributes, its operands as they are. */
static bool narrow_node(Copier *copier, Block *to, const Node *node) {
  Narrow *n = copier->context;
  if (node->n_results && ir_mapped(copier, node->results[0]))
    return true; /* a constant that is a parameter */
  size_t results = (size_t)node->n_results;
  Value *values = ir_alloc(copier->to, (results + 1) * sizeof *values);
  Value **list = ir_alloc(copier->to, (results + 1) * sizeof *list);
  Attr attrs[ATTR_COUNT];
  if (values == NULL || list == NULL) return true;
  Node narrow = *node;
  for (int i = 0; i < node->n_results; i++) {
    values[i] = *node->results[i];
    values[i].type = narrow_type(n, node->results[i]);
    list[i] = &values[i];
  }
  for (int i = 0; i < node->n_attrs; i++) {
    attrs[i] = node->attrs[i];
    narrow_attr(n, node, &attrs[i]);
  }
  narrow.results = list;
  narrow.attrs = attrs;
  ir_copy_node(copier, to, &narrow);
  return true;
}

/* Is it a parameter of the new program? */
static bool is_capture(const Narrow *n, const Value *value) {
  if (value->node && value->node->op == OP_constant) return !value->node->splat;
  return value->block->depth <= n->blocks->block->depth;
}

static bool take_captures(Narrow *n) {
  int count = ir_dims_count(n->dims), used = 0;
  Program *to = n->copier.to;
  Narrowed *out = n->out;
  out->captures = ir_alloc(to, (size_t)(count + 1) * sizeof *out->captures);
  out->dim = ir_alloc(to, (size_t)(count + 1) * sizeof *out->dim);
  if (out->captures == NULL || out->dim == NULL) return false;
  for (int i = 0; i < count; i++) {
    const Value *value = ir_dims_value(n->dims, i);
    if (is_capture(n, value)) {
      out->captures[used] = value;
      out->dim[used++] = cut_of(n, value);
      ir_map(&n->copier, value,
             ir_block_param(to->body, narrow_type(n, value), value->name));
    } else if (value->block->depth <= n->blocks->block->depth) {
      narrow_node(&n->copier, to->body, value->node);
    }
  }
  return !to->error.failed;
}

void ir_narrow(const Node *blocks, int64_t extent, Narrowed *narrowed) {
  const Program *from = blocks->block->program;
  Narrow n = {.blocks = blocks,
              .extent = extent,
              .inner = ir_int(blocks, ATTR_inner) != 0,
              .out = narrowed};
  *narrowed = (Narrowed){0};
  n.copier = (Copier){.from = from,
                      .to = ir_program_create(from->name, KERNELS),
                      .rule = narrow_node,
                      .param_type = param_type,
                      .context = &n};
  narrowed->program = n.copier.to;
  if (n.copier.to == NULL) return;
  n.copier.map = calloc((size_t)from->n_values + 1, sizeof(Value *));
  n.dims = ir_blocks_classes(blocks, &n.cut);
  if (n.copier.map == NULL || n.dims == NULL)
    ir_out_of_memory(n.copier.to);
  else if (ir_copy_callees(n.copier.to, from) && take_captures(&n))
    ir_copy_block(&n.copier, blocks->body, n.copier.to->body);
  free(n.copier.map);
  ir_dims_destroy(n.dims);
}
