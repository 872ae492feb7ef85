/* lower_axes.c: named -> batched.  Axes become leading dims.
 *
 * A value that varies over axes gets one leading dim for each, in the order in
 * which the program declares them; an invariant value stays as it is and is
 * broadcast where it meets a varying one.  Ops that act on dims act on the
 * dims behind.  Collectives are in lower_collectives.c, loops and branches in
 * lower_control.c. */
#include "lower.h"
#include "pass.h"

#include <stdio.h>
#include <string.h>

/* -- makers ------------------------------------------------------------ */

void lower_push_axes(const Lower *lower, Dims *dims, uint64_t set) {
  for (int a = 0; a < lower->from->n_axes; a++)
    if (set >> a & 1) dims_push(dims, lower->from->axes[a].size);
}

static void push_dims(Dims *dims, Type type) {
  for (int d = 0; d < type.rank; d++) dims_push(dims, type.dims[d]);
}

Value *lower_make(const Lower *lower, Op op, int n, Value *const *operands,
                  int n_attrs, const Attr *attrs, const Type *type) {
  return ir_make(lower->to, op, n, operands, n_attrs, attrs, type, NULL,
                 lower->node->place);
}

Value *lower_transpose(const Lower *lower, Value *x, const int64_t *perm) {
  if (x == NULL) return NULL;
  bool identity = true;
  for (int d = 0; d < x->type.rank; d++) identity &= perm[d] == d;
  if (identity) return x;
  return lower_make(lower, OP_transpose, IR_VALUES(x),
                    IR_ATTRS(IR_INTS(perm, perm, x->type.rank)), NULL);
}

Value *lower_reshape(const Lower *lower, Value *x, const Dims *dims) {
  if (x == NULL) return NULL;
  Type type = {x->type.dtype, dims->n, dims->v, 0};
  if (ir_shape_equal(type, x->type)) return x;
  return lower_make(lower, OP_reshape, IR_VALUES(x), 0, NULL, &type);
}

Value *lower_broadcast(const Lower *lower, Value *x, const int64_t *positions,
                       const Dims *dims) {
  if (x == NULL) return NULL;
  Type type = {x->type.dtype, dims->n, dims->v, 0};
  if (ir_shape_equal(type, x->type)) return x;
  return lower_make(lower, OP_broadcast, IR_VALUES(x),
                    IR_ATTRS(IR_INTS(dims, positions, x->type.rank)), &type);
}

Value *lower_convert(const Lower *lower, Value *x, DType dtype) {
  if (x == NULL || x->type.dtype == dtype) return x;
  Type type = x->type;
  type.dtype = dtype;
  return lower_make(lower, OP_convert, IR_VALUES(x), 0, NULL, &type);
}

Value *lower_number(const Lower *lower, DType dtype, double value) {
  Scalar scalar =
      ir_is_float(dtype) ? (Scalar){.f = value} : (Scalar){.i = (int64_t)value};
  return ir_make_splat(lower->to, dtype, scalar, 0, NULL, lower->node->place);
}

Value *lower_operand(const Lower *lower, int i) {
  return ir_mapped(lower->copier, lower->node->operands[i]);
}

static uint64_t operand_axes(const Lower *lower, int i) {
  return lower->node->operands[i]->type.axes;
}

static uint64_t all_axes(const Lower *lower) {
  uint64_t set = 0;
  for (int i = 0; i < lower->node->n_operands; i++)
    set |= operand_axes(lower, i);
  return set;
}

/* Positions in `set` of the axes of `from`. */
static void push_positions(Dims *positions, uint64_t from, uint64_t set) {
  for (uint64_t rest = from; rest; rest &= rest - 1)
    dims_push(positions, axes_before(set, __builtin_ctzll(rest)));
}

Value *lower_spread(const Lower *lower, Value *lowered, uint64_t from,
                    uint64_t set) {
  if (lowered == NULL || from == set) return lowered;
  Dims positions = {.n = 0}, dims = {.n = 0};
  int skip = axes_count(from);
  push_positions(&positions, from, set);
  lower_push_axes(lower, &dims, set);
  for (int d = skip; d < lowered->type.rank; d++) {
    dims_push(&positions, dims.n);
    dims_push(&dims, lowered->type.dims[d]);
  }
  return lower_broadcast(lower, lowered, positions.v, &dims);
}

static Value *spread_operand(const Lower *lower, int i, uint64_t set) {
  return lower_spread(lower, lower_operand(lower, i), operand_axes(lower, i),
                      set);
}

/* -- elementwise ------------------------------------------------------- */

Value *lower_align(const Lower *lower, Value *lowered, uint64_t from,
                   bool scalar, uint64_t set, Type result) {
  if (lowered == NULL || (scalar && from == 0)) return lowered;
  if (!scalar || result.rank == 0)
    return lower_spread(lower, lowered, from, set);
  Dims positions = {.n = 0}, dims = {.n = 0};
  push_positions(&positions, from, set);
  lower_push_axes(lower, &dims, set);
  push_dims(&dims, result);
  return lower_broadcast(lower, lowered, positions.v, &dims);
}

static Value *align(const Lower *lower, int i, uint64_t set, Type result) {
  return lower_align(lower, lower_operand(lower, i), operand_axes(lower, i),
                     lower->node->operands[i]->type.rank == 0, set, result);
}

static Value *lower_elementwise(const Lower *lower) {
  Value *operands[3];
  const Node *node = lower->node;
  Type result = node->results[0]->type;
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = align(lower, i, result.axes, result);
  if (operands[0] == NULL) return NULL;
  Type type = operands[0]->type; /* convert and bitcast: the operand's shape */
  type.dtype = result.dtype;
  bool typed = ir_ops[node->op].flags & TYPED;
  return lower_make(lower, node->op, node->n_operands, operands, node->n_attrs,
                    node->attrs, typed ? &type : NULL);
}

/* -- ops on dims ------------------------------------------------------- */

/* How a per-dim attribute grows by the leading dims. */
typedef enum Prefix {
  SHIFTED,  /* dim numbers: add the number of axes */
  IDENTITY, /* a list that starts with 0, 1, ... and is shifted behind */
  ZEROS,    /* starts and paddings: nothing happens to the axes */
  ONES,     /* strides */
  FULL      /* limits and sizes: all of the axis */
} Prefix;

static const struct {
  AttrKey key;
  Prefix prefix;
} prefixes[] = {
    {ATTR_dims, SHIFTED}, {ATTR_perm, IDENTITY},  {ATTR_start, ZEROS},
    {ATTR_limit, FULL},   {ATTR_stride, ONES},    {ATTR_low, ZEROS},
    {ATTR_high, ZEROS},   {ATTR_interior, ZEROS}, {ATTR_sizes, FULL},
};

static void prefix_list(const Lower *lower, Prefix prefix, uint64_t set,
                        IntList list, Dims *out) {
  int n = axes_count(set);
  if (prefix == FULL) lower_push_axes(lower, out, set);
  for (int i = 0; prefix != FULL && prefix != SHIFTED && i < n; i++)
    dims_push(out, prefix == IDENTITY ? i : prefix == ONES);
  for (int i = 0; i < list.n; i++)
    dims_push(out, list.v[i] + (prefix <= IDENTITY ? n : 0));
}

/* The node with its operands given and its attributes moved behind the axes of
 * `set`; batch counts how many of them become batch dims. */
static Value *shifted(const Lower *lower, Value *const *operands, int n,
                      uint64_t set, int batch) {
  const Node *node = lower->node;
  Attr attrs[ATTR_COUNT];
  Dims lists[ATTR_COUNT];
  int count = 0, n_axes = axes_count(set);
  for (int i = 0; i < node->n_attrs; i++) {
    Attr attr = node->attrs[i];
    if (attr.key == ATTR_batch) continue;
    if (attr.key == ATTR_dim) attr.i += n_axes;
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
      if (prefixes[p].key != attr.key) continue;
      if (attr.key == ATTR_sizes && batch) continue;
      Prefix prefix = prefixes[p].prefix;
      if (node->op == OP_broadcast) prefix = IDENTITY;
      lists[count].n = 0;
      prefix_list(lower, prefix, set, attr.ints, &lists[count]);
      attr.ints = (IntList){lists[count].v, lists[count].n};
    }
    attrs[count++] = attr;
  }
  int64_t batches = ir_int(node, ATTR_batch) + batch;
  if (batches) attrs[count++] = (Attr)IR_INT(batch, batches);
  Dims dims = {.n = 0};
  lower_push_axes(lower, &dims, set);
  push_dims(&dims, node->results[0]->type);
  Type type = {node->results[0]->type.dtype, dims.n, dims.v, 0};
  bool typed = ir_ops[node->op].flags & TYPED;
  return lower_make(lower, node->op, n, operands, count, attrs,
                    typed ? &type : NULL);
}

static Value *lower_dims(const Lower *lower) {
  Value **operands =
      ir_alloc(lower->to->program,
               (size_t)lower->node->n_operands * sizeof *operands + 1);
  if (operands == NULL) return NULL;
  uint64_t set = all_axes(lower);
  for (int i = 0; i < lower->node->n_operands; i++)
    operands[i] = spread_operand(lower, i, set);
  return shifted(lower, operands, lower->node->n_operands, set, 0);
}

/* pad: the padding is one scalar; where it varies, pad a mask beside it. */
static Value *lower_pad(const Lower *lower) {
  uint64_t set = all_axes(lower);
  Value *x = spread_operand(lower, 0, set), *padding = lower_operand(lower, 1);
  if (operand_axes(lower, 1) == 0)
    return shifted(lower, (Value *[]){x, padding}, 2, set, 0);
  if (x == NULL) return NULL;
  Value *zero = lower_number(lower, x->type.dtype, 0);
  Value *out = lower_number(lower, DT_BOOL, 0);
  Value *in = ir_make_splat(lower->to, DT_BOOL, (Scalar){.u = 1}, x->type.rank,
                            x->type.dims, lower->node->place);
  Value *padded = shifted(lower, (Value *[]){x, zero}, 2, set, 0);
  Value *mask = shifted(lower, (Value *[]){in, out}, 2, set, 0);
  Value *wide = align(lower, 1, set, lower->node->results[0]->type);
  return lower_make(lower, OP_select, IR_VALUES(mask, padded, wide), 0, NULL,
                    NULL);
}

/* -- positions known at run time --------------------------------------- */

/* dynamic_slice and dynamic_update_slice: `arrays` operands, then starts.  If
 * no start varies the axes are dims whose start is 0; else they are batch
 * dims. */
static Value *lower_window(const Lower *lower) {
  const Node *node = lower->node;
  int arrays = node->op == OP_dynamic_slice ? 1 : 2;
  uint64_t set = all_axes(lower), varying = 0;
  for (int i = arrays; i < node->n_operands; i++)
    varying |= operand_axes(lower, i);
  bool batch = varying != 0 || ir_int(node, ATTR_batch) > 0;
  int n_axes = axes_count(set), n = 0;
  Value **operands =
      ir_alloc(lower->to->program,
               (size_t)(node->n_operands + n_axes) * sizeof *operands);
  if (operands == NULL) return NULL;
  for (int i = 0; i < arrays; i++)
    operands[n++] = spread_operand(lower, i, set);
  for (int i = 0; !batch && i < n_axes; i++)
    operands[n++] = lower_number(lower, DT_I32, 0);
  for (int i = arrays; i < node->n_operands; i++)
    operands[n++] =
        batch ? spread_operand(lower, i, set) : lower_operand(lower, i);
  return shifted(lower, operands, n, set, batch ? n_axes : 0);
}

/* take and scatter_add; operand 1 is the index. */
static Value *lower_take(const Lower *lower) {
  uint64_t set = all_axes(lower);
  bool batch =
      operand_axes(lower, 1) != 0 || ir_int(lower->node, ATTR_batch) > 0;
  Value *operands[3];
  for (int i = 0; i < lower->node->n_operands; i++)
    operands[i] = i == 1 && !batch ? lower_operand(lower, i)
                                   : spread_operand(lower, i, set);
  return shifted(lower, operands, lower->node->n_operands, set,
                 batch ? axes_count(set) : 0);
}

static Value *lower_random(const Lower *lower) {
  uint64_t set = all_axes(lower);
  Value *operands[2];
  for (int i = 0; i < lower->node->n_operands; i++)
    operands[i] = spread_operand(lower, i, set);
  return shifted(lower, operands, lower->node->n_operands, set,
                 axes_count(set));
}

/* -- einsum ------------------------------------------------------------ */

static Value *lower_einsum(const Lower *lower) {
  const Node *node = lower->node;
  Program *program = lower->to->program;
  uint64_t set = node->results[0]->type.axes;
  const char *spec = ir_string(node, ATTR_spec);
  static const char alphabet[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  char letters[IR_MAX_AXES] = {0};
  int next = 0;
  for (int a = 0; a < lower->from->n_axes; a++) {
    if (!(set >> a & 1)) continue;
    while (next < 52 && strchr(spec, alphabet[next])) next++;
    if (next == 52) {
      ir_error(program, node->place,
               "einsum: more than 52 labels, with one for each axis");
      return NULL;
    }
    letters[a] = alphabet[next++];
  }
  size_t room = strlen(spec) + (size_t)(node->n_operands + 1) * IR_MAX_AXES + 1;
  char *text = ir_alloc(program, room), *to = text;
  Value **operands =
      ir_alloc(program, (size_t)node->n_operands * sizeof *operands);
  if (text == NULL || operands == NULL) return NULL;
  for (int t = 0; t <= node->n_operands; t++) {
    uint64_t axes = t < node->n_operands ? operand_axes(lower, t) : set;
    if (t < node->n_operands) operands[t] = lower_operand(lower, t);
    for (int a = 0; a < lower->from->n_axes; a++)
      if (axes >> a & 1) *to++ = letters[a];
    while (*spec && *spec != ',' && *spec != '-') *to++ = *spec++;
    if (*spec == ',') { /* what follows may be an empty term */
      *to++ = *spec++;
    } else if (*spec == '-') {
      *to++ = *spec++;
      *to++ = *spec++;
    }
  }
  Attr attrs[2] = {IR_STRING(spec, text)};
  const Attr *accumulate = ir_attr(node, ATTR_accumulate);
  if (accumulate) attrs[1] = *accumulate;
  return lower_make(lower, OP_einsum, node->n_operands, operands,
                    accumulate ? 2 : 1, attrs, NULL);
}

/* -- the pass ---------------------------------------------------------- */

static Value *lower_one(const Lower *lower) {
  switch (lower->node->op) {
    case OP_pad:
      return lower_pad(lower);
    case OP_dynamic_slice:
    case OP_dynamic_update_slice:
      return lower_window(lower);
    case OP_take:
    case OP_scatter_add:
      return lower_take(lower);
    default:
      break;
  }
  switch (ir_ops[lower->node->op].class) {
    case ELEMENTWISE:
      return lower_elementwise(lower);
    case EINSUM:
      return lower_einsum(lower);
    case RANDOM:
      return lower_random(lower);
    case COLLECTIVE:
      return lower_collective(lower);
    default:
      return lower_dims(lower);
  }
}

static bool lower_rule(Copier *copier, Block *to, const Node *node) {
  Lower lower = {copier, copier->from, to, node, copier->context};
  if (ir_ops[node->op].class == CONTROL) {
    lower_control(&lower);
    return true;
  }
  if (ir_ops[node->op].class == LEAF) return false;
  if (node->op == OP_sort || node->op == OP_call) {
    lower_whole(&lower);
    return true;
  }
  pass_replace(copier, node->results[0], lower_one(&lower));
  return true;
}

static Type lowered_type(Copier *copier, const Value *param) {
  Lower lower = {.from = copier->from};
  Dims dims = {.n = 0};
  lower_push_axes(&lower, &dims, param->type.axes);
  push_dims(&dims, param->type);
  int64_t *kept = ir_alloc(copier->to, (size_t)(dims.n + 1) * sizeof *kept);
  if (kept) memcpy(kept, dims.v, (size_t)dims.n * sizeof *kept);
  return (Type){param->type.dtype, kept ? dims.n : 0, kept, 0};
}

Program *pass_lower_axes(const Program *program, const Options *options) {
  (void)options;
  Mask mask = {NULL, 0};
  Copier copier = {.from = program,
                   .rule = lower_rule,
                   .param_type = lowered_type,
                   .context = &mask};
  return ir_copy(&copier, BATCHED);
}
