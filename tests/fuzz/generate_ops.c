/* generate_ops.c: for each op, how to make a random node of it.
 *
 * One table: op -> maker, the dtypes of its operand, how often, and whether a
 * small change of the operands changes the result little ("smooth").  Makers
 * choose operands that the op accepts, and make new inputs where the pool has
 * none. */
#include "makers.h"

Value *pick_ranked(Generator *g, Kind kind) {
  for (int tries = 0; tries < 8; tries++) {
    Value *value = pick(g, kind);
    if (!value || value->type.rank) return value;
  }
  int64_t dims[2] = {1 + below(g, 6), 1 + below(g, 4)};
  return new_input(g, random_dtype(g, kind), 1 + below(g, 2), dims,
                   random_axes(g));
}

Dims some_dims(Generator *g, int rank) {
  Dims dims = {0};
  for (int d = 0; d < rank; d++)
    if (chance(g, 55)) dims.v[dims.n++] = d;
  return dims;
}

/* The same dtype, and a shape that broadcasts against the operand. */
static Value *pick_partner(Generator *g, Value *with) {
  Type type = with->type;
  Dims dims = dims_of(with);
  if (chance(g, 20)) return pick_scalar(g, type.dtype);
  if (type.rank && chance(g, 10)) {
    dims.v[below(g, dims.n)] = 1;
    return pick_like(g, (Type){type.dtype, dims.n, dims.v, 0});
  }
  if (type.rank > 1 && chance(g, 10))
    return pick_like(g, (Type){type.dtype, dims.n - 1, dims.v + 1, 0});
  return pick_like(g, type);
}

/* -- elementwise ------------------------------------------------------- */

static void make_unary(Generator *g, Op op, Kind kind) {
  Value *a = pick(g, kind);
  if (a) emit(g, op, IR_VALUES(a), 0, NULL, NULL);
}

static void make_binary(Generator *g, Op op, Kind kind) {
  Value *a = pick(g, kind), *b = a ? pick_partner(g, a) : NULL;
  if (!b) return;
  bool turn = chance(g, 50);
  emit(g, op, IR_VALUES(turn ? b : a, turn ? a : b), 0, NULL, NULL);
}

static void make_compare(Generator *g, Op op, Kind kind) {
  Value *a = pick(g, kind), *b = a ? pick_partner(g, a) : NULL;
  if (!b) return;
  emit(g, op, IR_VALUES(a, b),
       IR_ATTRS(IR_INT(relation, WORD_eq + below(g, 6))), NULL);
}

static void make_select(Generator *g, Op op, Kind kind) {
  Value *a = pick(g, kind), *b = a ? pick_like(g, a->type) : NULL;
  if (!b) return;
  Type type = a->type;
  type.dtype = DT_BOOL;
  Value *p = chance(g, 30) ? pick_scalar(g, DT_BOOL) : pick_like(g, type);
  if (p) emit(g, op, IR_VALUES(p, a, b), 0, NULL, NULL);
}

static void make_clamp(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind), *lo = x ? pick_partner(g, x) : NULL;
  Value *hi = lo ? pick_scalar(g, x->type.dtype) : NULL;
  if (hi) emit(g, op, IR_VALUES(lo, x, hi), 0, NULL, NULL);
}

static void make_convert(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind);
  if (!x) return;
  Type type = x->type;
  type.dtype = random_dtype(g, g->smooth ? FLOATING : ANY);
  emit(g, op, IR_VALUES(x), 0, NULL, &type);
}

static void make_bitcast(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind);
  if (!x) return;
  Type type = x->type;
  while (ir_dtype_bytes(type.dtype) != ir_dtype_bytes(x->type.dtype) ||
         type.dtype == DT_BOOL || type.dtype == x->type.dtype) {
    type.dtype = (DType)below(g, DT_COUNT);
  }
  emit(g, op, IR_VALUES(x), 0, NULL, &type);
}

/* -- leaves ------------------------------------------------------------ */

static void make_constant(Generator *g, Op op, Kind kind) {
  int64_t dims[IR_MAX_RANK];
  double room[400];
  Type type = {random_dtype(g, kind), 0, dims, 0};
  type.rank = random_shape(g, dims);
  int64_t n = ir_type_elements(type);
  if (n > 400) return;
  bool splat = n == 0 || chance(g, 40);
  random_fill(&g->random, type.dtype, room, splat ? 1 : n, !g->smooth);
  keep(g,
       ir_emit(g->block,
               &(NodeSpec){
                   .op = op, .type = &type, .literal = room, .splat = splat}));
}

static void make_iota(Generator *g, Op op, Kind kind) {
  int64_t dims[IR_MAX_RANK];
  Type type = {random_dtype(g, kind), 0, dims, 0};
  while (type.rank == 0) type.rank = random_shape(g, dims);
  emit(g, op, 0, NULL, IR_ATTRS(IR_INT(dim, below(g, type.rank))), &type);
}

static void make_scan(Generator *g, Op op, Kind kind) {
  (void)op;
  (void)kind;
  generate_scan(g);
}

static void make_while(Generator *g, Op op, Kind kind) {
  (void)op;
  (void)kind;
  generate_while(g);
}

static void make_cond(Generator *g, Op op, Kind kind) {
  (void)op;
  (void)kind;
  generate_cond(g);
}

/* -- the table --------------------------------------------------------- */

typedef struct Maker {
  MakeNode *make;
  Kind kind;
  int weight;
  bool smooth;
} Maker;

/* clang-format off */
static const Maker makers[OP_COUNT] = {
#define FUNCTION(op, arity, how) \
  [OP_##op] = {arity == 1 ? make_unary : make_binary, FLOATING, 1, false},
#include "ir/functions.def"
#undef FUNCTION
  [OP_constant]  = {make_constant, ANY, 3, true},
  [OP_iota]      = {make_iota, NUMERIC, 3, true},
  [OP_neg]       = {make_unary, NUMERIC, 3, true},
  [OP_abs]       = {make_unary, NUMERIC, 2, true},
  [OP_sign]      = {make_unary, NUMERIC, 2, false},
  [OP_sqrt]      = {make_unary, FLOATING, 2, false},
  [OP_floor]     = {make_unary, FLOATING, 2, false},
  [OP_ceil]      = {make_unary, FLOATING, 2, false},
  [OP_round]     = {make_unary, FLOATING, 2, false},
  [OP_is_finite] = {make_unary, FLOATING, 2, false},
  [OP_not]       = {make_unary, LOGICAL, 2, false},
  [OP_popcount]  = {make_unary, INTEGER, 2, false},
  [OP_add]       = {make_binary, NUMERIC, 9, true},
  [OP_sub]       = {make_binary, NUMERIC, 6, true},
  [OP_mul]       = {make_binary, NUMERIC, 7, true},
  [OP_div]       = {make_binary, NUMERIC, 4, false},
  [OP_rem]       = {make_binary, NUMERIC, 3, false},
  [OP_max]       = {make_binary, ANY, 3, true},
  [OP_min]       = {make_binary, ANY, 3, true},
  [OP_and]       = {make_binary, LOGICAL, 2, false},
  [OP_or]        = {make_binary, LOGICAL, 2, false},
  [OP_xor]       = {make_binary, LOGICAL, 2, false},
  [OP_shift_left]             = {make_binary, INTEGER, 2, false},
  [OP_shift_right_logical]    = {make_binary, INTEGER, 2, false},
  [OP_shift_right_arithmetic] = {make_binary, INTEGER, 2, false},
  [OP_compare]   = {make_compare, ANY, 4, false},
  [OP_select]    = {make_select, ANY, 4, true},
  [OP_clamp]     = {make_clamp, ANY, 3, true},
  [OP_convert]   = {make_convert, ANY, 4, true},
  [OP_bitcast]   = {make_bitcast, NUMERIC, 2, false},
  [OP_broadcast] = {make_broadcast, ANY, 4, true},
  [OP_reshape]   = {make_reshape, ANY, 4, true},
  [OP_transpose] = {make_transpose, ANY, 4, true},
  [OP_slice]     = {make_slice, ANY, 4, true},
  [OP_concatenate] = {make_concatenate, ANY, 4, true},
  [OP_pad]       = {make_pad, ANY, 3, true},
  [OP_reverse]   = {make_reverse, ANY, 3, true},
  [OP_dynamic_slice]        = {make_dynamic_slice, ANY, 4, true},
  [OP_dynamic_update_slice] = {make_dynamic_update_slice, ANY, 5, true},
  [OP_take]        = {make_take, ANY, 4, true},
  [OP_scatter_add] = {make_scatter_add, NUMERIC, 4, true},
  [OP_cumsum]      = {make_cumulative, NUMERIC, 3, true},
  [OP_cumprod]     = {make_cumulative, NUMERIC, 2, false},
  [OP_cummax]      = {make_cumulative, NUMERIC, 2, true},
  [OP_cummin]      = {make_cumulative, NUMERIC, 2, true},
  [OP_sort]        = {make_sort, ANY, 4, false},
  [OP_call]        = {make_call, ANY, 3, false},
  [OP_reduce_sum]  = {make_reduce, ANY, 6, true},
  [OP_reduce_prod] = {make_reduce, NUMERIC, 2, false},
  [OP_reduce_max]  = {make_reduce, ANY, 3, true},
  [OP_reduce_min]  = {make_reduce, ANY, 3, true},
  [OP_reduce_and]  = {make_reduce, LOGICAL, 2, false},
  [OP_reduce_or]   = {make_reduce, LOGICAL, 2, false},
  [OP_argmax]      = {make_arg, ANY, 2, false},
  [OP_argmin]      = {make_arg, ANY, 2, false},
  [OP_einsum]      = {make_einsum, ANY, 12, true},
  [OP_random_key]     = {make_random_key, ANY, 2, true},
  [OP_random_split]   = {make_random_split, ANY, 2, true},
  [OP_random_fold_in] = {make_random_fold_in, ANY, 2, true},
  [OP_random_bits]    = {make_random_draw, ANY, 2, true},
  [OP_random_uniform] = {make_random_draw, ANY, 3, true},
  [OP_random_normal]  = {make_random_draw, ANY, 3, true},
  [OP_psum]         = {make_sum_like, ANY, 6, true},
  [OP_pmean]        = {make_sum_like, ANY, 4, true},
  [OP_pmax]         = {make_sum_like, ANY, 3, true},
  [OP_pmin]         = {make_sum_like, ANY, 3, true},
  [OP_all_gather]   = {make_all_gather, ANY, 4, true},
  [OP_psum_scatter] = {make_psum_scatter, ANY, 4, true},
  [OP_ppermute]     = {make_ppermute, ANY, 4, true},
  [OP_all_to_all]   = {make_all_to_all, ANY, 4, true},
  [OP_pbroadcast]   = {make_pbroadcast, ANY, 3, true},
  [OP_axis_index]   = {make_axis_number, ANY, 3, true},
  [OP_axis_size]    = {make_axis_number, ANY, 2, true},
  [OP_map]          = {make_map, ANY, 3, true},
  [OP_unmap]        = {make_unmap, ANY, 3, true},
  [OP_scan]         = {make_scan, ANY, 22, true},
  [OP_while]        = {make_while, ANY, 9, true},
  [OP_cond]         = {make_cond, ANY, 9, true},
};
/* clang-format on */

bool generate_covers(Op op) { return makers[op].make != NULL; }

static int weight(const Generator *g, int op) {
  return makers[op].make && (makers[op].smooth || !g->smooth)
             ? makers[op].weight
             : 0;
}

void generate_node(Generator *g) {
  int total = 0, before = g->n_pool;
  for (int op = 0; op < OP_COUNT; op++) total += weight(g, op);
  for (int tries = 0; tries < 5 && g->n_pool == before; tries++) {
    int left = below(g, total), op = 0;
    while (left >= weight(g, op)) left -= weight(g, op++);
    makers[op].make(g, (Op)op, makers[op].kind);
    if (g->program->error.failed) return;
  }
}
