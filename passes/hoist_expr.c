/* hoist_expr.c: the expressions of a loop that may come to be.
 *
 * Comes in: an op and the expressions that it takes.  Goes out: the number of
 * the one expression that stands for it, with its type, its axes, the depth to
 * which it could move, and its value where that is a number. */
#include <stdlib.h>
#include <string.h>

#include "hoist.h"

/* -- the list ---------------------------------------------------------- */

static bool grow(Attempt *a) {
  int room = a->room ? 2 * a->room : 64;
  Expr *exprs = realloc(a->exprs, (size_t)room * sizeof *exprs);
  if (exprs == NULL) return ir_out_of_memory(a->arena);
  a->exprs = exprs;
  int *buckets = realloc(a->buckets, (size_t)room * 2 * sizeof *buckets);
  if (buckets == NULL) return ir_out_of_memory(a->arena);
  a->buckets = buckets;
  a->room = room;
  return true;
}

static uint64_t hash_of(const Recipe *recipe, int n, const int *operands) {
  uint64_t hash = 14695981039346656037u ^ (uint64_t)recipe->op;
  for (int i = 0; i < n; i++)
    hash = (hash ^ (uint64_t)operands[i]) * 1099511628211u;
  for (int d = 0; d < recipe->type.rank; d++)
    hash = (hash ^ (uint64_t)recipe->type.dims[d]) * 1099511628211u;
  hash = (hash ^ (uint64_t)recipe->type.dtype) * 1099511628211u;
  return hash ^ hash >> 29;
}

static int *bucket_of(const Attempt *a, const Expr *e) {
  uint64_t hash = hash_of(&e->recipe, e->n_operands, e->operands);
  return &a->buckets[hash % (uint64_t)a->n_buckets];
}

static void rehash(Attempt *a) {
  a->n_buckets = 2 * a->room;
  for (int i = 0; i < a->n_buckets; i++) a->buckets[i] = NONE;
  for (int i = 0; i < a->n_exprs; i++) {
    Expr *e = expr_at(a, i);
    if (e->kind != EXPR_NODE) continue;
    int *bucket = bucket_of(a, e);
    e->chained = *bucket;
    *bucket = i;
  }
}

static int append(Attempt *a, Expr expr) {
  if (a->n_exprs == a->room) {
    if (!grow(a)) return 0;
    rehash(a);
  }
  expr.next = NONE;
  a->exprs[a->n_exprs] = expr;
  if (expr.kind == EXPR_NODE) {
    int *bucket = bucket_of(a, &expr);
    a->exprs[a->n_exprs].chained = *bucket;
    *bucket = a->n_exprs;
  }
  return a->n_exprs++;
}

/* Expression 0 stands for nothing: what is made after a failure. */
bool hoist_exprs_begin(Attempt *a) {
  append(a, (Expr){.kind = EXPR_PARAM, .level = a->depth});
  return !attempt_failed(a);
}

void hoist_exprs_end(Attempt *a) {
  free(a->exprs);
  free(a->buckets);
  a->exprs = NULL;
  a->buckets = NULL;
}

/* -- known values ------------------------------------------------------ */

static bool same_value_everywhere(Op op) {
  return op == OP_broadcast || op == OP_reshape || op == OP_transpose ||
         op == OP_slice || op == OP_reverse;
}

static void know(const Attempt *a, Expr *e) {
  const Recipe *r = &e->recipe;
  DType dtype = r->type.dtype;
  Scalar x[3] = {{0}};
  if (r->op == OP_constant && (r->splat || ir_type_elements(r->type) == 1)) {
    e->known = true;
    e->value = ir_scalar_load(dtype, r->literal);
  }
  if (e->n_operands < 1 || e->n_operands > 3) return;
  bool same_dtype = true;
  for (int i = 0; i < e->n_operands; i++) {
    const Expr *operand = expr_at(a, e->operands[i]);
    if (!operand->known) return;
    same_dtype &= operand->type.dtype == dtype;
    x[i] = operand->value;
  }
  if (same_value_everywhere(r->op)) {
    e->value = x[0];
  } else if (r->op == OP_convert) {
    e->value =
        ir_scalar_convert(dtype, expr_at(a, e->operands[0])->type.dtype, x[0]);
  } else if (ir_ops[r->op].class == ELEMENTWISE && same_dtype &&
             r->n_attrs == 0 && ir_scalar_has_rule(r->op)) {
    e->value = ir_scalar_apply(r->op, WORD_NONE, dtype, x);
  } else {
    return;
  }
  e->known = true;
}

/* -- nodes ------------------------------------------------------------- */

static bool same(const Attempt *a, const Expr *e, const Recipe *recipe, int n,
                 const int *operands) {
  const Recipe *r = &e->recipe;
  (void)a;
  if (r->op != recipe->op || e->n_operands != n ||
      r->n_attrs != recipe->n_attrs || r->type.dtype != recipe->type.dtype ||
      !ir_shape_equal(r->type, recipe->type) || r->splat != recipe->splat)
    return false;
  if (n && memcmp(e->operands, operands, (size_t)n * sizeof *operands) != 0)
    return false;
  for (int i = 0; i < r->n_attrs; i++)
    if (!ir_attr_equal(&r->attrs[i], &recipe->attrs[i])) return false;
  if (r->literal == recipe->literal) return true;
  return r->splat && memcmp(r->literal, recipe->literal,
                            ir_dtype_bytes(r->type.dtype)) == 0;
}

static int find(const Attempt *a, const Recipe *recipe, int n,
                const int *operands) {
  uint64_t hash = hash_of(recipe, n, operands);
  int i = a->buckets[hash % (uint64_t)a->n_buckets];
  while (i != NONE && !same(a, expr_at(a, i), recipe, n, operands))
    i = expr_at(a, i)->chained;
  return i;
}

static uint64_t axes_of(const Attempt *a, const Recipe *recipe, int n,
                        const int *operands) {
  uint64_t few[8], *axes = few;
  if (n > 8) axes = ir_alloc(a->arena, (size_t)n * sizeof *axes);
  if (axes == NULL) return 0;
  for (int i = 0; i < n; i++) axes[i] = expr_at(a, operands[i])->type.axes;
  return ir_axes_rule(a->hoist->copier.from, recipe->op, recipe->attrs,
                      recipe->n_attrs, axes, n);
}

static int level_of(const Attempt *a, int n, const int *operands) {
  int level = a->floor;
  for (int i = 0; i < n; i++)
    if (expr_at(a, operands[i])->level > level)
      level = expr_at(a, operands[i])->level;
  return level;
}

static int *keep_operands(Attempt *a, int n, const int *operands) {
  int *list = ir_alloc(a->arena, (size_t)n * sizeof *list + 1);
  if (list && n) memcpy(list, operands, (size_t)n * sizeof *list);
  return list;
}

int hoist_expr(Attempt *a, const Recipe *recipe, int n, const int *operands) {
  if (attempt_failed(a)) return 0;
  int found = find(a, recipe, n, operands);
  if (found != NONE) return found;
  Expr e = {.kind = EXPR_NODE,
            .recipe = *recipe,
            .type = recipe->type,
            .n_operands = n,
            .operands = keep_operands(a, n, operands)};
  if (e.operands == NULL) return 0;
  e.type.axes = axes_of(a, recipe, n, operands);
  e.level = level_of(a, n, operands);
  know(a, &e);
  return append(a, e);
}

/* -- leaves ------------------------------------------------------------ */

int hoist_outer(Attempt *a, const Value *value) {
  if (attempt_failed(a)) return 0;
  int depth = value->block->depth;
  Expr e = {.kind = EXPR_OUTER,
            .type = value->type,
            .level = depth > a->floor ? depth : a->floor,
            .old = value};
  Scalar element;
  if (ir_is_splat(value, &element)) {
    e.known = true;
    e.value = element;
  }
  return append(a, e);
}

int hoist_param(Attempt *a, Type type, const char *name) {
  if (attempt_failed(a)) return 0;
  return append(
      a,
      (Expr){
          .kind = EXPR_PARAM, .type = type, .name = name, .level = a->depth});
}

/* -- copies ------------------------------------------------------------ */

/* What a node with bodies takes from outside: each value once. */
typedef struct Reader {
  Attempt *a;
  Value **reads;
  int n, room;
  bool calls;       /* a C function of the host's */
  uint64_t varying; /* axes that something inside may bring in */
} Reader;

static void read_value(Reader *r, Value *value) {
  Hoist *hoist = r->a->hoist;
  if (value->block->depth > r->a->depth) return; /* of the node itself */
  if (hoist->stamp[value->id] == hoist->n_stamps) return;
  hoist->stamp[value->id] = hoist->n_stamps;
  if (r->n == r->room) {
    int room = r->room ? 2 * r->room : 16;
    Value **more = ir_alloc(r->a->arena, (size_t)room * sizeof *more);
    if (more == NULL) return;
    if (r->n) memcpy(more, r->reads, (size_t)r->n * sizeof *more);
    r->reads = more;
    r->room = room;
  }
  r->reads[r->n++] = value;
}

static void read_node(Reader *r, const Node *node) {
  for (int i = 0; i < node->n_operands; i++) read_value(r, node->operands[i]);
  r->calls |= node->op == OP_call;
  if (ir_ops[node->op].class == COLLECTIVE)
    r->varying |= ir_axes_rule(r->a->hoist->copier.from, node->op, node->attrs,
                               node->n_attrs, NULL, 0);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    const Block *body = node->bodies[b];
    for (int i = 0; i < body->n_nodes; i++) read_node(r, body->nodes[i]);
    for (int i = 0; i < body->n_yields; i++) read_value(r, body->yields[i]);
  }
}

int hoist_copy(Attempt *a, const Node *node) {
  Reader r = {.a = a};
  a->hoist->n_stamps++;
  read_node(&r, node);
  int *operands = ir_alloc(a->arena, (size_t)r.n * sizeof *operands + 1);
  if (operands == NULL) return 0;
  Expr e = {.kind = EXPR_COPY,
            .recipe = hoist_recipe(node),
            .n_operands = r.n,
            .operands = operands,
            .copied = node,
            .reads = r.reads};
  for (int i = 0; i < r.n; i++) operands[i] = hoist_direct(a, r.reads[i]);
  for (int i = 0; i < r.n; i++) r.varying |= expr_at(a, operands[i])->type.axes;
  e.level = r.calls ? a->depth : level_of(a, r.n, operands);
  if (node->n_results) e.type = node->results[0]->type;
  e.type.axes &= r.varying;
  e.recipe.type.axes = r.varying;
  return attempt_failed(a) ? 0 : append(a, e);
}

int hoist_part(Attempt *a, int copy, const Node *node, int index) {
  int *operand = keep_operands(a, 1, &copy);
  if (operand == NULL || attempt_failed(a)) return 0;
  Expr e = {.kind = EXPR_PART,
            .type = node->results[index]->type,
            .level = expr_at(a, copy)->level,
            .n_operands = 1,
            .operands = operand,
            .index = index};
  e.type.axes &= expr_at(a, copy)->recipe.type.axes;
  return append(a, e);
}

/* -- makers ------------------------------------------------------------ */

Recipe hoist_recipe(const Node *node) {
  return (Recipe){.op = node->op,
                  .n_attrs = node->n_attrs,
                  .attrs = node->attrs,
                  .type = node->n_results ? node->results[0]->type : (Type){0},
                  .literal = node->literal,
                  .splat = node->splat,
                  .place = node->place};
}

Scalar hoist_number(DType dtype, int64_t value) {
  return ir_is_float(dtype) ? (Scalar){.f = (double)value}
                            : ir_scalar_wrap(dtype, (uint64_t)value);
}

bool hoist_is(DType dtype, Scalar value, int64_t number) {
  Scalar wanted = hoist_number(dtype, number);
  return ir_is_float(dtype) ? value.f == wanted.f : value.u == wanted.u;
}

int hoist_splat(Attempt *a, Type like, Scalar value, Place place) {
  void *literal = ir_alloc(a->arena, sizeof(uint64_t));
  if (literal == NULL) return 0;
  ir_scalar_store(like.dtype, literal, value);
  Recipe recipe = {.op = OP_constant,
                   .type = like,
                   .literal = literal,
                   .splat = true,
                   .place = place};
  return hoist_expr(a, &recipe, 0, NULL);
}

int hoist_binary(Attempt *a, Op op, int x, int y, Place place) {
  Type type = expr_at(a, x)->type;
  if (type.rank == 0) type = expr_at(a, y)->type;
  Recipe recipe = {.op = op, .type = type, .place = place};
  return hoist_expr(a, &recipe, 2, (int[]){x, y});
}

int hoist_neg(Attempt *a, int x, Place place) {
  Recipe recipe = {.op = OP_neg, .type = expr_at(a, x)->type, .place = place};
  return hoist_expr(a, &recipe, 1, &x);
}

int hoist_add(Attempt *a, int x, int y, Place place) {
  if (x == NONE) return y;
  return y == NONE ? x : hoist_binary(a, OP_add, x, y, place);
}

int hoist_scale(Attempt *a, Scalar factor, int x, Place place) {
  DType dtype = expr_at(a, x)->type.dtype;
  if (hoist_is(dtype, factor, 1)) return x;
  if (hoist_is(dtype, factor, -1)) return hoist_neg(a, x, place);
  int number = hoist_splat(a, (Type){.dtype = dtype}, factor, place);
  return hoist_binary(a, OP_mul, number, x, place);
}
