/* generate_sums.c: makers of reductions, einsums and random draws. */
#include <stdio.h>

#include "makers.h"

/* -- reductions, einsum ------------------------------------------------ */

void make_reduce(Generator *g, Op op, Kind kind) {
  Value *x = chance(g, 85) ? pick_ranked(g, kind) : pick(g, kind);
  if (!x) return;
  Dims dims = some_dims(g, x->type.rank);
  bool all = chance(g, 15);
  emit(g, op, IR_VALUES(x), all ? 0 : 1,
       (Attr[]){IR_INTS(dims, dims.v, dims.n)}, NULL);
}

void make_arg(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  int rank = x->type.rank, dim = below(g, rank);
  if (x->type.dims[dim] == 0) return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INT(dim, chance(g, 30) ? dim - rank : dim)), NULL);
}

typedef struct Labels {
  int n;
  int64_t size[16];
  char spec[128];
  int used;
} Labels;

static void label_operand(Generator *g, Labels *labels, const Value *x,
                          bool first) {
  if (!first) labels->spec[labels->used++] = ',';
  for (int d = 0; d < x->type.rank; d++) {
    int label = chance(g, 75) ? below(g, labels->n) : labels->n;
    if (labels->n == 0 || labels->size[label] != x->type.dims[d]) {
      for (label = 0; label < labels->n; label++)
        if (labels->size[label] == x->type.dims[d] && chance(g, 70)) break;
    }
    if (label >= labels->n) labels->size[label = labels->n++] = x->type.dims[d];
    labels->spec[labels->used++] = (char)('a' + label);
  }
}

/* The output: some labels, shuffled. False: too much work or too large. */
static bool label_output(Generator *g, Labels *labels) {
  int64_t flops = 1, elements = 1;
  char chosen[16];
  int n = 0;
  for (int i = 0; i < labels->n; i++) {
    flops *= labels->size[i];
    if (flops > MAX_FLOPS * g->room) return false;
    if (chance(g, 45)) continue;
    elements *= labels->size[i];
    int at = below(g, ++n);
    chosen[n - 1] = chosen[at];
    chosen[at] = (char)('a' + i);
  }
  labels->used +=
      snprintf(labels->spec + labels->used, 32, "->%.*s", n, chosen);
  return elements <= MAX_RESULT * g->room && n < 7;
}

void make_einsum(Generator *g, Op op, Kind kind) {
  static const DType wider[DT_COUNT] = {
      [DT_I8] = DT_I32,   [DT_U8] = DT_U32,  [DT_F16] = DT_F32,
      [DT_BF16] = DT_F32, [DT_F32] = DT_F64, [DT_I32] = DT_I64};
  Value *x[3] = {pick_ranked(g, kind)};
  Labels labels = {0};
  int n = chance(g, 15) ? 1 : chance(g, 80) ? 2 : 3, rank = 0;
  for (int i = 1; i < n; i++) {
    x[i] = NULL;
    for (int tries = 0; tries < 8 && x[0] && !x[i]; tries++) {
      Value *other = pick(g, kind);
      if (other && other->type.dtype == x[0]->type.dtype) x[i] = other;
    }
    if (!x[i] && x[0]) x[i] = pick_like(g, x[0]->type);
  }
  for (int i = 0; i < n; i++) {
    if (!x[i] || (rank += x[i]->type.rank) > 12) return;
    label_operand(g, &labels, x[i], i == 0);
  }
  if (!label_output(g, &labels)) return;
  DType wide = wider[x[0]->type.dtype];
  Attr attrs[2] = {IR_STRING(spec, labels.spec), IR_INT(accumulate, wide)};
  emit(g, op, n, x, wide && chance(g, 20) ? 2 : 1, attrs, NULL);
}

/* -- random draws ------------------------------------------------------ */

void make_random_key(Generator *g, Op op, Kind kind) {
  (void)kind;
  int64_t seed =
      chance(g, 20) ? (int64_t)(random_next(&g->random) >> 1) : below(g, 100);
  emit(g, op, 0, NULL, IR_ATTRS(IR_INT(seed, seed)), NULL);
}

static Value *pick_key(Generator *g, int *batch) {
  for (int tries = 0; tries < 30 && g->n_pool; tries++) {
    Value *value = g->pool[below(g, g->n_pool)];
    int rank = value->type.rank;
    if (value->type.dtype != DT_U32 || rank < 1 ||
        value->type.dims[rank - 1] != 2 || rank > 3)
      continue;
    *batch = rank - 1;
    return value;
  }
  *batch = 0;
  return new_input(g, DT_U32, 1, (int64_t[]){2}, random_axes(g));
}

void make_random_split(Generator *g, Op op, Kind kind) {
  (void)kind;
  int batch;
  Value *key = pick_key(g, &batch);
  if (key && batch < 2)
    emit(g, op, IR_VALUES(key),
         IR_ATTRS(IR_INT(count, below(g, 5)), IR_INT(batch, batch)), NULL);
}

void make_random_fold_in(Generator *g, Op op, Kind kind) {
  (void)kind;
  int batch;
  Value *key = pick_key(g, &batch);
  if (!key) return;
  Dims dims = dims_of(key);
  DType dtype = chance(g, 50) ? DT_U32 : DT_I32;
  Value *data = pick_like(g, (Type){dtype, batch, dims.v, 0});
  if (data)
    emit(g, op, IR_VALUES(key, data), IR_ATTRS(IR_INT(batch, batch)), NULL);
}

void make_random_draw(Generator *g, Op op, Kind kind) {
  static const DType bits[] = {DT_U8, DT_U16, DT_U32, DT_U64};
  (void)kind;
  int batch;
  Value *key = pick_key(g, &batch);
  if (!key) return;
  Dims dims = dims_of(key);
  dims.n = batch;
  for (int more = below(g, 3); more > 0; more--)
    insert(&dims, dims.n, below(g, 6));
  bool uniform = op == OP_random_uniform, whole = op == OP_random_bits;
  Type type = {whole ? bits[below(g, 4)] : random_dtype(g, FLOATING), dims.n,
               dims.v, 0};
  if (ir_type_elements(type) > MAX_RESULT * g->room) return;
  Attr attrs[3] = {IR_INT(batch, batch), IR_NUMBER(minimum, -1.5),
                   IR_NUMBER(maximum, 2.25)};
  emit(g, op, IR_VALUES(key), uniform && chance(g, 50) ? 3 : 1, attrs, &type);
}
