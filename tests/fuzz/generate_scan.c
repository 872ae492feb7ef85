/* generate_scan.c: scans with random bodies.
 *
 * Carries are updated in the ways that break compilers: swapped, rotated,
 * passed through, shifted in place; ys are old and new carries alike. */
#include <string.h>

#include "fuzz.h"

enum { MAX_STEPS = 6, MAX_CARRIES = 4 };

/* -- carries ----------------------------------------------------------- */

static Value *shifted(Generator *g, Value *carry) {
  Type type = carry->type;
  int64_t zero[IR_MAX_RANK] = {0}, limit[IR_MAX_RANK];
  if (type.rank == 0 || type.dims[0] < 2) return carry;
  memcpy(limit, type.dims, (size_t)type.rank * sizeof *limit);
  limit[0] -= 1;
  Value *part = emit(g, OP_slice, IR_VALUES(carry),
                     IR_ATTRS(IR_INTS(start, zero, type.rank),
                              IR_INTS(limit, limit, type.rank)),
                     NULL);
  Value *operands[IR_MAX_RANK + 2] = {carry, part};
  for (int d = 0; d < type.rank; d++) {
    Scalar start = {.i = d == 0};
    operands[2 + d] =
        ir_make_splat(g->block, DT_I32, start, 0, NULL, (Place){0});
  }
  return emit(g, OP_dynamic_update_slice, type.rank + 2, operands, 0, NULL,
              NULL);
}

static Value *rotated(Generator *g, Value *carry) {
  Type type = carry->type;
  int64_t zero[IR_MAX_RANK] = {0}, size[IR_MAX_RANK], cut[IR_MAX_RANK];
  int64_t from[IR_MAX_RANK] = {0};
  if (type.rank == 0 || type.dims[0] < 2) return carry;
  memcpy(size, type.dims, (size_t)type.rank * sizeof *size);
  memcpy(cut, size, sizeof cut);
  from[0] = cut[0] = 1 + random_below(&g->random, (int)size[0] - 1);
  Value *low = emit(
      g, OP_slice, IR_VALUES(carry),
      IR_ATTRS(IR_INTS(start, zero, type.rank), IR_INTS(limit, cut, type.rank)),
      NULL);
  Value *high = emit(g, OP_slice, IR_VALUES(carry),
                     IR_ATTRS(IR_INTS(start, from, type.rank),
                              IR_INTS(limit, size, type.rank)),
                     NULL);
  return emit(g, OP_concatenate, IR_VALUES(high, low), IR_ATTRS(IR_INT(dim, 0)),
              NULL);
}

static Value *transposed(Generator *g, Value *carry) {
  Type type = carry->type;
  if (type.rank != 2 || type.dims[0] != type.dims[1]) return carry;
  return emit(g, OP_transpose, IR_VALUES(carry),
              IR_ATTRS(IR_INTS(perm, ((int64_t[]){1, 0}), 2)), NULL);
}

/* c / 2 + something: what grows without end is no good to compare. */
static Value *damped(Generator *g, Value *carry) {
  if (!ir_is_float(carry->type.dtype)) return carry;
  Value *half = ir_make_splat(g->block, carry->type.dtype, (Scalar){.f = 0.5},
                              0, NULL, (Place){0});
  Value *less = emit(g, OP_mul, IR_VALUES(half, carry), 0, NULL, NULL);
  Value *more = pick_like(g, carry->type);
  if (!less || !more) return NULL;
  return emit(g, OP_add, IR_VALUES(less, more), 0, NULL, NULL);
}

static Value *reversed(Generator *g, Value *carry) {
  if (carry->type.rank == 0) return carry;
  return emit(g, OP_reverse, IR_VALUES(carry),
              IR_ATTRS(IR_INTS(dims, ((int64_t[]){0}), 1)), NULL);
}

Value *next_carry(Generator *g, Block *body, int n_carries, int i) {
  static Value *(*const ways[])(Generator *, Value *) = {
      shifted, rotated, transposed, damped, reversed};
  Value *carry = body->params[i];
  int other = random_below(&g->random, n_carries);
  if (random_chance(&g->random, 30)) { /* swap, rotate, pass through */
    Value *from =
        body->params[random_chance(&g->random, 60) ? (i + 1) % n_carries
                                                   : other];
    if (from->type.dtype == carry->type.dtype &&
        ir_shape_equal(from->type, carry->type))
      return from;
  }
  if (random_chance(&g->random, 60))
    return ways[random_below(&g->random, 5)](g, carry);
  return pick_unused(g, &carry->type);
}

/* -- scans ------------------------------------------------------------- */

typedef struct Scan {
  int n_carries, n_xs, n_ys;
  int64_t length;
  Value *operands[2 * MAX_CARRIES];
  int64_t xs_dims[MAX_CARRIES];
  Block *body;
} Scan;

static void scan_operands(Generator *g, Scan *scan) {
  for (int i = 0; i < scan->n_carries; i++) {
    Value *last = i ? scan->operands[i - 1] : NULL;
    scan->operands[i] = last && random_chance(&g->random, 60)
                            ? pick_like(g, last->type)
                            : pick_unused(g, NULL);
  }
  for (int i = 0; i < scan->n_xs; i++) {
    int64_t dims[IR_MAX_RANK + 1];
    int rank = random_shape(g, dims);
    int at =
        random_chance(&g->random, 25) ? random_below(&g->random, rank + 1) : 0;
    memmove(dims + at + 1, dims + at, (size_t)(rank - at) * sizeof *dims);
    dims[at] = scan->length;
    scan->xs_dims[i] = at;
    Type type = {random_dtype(g, ANY), rank + 1, dims, 0};
    scan->operands[scan->n_carries + i] = pick_like(g, type);
  }
}

static bool scan_params(Generator *g, Scan *scan) {
  for (int i = 0; i < scan->n_carries + scan->n_xs; i++) {
    Value *operand = scan->operands[i];
    if (!operand) return false;
    use(g, operand);
    Type type = operand->type;
    int64_t dims[IR_MAX_RANK];
    if (i >= scan->n_carries) {
      int n = 0;
      for (int d = 0; d < operand->type.rank; d++)
        if (d != scan->xs_dims[i - scan->n_carries])
          dims[n++] = operand->type.dims[d];
      type.rank = n;
      type.dims = dims;
    }
    Value *param = ir_block_param(scan->body, type, NULL);
    if (!param) return false;
    if (g->n_pool < POOL_ROOM) g->pool[g->n_pool++] = param;
  }
  return true;
}

static bool scan_yields(Generator *g, Scan *scan) {
  Value *yields[2 * MAX_CARRIES];
  int n = scan->n_carries;
  for (int i = 0; i < n; i++) yields[i] = next_carry(g, scan->body, n, i);
  for (int i = 0; i < scan->n_ys; i++) {
    int which = random_below(&g->random, 5);
    yields[n + i] = which == 0 && n ? yields[random_below(&g->random, n)]
                    : which == 1 && n
                        ? scan->body->params[random_below(&g->random, n)]
                        : pick(g, ANY);
  }
  for (int i = 0; i < n + scan->n_ys; i++)
    if (!yields[i]) return false;
  ir_block_yield(scan->body, yields, n + scan->n_ys);
  return true;
}

static void scan_emit(Generator *g, const Scan *scan) {
  int64_t ys_dims[MAX_CARRIES] = {0};
  Attr attrs[5] = {IR_INT(length, scan->length)};
  int n = 1;
  if (random_chance(&g->random, 30)) attrs[n++] = (Attr)IR_INT(reverse, 1);
  if (random_chance(&g->random, 30))
    attrs[n++] = (Attr)IR_INT(unroll, 1 + random_below(&g->random, 4));
  if (scan->n_xs)
    attrs[n++] = (Attr)IR_INTS(xs_dims, scan->xs_dims, scan->n_xs);
  for (int i = 0; i < scan->n_ys; i++)
    ys_dims[i] =
        random_chance(&g->random, 20)
            ? random_below(
                  &g->random,
                  scan->body->yields[scan->n_carries + i]->type.rank + 1)
            : 0;
  if (scan->n_ys) attrs[n++] = (Attr)IR_INTS(ys_dims, ys_dims, scan->n_ys);
  Node *node =
      ir_emit(g->block, &(NodeSpec){.op = OP_scan,
                                    .n_operands = scan->n_carries + scan->n_xs,
                                    .operands = scan->operands,
                                    .n_attrs = n,
                                    .attrs = attrs,
                                    .n_carries = scan->n_carries,
                                    .body = scan->body});
  keep(g, node);
}

/* Inputs made inside stay visible outside: they are the program's. */
void leave_body(Generator *g, Block *outer, int visible) {
  int kept = visible;
  for (int i = visible; i < g->n_pool; i++)
    if (!g->pool[i]->node && g->pool[i]->block == g->program->body)
      g->pool[kept++] = g->pool[i];
  g->n_pool = kept;
  g->block = outer;
}

void generate_scan(Generator *g) {
  if (g->block->depth >= MAX_DEPTH) return;
  Scan scan = {.n_carries = random_below(&g->random, MAX_CARRIES),
               .n_xs = random_below(&g->random, 3),
               .n_ys = random_below(&g->random, 3),
               .length = 1 + random_below(&g->random, MAX_STEPS)};
  if (random_chance(&g->random, 10)) scan.length = 0;
  if (random_chance(&g->random, 5)) scan.length = 17;
  if (g->block->depth > 1 && scan.length > 3) scan.length = 3;
  Block *outer = g->block;
  scan_operands(g, &scan);
  int visible = g->n_pool;
  scan.body = ir_block_begin(outer);
  if (!scan.body || !scan_params(g, &scan)) return;
  g->block = scan.body;
  int count = 1 + random_below(&g->random, outer->depth ? 4 : 7);
  for (int i = 0; i < count && !g->program->error.failed; i++) generate_node(g);
  bool fine = scan_yields(g, &scan);
  leave_body(g, outer, visible);
  if (fine) scan_emit(g, &scan);
}
