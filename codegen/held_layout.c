/* held_layout.c: in a kernel of form=loop, which arrays are held as vectors,
 * and along which dim.
 *
 * The cost of a node is the number of
 * instructions that it takes and that it takes to bring its operands into the
 * form that it reads: an operand that lies in vectors along the dim of the
 * lanes costs nothing, one whose single elements are spread over all lanes an
 * instruction each, one that lies along another dim an instruction for each
 * element.  What lies outside is brought into form before the loop, for
 * nothing.  Sweep over the values: each takes the dim with which it and those
 * who read it cost least, until nothing changes.  What the sweeps end in
 * depends on where they start, so they start from several layouts: single
 * elements everywhere, lanes along all last dims, along all first dims.
 *
 * Example: FC = einsum(F, C, "ij,jk->ik"), F from outside.  In lanes along k a
 * row of FC is four multiply-adds of a row of C with one element of F: C lies
 * along its last dim, and the node takes 16 instructions in place of 64. */
#include "held.h"

#include <string.h>

typedef struct Layouts Layouts;

typedef struct User {
  const Node *node;
  struct User *next;
} User;

struct Layouts {
  Gen *gen;
  const Block *outermost;
  User **users;         /* by value id */
  const Value **values; /* all that are held, in order */
  int n, room;
};

static int64_t count(Type type) { return ir_type_elements(type); }

static const Held *layout_of(const Layouts *l, const Value *value) {
  return &l->gen->held[value->id];
}

/* -- what it costs to read --------------------------------------------- */

typedef enum Where { FREE, MEMORY, HELD } Where;

static Where where(const Layouts *l, const Value *value) {
  Scalar element;
  bool outside = value->block->depth < l->outermost->depth;
  if (outside || ir_is_splat(value, &element)) return FREE;
  return layout_of(l, value)->width == 0 ? MEMORY : HELD;
}

/* As vectors of `width` along `dim`; dim < 0: each element for all lanes. */
static int64_t read_cost(const Layouts *l, const Value *value, int dim,
                         int width) {
  const Held *held = layout_of(l, value);
  int64_t n = count(value->type);
  switch (where(l, value)) {
    case FREE:
      return 0;
    case MEMORY:
      return dim >= 0 && dim == value->type.rank - 1 ? n / width : n;
    default:
      break;
  }
  if (width == 1) return held->width == 1 ? 0 : n;
  return dim >= 0 && held->lane_dim == dim && held->width == width ? 0 : n;
}

/* -- what a node costs ------------------------------------------------- */

/* The dim of operand o that the lanes run along: -1: none.  *aligned: vectors
 * of it are vectors of the result. */
static int lanes_in(const Node *node, int o, int lane_dim, bool *aligned) {
  Type x = node->operands[o]->type, out = node->results[0]->type;
  IntList dims = ir_ints(node, ATTR_dims), perm = ir_ints(node, ATTR_perm);
  int kept = 0;
  switch (node->op) {
    case OP_transpose:
      return (int)perm.v[lane_dim];
    case OP_broadcast:
      for (int d = 0; d < x.rank; d++)
        if (dims.v[d] == lane_dim) return x.dims[d] == 1 ? -1 : d;
      return -1;
    case OP_concatenate:
      *aligned = ir_int(node, ATTR_dim) != lane_dim;
      return lane_dim;
    case OP_slice:
      *aligned = x.dims[lane_dim] == out.dims[lane_dim];
      return lane_dim;
    case OP_reshape:
      *aligned = lane_dim == out.rank - 1 && x.rank > 0 &&
                 x.dims[x.rank - 1] == out.dims[lane_dim];
      return x.rank - 1;
    default:
      break;
  }
  if (ir_ops[node->op].class == ELEMENTWISE) return x.rank ? lane_dim : -1;
  if (ir_ops[node->op].class == REDUCE && node->op != OP_argmax &&
      node->op != OP_argmin)
    for (int d = 0; d < x.rank; d++) {
      bool summed = false;
      for (int i = 0; i < dims.n; i++) summed |= dims.v[i] == d;
      if (!summed && kept++ == lane_dim) return d;
    }
  *aligned = false;
  return x.rank - 1;
}

static int64_t einsum_cost(const Layouts *l, const Node *node,
                           const Held *held) {
  Einsum e;
  ir_einsum_read(node, &e);
  int64_t cost = 1;
  int label = held->lane_dim < 0 ? -1 : e.out[held->lane_dim];
  for (int i = 0; i < e.n_labels; i++) cost *= e.size[i];
  cost = cost * (e.n_terms > 1 ? e.n_terms - 1 : 1) / held->width;
  for (int t = 0; t < e.n_terms; t++) {
    int dim = -1;
    for (int d = 0; d < e.rank[t]; d++)
      if (e.term[t][d] == label) dim = d;
    cost += read_cost(l, node->operands[t], dim, held->width);
  }
  return cost;
}

static int64_t op_weight(const Node *node) {
  if (node->op == OP_div || node->op == OP_sqrt) return 6;
  if (ir_ops[node->op].class == INDEXED) return 4;
  return ir_ops[node->op].class == VIEW ? 0 : 1;
}

static int64_t node_cost(const Layouts *l, const Node *node) {
  if (node->op == OP_constant || node->op == OP_scan) return 0;
  const Held *held = layout_of(l, node->results[0]);
  if (node->op == OP_einsum) return einsum_cost(l, node, held);
  bool reduces = ir_ops[node->op].class == REDUCE;
  Type done = reduces ? node->operands[0]->type : node->results[0]->type;
  int64_t cost = count(done) / held->width * op_weight(node);
  for (int o = 0; o < node->n_operands; o++) {
    bool aligned = true;
    const Value *x = node->operands[o];
    int dim =
        held->width == 1 ? -1 : lanes_in(node, o, held->lane_dim, &aligned);
    cost += aligned ? read_cost(l, x, dim, held->width) : 2 * count(x->type);
  }
  /* A routine takes one element at a time. */
  bool routine = ir_ops[node->op].flags & DEAR;
  if (routine && ir_ops[node->op].class == ELEMENTWISE && held->width > 1)
    cost += 2 * count(done);
  return cost;
}

/* From one layout into another, where a carry goes on. */
static int64_t move_cost(const Layouts *l, const Value *from,
                         const Value *param) {
  const Held *held = layout_of(l, param);
  return read_cost(l, from, held->lane_dim, held->width);
}

static int64_t carry_cost(const Layouts *l, const Node *scan) {
  int64_t cost = 0;
  for (int i = 0; i < scan->n_carries; i++) {
    cost += move_cost(l, scan->body->yields[i], scan->body->params[i]);
    cost += move_cost(l, scan->operands[i], scan->body->params[i]);
  }
  return cost;
}

/* A y is stored as it is held: vectors along its last dim save stores. */
static int64_t ys_cost(const Layouts *l, const Node *scan, const Value *value) {
  int64_t cost = 0;
  const Held *held = layout_of(l, value);
  for (int i = scan->n_carries; i < scan->n_results; i++)
    if (scan->body->yields[i] == value)
      cost += held->lane_dim == value->type.rank - 1
                  ? count(value->type) / held->width
                  : count(value->type) * (held->width > 1 ? 2 : 1);
  return cost;
}

/* All that depends on how value is held. */
static int64_t value_cost(const Layouts *l, const Value *value) {
  int64_t cost = value->node ? node_cost(l, value->node) : 0;
  const Node *scan = value->block->owner;
  for (const User *user = l->users[value->id]; user; user = user->next)
    cost += user->node->op == OP_scan ? carry_cost(l, user->node)
                                      : node_cost(l, user->node);
  if (scan && scan->op == OP_scan)
    cost += carry_cost(l, scan) + ys_cost(l, scan, value);
  return cost;
}

/* -- the search -------------------------------------------------------- */

/* A scan's result lies as its carry does. */
static void set_layout(const Layouts *l, const Value *value, int dim) {
  const Block *block = value->block;
  Held held;
  held_layout(l->gen, value->type, dim, &held);
  l->gen->held[value->id] = held;
  bool carry = value->node == NULL && value->index < block->owner->n_carries;
  if (carry) l->gen->held[block->owner->results[value->index]->id] = held;
}

static bool improve(const Layouts *l, const Value *value) {
  int before = layout_of(l, value)->lane_dim, best = before;
  int64_t least = value_cost(l, value);
  for (int d = -1; d < value->type.rank; d++) {
    if (d == before) continue;
    set_layout(l, value, d);
    if (d >= 0 && layout_of(l, value)->width == 1) continue;
    int64_t cost = value_cost(l, value);
    if (cost >= least) continue;
    least = cost;
    best = d;
  }
  set_layout(l, value, best);
  return best != before;
}

static void add_value(Layouts *l, const Value *value) {
  if (l->n < l->room) l->values[l->n++] = value;
  set_layout(l, value, -1);
}

static void add_user(Layouts *l, const Value *value, const Node *node) {
  User *user = gen_alloc(l->gen, sizeof *user);
  if (user == NULL) return;
  *user = (User){node, l->users[value->id]};
  l->users[value->id] = user;
}

static void collect(Layouts *l, const Node *scan) {
  const Block *body = scan->body;
  Held in_memory = {.lane_dim = -1};
  for (int i = 0; i < scan->n_operands; i++)
    if (i < scan->n_carries)
      add_value(l, body->params[i]);
    else
      l->gen->held[body->params[i]->id] = in_memory;
  for (int i = scan->n_carries; i < scan->n_results; i++)
    l->gen->held[scan->results[i]->id] = in_memory;
  for (int i = 0; i < body->n_nodes; i++) {
    const Node *node = body->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      add_user(l, node->operands[o], node);
    if (node->op == OP_scan)
      collect(l, node);
    else if (node->op == OP_constant)
      l->gen->held[node->results[0]->id] = in_memory;
    else
      add_value(l, node->results[0]);
  }
}

/* Dim number `start` from the end for all values, then the sweeps. */
static int64_t search(const Layouts *l, int start) {
  enum { SWEEPS = 8 };
  bool changed = true;
  int64_t cost = 0;
  for (int i = 0; i < l->n; i++) {
    int rank = l->values[i]->type.rank;
    set_layout(l, l->values[i],
               start == 0 || rank == 0 ? -1
               : start < rank          ? rank - start
                                       : 0);
  }
  for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
    changed = false;
    for (int i = 0; i < l->n; i++) changed |= improve(l, l->values[i]);
  }
  for (int i = 0; i < l->n; i++) cost += value_cost(l, l->values[i]);
  return cost;
}

void held_choose(Gen *gen, const Node *scan) {
  enum { STARTS = 3 };
  size_t values = (size_t)gen->program->n_values + 1;
  Layouts l = {.gen = gen, .outermost = scan->body, .room = (int)values};
  l.users = gen_alloc(gen, values * sizeof *l.users);
  l.values = gen_alloc(gen, values * sizeof *l.values);
  if (l.users == NULL || l.values == NULL) return;
  collect(&l, scan);
  int best = 0;
  int64_t least = INT64_MAX;
  for (int start = 0; start < STARTS; start++) {
    int64_t cost = search(&l, start);
    if (cost < least) best = start;
    if (cost < least) least = cost;
  }
  search(&l, best);
}
