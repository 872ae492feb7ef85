/* lower_collectives.c: every collective as reductions, views and static takes
 * over device dims.
 *
 * Most rules work on a canonical form, "front": all devices of the named axes
 * in one leading dim (row-major, first name most significant), then the other
 * axes in order, then the value's own dims.  With groups, the rule runs on the
 * rows of each group and the rows go back to their devices. */
#include "lower.h"

#include <string.h>

typedef struct Front {
  const Lower *lower;
  IntList axes;    /* as named */
  uint64_t set;    /* the named axes */
  uint64_t others; /* what else the value varies over */
  int64_t n;       /* devices of the named axes together */
  int rest;        /* number of other axes */
} Front;

static Front front_of(const Lower *lower) {
  Front front = {
      .lower = lower, .axes = ir_ints(lower->node, ATTR_axis), .n = 1};
  for (int i = 0; i < front.axes.n; i++) {
    front.set |= UINT64_C(1) << front.axes.v[i];
    front.n *= lower->from->axes[front.axes.v[i]].size;
  }
  if (lower->node->n_operands)
    front.others = lower->node->operands[0]->type.axes & ~front.set;
  front.rest = axes_count(front.others);
  return front;
}

static Type type_of(const Value *x) { return x ? x->type : (Type){0}; }

/* Operand 0, spread over the named axes, in front form. */
static Value *to_front(const Front *front) {
  const Lower *lower = front->lower;
  uint64_t from = lower->node->operands[0]->type.axes;
  uint64_t all = from | front->set;
  Value *x = lower_spread(lower, lower_operand(lower, 0), from, all);
  Type type = type_of(x);
  Dims perm = {.n = 0}, merged = {.n = 0};
  for (int i = 0; i < front->axes.n; i++)
    dims_push(&perm, axes_before(all, front->axes.v[i]));
  for (uint64_t rest = front->others; rest; rest &= rest - 1)
    dims_push(&perm, axes_before(all, __builtin_ctzll(rest)));
  for (int d = axes_count(all); d < type.rank; d++) dims_push(&perm, d);
  dims_push(&merged, front->n);
  for (int i = front->axes.n; i < perm.n; i++)
    dims_push(&merged, type.dims[perm.v[i]]);
  return lower_reshape(lower, lower_transpose(lower, x, perm.v), &merged);
}

/* Front form back to axes in the program's order. */
static Value *from_front(const Front *front, Value *x) {
  const Lower *lower = front->lower;
  Type type = type_of(x);
  uint64_t all = front->set | front->others;
  Dims split = {.n = 0}, perm = {.n = 0};
  for (int i = 0; i < front->axes.n; i++)
    dims_push(&split, lower->from->axes[front->axes.v[i]].size);
  for (int d = 1; d < type.rank; d++) dims_push(&split, type.dims[d]);
  for (uint64_t rest = all; rest; rest &= rest - 1) {
    int64_t axis = __builtin_ctzll(rest);
    int position = front->axes.n + axes_before(front->others, axis);
    for (int i = 0; i < front->axes.n; i++)
      if (front->axes.v[i] == axis) position = i;
    dims_push(&perm, position);
  }
  for (int d = axes_count(all); d < split.n; d++) dims_push(&perm, d);
  return lower_transpose(lower, lower_reshape(lower, x, &split), perm.v);
}

/* Rows of a front value by device number; long lists in pieces, for a literal
 * has a largest size. */
static Value *rows(const Lower *lower, Value *x, const int64_t *index,
                   int64_t n) {
  enum { PIECE = 32768 };
  Program *program = lower->to->program;
  int64_t pieces = (n + PIECE - 1) / PIECE;
  Value **parts = ir_alloc(program, (size_t)pieces * sizeof *parts + 1);
  if (parts == NULL) return NULL;
  for (int64_t p = 0; p < pieces; p++) {
    int64_t from = p * PIECE, rest = n - from;
    Value *list =
        ir_make_ints(lower->to, DT_I64, index + from,
                     (int)(rest < PIECE ? rest : PIECE), lower->node->place);
    parts[p] = lower_make(lower, OP_take, IR_VALUES(x, list),
                          IR_ATTRS(IR_INT(dim, 0)), NULL);
  }
  if (pieces == 1) return parts[0];
  return lower_make(lower, OP_concatenate, (int)pieces, parts,
                    IR_ATTRS(IR_INT(dim, 0)), NULL);
}

static Value *slice_rows(const Lower *lower, Value *x, int64_t from,
                         int64_t to) {
  Type type = type_of(x);
  int64_t start[IR_MAX_RANK] = {from}, limit[IR_MAX_RANK] = {to};
  for (int d = 1; d < type.rank; d++) {
    start[d] = 0;
    limit[d] = type.dims[d];
  }
  return lower_make(lower, OP_slice, IR_VALUES(x),
                    IR_ATTRS(IR_INTS(start, start, type.rank),
                             IR_INTS(limit, limit, type.rank)),
                    NULL);
}

/* A rule on front form: x is [n, others..., S...]; the result likewise. */
typedef Value *Exchange(const Front *front, Value *x, int64_t n);

/* Groups of one size: a further dim, of groups, behind the rows. */
static Value *equal_groups(const Front *front, Exchange *rule, Value *x,
                           int64_t n_groups, int64_t each) {
  const Lower *lower = front->lower;
  Front inner = *front;
  inner.rest++;
  Dims split = {.v = {n_groups, each}, .n = 2}, swap = {.v = {1, 0}, .n = 2};
  for (int d = 1; d < type_of(x).rank; d++) {
    dims_push(&split, x->type.dims[d]);
    dims_push(&swap, d + 1);
  }
  x = lower_transpose(lower, lower_reshape(lower, x, &split), swap.v);
  x = rule(&inner, x, each);
  Dims back = {.v = {1, 0}, .n = 2}, joined = {.v = {front->n}, .n = 1};
  for (int d = 2; d < type_of(x).rank; d++) {
    dims_push(&back, d);
    dims_push(&joined, x->type.dims[d]);
  }
  return lower_reshape(lower, lower_transpose(lower, x, back.v), &joined);
}

/* Groups of several sizes: one by one.  x has the members group by group. */
static Value *unequal_groups(const Front *front, Exchange *rule, Value *x,
                             IntLists groups) {
  const Lower *lower = front->lower;
  Value **parts =
      ir_alloc(lower->to->program, (size_t)groups.n * sizeof *parts + 1);
  if (parts == NULL) return NULL;
  int64_t from = 0;
  for (int g = 0; g < groups.n; g++) {
    int64_t to = from + groups.v[g].n;
    parts[g] = rule(front, slice_rows(lower, x, from, to), groups.v[g].n);
    from = to;
  }
  return lower_make(lower, OP_concatenate, groups.n, parts,
                    IR_ATTRS(IR_INT(dim, 0)), NULL);
}

/* Run a rule within each group and put the rows back. */
static Value *by_groups(const Front *front, Exchange *rule, Value *x) {
  const Lower *lower = front->lower;
  IntLists groups = ir_lists(lower->node, ATTR_groups);
  if (ir_attr(lower->node, ATTR_groups) == NULL)
    return rule(front, x, front->n);
  Program *program = lower->to->program;
  int64_t *members = ir_alloc(program, (size_t)front->n * sizeof *members);
  int64_t *back = ir_alloc(program, (size_t)front->n * sizeof *back);
  if (members == NULL || back == NULL) return NULL;
  int64_t row = 0;
  bool equal = true;
  for (int g = 0; g < groups.n; g++) {
    equal &= groups.v[g].n == groups.v[0].n;
    for (int i = 0; i < groups.v[g].n; i++, row++) {
      members[row] = groups.v[g].v[i];
      back[members[row]] = row;
    }
  }
  x = rows(lower, x, members, front->n);
  x = equal ? equal_groups(front, rule, x, groups.n, groups.v[0].n)
            : unequal_groups(front, rule, x, groups);
  return rows(lower, x, back, front->n);
}

/* -- reductions -------------------------------------------------------- */

static Op reduce_op(Op op) {
  return op == OP_pmax   ? OP_reduce_max
         : op == OP_pmin ? OP_reduce_min
                         : OP_reduce_sum;
}

/* The dtype in which a sum or mean is taken before it is rounded. */
static DType wide_dtype(const Lower *lower, DType dtype) {
  if (lower->node->op != OP_pmean || dtype == DT_BOOL) return dtype;
  if (ir_is_float(dtype)) return ir_accumulator(dtype);
  if (ir_dtype_bytes(dtype) < 8) return DT_I64;
  return dtype;
}

static Value *binary(const Lower *lower, Op op, Value *a, Value *b) {
  return lower_make(lower, op, IR_VALUES(a, b), 0, NULL, NULL);
}

static Value *reduce_dims(const Lower *lower, Op op, Value *x,
                          const Dims *dims) {
  return lower_make(lower, op, IR_VALUES(x),
                    IR_ATTRS(IR_INTS(dims, dims->v, dims->n)), NULL);
}

/* The exact sum of 64-bit integers as f64: high and low words apart, one
 * rounding where they join. */
static Value *wide_sum(const Lower *lower, Value *x, const Dims *dims) {
  if (x == NULL) return NULL;
  DType dtype = x->type.dtype;
  Op shift =
      dtype == DT_I64 ? OP_shift_right_arithmetic : OP_shift_right_logical;
  Value *bits = lower_number(lower, dtype, 32);
  Value *mask = lower_number(lower, dtype, 4294967295.0);
  Value *high =
      reduce_dims(lower, OP_reduce_sum, binary(lower, shift, x, bits), dims);
  Value *low =
      reduce_dims(lower, OP_reduce_sum, binary(lower, OP_and, x, mask), dims);
  Value *scale = lower_number(lower, DT_F64, 4294967296.0);
  return binary(
      lower, OP_add,
      binary(lower, OP_mul, lower_convert(lower, high, DT_F64), scale),
      lower_convert(lower, low, DT_F64));
}

/* Reduce x over dims; `count` of them are real devices, `copies` stands for
 * the devices that all hold the same. */
static Value *reduce_devices(const Lower *lower, Value *x, const Dims *dims,
                             int64_t count, int64_t copies) {
  Op op = lower->node->op;
  DType result = lower->node->results[0]->type.dtype;
  if (x == NULL) return NULL;
  bool wide_ints = op == OP_pmean && ir_is_int(x->type.dtype) &&
                   ir_dtype_bytes(x->type.dtype) == 8;
  bool sums = op == OP_psum || op == OP_psum_scatter;
  if (sums && copies > 1) /* round once, behind the product */
    x = lower_convert(lower, x, ir_accumulator(x->type.dtype));
  if (x == NULL) return NULL;
  if (dims->n && wide_ints) {
    x = wide_sum(lower, x, dims);
  } else if (dims->n) {
    x = lower_convert(lower, x, wide_dtype(lower, x->type.dtype));
    x = reduce_dims(lower, reduce_op(op), x, dims);
  }
  if (op == OP_pmean && dims->n && x) {
    DType dtype = ir_is_float(result) ? ir_accumulator(result) : result;
    x = lower_convert(lower, x, dtype);
    x = binary(lower, OP_div, x, lower_number(lower, dtype, (double)count));
  }
  if (sums && copies > 1 && x) {
    if (x->type.dtype == DT_BOOL) x = lower_convert(lower, x, result);
    DType dtype = x ? x->type.dtype : result;
    x = binary(lower, OP_mul, x, lower_number(lower, dtype, (double)copies));
  }
  x = lower_convert(lower, x, result);
  return x;
}

/* The device dims of the operand, where they lie, in the order in which the
 * axes are named: that numbers the devices of a psum_scatter.  The other
 * reductions go in the order of declaration. */
static Value *in_name_order(const Front *front) {
  const Lower *lower = front->lower;
  Value *x = lower_operand(lower, 0);
  uint64_t axes = lower->node->operands[0]->type.axes;
  int64_t perm[IR_MAX_RANK];
  if (x == NULL || lower->node->op != OP_psum_scatter) return x;
  for (int d = 0; d < x->type.rank; d++) perm[d] = d;
  uint64_t rest = front->set & axes;
  for (int i = 0; i < front->axes.n; i++) {
    if (!(axes >> front->axes.v[i] & 1)) continue;
    perm[axes_before(axes, __builtin_ctzll(rest))] =
        axes_before(axes, front->axes.v[i]);
    rest &= rest - 1;
  }
  return lower_transpose(lower, x, perm);
}

/* Without groups: reduce over the device dims where they lie. */
static Value *reduce_in_place(const Front *front) {
  const Lower *lower = front->lower;
  uint64_t axes = lower->node->operands[0]->type.axes;
  Dims dims = {.n = 0};
  int64_t count = 1, copies = 1;
  for (int a = 0; a < lower->from->n_axes; a++) {
    if (!(front->set >> a & 1)) continue;
    int64_t size = lower->from->axes[a].size;
    if (axes >> a & 1) {
      dims_push(&dims, axes_before(axes, a));
      count *= size;
    } else {
      copies *= size;
    }
  }
  return reduce_devices(lower, in_name_order(front), &dims, count, copies);
}

/* [n, R, S] -> every row is the reduction. */
static Value *reduce_rows(const Front *front, Value *x, int64_t n) {
  const Lower *lower = front->lower;
  Dims dims = {.v = {0}, .n = 1}, wide = {.v = {n}, .n = 1};
  Dims positions = {.n = 0};
  bool varies = lower->node->operands[0]->type.axes & front->set;
  Value *sum;
  if (varies) {
    sum = reduce_devices(lower, x, &dims, n, 1);
  } else { /* n equal copies: row 0 stands for them all */
    Value *first = rows(lower, x, (int64_t[]){0}, 1);
    Dims bare = {.n = 0};
    for (int d = 1; d < type_of(first).rank; d++)
      dims_push(&bare, first->type.dims[d]);
    dims.n = 0;
    sum =
        reduce_devices(lower, lower_reshape(lower, first, &bare), &dims, 1, n);
  }
  for (int d = 0; d < type_of(sum).rank; d++) {
    dims_push(&positions, d + 1);
    dims_push(&wide, sum->type.dims[d]);
  }
  return lower_broadcast(lower, sum, positions.v, &wide);
}

static Value *lower_reduction(const Front *front) {
  if (ir_attr(front->lower->node, ATTR_groups) == NULL)
    return reduce_in_place(front);
  return from_front(front, by_groups(front, reduce_rows, to_front(front)));
}

/* -- gathers and exchanges --------------------------------------------- */

/* [n, R, S] -> [R, S with n at (or, tiled, before) dim d]. */
static Value *gather(const Front *front, Value *x, int64_t n) {
  const Lower *lower = front->lower;
  int at = front->rest + (int)ir_int(lower->node, ATTR_dim);
  Type type = type_of(x);
  Dims perm = {.n = 0}, merged = {.n = 0};
  for (int d = 0; d < type.rank; d++)
    dims_push(&perm, d < at ? d + 1 : d == at ? 0 : d);
  Value *moved = lower_transpose(lower, x, perm.v);
  if (!ir_int(lower->node, ATTR_tiled)) return moved;
  for (int d = 1; d < type.rank; d++)
    dims_push(&merged, type.dims[d] * (d - 1 == at ? n : 1));
  return lower_reshape(lower, moved, &merged);
}

static Value *gather_rows(const Front *front, Value *x, int64_t n) {
  Value *one = gather(front, x, n);
  Dims positions = {.n = 0}, dims = {.v = {n}, .n = 1};
  for (int d = 0; d < type_of(one).rank; d++) {
    dims_push(&positions, d + 1);
    dims_push(&dims, one->type.dims[d]);
  }
  return lower_broadcast(front->lower, one, positions.v, &dims);
}

static Value *lower_all_gather(const Front *front) {
  if (ir_attr(front->lower->node, ATTR_groups) == NULL)
    return gather(front, to_front(front), front->n);
  return from_front(front, by_groups(front, gather_rows, to_front(front)));
}

/* Cut dim `at` of x into n parts, which go to the front. */
static Value *deal(const Front *front, Value *x, int at, int64_t n,
                   bool tiled) {
  const Lower *lower = front->lower;
  Type type = type_of(x);
  Dims cut = {.n = 0}, perm = {.v = {at}, .n = 1};
  for (int d = 0; d < type.rank; d++) {
    if (d == at && tiled) dims_push(&cut, n);
    dims_push(&cut, d == at && tiled ? type.dims[d] / n : type.dims[d]);
  }
  for (int d = 0; d < cut.n; d++)
    if (d != at) dims_push(&perm, d);
  return lower_transpose(lower, lower_reshape(lower, x, &cut), perm.v);
}

static Value *scatter(const Front *front, Value *sum, int64_t n) {
  const Node *node = front->lower->node;
  int at = front->rest + (int)ir_int(node, ATTR_dim);
  return deal(front, sum, at, n, ir_int(node, ATTR_tiled));
}

/* [n, R, S] -> [n, R, part of the sum]. */
static Value *scatter_rows(const Front *front, Value *x, int64_t n) {
  Value *sums = reduce_rows(front, x, n);
  Value *first = rows(front->lower, sums, (int64_t[]){0}, 1);
  Dims bare = {.n = 0};
  for (int d = 1; d < type_of(first).rank; d++)
    dims_push(&bare, first->type.dims[d]);
  return scatter(front, lower_reshape(front->lower, first, &bare), n);
}

static Value *lower_psum_scatter(const Front *front) {
  if (ir_attr(front->lower->node, ATTR_groups) == NULL)
    return from_front(front, scatter(front, reduce_in_place(front), front->n));
  return from_front(front, by_groups(front, scatter_rows, to_front(front)));
}

/* [n, R, S]: cut dim split into n parts that become the rows; the old rows
 * are stacked on, or joined along, dim concat. */
static Value *exchange(const Front *front, Value *x, int64_t n) {
  const Lower *lower = front->lower;
  bool tiled = ir_int(lower->node, ATTR_tiled);
  int split = front->rest + (int)ir_int(lower->node, ATTR_split);
  int concat = front->rest + (int)ir_int(lower->node, ATTR_concat);
  Value *dealt = deal(front, x, split + 1, n, tiled); /* [part, row, R, S'] */
  Type type = type_of(dealt);
  Dims perm = {.v = {0}, .n = 1}, merged = {.n = 0};
  for (int d = 2; d < type.rank; d++) {
    if (d - 2 == concat) dims_push(&perm, 1);
    dims_push(&perm, d);
  }
  if (perm.n < type.rank) dims_push(&perm, 1);
  Value *moved = lower_transpose(lower, dealt, perm.v);
  if (!tiled) return moved;
  type = type_of(moved);
  for (int d = 0; d < type.rank; d++) {
    if (d == concat + 1) continue;
    dims_push(&merged, type.dims[d] * (d == concat + 2 ? n : 1));
  }
  return lower_reshape(lower, moved, &merged);
}

static Value *lower_all_to_all(const Front *front) {
  return from_front(front, by_groups(front, exchange, to_front(front)));
}

/* -- permutations ------------------------------------------------------ */

/* source[k] is k + shift, cyclically: two slices. */
static bool is_rotation(const int64_t *source, int64_t n) {
  for (int64_t k = 0; k < n; k++)
    if (source[k] < 0 || source[k] != (source[0] + k) % n) return false;
  return true;
}

static Value *pad_zero_row(const Lower *lower, Value *x) {
  Type type = type_of(x);
  int64_t none[IR_MAX_RANK] = {0}, one[IR_MAX_RANK] = {1};
  Value *zero = lower_number(lower, type.dtype, 0);
  return lower_make(
      lower, OP_pad, IR_VALUES(x, zero),
      IR_ATTRS(IR_INTS(low, none, type.rank), IR_INTS(high, one, type.rank)),
      NULL);
}

static Value *lower_ppermute(const Front *front) {
  const Lower *lower = front->lower;
  IntLists pairs = ir_lists(lower->node, ATTR_pairs);
  int64_t n = front->n;
  int64_t *source = ir_alloc(lower->to->program, (size_t)n * sizeof *source);
  if (source == NULL) return NULL;
  memset(source, -1, (size_t)n * sizeof *source);
  for (int i = 0; i < pairs.n; i++) source[pairs.v[i].v[1]] = pairs.v[i].v[0];
  Value *x = to_front(front);
  if (is_rotation(source, n)) {
    if (source[0] == 0) return from_front(front, x);
    Value *parts[] = {slice_rows(lower, x, source[0], n),
                      slice_rows(lower, x, 0, source[0])};
    return from_front(front, lower_make(lower, OP_concatenate, 2, parts,
                                        IR_ATTRS(IR_INT(dim, 0)), NULL));
  }
  bool zeros = false;
  for (int64_t k = 0; k < n; k++) {
    zeros |= source[k] < 0;
    if (source[k] < 0) source[k] = n;
  }
  if (zeros) x = pad_zero_row(lower, x);
  return from_front(front, rows(lower, x, source, n));
}

static Value *lower_pbroadcast(const Front *front) {
  const Lower *lower = front->lower;
  if (!(lower->node->operands[0]->type.axes & front->set))
    return lower_operand(lower, 0);
  int64_t source = ir_int(lower->node, ATTR_source);
  Value *row = slice_rows(lower, to_front(front), source, source + 1);
  Dims dims = {.n = 0};
  for (int d = 1; d < type_of(row).rank; d++)
    dims_push(&dims, row->type.dims[d]);
  return lower_reshape(lower, row, &dims);
}

/* -- axes and dims ----------------------------------------------------- */

static Value *lower_axis_index(const Front *front) {
  Type type = {DT_I32, 1, &front->n, 0};
  Value *index = lower_make(front->lower, OP_iota, 0, NULL,
                            IR_ATTRS(IR_INT(dim, 0)), &type);
  return from_front(front, index);
}

static Value *lower_axis_size(const Front *front) {
  return lower_number(front->lower, DT_I32, (double)front->n);
}

/* Move dim `from` of x to position `to`. */
static Value *move_dim(const Lower *lower, Value *x, int from, int to) {
  Dims perm = {.n = 0};
  int rank = type_of(x).rank;
  for (int d = 0; d < rank; d++)
    if (d != from) dims_push(&perm, d);
  memmove(perm.v + to + 1, perm.v + to, (size_t)(perm.n - to) * sizeof *perm.v);
  perm.v[to] = from;
  return lower_transpose(lower, x, perm.v);
}

static Value *lower_map(const Front *front) {
  const Lower *lower = front->lower;
  int from = front->rest + (int)ir_int(lower->node, ATTR_dim);
  return move_dim(lower, lower_operand(lower, 0), from,
                  axes_before(front->others, front->axes.v[0]));
}

static Value *lower_unmap(const Front *front) {
  int to = front->rest + (int)ir_int(front->lower->node, ATTR_dim);
  return move_dim(front->lower, to_front(front), 0, to);
}

Value *lower_collective(const Lower *lower) {
  static Value *(*const rules[OP_COUNT])(const Front *) = {
      [OP_psum] = lower_reduction,
      [OP_pmean] = lower_reduction,
      [OP_pmax] = lower_reduction,
      [OP_pmin] = lower_reduction,
      [OP_all_gather] = lower_all_gather,
      [OP_psum_scatter] = lower_psum_scatter,
      [OP_ppermute] = lower_ppermute,
      [OP_all_to_all] = lower_all_to_all,
      [OP_pbroadcast] = lower_pbroadcast,
      [OP_axis_index] = lower_axis_index,
      [OP_axis_size] = lower_axis_size,
      [OP_map] = lower_map,
      [OP_unmap] = lower_unmap,
  };
  Front front = front_of(lower);
  return rules[lower->node->op](&front);
}
