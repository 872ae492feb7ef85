/* generate_whole.c: makers of ops on whole arrays. */
#include "makers.h"

void make_cumulative(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INT(dim, below(g, x->type.rank)),
                IR_INT(backward, chance(g, 40))),
       NULL);
}

void make_sort(Generator *g, Op op, Kind kind) {
  Value *operands[4] = {pick_ranked(g, kind)};
  if (!operands[0]) return;
  int n = 1 + below(g, 4);
  for (int i = 1; i < n; i++) {
    Type type = operands[0]->type;
    type.dtype = random_dtype(g, kind);
    operands[i] = pick_like(g, type);
    if (!operands[i]) return;
  }
  emit(g, op, n, operands,
       IR_ATTRS(IR_INT(dim, below(g, operands[0]->type.rank))), NULL);
}

void make_scatter_add(Generator *g, Op op, Kind kind) {
  Value *x = pick_ranked(g, kind);
  if (!x) return;
  int batch = chance(g, 20) ? below(g, x->type.rank) : 0;
  int dim = batch + below(g, x->type.rank - batch);
  Dims index = dims_of(x), part = {0};
  index.n = batch;
  for (int more = below(g, 3); more > 0; more--)
    insert(&index, index.n, 1 + below(g, 6));
  for (int d = 0; d < x->type.rank; d++) {
    if (d != dim) insert(&part, part.n, x->type.dims[d]);
    for (int i = batch; d == dim && i < index.n; i++)
      insert(&part, part.n, index.v[i]);
  }
  Type u = {x->type.dtype, part.n, part.v, 0};
  if (ir_type_elements(u) > MAX_RESULT * g->room) return;
  Value *at =
      pick_like(g, (Type){random_dtype(g, INTEGER), index.n, index.v, 0});
  Value *with = at ? pick_like(g, u) : NULL;
  if (!with) return;
  emit(g, op, IR_VALUES(x, at, with),
       IR_ATTRS(IR_INT(dim, dim), IR_INT(batch, batch)), NULL);
}

/* The functions of tests/harness/callees.c. */
void make_call(Generator *g, Op op, Kind kind) {
  static const int64_t two = 2, three = 3;
  Type pair = {DT_F64, 1, &two, 0}, counts = {DT_I32, 1, &three, 0};
  Type flags = {DT_BOOL, 1, &three, 0}, chosen = {DT_F32, 1, &three, 0};
  (void)kind;
  if (chance(g, 50)) {
    Value *x = pick_like(g, pair);
    if (x)
      emit(g, op, IR_VALUES(x), IR_ATTRS(IR_STRING(symbol, "swap")), &pair);
  } else if (chance(g, 80)) {
    Value *x = pick_like(g, counts), *p = x ? pick_like(g, flags) : NULL;
    if (p)
      emit(g, op, IR_VALUES(x, p), IR_ATTRS(IR_STRING(symbol, "choose")),
           &chosen);
  } else {
    emit(g, op, 0, NULL, IR_ATTRS(IR_STRING(symbol, "given")), &pair);
  }
}
