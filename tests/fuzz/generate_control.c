/* generate_control.c: whiles and conds with random bodies.
 *
 * Every while ends: it counts, and its predicate holds a bound on the count.
 * But many would not end for a device that is out: inside a branch of a cond,
 * or a step of a while, `sure` holds what is true for each device that is in,
 * and a predicate may ask for more steps where that is false.  A mask that
 * lets such a device have a say is found by the loop that hangs.
 *
 * Nothing may cross the axes of a predicate inside its bodies (g->closed).
 * Axes of what depends on a carry are not known yet, so all are closed under a
 * predicate from the pool; one made from inputs and axis_index closes its own.
 */
#include "makers.h"

enum { MAX_COUNT = 5, MAX_KEPT = 4 };

/* -- predicates -------------------------------------------------------- */

static Value *number(Generator *g, int value) {
  return ir_make_splat(g->block, DT_I32, (Scalar){.i = value}, 0, NULL,
                       (Place){0});
}

static Value *compared(Generator *g, Value *a, Word relation, Value *b) {
  return emit(g, OP_compare, IR_VALUES(a, b),
              IR_ATTRS(IR_INT(relation, relation)), NULL);
}

static Value *negated(Generator *g, Value *p) {
  return emit(g, OP_not, IR_VALUES(p), 0, NULL, NULL);
}

/* An i32 in [0, MAX_COUNT] that varies over what its type says. */
static Value *small_count(Generator *g) {
  int axes = g->program->n_axes, way = below(g, 3);
  if (way == 0 && axes) {
    int64_t axis = below(g, axes);
    Value *index = emit(g, OP_axis_index, 0, NULL,
                        IR_ATTRS(IR_INTS(axis, &axis, 1)), NULL);
    return chance(g, 50)
               ? index
               : emit(g, OP_add, IR_VALUES(index, number(g, below(g, 3))), 0,
                      NULL, NULL);
  }
  if (way == 1) {
    Value *x = new_input(g, DT_I32, 0, NULL, random_axes(g));
    return emit(g, OP_clamp,
                IR_VALUES(number(g, 0), x, number(g, below(g, MAX_COUNT + 1))),
                0, NULL, NULL);
  }
  return number(g, below(g, MAX_COUNT + 1));
}

/* A bool that varies over what its type says. */
static Value *plain_predicate(Generator *g) {
  if (chance(g, 40)) return new_input(g, DT_BOOL, 0, NULL, random_axes(g));
  Value *count = small_count(g);
  Word relation = (Word)(WORD_eq + below(g, 6));
  return compared(g, count, relation, number(g, below(g, 4)));
}

static uint64_t all_axes(const Generator *g) {
  return (UINT64_C(1) << g->program->n_axes) - 1;
}

static void push_sure(Generator *g, Value *value) {
  if (value && g->n_sure < (int)(sizeof g->sure / sizeof *g->sure))
    g->sure[g->n_sure++] = value;
}

/* -- bodies ------------------------------------------------------------ */

/* A new innermost body, with a parameter for each of n operands. */
static Block *enter(Generator *g, int n, Value *const *operands) {
  Block *body = ir_block_begin(g->block);
  for (int i = 0; body && i < n; i++) {
    Value *param =
        operands[i] ? ir_block_param(body, operands[i]->type, NULL) : NULL;
    if (!param) return NULL;
    if (g->n_pool < POOL_ROOM) g->pool[g->n_pool++] = param;
  }
  if (body) g->block = body;
  return body;
}

static void nodes(Generator *g, int n) {
  for (int i = 0; i < n && !g->program->error.failed; i++) generate_node(g);
}

/* -- while ------------------------------------------------------------- */

typedef struct Loop {
  int n, counter; /* carries; the one that counts */
  Value *operands[MAX_KEPT];
  Value *limit;
  Value *trap;         /* asks for more steps where it is false */
  bool wild, together; /* a bool from the pool; one that all devices share */
  Block *test, *step;
} Loop;

static void choose_loop(Generator *g, Loop *loop) {
  loop->n = 1 + below(g, MAX_KEPT);
  loop->counter = below(g, loop->n);
  loop->limit = small_count(g);
  if (g->n_sure && chance(g, 60)) loop->trap = g->sure[below(g, g->n_sure)];
  loop->wild = chance(g, 25);
  loop->together = !loop->wild && !loop->trap && !g->closed && loop->limit &&
                   !loop->limit->type.axes && g->program->n_axes &&
                   chance(g, 40);
  for (int i = 0; i < loop->n; i++) {
    Value *last = i ? loop->operands[i - 1] : NULL;
    loop->operands[i] = i == loop->counter      ? number(g, 0)
                        : last && chance(g, 40) ? pick_like(g, last->type)
                                                : pick_unused(g, NULL);
    use(g, loop->operands[i]);
  }
}

/* Of a bool, what all devices agree on. */
static Value *agreed(Generator *g, Value *p) {
  int64_t axes[IR_MAX_AXES];
  int n = g->program->n_axes;
  for (int a = 0; a < n; a++) axes[a] = a;
  return emit(g, chance(g, 50) ? OP_pmax : OP_pmin, IR_VALUES(p),
              IR_ATTRS(IR_INTS(axis, axes, n)), NULL);
}

static bool make_test(Generator *g, Loop *loop) {
  Block *outer = g->block;
  int visible = g->n_pool;
  loop->test = enter(g, loop->n, loop->operands);
  if (!loop->test) return false;
  nodes(g, below(g, 3));
  Value *counter = loop->test->params[loop->counter];
  Value *p = compared(g, counter, WORD_lt, loop->limit), *more = NULL;
  if (loop->wild || loop->together) more = pick_scalar(g, DT_BOOL);
  if (loop->together) more = agreed(g, more);
  if (more) p = emit(g, OP_and, IR_VALUES(p, more), 0, NULL, NULL);
  if (loop->trap)
    p = emit(g, OP_or, IR_VALUES(p, negated(g, loop->trap)), 0, NULL, NULL);
  ir_block_yield(loop->test, &p, 1);
  leave_body(g, outer, visible);
  return p != NULL;
}

static bool make_step(Generator *g, Loop *loop) {
  Block *outer = g->block;
  int visible = g->n_pool, sure = g->n_sure;
  Value *yields[MAX_KEPT];
  bool fine = true;
  loop->step = enter(g, loop->n, loop->operands);
  if (!loop->step) return false;
  Value *counter = loop->step->params[loop->counter];
  push_sure(g, compared(g, counter, WORD_lt, loop->limit));
  nodes(g, 1 + below(g, outer->depth ? 3 : 6));
  if (chance(g, 15)) generate_while(g);
  for (int i = 0; i < loop->n; i++) {
    yields[i] =
        i == loop->counter
            ? emit(g, OP_add, IR_VALUES(counter, number(g, 1)), 0, NULL, NULL)
            : next_carry(g, loop->step, loop->n, i);
    fine = fine && yields[i];
  }
  if (fine) ir_block_yield(loop->step, yields, loop->n);
  g->n_sure = sure;
  leave_body(g, outer, visible);
  return fine;
}

void generate_while(Generator *g) {
  Loop loop = {0};
  if (g->block->depth >= MAX_DEPTH) return;
  choose_loop(g, &loop);
  if (!loop.limit) return;
  uint64_t closed = g->closed;
  g->closed |= loop.wild ? all_axes(g) : loop.limit->type.axes;
  bool fine = make_test(g, &loop) && make_step(g, &loop);
  g->closed = closed;
  if (fine)
    keep(g, ir_emit(g->block, &(NodeSpec){.op = OP_while,
                                          .n_operands = loop.n,
                                          .operands = loop.operands,
                                          .n_carries = loop.n,
                                          .bodies = {loop.test, loop.step}}));
}

/* -- cond -------------------------------------------------------------- */

typedef struct Branch {
  Block *body;
  Value *yields[MAX_KEPT];
} Branch;

/* like: what the other branch yields; NULL: it is to come. */
static bool make_branch(Generator *g, Branch *branch, Value *sure, int n,
                        const Branch *like) {
  Block *outer = g->block;
  int visible = g->n_pool, n_sure = g->n_sure;
  bool fine = true;
  branch->body = enter(g, 0, NULL);
  if (!branch->body) return false;
  push_sure(g, sure);
  nodes(g, below(g, outer->depth ? 3 : 5));
  if (chance(g, 20)) generate_while(g);
  for (int i = 0; i < n; i++) {
    Type *type = like ? &like->yields[i]->type : NULL;
    branch->yields[i] = chance(g, 75) ? pick_unused(g, type)
                        : type        ? pick_like(g, *type)
                                      : pick(g, ANY);
    fine = fine && branch->yields[i];
  }
  if (fine) ir_block_yield(branch->body, branch->yields, n);
  g->n_sure = n_sure;
  leave_body(g, outer, visible);
  return fine;
}

void generate_cond(Generator *g) {
  Branch yes, no;
  if (g->block->depth >= MAX_DEPTH) return;
  bool wild = chance(g, 35);
  int n = 1 + below(g, MAX_KEPT);
  Value *p = wild ? pick_scalar(g, DT_BOOL) : plain_predicate(g);
  Value *q = p && chance(g, 70) ? negated(g, p) : NULL;
  if (!p) return;
  uint64_t closed = g->closed;
  g->closed |= wild ? all_axes(g) : p->type.axes;
  bool fine =
      make_branch(g, &yes, p, n, NULL) && make_branch(g, &no, q, n, &yes);
  g->closed = closed;
  use(g, p);
  if (fine)
    keep(g, ir_emit(g->block, &(NodeSpec){.op = OP_cond,
                                          .n_operands = 1,
                                          .operands = &p,
                                          .bodies = {yes.body, no.body}}));
}
