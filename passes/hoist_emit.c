/* hoist_emit.c: the new scan.
 *
 * Comes in: an attempt with its price known, and the block where the scan
 * stood.  Goes out: in that block (or, for what moves further, in those around
 * it) what is made before the loop, the scan, and the carries that are taken
 * apart, put together again where something uses them. */
#include <string.h>

#include "hoist.h"

/* The new scan's carries: PARAM expressions. */
typedef struct Emit {
  Attempt *a;
  Copier *copier;
  Block *to, *body;
  int *slots, n_slots;
  int *place; /* of each slot's expression among the results: by expression */
  Node *made;
} Emit;

static void add_slot(Emit *e, int param) {
  e->place[param] = e->n_slots;
  e->slots[e->n_slots++] = param;
}

static void choose_slots(Emit *e) {
  const Attempt *a = e->a;
  int n = a->scan->n_carries;
  for (int i = 0; i < n; i++) {
    const Carry *carry = &a->carries[i];
    int param = carry->split ? carry->shared : carry->kept;
    if (expr_at(a, param)->needed) add_slot(e, param);
  }
  for (int i = 0; n <= MOST_CARRIES && i < n * n; i++)
    if (a->part[i] >= 0 && expr_at(a, a->part[i])->needed)
      add_slot(e, a->part[i]);
}

static void make_params(Emit *e) {
  const Attempt *a = e->a;
  for (int i = 0; i < e->n_slots; i++) {
    Expr *param = expr_at(a, e->slots[i]);
    param->made = ir_block_param(e->body, param->type, param->name);
  }
  for (int i = a->scan->n_carries; i < a->body->n_params; i++) {
    Expr *param = expr_at(a, a->xs[i]);
    param->made = ir_block_param(e->body, param->type, param->name);
  }
}

/* -- expressions ------------------------------------------------------- */

static Block *block_of(const Emit *e, const Expr *expr) {
  Block *block = e->to;
  if (!expr->outside) return e->body;
  while (block->depth > expr->level) block = block->parent;
  return block;
}

static void make_copy(Emit *e, Expr *expr) {
  for (int i = 0; i < expr->n_operands; i++)
    ir_map(e->copier, expr->reads[i], expr_at(e->a, expr->operands[i])->made);
  ir_copy_node(e->copier, block_of(e, expr), expr->copied);
  if (expr->copied->n_results)
    expr->made = ir_mapped(e->copier, expr->copied->results[0]);
}

static void make_node(Emit *e, Expr *expr) {
  const Recipe *r = &expr->recipe;
  Value *few[8], **operands = few;
  if (expr->n_operands > 8)
    operands =
        ir_alloc(e->a->arena, (size_t)expr->n_operands * sizeof *operands);
  if (operands == NULL) return;
  for (int i = 0; i < expr->n_operands; i++)
    operands[i] = expr_at(e->a, expr->operands[i])->made;
  bool typed = ir_ops[r->op].flags & TYPED;
  Node *node =
      ir_node(block_of(e, expr), &(NodeSpec){.op = r->op,
                                             .n_operands = expr->n_operands,
                                             .operands = operands,
                                             .n_attrs = r->n_attrs,
                                             .attrs = r->attrs,
                                             .type = typed ? &r->type : NULL,
                                             .literal = r->literal,
                                             .splat = r->splat,
                                             .name = expr->name,
                                             .place = r->place});
  expr->made = node ? node->results[0] : NULL;
}

static void make_expr(Emit *e, Expr *expr) {
  const Expr *copy;
  switch (expr->kind) {
    case EXPR_OUTER:
      expr->made = ir_mapped(e->copier, expr->old);
      break;
    case EXPR_PARAM:
      break;
    case EXPR_NODE:
      make_node(e, expr);
      break;
    case EXPR_COPY:
      make_copy(e, expr);
      break;
    case EXPR_PART:
      copy = expr_at(e->a, expr->operands[0]);
      expr->made = ir_mapped(e->copier, copy->copied->results[expr->index]);
      break;
  }
}

/* -- the scan ---------------------------------------------------------- */

/* What a carry that is taken apart starts as: an identity of sums, or the
 * init, if that is shared. */
static Value *first_of(Emit *e, int param) {
  const Attempt *a = e->a;
  int n = a->scan->n_carries;
  Type type = expr_at(a, param)->type;
  Scalar first = hoist_number(type.dtype, 0);
  for (int i = 0; i < n; i++) {
    const Carry *carry = &a->carries[i];
    bool shared = param == carry->shared;
    if (param == carry->kept || (shared && !carry->based))
      return ir_mapped(e->copier, a->scan->operands[i]);
    if (shared && ir_is_float(type.dtype)) first.f = -0.0;
    if (n <= MOST_CARRIES && param == a->part[i * n + i])
      first = hoist_number(type.dtype, 1);
  }
  return ir_make_splat(e->to, type.dtype, first, type.rank, type.dims,
                       a->scan->place);
}

static void make_scan(Emit *e) {
  const Attempt *a = e->a;
  const Node *scan = a->scan;
  int n_ys = a->body->n_yields - scan->n_carries;
  int n_xs = scan->n_operands - scan->n_carries;
  int n = e->n_slots + (n_ys > n_xs ? n_ys : n_xs);
  Value **inputs = ir_alloc(a->arena, (size_t)n * sizeof *inputs + 1);
  Value **yields = ir_alloc(a->arena, (size_t)n * sizeof *yields + 1);
  if (inputs == NULL || yields == NULL) return;
  for (int i = 0; i < e->n_slots; i++) {
    inputs[i] = first_of(e, e->slots[i]);
    yields[i] = expr_at(a, expr_at(a, e->slots[i])->next)->made;
  }
  for (int i = 0; i < n_xs; i++)
    inputs[e->n_slots + i] =
        ir_mapped(e->copier, scan->operands[scan->n_carries + i]);
  for (int i = 0; i < n_ys; i++)
    yields[e->n_slots + i] = expr_at(a, a->yields[scan->n_carries + i])->made;
  ir_block_yield(e->body, yields, e->n_slots + n_ys);
  e->made = ir_node(e->to, &(NodeSpec){.op = OP_scan,
                                       .n_operands = e->n_slots + n_xs,
                                       .operands = inputs,
                                       .n_attrs = scan->n_attrs,
                                       .attrs = scan->attrs,
                                       .n_carries = e->n_slots,
                                       .body = e->body,
                                       .place = scan->place});
}

/* -- what comes out of it ---------------------------------------------- */

static Value *result_of(const Emit *e, int param) {
  return e->made->results[e->place[param]];
}

static Value *plus(const Emit *e, Value *x, Value *y) {
  if (x == NULL) return y;
  return ir_make(e->to, OP_add, IR_VALUES(x, y), 0, NULL, NULL, NULL,
                 e->a->scan->place);
}

static Value *put_together(const Emit *e, int i) {
  const Attempt *a = e->a;
  int n = a->scan->n_carries;
  Value *sum = NULL;
  for (int j = 0; j < n; j++) {
    int part = a->part[i * n + j];
    Value *term = ir_mapped(e->copier, a->scan->operands[j]);
    if (part == NONE) continue;
    if (part != ONE) {
      Value *number = result_of(e, part);
      term = ir_make(e->to, OP_mul, IR_VALUES(number, term), 0, NULL, NULL,
                     NULL, a->scan->place);
    }
    sum = plus(e, sum, term);
  }
  return plus(e, sum, result_of(e, a->carries[i].shared));
}

static void map_results(Emit *e) {
  const Attempt *a = e->a;
  const Node *scan = a->scan;
  int n = scan->n_carries;
  for (int i = 0; i < scan->n_results; i++) {
    const Value *old = scan->results[i];
    if (i < n && !a->carries[i].split)
      pass_replace(e->copier, old, result_of(e, a->carries[i].kept));
    else if (i >= n)
      pass_replace(e->copier, old, e->made->results[e->n_slots + i - n]);
    else if (a->hoist->used[old->id])
      pass_replace(e->copier, old, put_together(e, i));
  }
}

void hoist_emit(Attempt *a, Block *to) {
  int n = a->scan->n_carries;
  size_t room = (size_t)n * (n <= MOST_CARRIES ? (size_t)n + 1 : 1);
  Emit e = {.a = a, .copier = &a->hoist->copier, .to = to};
  e.slots = ir_alloc(a->arena, room * sizeof *e.slots + 1);
  e.place = ir_alloc(a->arena, (size_t)a->n_exprs * sizeof *e.place + 1);
  e.body = ir_block_begin(to);
  if (e.slots == NULL || e.place == NULL || e.body == NULL) return;
  a->hoist->plain = true;
  choose_slots(&e);
  make_params(&e);
  for (int i = 0; i < a->n_exprs && !to->program->error.failed; i++)
    if (expr_at(a, i)->needed) make_expr(&e, expr_at(a, i));
  a->hoist->plain = false;
  make_scan(&e);
  if (e.made) map_results(&e);
}
