/* dims_rules.c: for each op, which dims of its operands and results run
 * together, and which it mixes (dims.h).
 *
 * Every dim of an operand is either joined to one dim of the result or mixed:
 * that is what makes an unmixed class independent.  An op without a rule mixes
 * all of its dims. */
#include "dims.h"

typedef void Rule(Dims *dims, const Node *node);

static void mix_all(Dims *dims, const Node *node, const char *why) {
  for (int i = 0; i < node->n_operands; i++)
    for (int d = 0; d < node->operands[i]->type.rank; d++)
      ir_dims_mix(dims, node->operands[i], d, node, why);
  for (int i = 0; i < node->n_results; i++)
    for (int d = 0; d < node->results[i]->type.rank; d++)
      ir_dims_mix(dims, node->results[i], d, node, why);
}

static void rule_unknown(Dims *dims, const Node *node) {
  mix_all(dims, node, "takes whole arrays");
}

static void rule_none(Dims *dims, const Node *node) {
  (void)dims;
  (void)node;
}

static void join_values(Dims *dims, const Value *a, const Value *b) {
  for (int d = 0; d < a->type.rank && a->type.rank == b->type.rank; d++)
    ir_dims_join(dims, a, d, b, d);
}

/* A rank-0 operand goes with any shape as it is. */
static void rule_elementwise(Dims *dims, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    join_values(dims, node->results[0], node->operands[i]);
}

/* Dim d of operand 0 and dim k of the result. */
static void join(Dims *dims, const Node *node, int d, int k) {
  ir_dims_join(dims, node->results[0], k, node->operands[0], d);
}

static void mix(Dims *dims, const Node *node, int d, int k, const char *why) {
  if (d >= 0) ir_dims_mix(dims, node->operands[0], d, node, why);
  if (k >= 0) ir_dims_mix(dims, node->results[0], k, node, why);
}

static Type type_of(const Node *node) { return node->operands[0]->type; }

static bool contains(IntList list, int dim) {
  for (int i = 0; i < list.n; i++)
    if (list.v[i] == dim) return true;
  return false;
}

/* -- leaves and views -------------------------------------------------- */

static void rule_iota(Dims *dims, const Node *node) {
  mix(dims, node, -1, (int)ir_int(node, ATTR_dim), "counts along it");
}

static void rule_broadcast(Dims *dims, const Node *node) {
  IntList to = ir_ints(node, ATTR_dims);
  for (int d = 0; d < to.n; d++)
    if (type_of(node).dims[d] == node->results[0]->type.dims[to.v[d]])
      join(dims, node, d, (int)to.v[d]);
    else
      mix(dims, node, d, -1, "stretches it");
}

/* Runs of dims that hold the same elements: where a run is one dim on both
 * sides the two are one; every other dim is cut up or melted. */
static void rule_reshape(Dims *dims, const Node *node) {
  static const char why[] = "joins or parts its elements";
  Type a = type_of(node), b = node->results[0]->type;
  int i = 0, k = 0;
  if (ir_type_elements(a) == 0) {
    mix_all(dims, node, why);
    return;
  }
  while (i < a.rank || k < b.rank) {
    bool more_a = i < a.rank, more_b = k < b.rank;
    if (more_a && (!more_b || (a.dims[i] == 1 && b.dims[k] != 1))) {
      mix(dims, node, i++, -1, why);
    } else if (more_b && (!more_a || (b.dims[k] == 1 && a.dims[i] != 1))) {
      mix(dims, node, -1, k++, why);
    } else if (a.dims[i] == b.dims[k]) {
      join(dims, node, i++, k++);
    } else {
      int64_t left = a.dims[i], right = b.dims[k];
      mix(dims, node, i, k, why);
      while (left != right) {
        if (left < right)
          left *= a.dims[++i];
        else
          right *= b.dims[++k];
        mix(dims, node, i, k, why);
      }
      i++, k++;
    }
  }
}

static void rule_transpose(Dims *dims, const Node *node) {
  IntList perm = ir_ints(node, ATTR_perm);
  for (int k = 0; k < perm.n; k++) join(dims, node, (int)perm.v[k], k);
}

static void rule_slice(Dims *dims, const Node *node) {
  IntList start = ir_ints(node, ATTR_start), limit = ir_ints(node, ATTR_limit);
  IntList stride = ir_ints(node, ATTR_stride);
  for (int d = 0; d < start.n; d++) {
    bool whole = start.v[d] == 0 && limit.v[d] == type_of(node).dims[d] &&
                 (stride.n == 0 || stride.v[d] == 1);
    if (whole)
      join(dims, node, d, d);
    else
      mix(dims, node, d, d, "takes a part of it");
  }
}

static void rule_concatenate(Dims *dims, const Node *node) {
  int dim = (int)ir_int(node, ATTR_dim);
  rule_elementwise(dims, node);
  for (int i = 0; i < node->n_operands; i++)
    ir_dims_mix(dims, node->operands[i], dim, node, "joins arrays along it");
}

static void rule_pad(Dims *dims, const Node *node) {
  IntList low = ir_ints(node, ATTR_low), high = ir_ints(node, ATTR_high);
  IntList interior = ir_ints(node, ATTR_interior);
  for (int d = 0; d < low.n; d++) {
    bool bare = low.v[d] == 0 && high.v[d] == 0 &&
                (interior.n == 0 || interior.v[d] == 0);
    if (bare)
      join(dims, node, d, d);
    else
      mix(dims, node, d, d, "pads it");
  }
}

static void rule_reverse(Dims *dims, const Node *node) {
  IntList turned = ir_ints(node, ATTR_dims);
  for (int d = 0; d < type_of(node).rank; d++) {
    join(dims, node, d, d);
    if (contains(turned, d)) mix(dims, node, d, d, "turns it round");
  }
}

/* -- positions known at run time --------------------------------------- */

static void join_batch(Dims *dims, const Node *node) {
  int batch = (int)ir_int(node, ATTR_batch);
  for (int i = 0; i < node->n_operands; i++)
    for (int d = 0; d < batch; d++)
      ir_dims_join(dims, node->results[0], d, node->operands[i], d);
}

static void rule_dynamic_slice(Dims *dims, const Node *node) {
  Type from = type_of(node), to = node->results[0]->type;
  join_batch(dims, node);
  for (int d = (int)ir_int(node, ATTR_batch); d < from.rank; d++)
    if (from.dims[d] == to.dims[d])
      join(dims, node, d, d);
    else
      mix(dims, node, d, d, "takes a window of it");
}

static void rule_update(Dims *dims, const Node *node) {
  const Value *update = node->operands[1];
  join_batch(dims, node);
  join_values(dims, node->results[0], node->operands[0]);
  for (int d = (int)ir_int(node, ATTR_batch); d < update->type.rank; d++) {
    if (update->type.dims[d] == type_of(node).dims[d]) {
      ir_dims_join(dims, node->results[0], d, update, d);
    } else {
      mix(dims, node, d, d, "writes a window of it");
      ir_dims_mix(dims, update, d, node, "writes it as a window");
    }
  }
}

/* Operand 0 without `dim`, where the dims of the index stand instead; laid
 * against `taken`, take's result or what scatter_add adds. */
static void join_taken(Dims *dims, const Node *node, const Value *taken) {
  const Value *from = node->operands[0], *index = node->operands[1];
  int dim = (int)ir_int(node, ATTR_dim), batch = (int)ir_int(node, ATTR_batch);
  int inserted = index->type.rank - batch;
  for (int d = 0; d < from->type.rank; d++)
    if (d != dim)
      ir_dims_join(dims, taken, d < dim ? d : d - 1 + inserted, from, d);
  for (int i = 0; i < inserted; i++)
    ir_dims_join(dims, taken, dim + i, index, batch + i);
  for (int d = 0; d < batch; d++) ir_dims_join(dims, taken, d, index, d);
}

static void rule_take(Dims *dims, const Node *node) {
  join_taken(dims, node, node->results[0]);
  mix(dims, node, (int)ir_int(node, ATTR_dim), -1, "reads it anywhere");
}

static void rule_scatter_add(Dims *dims, const Node *node) {
  int dim = (int)ir_int(node, ATTR_dim), batch = (int)ir_int(node, ATTR_batch);
  const Value *index = node->operands[1];
  join_values(dims, node->results[0], node->operands[0]);
  join_taken(dims, node, node->operands[2]);
  mix(dims, node, dim, dim, "adds anywhere along it");
  for (int d = batch; d < index->type.rank; d++)
    ir_dims_mix(dims, index, d, node, "adds up along it");
}

/* -- whole lines, sums ------------------------------------------------- */

static void rule_line(Dims *dims, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    join_values(dims, node->results[0], node->operands[i]);
  for (int i = 1; i < node->n_results; i++)
    join_values(dims, node->results[0], node->results[i]);
  mix(dims, node, -1, (int)ir_int(node, ATTR_dim), "runs along it");
}

static void join_rest(Dims *dims, const Node *node, IntList dropped,
                      const char *why) {
  for (int d = 0, k = 0; d < type_of(node).rank; d++)
    if (contains(dropped, d))
      mix(dims, node, d, -1, why);
    else
      join(dims, node, d, k++);
}

static void rule_reduce(Dims *dims, const Node *node) {
  join_rest(dims, node, ir_ints(node, ATTR_dims), "reduces it");
}

static void rule_arg(Dims *dims, const Node *node) {
  int64_t dim = ir_int(node, ATTR_dim);
  join_rest(dims, node, (IntList){&dim, 1}, "searches along it");
}

static void rule_einsum(Dims *dims, const Node *node) {
  Einsum e;
  const Value *seen[52] = {NULL};
  int at[52];
  ir_einsum_read(node, &e);
  for (int o = 0; o < e.out_rank; o++) {
    seen[e.out[o]] = node->results[0];
    at[e.out[o]] = o;
  }
  for (int t = 0; t < e.n_terms; t++)
    for (int d = 0; d < e.rank[t]; d++) {
      int label = e.term[t][d];
      const Value *operand = node->operands[t];
      if (!e.in_out[label]) ir_dims_mix(dims, operand, d, node, "sums over it");
      if (seen[label]) {
        ir_dims_join(dims, seen[label], at[label], operand, d);
      } else {
        seen[label] = operand;
        at[label] = d;
      }
    }
}

/* -- draws ------------------------------------------------------------- */

static void rule_random(Dims *dims, const Node *node) {
  int batch = (int)ir_int(node, ATTR_batch);
  join_batch(dims, node);
  for (int i = 0; i < node->n_operands; i++)
    for (int d = batch; d < node->operands[i]->type.rank; d++)
      ir_dims_mix(dims, node->operands[i], d, node, "hashes it");
  for (int d = batch; d < node->results[0]->type.rank; d++)
    ir_dims_mix(dims, node->results[0], d, node, "draws by position along it");
}

/* -- bodies ------------------------------------------------------------ */

/* A stacked array and one step of it. */
static void join_step(Dims *dims, const Node *scan, const Value *stacked,
                      const Value *part, AttrKey key, int i) {
  IntList list = ir_ints(scan, key);
  int dim = list.n ? (int)list.v[i] : 0;
  for (int d = 0, k = 0; d < stacked->type.rank; d++)
    if (d == dim)
      ir_dims_mix(dims, stacked, d, scan, "steps along it");
    else
      ir_dims_join(dims, stacked, d, part, k++);
}

static void rule_scan(Dims *dims, const Node *scan) {
  const Block *body = scan->body;
  int carries = scan->n_carries;
  for (int i = 0; i < carries; i++) {
    join_values(dims, scan->operands[i], body->params[i]);
    join_values(dims, scan->operands[i], body->yields[i]);
    join_values(dims, scan->operands[i], scan->results[i]);
  }
  for (int i = carries; i < scan->n_operands; i++)
    join_step(dims, scan, scan->operands[i], body->params[i], ATTR_xs_dims,
              i - carries);
  for (int i = carries; i < scan->n_results; i++)
    join_step(dims, scan, scan->results[i], body->yields[i], ATTR_ys_dims,
              i - carries);
}

/* The predicate is a scalar: what it depends on is the same everywhere. */
static void rule_while(Dims *dims, const Node *loop) {
  for (int i = 0; i < loop->n_carries; i++) {
    for (int b = 0; b < IR_BODIES; b++)
      join_values(dims, loop->operands[i], loop->bodies[b]->params[i]);
    join_values(dims, loop->operands[i], loop->bodies[WHILE_STEP]->yields[i]);
    join_values(dims, loop->operands[i], loop->results[i]);
  }
}

static void rule_bodies(Dims *dims, const Node *node) {
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    for (int i = 0; i < node->n_results; i++)
      join_values(dims, node->results[i], node->bodies[b]->yields[i]);
}

/* -- the table --------------------------------------------------------- */

static Rule *const of_class[] = {
    [ELEMENTWISE] = rule_elementwise,
    [REDUCE] = rule_reduce,
    [EINSUM] = rule_einsum,
    [RANDOM] = rule_random,
};

static Rule *const of_op[OP_COUNT] = {
    [OP_constant] = rule_none,
    [OP_iota] = rule_iota,
    [OP_broadcast] = rule_broadcast,
    [OP_reshape] = rule_reshape,
    [OP_transpose] = rule_transpose,
    [OP_slice] = rule_slice,
    [OP_concatenate] = rule_concatenate,
    [OP_pad] = rule_pad,
    [OP_reverse] = rule_reverse,
    [OP_dynamic_slice] = rule_dynamic_slice,
    [OP_dynamic_update_slice] = rule_update,
    [OP_take] = rule_take,
    [OP_scatter_add] = rule_scatter_add,
    [OP_cumsum] = rule_line,
    [OP_cumprod] = rule_line,
    [OP_cummax] = rule_line,
    [OP_cummin] = rule_line,
    [OP_sort] = rule_line,
    [OP_argmax] = rule_arg,
    [OP_argmin] = rule_arg,
    [OP_scan] = rule_scan,
    [OP_while] = rule_while,
    [OP_cond] = rule_bodies,
    [OP_kernel] = rule_bodies,
};

void ir_dims_rule(Dims *dims, const Node *node) {
  enum { CLASSES = sizeof of_class / sizeof *of_class };
  OpClass class = ir_ops[node->op].class;
  Rule *rule = of_op[node->op];
  if (rule == NULL && (int)class < CLASSES) rule = of_class[class];
  (rule ? rule : rule_unknown)(dims, node);
}
