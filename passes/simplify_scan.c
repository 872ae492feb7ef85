/* simplify_scan.c: what a round of simplify makes of a scan.
 *
 * Carries that never change become their inits, xs that are the same at each
 * step become that value, ys that are invariant become broadcasts, ys that are
 * an x become the xs; what is equal is kept once, what is dead not at all.  A
 * scan of length 0 is its inits.  unroll is dropped: it changes no result. */
#include <stdlib.h>
#include <string.h>

#include "simplify.h"

/* -- carries that never change ----------------------------------------- */

/* Carries are assumed not to change, until one is found whose next value is
 * neither its init nor another such carry with the same init; then those that
 * take their next value from that one are looked at again. */
typedef struct Carries {
  Simplify *s;
  const Node *loop;
  const Block *body;
  int *first, *next; /* carries whose next value is carry i: a list */
  int *stack, n;
} Carries;

static int source_carry(const Carries *c, int i) {
  const Value *yield = c->body->yields[i];
  bool carried = yield->node == NULL && yield->block == c->body &&
                 yield->index < c->loop->n_carries;
  return carried ? yield->index : -1;
}

static bool *is_constant(const Carries *c, int i) {
  return &c->s->constant_carry[c->body->params[i]->id];
}

static void give_up(Carries *c, int i) {
  if (!*is_constant(c, i)) return;
  *is_constant(c, i) = false;
  c->stack[c->n++] = i;
}

static void find_constant_carries(Carries *c) {
  const Node *loop = c->loop;
  for (int i = 0; i < loop->n_carries; i++) {
    *is_constant(c, i) = true;
    c->first[i] = c->next[i] = -1;
  }
  for (int i = 0; i < loop->n_carries; i++) {
    int source = source_carry(c, i);
    bool same = source >= 0 ? loop->operands[source] == loop->operands[i]
                            : c->body->yields[i] == loop->operands[i];
    if (!same) {
      give_up(c, i);
    } else if (source >= 0) {
      c->next[i] = c->first[source];
      c->first[source] = i;
    }
  }
  while (c->n > 0)
    for (int i = c->first[c->stack[--c->n]]; i >= 0; i = c->next[i])
      give_up(c, i);
  for (int i = 0; loop->op == OP_while && i < loop->n_carries; i++)
    c->s->constant_carry[loop->bodies[WHILE_TEST]->params[i]->id] =
        *is_constant(c, i);
}

static bool constant_carries(Simplify *s, const Node *loop) {
  size_t n = (size_t)loop->n_carries + 1;
  int *room = malloc(3 * n * sizeof *room);
  if (room == NULL) return false;
  Carries c = {s, loop, loop_body(loop), room, room + n, room + 2 * n, 0};
  find_constant_carries(&c);
  free(room);
  return true;
}

bool scan_constant_carries(Simplify *s, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->n_carries && !constant_carries(s, node)) return false;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (!scan_constant_carries(s, node->bodies[b])) return false;
  }
  return true;
}

/* -- building ---------------------------------------------------------- */

/* A scan under way.  The lists are those of the new one. */
typedef struct Build {
  Simplify *s;
  const Node *scan;
  Block *outside, *body;
  int64_t length;
  int n_carries, n_inputs, n_yields;
  Value **inputs, **yields;
  int64_t *xs_dims, *ys_dims;
  int *place; /* of result i among the new results; -1: it is
                 mapped already */
} Build;

static int64_t step_dim(const Node *scan, AttrKey key, int i) {
  IntList dims = ir_ints(scan, key);
  return i < dims.n ? dims.v[i] : 0;
}

static bool carry_stays(const Build *b, int i) {
  const Simplify *s = b->s;
  const Value *param = b->scan->body->params[i];
  if (s->constant_carry[param->id]) return false;
  return s->live[param->id] || s->live[b->scan->results[i]->id];
}

static bool y_stays(const Build *b, int i) {
  return i >= b->scan->n_carries && b->s->live[b->scan->results[i]->id];
}

/* Makers want a node for place and block; these stand for the scan. */
static Node stand_in(const Build *b, Block *block) {
  return (Node){.block = block, .place = b->scan->place};
}

static void add_carries(Build *b) {
  for (int i = 0; i < b->scan->n_carries; i++) {
    const Value *param = b->scan->body->params[i];
    Value *init = ir_mapped(&b->s->copier, b->scan->operands[i]);
    if (carry_stays(b, i)) {
      b->inputs[b->n_carries++] = init;
      ir_map(&b->s->copier, param,
             ir_block_param(b->body, param->type, param->name));
    } else if (b->s->constant_carry[param->id]) {
      ir_map(&b->s->copier, param, init);
    }
  }
  b->n_inputs = b->n_carries;
}

/* The value of each step of xs, if it is the same: xs is a splat, or was
 * broadcast along the step dim. */
static Value *steady_step(Build *b, Value *xs, int64_t dim, Type type) {
  Node like = stand_in(b, b->body);
  Scalar element;
  const Node *spread = xs ? made_by(xs, OP_broadcast) : NULL;
  if (xs && ir_is_splat(xs, &element))
    return simplify_splat(b->s, &like, type, element);
  if (spread == NULL) return NULL;
  int64_t dims[IR_MAX_RANK];
  IntList old = ir_ints(spread, ATTR_dims);
  for (int i = 0; i < old.n; i++) {
    if (old.v[i] == dim) return NULL;
    dims[i] = old.v[i] - (old.v[i] > dim);
  }
  return simplify_broadcast(b->s, &like, spread->operands[0], dims, type);
}

static Value *param_for(Build *b, const Value *param, Value *xs, int64_t dim) {
  for (int i = b->n_carries; i < b->n_inputs; i++)
    if (b->inputs[i] == xs && b->xs_dims[i - b->n_carries] == dim)
      return b->body->params[i];
  b->xs_dims[b->n_inputs - b->n_carries] = dim;
  b->inputs[b->n_inputs++] = xs;
  return ir_block_param(b->body, param->type, param->name);
}

static void add_xs(Build *b) {
  const Node *scan = b->scan;
  for (int i = scan->n_carries; i < scan->n_operands; i++) {
    const Value *param = scan->body->params[i];
    if (!b->s->live[param->id]) continue;
    Value *xs = ir_mapped(&b->s->copier, scan->operands[i]);
    int64_t dim = step_dim(scan, ATTR_xs_dims, i - scan->n_carries);
    Value *step = steady_step(b, xs, dim, param->type);
    if (step == NULL && b->body) step = param_for(b, param, xs, dim);
    ir_map(&b->s->copier, param, step);
  }
}

/* -- ys ---------------------------------------------------------------- */

static Value *move_dim(Build *b, Value *xs, int64_t from, int64_t to) {
  Node like = stand_in(b, b->outside);
  int64_t perm[IR_MAX_RANK];
  for (int d = 0, n = 0; d < xs->type.rank; d++) {
    n += n == from;
    perm[d] = d == to ? from : n++;
  }
  return simplify_transpose(b->s, &like, xs, perm);
}

/* What result i is where its y needs no loop: an x, or the same each step. */
static Value *ys_outside(Build *b, int i, Value *y) {
  Type type = b->scan->results[i]->type;
  int64_t dim = step_dim(b->scan, ATTR_ys_dims, i - b->scan->n_carries);
  Node like = stand_in(b, b->outside);
  Scalar element;
  if (ir_is_splat(y, &element))
    return simplify_splat(b->s, &like, type, element);
  if (y->block == b->body) {
    if (y->node || y->index < b->n_carries) return NULL;
    return move_dim(b, b->inputs[y->index], b->xs_dims[y->index - b->n_carries],
                    dim);
  }
  int64_t dims[IR_MAX_RANK];
  for (int d = 0; d < y->type.rank; d++) dims[d] = d + (d >= dim);
  return simplify_broadcast(b->s, &like, y, dims, type);
}

static int y_place(Build *b, Value *y, int64_t dim) {
  for (int i = b->n_carries; i < b->n_yields; i++)
    if (b->yields[i] == y && b->ys_dims[i - b->n_carries] == dim) return i;
  b->ys_dims[b->n_yields - b->n_carries] = dim;
  b->yields[b->n_yields] = y;
  return b->n_yields++;
}

static void add_yields(Build *b) {
  const Node *scan = b->scan;
  Copier *copier = &b->s->copier;
  for (int i = 0; i < scan->n_results; i++) {
    b->place[i] = -1;
    if (i < scan->n_carries && carry_stays(b, i)) {
      b->place[i] = b->n_yields;
      b->yields[b->n_yields++] = ir_mapped(copier, scan->body->yields[i]);
    } else if (i < scan->n_carries) {
      if (b->s->live[scan->results[i]->id])
        simplify_map(b->s, scan->results[i],
                     ir_mapped(copier, scan->operands[i]));
    } else if (y_stays(b, i)) {
      Value *y = ir_mapped(copier, scan->body->yields[i]);
      Value *outside = y ? ys_outside(b, i, y) : NULL;
      int64_t dim = step_dim(scan, ATTR_ys_dims, i - scan->n_carries);
      if (outside)
        simplify_map(b->s, scan->results[i], outside);
      else
        b->place[i] = y_place(b, y, dim);
    }
  }
}

/* -- the new scan ------------------------------------------------------ */

static Node *make_scan(Build *b) {
  Attr attrs[] = {
      IR_INT(length, b->length),
      IR_INT(reverse, ir_int(b->scan, ATTR_reverse)),
      IR_INTS(xs_dims, b->xs_dims, b->n_inputs - b->n_carries),
      IR_INTS(ys_dims, b->ys_dims, b->n_yields - b->n_carries),
  };
  return ir_node(b->outside, &(NodeSpec){.op = OP_scan,
                                         .n_operands = b->n_inputs,
                                         .operands = b->inputs,
                                         .n_attrs = 4,
                                         .attrs = attrs,
                                         .n_carries = b->n_carries,
                                         .body = b->body,
                                         .place = b->scan->place});
}

static void map_results(Build *b, const Node *made) {
  for (int i = 0; made && i < b->scan->n_results; i++) {
    const Value *old = b->scan->results[i];
    if (b->place[i] < 0) continue;
    Value *value = made->results[b->place[i]];
    if (value->name == NULL && old->name)
      value->name = ir_copy_string(b->s->copier.to, old->name);
    simplify_map(b->s, old, value);
  }
}

static void build_body(Build *b) {
  Simplify *s = b->s;
  int depth = b->scan->body->depth;
  Block *saved = s->open[depth];
  b->body = ir_block_begin(b->outside);
  s->open[depth] = b->body;
  add_carries(b);
  add_xs(b);
  simplify_block(s, b->scan->body);
  add_yields(b);
  s->open[depth] = saved;
  if (b->body == NULL || b->n_yields == 0) return;
  ir_block_yield(b->body, b->yields, b->n_yields);
  map_results(b, make_scan(b));
}

/* No step: the carries are their inits, the ys have no elements. */
static void build_nothing(Build *b) {
  Node like = stand_in(b, b->outside);
  for (int i = 0; i < b->scan->n_results; i++) {
    const Value *old = b->scan->results[i];
    if (!b->s->live[old->id]) continue;
    Value *value = i < b->scan->n_carries
                       ? ir_mapped(&b->s->copier, b->scan->operands[i])
                       : simplify_splat(b->s, &like, old->type, (Scalar){0});
    simplify_map(b->s, old, value);
  }
}

void scan_build(Simplify *s, const Node *scan) {
  Build b = {.s = s, .scan = scan, .length = ir_int(scan, ATTR_length)};
  b.outside = s->open[s->target[scan->id]];
  size_t inputs = (size_t)scan->n_operands, results = (size_t)scan->n_results;
  size_t room = (inputs + results) * (sizeof(Value *) + sizeof(int64_t)) +
                results * sizeof(int);
  char *memory = ir_alloc(s->copier.to, room + 1);
  if (memory == NULL) return;
  b.inputs = (Value **)(void *)memory;
  b.yields = b.inputs + inputs;
  b.xs_dims = (int64_t *)(void *)(b.yields + results);
  b.ys_dims = b.xs_dims + inputs;
  b.place = (int *)(void *)(b.ys_dims + results);
  if (b.length == 0)
    build_nothing(&b);
  else
    build_body(&b);
}
