/* dims.c: the classes of dims that run together in a loop.
 *
 * Comes in: a scan or while.  Goes out: union-find over the dims of its values
 * and of what it takes from outside, joined wherever a node walks them by one
 * index (dims_labels.c) or a value passes into a body or out of it; for each
 * class, what the nodes do along it.
 *
 *   scan carry(%c = %y0) {                          y0: f64[8,64,1]
 *     %p = einsum %J, %c, spec="dmn,dni->dmi"       J:  f64[8,64,64]
 *     %u = reduce_sum %p, dims=[0]
 *     %w = broadcast %u, dims=[1,2] : f64[8,64,1]
 *     %n = add %c, %w
 *     yield carry(%n)
 *   }
 *
 * The 8 of y0, c, J, p, w, n and of the result are one class: PARALLEL, and
 * SUMMED by u.  m and i of p, n of c would be others; but c and n are one
 * carry, so the 64s are one class, too, with the roles PARALLEL and SUMMED and
 * with two dims in J.
 *
 * An outer value that is used twice may be two things, so its uses are not
 * joined. */
#include "dims.h"

#include <stdlib.h>
#include <string.h>

/* -- the forest -------------------------------------------------------- */

static bool grow(DimClasses *classes, int more) {
  if (classes->n + more <= classes->room) return true;
  int room = 2 * (classes->n + more) + 64;
  int *parent = realloc(classes->parent, (size_t)room * sizeof *parent);
  if (parent) classes->parent = parent;
  int64_t *size = realloc(classes->size, (size_t)room * sizeof *size);
  if (size) classes->size = size;
  unsigned char *roles = realloc(classes->roles, (size_t)room);
  if (roles) classes->roles = roles;
  if (!parent || !size || !roles) return false;
  classes->room = room;
  return true;
}

/* New dims, each a class; -1: no memory. */
static int add_dims(DimClasses *classes, Type type) {
  int first = classes->n;
  if (!grow(classes, type.rank + 1)) return -1;
  for (int d = 0; d < type.rank; d++) {
    classes->parent[classes->n] = classes->n;
    classes->size[classes->n] = type.dims[d];
    classes->roles[classes->n++] = 0;
  }
  return first;
}

int pass_dims_class(DimClasses *classes, int dim) {
  int *parent = classes->parent;
  while (parent[dim] != dim) {
    parent[dim] = parent[parent[dim]];
    dim = parent[dim];
  }
  return dim;
}

static void join(DimClasses *classes, int x, int y) {
  x = pass_dims_class(classes, x);
  y = pass_dims_class(classes, y);
  if (x == y) return;
  if (y < x) { /* the older one stays the root */
    int older = y;
    y = x;
    x = older;
  }
  classes->parent[y] = x;
  classes->roles[x] |= classes->roles[y];
}

static void join_all(DimClasses *classes, int x, int y, int n) {
  for (int d = 0; d < n; d++) join(classes, x + d, y + d);
}

static void play(DimClasses *classes, int dim, int role) {
  classes->roles[pass_dims_class(classes, dim)] |= (unsigned char)(1 << role);
}

/* -- values and their uses --------------------------------------------- */

static bool define(DimClasses *classes, Value *const *values, int n) {
  for (int i = 0; i < n; i++) {
    int first = add_dims(classes, values[i]->type);
    if (first < 0) return false;
    classes->values[values[i]->id] = first;
  }
  return true;
}

/* The first dim of the first of n uses; they are joined with what they use. */
static int use_all(DimClasses *classes, Value *const *values, int n) {
  int start = classes->n;
  for (int i = 0; i < n; i++) {
    int first = add_dims(classes, values[i]->type);
    if (first < 0) return -1;
    int value = classes->values[values[i]->id];
    if (value >= 0) join_all(classes, first, value, values[i]->type.rank);
  }
  return start;
}

int pass_dims_value(const DimClasses *classes, const Value *value) {
  return classes->values[value->id];
}

int pass_dims_use(const DimClasses *classes, const Node *node, int operand) {
  int first = classes->uses[node->id];
  for (int i = 0; i < operand; i++) first += node->operands[i]->type.rank;
  return first;
}

int pass_dims_yield(const DimClasses *classes, const Node *node, int b, int i) {
  int first = classes->yields[node->id * IR_BODIES + b];
  for (int k = 0; k < i; k++) first += node->bodies[b]->yields[k]->type.rank;
  return first;
}

int pass_dims_within(DimClasses *classes, int first, int n, int class) {
  int found = -1;
  for (int d = 0; d < n; d++) {
    if (pass_dims_class(classes, first + d) != class) continue;
    if (found >= 0) return -2;
    found = d;
  }
  return found;
}

/* -- nodes ------------------------------------------------------------- */

static bool visit_plain(DimClasses *classes, const Node *node) {
  DimLabels *labels = &classes->labels;
  if (!pass_dim_labels(labels, node)) return false;
  int *seen = malloc(((size_t)labels->n_labels + 1) * sizeof *seen);
  int at = classes->uses[node->id], n_uses = 0;
  if (seen == NULL) return false;
  for (int l = 0; l < labels->n_labels; l++) seen[l] = -1;
  for (int i = 0; i < node->n_operands; i++)
    n_uses += node->operands[i]->type.rank;
  for (int d = 0; d < labels->n_dims; d++) {
    int l = labels->label[d];
    if (d == n_uses) at = pass_dims_value(classes, node->results[0]);
    if (seen[l] >= 0)
      join(classes, seen[l], at);
    else
      seen[l] = at;
    play(classes, at++, labels->role[l]);
  }
  free(seen);
  return true;
}

/* x is the same as y but for one dim more, at `step`. */
static void join_stacked(DimClasses *classes, int x, int y, int rank,
                         int64_t step) {
  for (int d = 0; d < rank; d++) join(classes, x + d + (d >= step), y + d);
  play(classes, x + (int)step, DIM_MIXED);
}

static int64_t step_dim(const Node *scan, AttrKey key, int i) {
  IntList list = ir_ints(scan, key);
  return i < list.n ? list.v[i] : 0;
}

static void close_scan(DimClasses *classes, const Node *scan) {
  const Block *body = scan->body;
  int use = pass_dims_use(classes, scan, 0);
  int yield = pass_dims_yield(classes, scan, 0, 0), n = scan->n_carries;
  for (int i = 0; i < body->n_params; i++) {
    int param = pass_dims_value(classes, body->params[i]);
    int rank = body->params[i]->type.rank;
    if (i < n)
      join_all(classes, use, param, rank);
    else
      join_stacked(classes, use, param, rank,
                   step_dim(scan, ATTR_xs_dims, i - n));
    use += scan->operands[i]->type.rank;
  }
  for (int i = 0; i < body->n_yields; i++) {
    int result = pass_dims_value(classes, scan->results[i]);
    int rank = body->yields[i]->type.rank;
    if (i < n) {
      join_all(classes, yield, pass_dims_value(classes, body->params[i]), rank);
      join_all(classes, yield, result, rank);
    } else {
      join_stacked(classes, result, yield, rank,
                   step_dim(scan, ATTR_ys_dims, i - n));
    }
    yield += rank;
  }
}

static void close_while(DimClasses *classes, const Node *loop) {
  const Block *test = loop->bodies[WHILE_TEST];
  const Block *step = loop->bodies[WHILE_STEP];
  int use = pass_dims_use(classes, loop, 0);
  int yield = pass_dims_yield(classes, loop, WHILE_STEP, 0);
  for (int i = 0; i < loop->n_carries; i++) {
    int rank = loop->operands[i]->type.rank;
    int carry = pass_dims_value(classes, step->params[i]);
    join_all(classes, use, carry, rank);
    join_all(classes, yield, carry, rank);
    join_all(classes, pass_dims_value(classes, test->params[i]), carry, rank);
    join_all(classes, pass_dims_value(classes, loop->results[i]), carry, rank);
    use += rank;
    yield += rank;
  }
}

static void close_cond(DimClasses *classes, const Node *cond) {
  for (int b = 0; b < IR_BODIES; b++) {
    int yield = pass_dims_yield(classes, cond, b, 0);
    for (int i = 0; i < cond->n_results; i++) {
      int rank = cond->results[i]->type.rank;
      join_all(classes, yield, pass_dims_value(classes, cond->results[i]),
               rank);
      yield += rank;
    }
  }
}

static bool visit_node(DimClasses *classes, const Node *node);

static bool visit_block(DimClasses *classes, const Node *owner, int b) {
  const Block *block = owner->bodies[b];
  if (!define(classes, block->params, block->n_params)) return false;
  for (int i = 0; i < block->n_nodes; i++)
    if (!visit_node(classes, block->nodes[i])) return false;
  int first = use_all(classes, block->yields, block->n_yields);
  classes->yields[owner->id * IR_BODIES + b] = first;
  return first >= 0;
}

static bool visit_node(DimClasses *classes, const Node *node) {
  int first = use_all(classes, node->operands, node->n_operands);
  classes->uses[node->id] = first;
  if (first < 0 || !define(classes, node->results, node->n_results))
    return false;
  if (node->body == NULL) return visit_plain(classes, node);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    if (!visit_block(classes, node, b)) return false;
  if (node->op == OP_scan) close_scan(classes, node);
  if (node->op == OP_while) close_while(classes, node);
  if (node->op == OP_cond) close_cond(classes, node);
  return true;
}

bool pass_dims_begin(DimClasses *classes, const Node *loop) {
  const Program *program = loop->block->program;
  size_t values = (size_t)program->n_values + 1;
  size_t nodes = (size_t)program->n_nodes + 1;
  *classes = (DimClasses){.program = program, .loop = loop};
  classes->values = malloc(values * sizeof(int));
  classes->uses = malloc(nodes * sizeof(int));
  classes->yields = malloc(nodes * IR_BODIES * sizeof(int));
  if (!classes->values || !classes->uses || !classes->yields) return false;
  memset(classes->values, -1, values * sizeof(int));
  return visit_node(classes, loop);
}

void pass_dims_end(DimClasses *classes) {
  pass_dim_labels_free(&classes->labels);
  free(classes->parent);
  free(classes->size);
  free(classes->roles);
  free(classes->values);
  free(classes->uses);
  free(classes->yields);
  *classes = (DimClasses){0};
}
