/* generate_views.c: makers of ops that move elements, by positions known when
 * the program is made or when it runs. */
#include "makers.h"

static bool small(const Generator *g, const Value *value) {
  return ir_type_elements(value->type) <= MAX_RESULT * g->room &&
         value->type.rank < 7;
}

/* -- views ------------------------------------------------------------- */

void make_broadcast(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind);
  if (!x || x->type.rank > 4) return;
  Dims to = dims_of(x), where = {0};
  for (int d = 0; d < to.n; d++) {
    where.v[where.n++] = d;
    if (to.v[d] == 1 && chance(g, 60)) to.v[d] = 1 + below(g, 4);
  }
  for (int more = below(g, 3); more > 0; more--) {
    int at = below(g, to.n + 1);
    insert(&to, at, 1 + below(g, 4));
    for (int d = 0; d < where.n; d++) where.v[d] += where.v[d] >= at;
  }
  Type type = {x->type.dtype, to.n, to.v, 0};
  if (ir_type_elements(type) > MAX_RESULT * g->room) return;
  emit(g, op, IR_VALUES(x), IR_ATTRS(IR_INTS(dims, where.v, where.n)), &type);
}

void make_reshape(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind);
  if (!x) return;
  int64_t left = ir_type_elements(x->type);
  Dims to = {0};
  while (left > 1 && to.n < 3) {
    int64_t factor = 1 + below(g, (int)(left < 8 ? left : 8));
    if (left % factor) continue;
    to.v[to.n++] = factor;
    left /= factor;
  }
  if (left != 1 || chance(g, 20)) insert(&to, below(g, to.n + 1), left);
  Type type = {x->type.dtype, to.n, to.v, 0};
  emit(g, op, IR_VALUES(x), 0, NULL, &type);
}

void make_transpose(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  Dims perm = {.n = x->type.rank};
  for (int d = 0; d < perm.n; d++) {
    int other = below(g, d + 1);
    perm.v[d] = perm.v[other];
    perm.v[other] = d;
  }
  emit(g, op, IR_VALUES(x), IR_ATTRS(IR_INTS(perm, perm.v, perm.n)), NULL);
}

void make_slice(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  Dims start = {.n = x->type.rank}, limit = start, stride = start;
  for (int d = 0; d < start.n; d++) {
    int size = (int)x->type.dims[d];
    start.v[d] = below(g, size + (chance(g, 5)));
    limit.v[d] = start.v[d] + (chance(g, 95) && start.v[d] < size) +
                 below(g, size - (int)start.v[d]);
    if (limit.v[d] > size) limit.v[d] = size;
    stride.v[d] = chance(g, 30) ? 1 + below(g, 3) : 1;
  }
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INTS(start, start.v, start.n),
                IR_INTS(limit, limit.v, limit.n),
                IR_INTS(stride, stride.v, stride.n)),
       NULL);
}

/* Elements [from, to) of dim d. */
static Value *stretch(Generator *g, Value *x, int d, int64_t from, int64_t to) {
  Dims start = dims_of(x), limit = start;
  for (int i = 0; i < start.n; i++) start.v[i] = 0;
  start.v[d] = from;
  limit.v[d] = to;
  return emit(g, OP_slice, IR_VALUES(x),
              IR_ATTRS(IR_INTS(start, start.v, start.n),
                       IR_INTS(limit, limit.v, limit.n)),
              NULL);
}

/* A halo: all of x, its last elements first, and what stood beside them. */
static void make_roll(Generator *g, Value *x) {
  int dim = chance(g, 70) ? x->type.rank - 1 : below(g, x->type.rank);
  int64_t size = x->type.dims[dim];
  int64_t cut = size && chance(g, 50) ? 1 : below(g, (int)size + 1);
  if (chance(g, 50)) cut = size - cut;
  Value *parts[2] = {stretch(g, x, dim, cut, size), stretch(g, x, dim, 0, cut)};
  if (!parts[0] || !parts[1]) return;
  Value *rolled =
      emit(g, OP_concatenate, 2, parts, IR_ATTRS(IR_INT(dim, dim)), NULL);
  if (rolled && x->type.dtype != DT_BOOL)
    emit(g, OP_add, IR_VALUES(rolled, x), 0, NULL, NULL);
}

void make_concatenate(Generator *g, Op op, Kind kind) {
  Value *parts[3] = {pick_ranked(g, kind)};
  if (!parts[0]) return;
  if (chance(g, 40)) {
    make_roll(g, parts[0]);
    return;
  }
  int n = 1 + below(g, 3), dim = below(g, parts[0]->type.rank);
  for (int i = 1; i < n; i++) {
    Dims dims = dims_of(parts[0]);
    if (chance(g, 50)) dims.v[dim] = below(g, 4);
    Type type = {parts[0]->type.dtype, dims.n, dims.v, 0};
    parts[i] = pick_like(g, type);
    if (!parts[i]) return;
  }
  if (ir_type_elements(parts[0]->type) * n > MAX_RESULT * g->room) return;
  emit(g, op, n, parts, IR_ATTRS(IR_INT(dim, dim)), NULL);
}

void make_pad(Generator *g, Op op, Kind kind) {
  Value *x = pick(g, kind), *value = x ? pick_scalar(g, x->type.dtype) : NULL;
  if (!value || !small(g, x)) return;
  Dims low = {.n = x->type.rank}, high = low, interior = low;
  int64_t elements = 1;
  for (int d = 0; d < low.n; d++) {
    int64_t size = x->type.dims[d];
    interior.v[d] = chance(g, 30) ? 1 + below(g, 2) : 0;
    low.v[d] = below(g, 4) - 1;
    high.v[d] = below(g, 4) - 1;
    size += (size ? size - 1 : 0) * interior.v[d];
    if (size + low.v[d] + high.v[d] < 0) low.v[d] = high.v[d] = 0;
    elements *= size + low.v[d] + high.v[d];
  }
  if (elements > MAX_RESULT * g->room) return;
  emit(g, op, IR_VALUES(x, value),
       IR_ATTRS(IR_INTS(low, low.v, low.n), IR_INTS(high, high.v, high.n),
                IR_INTS(interior, interior.v, interior.n)),
       NULL);
}

void make_reverse(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  Dims dims = some_dims(g, x->type.rank);
  emit(g, op, IR_VALUES(x), IR_ATTRS(IR_INTS(dims, dims.v, dims.n)), NULL);
}

/* -- positions known at run time --------------------------------------- */

static Value *start_of(Generator *g, const Value *x, int batch) {
  static const DType dtypes[] = {DT_I32, DT_I32, DT_I64, DT_U8, DT_I8, DT_U32};
  Dims dims = dims_of(x);
  return pick_like(g, (Type){dtypes[below(g, 6)], batch, dims.v, 0});
}

static int random_batch(Generator *g, const Value *x) {
  return x->type.rank && chance(g, 20) ? below(g, x->type.rank + 1) : 0;
}

/* A window's sizes: the batch dims whole. */
static Dims window(Generator *g, const Value *x, int batch) {
  Dims sizes = dims_of(x);
  for (int d = batch; d < sizes.n; d++)
    sizes.v[d] = sizes.v[d] ? 1 + below(g, (int)sizes.v[d]) : 0;
  return sizes;
}

void make_dynamic_slice(Generator *g, Op op, Kind kind) {
  Value *operands[IR_MAX_RANK + 1] = {pick(g, kind)};
  Value *x = operands[0];
  if (!x) return;
  int batch = random_batch(g, x);
  Dims sizes = window(g, x, batch);
  for (int d = batch; d < sizes.n; d++)
    operands[1 + d - batch] = start_of(g, x, batch);
  emit(g, op, 1 + sizes.n - batch, operands,
       IR_ATTRS(IR_INTS(sizes, sizes.v + batch, sizes.n - batch),
                IR_INT(batch, batch)),
       NULL);
}

void make_dynamic_update_slice(Generator *g, Op op, Kind kind) {
  Value *operands[IR_MAX_RANK + 2] = {pick(g, kind)};
  Value *x = operands[0];
  if (!x) return;
  int batch = random_batch(g, x);
  Dims sizes = window(g, x, batch);
  operands[1] = pick_like(g, (Type){x->type.dtype, sizes.n, sizes.v, 0});
  for (int d = batch; d < sizes.n; d++)
    operands[2 + d - batch] = start_of(g, x, batch);
  emit(g, op, 2 + sizes.n - batch, operands, IR_ATTRS(IR_INT(batch, batch)),
       NULL);
}

void make_take(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  int batch = chance(g, 20) ? below(g, x->type.rank) : 0;
  int dim = batch + below(g, x->type.rank - batch);
  Dims shape = dims_of(x);
  if (shape.v[dim] == 0) return;
  shape.n = batch;
  for (int more = below(g, 3); more > 0; more--)
    insert(&shape, shape.n, 1 + below(g, 4));
  Type type = {random_dtype(g, INTEGER), shape.n, shape.v, 0};
  Value *index = pick_like(g, type);
  if (!index || ir_type_elements(x->type) * ir_type_elements(type) > 8000)
    return;
  emit(g, op, IR_VALUES(x, index),
       IR_ATTRS(IR_INT(dim, dim), IR_INT(batch, batch)), NULL);
}
