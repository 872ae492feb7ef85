/* raise_lift.c: a program with one class of dims of a loop as an axis.
 *
 * Comes in: a program, a loop in it, a class of dims of the loop.  Goes out: a
 * copy in which the loop's values have no such dims but vary over the axis.
 * What comes from outside is mapped before the loop, what leaves it is unmapped
 * behind it.  A node that walks the dims by one index is made without them; a
 * sum over them is a psum; any other node gets its operands unmapped and its
 * result mapped. */
#include <stdlib.h>
#include <string.h>

#include "raise.h"

static Program *arena_of(const Lift *lift) { return lift->copier.to; }

/* -- dims of the class ------------------------------------------------- */

static int within(Lift *lift, int first, Type type) {
  int d = pass_dims_within(lift->classes, first, type.rank, lift->class);
  if (d < -1) lift->refused = true;
  return d;
}

static int dim_of_value(Lift *lift, const Value *value) {
  int first = pass_dims_value(lift->classes, value);
  return first < 0 ? -1 : within(lift, first, value->type);
}

/* -- crossing the border ----------------------------------------------- */

static Value *cross(const Lift *lift, Block *to, Op op, Value *x, int dim,
                    Place place) {
  int64_t axis = lift->axis;
  return ir_make(to, op, IR_VALUES(x),
                 IR_ATTRS(IR_INTS(axis, &axis, 1), IR_INT(dim, dim)), NULL,
                 NULL, place);
}

/* A value from outside, its dim as an axis: made before the loop.  A number
 * that fills it all has no use for the axis. */
static Value *raise_outer(Lift *lift, const Value *value, int dim) {
  Value *mapped = ir_mapped(&lift->copier, value);
  Place place = lift->loop->place;
  Scalar element;
  if (lift->kept[value->id] && lift->kept_dim[value->id] == dim)
    return lift->kept[value->id];
  Type less = raise_type(arena_of(lift), value->type, dim);
  Value *made = ir_is_splat(value, &element)
                    ? ir_make_splat(lift->outside, less.dtype, element,
                                    less.rank, less.dims, value->node->place)
                    : cross(lift, lift->outside, OP_map, mapped, dim, place);
  lift->kept[value->id] = made;
  lift->kept_dim[value->id] = dim;
  return made;
}

/* The value without its dim `dim`; dim -1: with all dims it had. */
static Value *take(Lift *lift, Block *to, const Value *value, int dim,
                   Place place) {
  Value *mapped = ir_mapped(&lift->copier, value);
  if (pass_dims_value(lift->classes, value) < 0)
    return dim < 0 ? mapped : raise_outer(lift, value, dim);
  int has = dim_of_value(lift, value);
  return has < 0 || dim >= 0 ? mapped
                             : cross(lift, to, OP_unmap, mapped, has, place);
}

/* -- plain nodes ------------------------------------------------------- */

/* May the sum over the dim be one over devices?  It has to be exact, or free
 * to round in another order. */
static bool may_sum(const Lift *lift, const Node *node) {
  DType dtype = node->results[0]->type.dtype;
  if (ir_is_int(dtype)) return true;
  return lift->options->numerics == NUMERICS_FAST &&
         (dtype == DT_F32 || dtype == DT_F64);
}

typedef enum Way { UNTOUCHED, WITHOUT, SUM, APART } Way;

/* dropped[i]: the dim of port i that is of the class.  Which way is the node
 * to be made? */
static Way way_of(Lift *lift, const Node *node, int *dropped) {
  DimLabels *labels = &lift->classes->labels;
  int at = pass_dims_use(lift->classes, node, 0);
  Way way = UNTOUCHED;
  if (!pass_dim_labels(labels, node)) return APART;
  for (int p = 0; p < labels->n_ports; p++) {
    int rank =
        (p + 1 < labels->n_ports ? labels->first[p + 1] : labels->n_dims) -
        labels->first[p];
    if (p == node->n_operands)
      at = pass_dims_value(lift->classes, node->results[0]);
    dropped[p] = within(lift, at, (Type){.rank = rank});
    at += rank;
    if (dropped[p] < 0) continue;
    int label = labels->label[labels->first[p] + dropped[p]];
    int role = labels->role[label];
    Way here = role == DIM_PARALLEL                        ? WITHOUT
               : role == DIM_SUMMED && may_sum(lift, node) ? SUM
                                                           : APART;
    if (here > way) way = here;
  }
  return way;
}

static void map_all_results(Lift *lift, Block *to, const Node *node,
                            const Node *made, const int *dropped) {
  for (int i = 0; made && i < node->n_results; i++) {
    Value *result = made->results[i];
    if (dropped[i] >= 0)
      result = cross(lift, to, OP_map, result, dropped[i], node->place);
    ir_map(&lift->copier, node->results[i], result);
  }
}

/* As it was, between unmap and map. */
static void lift_apart(Lift *lift, Block *to, const Node *node,
                       const int *dropped, Value **operands) {
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = take(lift, to, node->operands[i], -1, node->place);
  map_all_results(lift, to, node, ir_clone(to, node, operands, NULL),
                  dropped + node->n_operands);
}

/* A dim of size 1 that is stretched along the class goes first. */
static void drop_stretched(Lift *lift, Block *to, const Node *node,
                           int *dropped, Value **operands) {
  IntList dims = ir_ints(node, ATTR_dims);
  if (node->op != OP_broadcast || dropped[0] >= 0 || dropped[1] < 0) return;
  for (int i = 0; i < dims.n; i++) {
    if (dims.v[i] != dropped[1]) continue;
    Type less = raise_type(arena_of(lift), node->operands[0]->type, i);
    operands[0] = ir_make(to, OP_reshape, IR_VALUES(operands[0]), 0, NULL,
                          &less, NULL, node->place);
    dropped[0] = i;
    return;
  }
}

/* A slice along the class took all of it: its start goes. */
static int drop_start(const Node *node, const int *dropped, Value **operands) {
  int n = node->n_operands, batch = (int)ir_int(node, ATTR_batch);
  int first = node->op == OP_dynamic_slice ? 1 : 2;
  if (node->op != OP_dynamic_slice && node->op != OP_dynamic_update_slice)
    return n;
  if (dropped[0] < batch) return n;
  int at = first + dropped[0] - batch;
  memmove(operands + at, operands + at + 1,
          (size_t)(n - at - 1) * sizeof *operands);
  return n - 1;
}

/* Views that do nothing any more. */
static bool does_nothing(const Node *node, Type from, Type to) {
  bool view = node->op == OP_broadcast || node->op == OP_reshape;
  return view && ir_shape_equal(from, to);
}

static Value *make_less(Lift *lift, Block *to, const Node *node, int *dropped,
                        Value **operands) {
  Attr attrs[ATTR_COUNT];
  drop_stretched(lift, to, node, dropped, operands);
  Type type = raise_type(arena_of(lift), node->results[0]->type,
                         dropped[node->n_operands]);
  if (lift->copier.to->error.failed) return NULL;
  if (node->n_operands && does_nothing(node, operands[0]->type, type))
    return operands[0];
  int n_attrs = raise_attrs(arena_of(lift), node, dropped, attrs);
  bool typed = ir_ops[node->op].flags & TYPED;
  Node *made =
      ir_node(to, &(NodeSpec){.op = node->op,
                              .n_operands = drop_start(node, dropped, operands),
                              .operands = operands,
                              .n_attrs = n_attrs,
                              .attrs = attrs,
                              .type = typed ? &type : NULL,
                              .literal = node->literal,
                              .splat = node->splat,
                              .name = node->results[0]->name,
                              .place = node->place});
  return made ? made->results[0] : NULL;
}

static void lift_sort(Lift *lift, Block *to, const Node *node,
                      const int *dropped, Value **operands) {
  Attr attrs[ATTR_COUNT];
  int n_attrs = raise_attrs(arena_of(lift), node, dropped, attrs);
  Node plain = *node;
  plain.attrs = attrs;
  plain.n_attrs = n_attrs;
  Node *made = ir_clone(to, &plain, operands, NULL);
  for (int i = 0; made && i < node->n_results; i++)
    ir_map(&lift->copier, node->results[i], made->results[i]);
}

/* The sum over the other dims, if there are any, then over the devices. */
static Value *make_sum(Lift *lift, Block *to, const Node *node, int *dropped,
                       Value **operands) {
  int64_t axis = lift->axis, all[IR_MAX_RANK];
  int rank = node->operands[0]->type.rank;
  Node plain = *node;
  Attr dims = IR_INTS(dims, all, rank);
  for (int d = 0; d < rank; d++) all[d] = d;
  if (node->op == OP_reduce_sum && node->n_attrs == 0) {
    plain.attrs = &dims;
    plain.n_attrs = 1;
  }
  bool only = node->op == OP_reduce_sum && ir_ints(&plain, ATTR_dims).n == 1;
  Value *rest =
      only ? operands[0] : make_less(lift, to, &plain, dropped, operands);
  if (rest && !only) rest->name = NULL; /* the psum has it */
  return ir_make(to, OP_psum, IR_VALUES(rest),
                 IR_ATTRS(IR_INTS(axis, &axis, 1)), NULL,
                 node->results[0]->name, node->place);
}

static void lift_plain(Lift *lift, Block *to, const Node *node) {
  int n = node->n_operands;
  int *dropped = malloc((size_t)(n + node->n_results + 1) * sizeof *dropped);
  Value **operands = malloc(((size_t)n + 1) * sizeof *operands);
  Way way = dropped && operands ? way_of(lift, node, dropped) : UNTOUCHED;
  if (!dropped || !operands) {
    ir_out_of_memory(arena_of(lift));
  } else if (way == UNTOUCHED) {
    ir_copy_node(&lift->copier, to, node);
  } else if (way == APART) {
    lift_apart(lift, to, node, dropped, operands);
  } else {
    for (int i = 0; i < n; i++)
      operands[i] = take(lift, to, node->operands[i], dropped[i], node->place);
    if (node->n_results > 1)
      lift_sort(lift, to, node, dropped, operands);
    else
      ir_map(&lift->copier, node->results[0],
             (way == SUM ? make_sum : make_less)(lift, to, node, dropped,
                                                 operands));
  }
  free(dropped);
  free(operands);
}

/* -- loops and branches ------------------------------------------------ */

static Type less_type(Copier *copier, const Value *param) {
  Lift *lift = copier->context;
  return raise_type(copier->to, param->type, dim_of_value(lift, param));
}

static void lift_node(Lift *lift, Block *to, const Node *node);

static Block *lift_body(Lift *lift, Block *to, const Node *node, int b) {
  const Block *from = node->bodies[b];
  Block *body = ir_copy_params(&lift->copier, from, to);
  int at = pass_dims_yield(lift->classes, node, b, 0);
  if (body == NULL) return NULL;
  for (int i = 0; i < from->n_nodes && !arena_of(lift)->error.failed; i++)
    lift_node(lift, body, from->nodes[i]);
  Value **yields =
      ir_alloc(arena_of(lift), (size_t)from->n_yields * sizeof *yields + 1);
  for (int i = 0; yields && i < from->n_yields; i++) {
    const Value *yield = from->yields[i];
    yields[i] =
        take(lift, body, yield, within(lift, at, yield->type), node->place);
    at += yield->type.rank;
  }
  if (yields) ir_block_yield(body, yields, from->n_yields);
  return body;
}

/* Where the step dim lies in stacked value i. */
static int step_of(const Node *node, AttrKey key, int i) {
  IntList list = ir_ints(node, key);
  return i < list.n ? (int)list.v[i] : 0;
}

/* The steps are no axis: a value stacked along the class stays whole. */
static int not_step(int dim, int step) { return dim == step ? -1 : dim; }

/* The list of step dims, after dropped[i] went from value i. */
static Attr step_attr(const Lift *lift, const Node *node, AttrKey key, int n,
                      const int *dropped) {
  int64_t *list = ir_alloc(lift->copier.to, (size_t)n * sizeof *list + 1);
  for (int i = 0; list && i < n; i++) {
    int step = step_of(node, key, i);
    list[i] = step - (dropped[i] >= 0 && step > dropped[i]);
  }
  return (Attr){.key = key, .ints = {list, list ? n : 0}};
}

/* What a node with bodies takes and makes: dims as in `dropped` above; asked
 * says what a result is to be mapped along afterwards. */
static void border_dims(Lift *lift, const Node *node, int *dropped,
                        int *asked) {
  int at = pass_dims_use(lift->classes, node, 0), n = node->n_operands;
  for (int i = 0; i < n; i++) {
    dropped[i] = within(lift, at, node->operands[i]->type);
    at += node->operands[i]->type.rank;
    if (node->op == OP_scan && i >= node->n_carries)
      dropped[i] = not_step(dropped[i],
                            step_of(node, ATTR_xs_dims, i - node->n_carries));
  }
  for (int i = 0; i < node->n_results; i++) {
    int dim = dim_of_value(lift, node->results[i]);
    dropped[n + i] = dim;
    if (node->op == OP_scan && i >= node->n_carries)
      dropped[n + i] =
          not_step(dim, step_of(node, ATTR_ys_dims, i - node->n_carries));
    asked[i] = dropped[n + i] == dim ? -1 : dim;
  }
}

static int control_attrs(const Lift *lift, const Node *node, const int *dropped,
                         Attr *attrs) {
  int n = node->n_carries;
  for (int i = 0; i < node->n_attrs; i++) {
    attrs[i] = node->attrs[i];
    if (attrs[i].key == ATTR_xs_dims)
      attrs[i] = step_attr(lift, node, ATTR_xs_dims, node->n_operands - n,
                           dropped + n);
    if (attrs[i].key == ATTR_ys_dims)
      attrs[i] = step_attr(lift, node, ATTR_ys_dims, node->n_results - n,
                           dropped + node->n_operands + n);
  }
  return node->n_attrs;
}

/* Out of the loop: the results as they were. */
static void unmap_results(Lift *lift, Block *to, const Node *node, Node *made,
                          const int *dropped) {
  for (int i = 0; i < node->n_results; i++) {
    Value *result = made->results[i];
    const Value *old = node->results[i];
    if (dropped[i] >= 0 && lift->used[old->id]) {
      result->name = NULL;
      result = cross(lift, to, OP_unmap, result, dropped[i], node->place);
    }
    pass_replace(&lift->copier, old, result);
  }
}

static void lift_control(Lift *lift, Block *to, const Node *node) {
  Program *arena = arena_of(lift);
  int n = node->n_operands;
  size_t ports = (size_t)n + (size_t)node->n_results + 1;
  Value **operands = ir_alloc(arena, ports * sizeof *operands);
  int *dropped = ir_alloc(arena, ports * sizeof *dropped);
  int *asked = ir_alloc(arena, ports * sizeof *asked);
  Block *bodies[IR_BODIES] = {NULL};
  Attr attrs[ATTR_COUNT];
  if (!operands || !dropped || !asked) return;
  border_dims(lift, node, dropped, asked);
  for (int i = 0; i < n; i++)
    operands[i] = take(lift, to, node->operands[i], dropped[i], node->place);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    if ((bodies[b] = lift_body(lift, to, node, b)) == NULL) return;
  Node plain = *node;
  plain.n_attrs = control_attrs(lift, node, dropped, attrs);
  plain.attrs = attrs;
  Node *made =
      arena->error.failed ? NULL : ir_clone(to, &plain, operands, bodies);
  if (made == NULL) return;
  if (node == lift->loop)
    unmap_results(lift, to, node, made, dropped + n);
  else
    map_all_results(lift, to, node, made, asked);
}

static void lift_node(Lift *lift, Block *to, const Node *node) {
  if (lift->refused) return;
  if (node->body)
    lift_control(lift, to, node);
  else
    lift_plain(lift, to, node);
}

/* -- the copy ---------------------------------------------------------- */

static bool find_loop(Copier *copier, Block *to, const Node *node) {
  Lift *lift = copier->context;
  if (lift->refused) return true;
  if (node != lift->loop) return false;
  copier->param_type = less_type;
  lift->outside = to;
  lift_control(lift, to, node);
  copier->param_type = NULL;
  return true;
}

static Program *copy(Lift *lift, const char *name) {
  Copier *copier = &lift->copier;
  bool begun = ir_copy_begin(copier, NAMED);
  if (begun && lift->axis == copier->from->n_axes)
    begun = ir_axis_declare(copier->to, name, lift->classes->size[lift->class],
                            (Place){0}) >= 0;
  if (begun) ir_copy_block(copier, copier->from->body, copier->to->body);
  return ir_copy_end(copier);
}

Program *raise_lift(Lift *lift, const char *name, bool *no_memory) {
  const Program *from = lift->classes->program;
  size_t values = (size_t)from->n_values + 1;
  lift->copier = (Copier){.from = from, .rule = find_loop, .context = lift};
  lift->kept = calloc(values, sizeof *lift->kept);
  lift->kept_dim = calloc(values, sizeof *lift->kept_dim);
  Program *draft = lift->kept && lift->kept_dim ? copy(lift, name) : NULL;
  free(lift->kept);
  free(lift->kept_dim);
  *no_memory = draft == NULL || draft->error.out_of_memory;
  if (draft && !lift->refused && !draft->error.failed)
    draft = ir_finish(draft, NULL);
  *no_memory |= draft == NULL || draft->error.out_of_memory;
  if (draft && !lift->refused && !draft->error.failed) return draft;
  ir_program_destroy(draft);
  return NULL;
}
