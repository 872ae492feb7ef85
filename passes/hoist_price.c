/* hoist_price.c: what of the new loop is needed, where it goes, its price.
 *
 * Comes in: an attempt, taken apart.  Goes out: `needed` and `outside` of each
 * expression; the cycles of the loop and of what is before it, for one run of
 * the block that nothing leaves; the bytes that are made before the loop.
 *
 * Elementwise work and views are taken to fuse: they cost operations, and
 * bytes only where they read what was made outside of the loop. */
#include <stdlib.h>
#include <string.h>

#include "hoist.h"
#include "model.h"

/* -- what is needed ---------------------------------------------------- */

typedef struct Marker {
  Attempt *a;
  int *stack, n;
} Marker;

static void need(Marker *m, int expr) {
  Expr *e = expr == NONE ? NULL : expr_at(m->a, expr);
  if (e == NULL || e->needed) return;
  e->needed = true;
  m->stack[m->n++] = expr;
}

static void need_results(Marker *m) {
  Attempt *a = m->a;
  int n = a->scan->n_carries;
  for (int i = 0; i < a->body->n_yields; i++) {
    bool split = i < n && a->carries[i].split;
    if (!split) need(m, i < n ? a->carries[i].kept : a->yields[i]);
    if (!split || !a->hoist->used[a->scan->results[i]->id]) continue;
    need(m, a->carries[i].shared);
    for (int j = 0; j < n; j++)
      if (a->part[i * n + j] >= 0) need(m, a->part[i * n + j]);
  }
}

static void mark_needed(Attempt *a) {
  Marker m = {.a = a};
  m.stack = malloc(((size_t)a->n_exprs + 1) * sizeof *m.stack);
  if (m.stack == NULL) {
    ir_out_of_memory(a->arena);
    return;
  }
  need_results(&m);
  while (m.n > 0) {
    const Expr *e = expr_at(a, m.stack[--m.n]);
    need(&m, e->next);
    for (int i = 0; i < e->n_operands; i++) need(&m, e->operands[i]);
  }
  free(m.stack);
}

/* What does not change goes before the loop; but what costs nothing where it
 * fuses, and would be an array where it does not, goes only where it must. */
static bool is_cheap(const Expr *e) {
  OpClass class = ir_ops[e->recipe.op].class;
  return e->kind == EXPR_NODE && (class == LEAF || class == VIEW);
}

static void place(Attempt *a) {
  for (int i = a->n_exprs - 1; i >= 0; i--) {
    Expr *e = expr_at(a, i);
    if (!e->needed || e->level >= a->depth) continue;
    if (!is_cheap(e)) e->outside = true;
    for (int k = 0; e->outside && k < e->n_operands; k++)
      expr_at(a, e->operands[k])->outside = true;
  }
}

/* -- operations and bytes ---------------------------------------------- */

typedef struct Work {
  double flops, bytes;
} Work;

static double devices(const Attempt *a, uint64_t axes) {
  double n = 1;
  const Program *program = a->hoist->copier.from;
  for (int i = 0; i < program->n_axes; i++)
    if (axes >> i & 1) n *= (double)program->axes[i].size;
  return n;
}

static double size_of(const Attempt *a, Type type) {
  return (double)ir_type_bytes(type) * devices(a, type.axes);
}

/* The work of an op on all devices of `axes`; outer[i]: does operand i come
 * from outside of the loop? */
static Work op_work(const Attempt *a, const Recipe *r, uint64_t axes, int n,
                    const Type *operands, const bool *outer) {
  const char *spec = NULL;
  Work work = {0};
  OpClass class = ir_ops[r->op].class;
  for (int i = 0; i < r->n_attrs; i++)
    if (r->attrs[i].key == ATTR_spec) spec = r->attrs[i].s;
  for (int i = 0; i < n; i++) {
    double bytes = size_of(a, operands[i]);
    if (class == VIEW || class == INDEXED) {
      double part = (double)ir_type_bytes(r->type) * devices(a, axes);
      if (part < bytes) bytes = part;
    }
    if (outer[i]) work.bytes += bytes;
  }
  work.flops = pass_op_work(r->op, spec, r->type, n, operands) *
               devices(a, axes) * (double)ir_dtype_bytes(r->type.dtype) / 8;
  return work;
}

enum { FEW = 64 };

static Work expr_work(const Attempt *a, const Expr *e, bool before) {
  Type types[FEW];
  bool outer[FEW];
  uint64_t axes = e->type.axes;
  int n = e->n_operands < FEW ? e->n_operands : FEW;
  for (int i = 0; i < n; i++) {
    const Expr *operand = expr_at(a, e->operands[i]);
    types[i] = operand->type;
    outer[i] = operand->kind != EXPR_NODE || (operand->outside && !before) ||
               (before && !is_cheap(operand) &&
                ir_ops[operand->recipe.op].class != ELEMENTWISE);
    if (operand->known && operand->kind != EXPR_PARAM) outer[i] = false;
    axes |= operand->type.axes;
  }
  return op_work(a, &e->recipe, axes, n, types, outer);
}

/* -- what is copied with its bodies ------------------------------------ */

static double block_cycles(const Attempt *a, const Block *block,
                           uint64_t allowed, double touched);

static double node_cycles(const Attempt *a, const Node *node, uint64_t allowed,
                          double touched) {
  Type types[FEW];
  bool outer[FEW];
  uint64_t axes = 0;
  double inner = 0;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    inner += block_cycles(a, node->bodies[b], allowed, touched);
  if (node->op == OP_scan) inner *= (double)ir_int(node, ATTR_length);
  if (node->body) return inner;
  int n = node->n_operands < FEW ? node->n_operands : FEW;
  for (int i = 0; i < n; i++) {
    const Value *operand = node->operands[i];
    types[i] = operand->type;
    types[i].axes &= allowed;
    axes |= types[i].axes;
    outer[i] = operand->block != node->block || operand->node == NULL;
  }
  if (node->n_results == 0) return 0;
  axes |= node->results[0]->type.axes & allowed;
  Recipe recipe = hoist_recipe(node);
  Work work = op_work(a, &recipe, axes, n, types, outer);
  return pass_cycles(&a->hoist->options->hardware, work.flops, work.bytes,
                     touched);
}

static double block_cycles(const Attempt *a, const Block *block,
                           uint64_t allowed, double touched) {
  double cycles = 0;
  for (int i = 0; i < block->n_nodes; i++)
    cycles += node_cycles(a, block->nodes[i], allowed, touched);
  return cycles;
}

/* -- sums -------------------------------------------------------------- */

static bool is_outer(const Expr *e) {
  return e->kind == EXPR_OUTER || e->kind == EXPR_PARAM || e->outside;
}

/* Bytes of all that the loop's nodes read from outside, and of its carries. */
static double touched_bytes(Attempt *a) {
  double bytes = 0;
  bool *read = ir_alloc(a->arena, (size_t)a->n_exprs + 1);
  if (read == NULL) return 0;
  for (int i = 0; i < a->n_exprs; i++) {
    const Expr *e = expr_at(a, i);
    if (!e->needed || is_outer(e)) continue;
    for (int k = 0; k < e->n_operands; k++) read[e->operands[k]] = true;
  }
  for (int i = 0; i < a->n_exprs; i++) {
    const Expr *e = expr_at(a, i);
    if (read[i] && is_outer(e)) bytes += size_of(a, e->type);
    if (read[i] && e->kind == EXPR_OUTER && e->old->node)
      a->held += size_of(a, e->type);
    if (read[i] && e->outside && e->kind != EXPR_OUTER)
      a->extra += size_of(a, e->type);
  }
  return bytes;
}

/* How often what stands at this depth runs. */
static double trips(const Attempt *a, int level) {
  double n = 1;
  const Block *block = a->body;
  while (block->depth > a->floor) {
    if (block->depth <= level) n *= (double)ir_int(block->owner, ATTR_length);
    block = block->owner->block;
  }
  return n;
}

static double price(const Attempt *a, const Expr *e, double touched) {
  const Hardware *hardware = &a->hoist->options->hardware;
  if (e->kind == EXPR_COPY)
    return node_cycles(a, e->copied, e->recipe.type.axes, touched);
  if (e->kind != EXPR_NODE) return 0;
  Work work = expr_work(a, e, e->outside);
  OpClass class = ir_ops[e->recipe.op].class;
  bool stored = e->outside && !is_cheap(e) && class != ELEMENTWISE;
  if (stored) work.bytes += size_of(a, e->type);
  return pass_cycles(hardware, work.flops, work.bytes,
                     e->outside ? work.bytes : touched);
}

static double written_bytes(const Attempt *a) {
  double bytes = 0;
  for (int i = 0; i < a->n_exprs; i++) {
    const Expr *e = expr_at(a, i);
    if (e->kind == EXPR_PARAM && e->needed && e->next != NONE)
      bytes += size_of(a, e->type);
  }
  for (int i = a->scan->n_carries; i < a->body->n_yields; i++)
    bytes += size_of(a, expr_at(a, a->yields[i])->type);
  return bytes;
}

void hoist_price(Attempt *a) {
  mark_needed(a);
  if (attempt_failed(a)) return;
  place(a);
  double touched = touched_bytes(a), runs = trips(a, a->depth);
  a->setup = a->step = 0;
  for (int i = 0; i < a->n_exprs; i++) {
    const Expr *e = expr_at(a, i);
    if (!e->needed) continue;
    double cycles = price(a, e, touched);
    if (e->outside)
      a->setup += cycles * trips(a, e->level);
    else
      a->step += cycles;
  }
  a->step +=
      pass_cycles(&a->hoist->options->hardware, 0, written_bytes(a), touched);
  a->step *= runs;
}
