/* generate.c: a random program from a seed.
 *
 * Comes in: a seed.  Goes out: the program's text.  A Generator holds a pool
 * of values; the makers of generate_*.c make one node at a time from them, and
 * scans (generate_scan.c) make bodies in which the same goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* -- types ------------------------------------------------------------- */

static bool dtype_is(DType dtype, Kind kind) {
  switch (kind) {
    case NUMERIC:
      return dtype != DT_BOOL;
    case FLOATING:
      return ir_is_float(dtype);
    case INTEGER:
      return ir_is_int(dtype);
    case LOGICAL:
      return !ir_is_float(dtype);
    case BOOLEAN:
      return dtype == DT_BOOL;
    default:
      return true;
  }
}

DType random_dtype(Generator *g, Kind kind) {
  static const DType often[] = {DT_F64, DT_F64, DT_F32, DT_I32, DT_F64};
  for (;;) {
    DType dtype = random_chance(&g->random, 60)
                      ? often[random_below(&g->random, 5)]
                      : (DType)random_below(&g->random, DT_COUNT);
    if (kind == BOOLEAN) return DT_BOOL;
    if (g->smooth && kind != INTEGER && kind != LOGICAL && dtype != DT_F64 &&
        dtype != DT_F32)
      continue;
    if (dtype_is(dtype, kind)) return dtype;
  }
}

static int64_t random_size(Generator *g) {
  static const int64_t sizes[] = {2, 3, 4, 1, 5, 3, 2, 4, 7, 1, 8, 0};
  if (random_chance(&g->random, g->room > 1000 ? 30 : 4))
    return 17 + random_below(&g->random, g->room > 1000 ? 60 : 20);
  return sizes[random_below(&g->random,
                            random_chance(&g->random, 30) ? 12 : 11)];
}

int random_shape(Generator *g, int64_t *dims) {
  int rank = random_below(&g->random, 10);
  rank = rank < 2 ? 0 : rank < 5 ? 1 : rank < 8 ? 2 : rank < 9 ? 3 : 4;
  int64_t elements = 1;
  for (int d = 0; d < rank; d++) {
    dims[d] = random_size(g);
    if (elements * dims[d] > g->room) dims[d] = 1;
    elements *= dims[d];
  }
  return rank;
}

uint64_t random_axes(Generator *g) {
  uint64_t all = (UINT64_C(1) << g->program->n_axes) - 1;
  return random_next(&g->random) & random_next(&g->random) & all;
}

/* -- operands ---------------------------------------------------------- */

void keep(Generator *g, Node *node) {
  for (int i = 0; node && i < node->n_results; i++)
    if (g->n_pool < POOL_ROOM) g->pool[g->n_pool++] = node->results[i];
}

void use(Generator *g, const Value *value) {
  if (value && value->id < USED_ROOM) g->used[value->id] = true;
}

Value *emit(Generator *g, Op op, int n, Value *const *operands, int n_attrs,
            const Attr *attrs, const Type *type) {
  for (int i = 0; i < n; i++) use(g, operands[i]);
  Node *node = ir_emit(g->block, &(NodeSpec){.op = op,
                                             .n_operands = n,
                                             .operands = operands,
                                             .n_attrs = n_attrs,
                                             .attrs = attrs,
                                             .type = type});
  keep(g, node);
  return node ? node->results[0] : NULL;
}

Value *new_input(Generator *g, DType dtype, int rank, const int64_t *dims,
                 uint64_t axes) {
  char name[16];
  snprintf(name, sizeof name, "x%d", g->n_params++);
  Type type = {dtype, rank, dims, axes};
  Value *value = ir_block_param(g->program->body, type, name);
  if (value && g->n_pool < POOL_ROOM) g->pool[g->n_pool++] = value;
  return value;
}

static Value *fresh(Generator *g, DType dtype, int rank, const int64_t *dims) {
  Scalar splat = random_scalar(&g->random, dtype, !g->smooth);
  if (g->n_params < 12 && random_chance(&g->random, 70))
    return new_input(g, dtype, rank, dims, random_axes(g));
  return ir_make_splat(g->block, dtype, splat, rank, dims, (Place){0});
}

/* New values are used more often, so that chains grow. */
static Value *from_pool(Generator *g) {
  int back = random_below(&g->random, g->n_pool);
  if (random_chance(&g->random, 50)) back = random_below(&g->random, back + 1);
  return g->pool[g->n_pool - 1 - back];
}

Value *pick(Generator *g, Kind kind) {
  int64_t dims[IR_MAX_RANK];
  for (int tries = 0; tries < 12 && g->n_pool; tries++) {
    Value *value = from_pool(g);
    if (dtype_is(value->type.dtype, kind)) return value;
  }
  int rank = random_shape(g, dims);
  return fresh(g, random_dtype(g, kind), rank, dims);
}

Value *pick_like(Generator *g, Type type) {
  for (int tries = 0; tries < 16 && g->n_pool; tries++) {
    Value *value = from_pool(g);
    if (value->type.dtype == type.dtype && ir_shape_equal(value->type, type))
      return value;
  }
  return fresh(g, type.dtype, type.rank, type.dims);
}

Value *pick_unused(Generator *g, const Type *like) {
  Value *found[POOL_ROOM];
  int n = 0;
  for (int i = 0; i < g->n_pool; i++) {
    Value *value = g->pool[i];
    if (value->node && value->block == g->block && value->id < USED_ROOM &&
        !g->used[value->id] &&
        (!like || (like->dtype == value->type.dtype &&
                   ir_shape_equal(*like, value->type))))
      found[n++] = value;
  }
  if (n == 0) return like ? pick_like(g, *like) : pick(g, ANY);
  n = random_below(&g->random, n);
  use(g, found[n]);
  return found[n];
}

Value *pick_scalar(Generator *g, DType dtype) {
  return pick_like(g, (Type){dtype, 0, NULL, 0});
}

/* -- whole programs ---------------------------------------------------- */

static void declare_axes(Generator *g) {
  static const char *const names[] = {"a", "b", "c"};
  int n = random_below(&g->random, 4);
  for (int i = 0; i < n; i++)
    ir_axis_declare(g->program, names[i], 1 + random_below(&g->random, 4),
                    (Place){0});
}

static void choose_results(Generator *g) {
  Value *results[6];
  char names[6][8];
  const char *pointers[6];
  int n = 1 + random_below(&g->random, 5);
  for (int i = 0; i < n; i++) {
    results[i] =
        random_chance(&g->random, 85) ? pick_unused(g, NULL) : pick(g, ANY);
    snprintf(names[i], sizeof names[i], "r%d", i);
    pointers[i] = names[i];
    if (!results[i]) return;
  }
  ir_block_yield(g->program->body, results, n);
  ir_result_names(g->program, pointers);
}

static char *finish(Program *draft, char **reason) {
  Program *program = ir_finish(draft, NULL);
  char *text = NULL;
  *reason = NULL;
  if (!program || program->error.failed)
    *reason = program ? ir_error_text(&program->error, NULL, 0) : NULL;
  else
    text = ir_print(program, 0);
  ir_program_destroy(program);
  return text;
}

char *generate(uint64_t seed, char **reason) {
  Generator g = {.random = {seed * 2654435761u + 1},
                 .smooth = seed % 2,
                 .room = seed % 10 == 3 ? 4000 : 200};
  g.program = ir_program_create("fuzz", NAMED);
  if (!g.program) return NULL;
  g.block = g.program->body;
  for (int i = 0; i < HARNESS_CALLEES; i++)
    ir_register(g.program, harness_callees[i], (Place){0});
  declare_axes(&g);
  for (int i = 0; i < 3; i++) {
    int64_t dims[IR_MAX_RANK];
    int rank = random_shape(&g, dims);
    new_input(&g, random_dtype(&g, ANY), rank, dims, random_axes(&g));
  }
  int count = 3 + random_below(&g.random, 14);
  for (int i = 0; i < count && !g.program->error.failed; i++) generate_node(&g);
  choose_results(&g);
  return finish(g.program, reason);
}
