/* lower_control.c: named -> batched, of scan, while and cond.
 *
 * Comes in: a node with bodies, and the mask under which it stands.  Goes out:
 * the same with axes as dims, its results mapped.
 *
 * A predicate that varies parts the devices.  A cond becomes both its branches
 * and a select.  A while goes on as long as any device does; it carries who is
 * `alive`, and those who are not keep what they have:
 *
 *   while carry(c = c0) cond { yield p(c) } do { yield carry(f(c)) }
 *
 *   alive0 = p(c0) and mask
 *   while carry(c = c0, alive = alive0) cond { yield reduce_or(alive) } do {
 *     next = select(alive, f(c), c)
 *     yield carry(next, alive and p(next))
 *   }
 *
 * The mask is what keeps a device that is out from holding up the others: ops
 * are total, so only a while and a call have to ask for it. */
#include <string.h>

#include "lower.h"
#include "pass.h"

/* -- scan -------------------------------------------------------------- */

/* A scan while it is lowered. */
typedef struct LowerScan {
  const Lower *lower;
  Block *body;
  int n_xs, n_ys;
  Value **operands, **yields;
  int64_t *steps; /* step dims: of the xs, then of the ys */
} LowerScan;

/* Where step dim i of the node lies once `axes` lead. */
static int64_t moved_step(const Node *node, AttrKey key, int i, uint64_t axes) {
  IntList dims = ir_ints(node, key);
  return (dims.n ? dims.v[i] : 0) + axes_count(axes);
}

/* Inits vary over what their carry varies over; xs keep their axes. */
static void lower_scan_operands(LowerScan *scan) {
  const Node *node = scan->lower->node;
  for (int i = 0; i < node->n_operands; i++) {
    uint64_t set = node->body->params[i]->type.axes;
    scan->operands[i] = lower_spread(scan->lower, lower_operand(scan->lower, i),
                                     node->operands[i]->type.axes, set);
    if (i >= node->n_carries)
      scan->steps[i - node->n_carries] =
          moved_step(node, ATTR_xs_dims, i - node->n_carries, set);
  }
}

static void lower_scan_yields(LowerScan *scan) {
  const Node *node = scan->lower->node;
  Lower inside = *scan->lower;
  inside.to = scan->body;
  for (int i = 0; i < node->n_results; i++) {
    const Value *yield = node->body->yields[i];
    int y = i - node->n_carries;
    scan->yields[i] = ir_mapped(inside.copier, yield);
    if (y < 0)
      scan->yields[i] = lower_spread(&inside, scan->yields[i], yield->type.axes,
                                     node->body->params[i]->type.axes);
    else
      scan->steps[scan->n_xs + y] =
          moved_step(node, ATTR_ys_dims, y, yield->type.axes);
  }
  ir_block_yield(scan->body, scan->yields, node->n_results);
}

static Node *make_scan(const LowerScan *scan) {
  const Node *node = scan->lower->node;
  Attr attrs[ATTR_COUNT];
  int n = 0;
  for (int i = 0; i < node->n_attrs; i++) {
    AttrKey key = node->attrs[i].key;
    if (key != ATTR_xs_dims && key != ATTR_ys_dims) attrs[n++] = node->attrs[i];
  }
  if (scan->n_xs) attrs[n++] = (Attr)IR_INTS(xs_dims, scan->steps, scan->n_xs);
  if (scan->n_ys)
    attrs[n++] = (Attr)IR_INTS(ys_dims, scan->steps + scan->n_xs, scan->n_ys);
  return ir_node(scan->lower->to, &(NodeSpec){.op = OP_scan,
                                              .n_operands = node->n_operands,
                                              .operands = scan->operands,
                                              .n_attrs = n,
                                              .attrs = attrs,
                                              .n_carries = node->n_carries,
                                              .body = scan->body,
                                              .place = node->place});
}

static void lower_scan(const Lower *lower) {
  const Node *node = lower->node;
  Copier *copier = lower->copier;
  Program *program = lower->to->program;
  LowerScan scan = {.lower = lower,
                    .n_xs = node->n_operands - node->n_carries,
                    .n_ys = node->n_results - node->n_carries};
  scan.body = ir_copy_params(copier, node->body, lower->to);
  if (scan.body == NULL) return;
  ir_copy_block(copier, node->body, scan.body);
  size_t most = (size_t)(node->n_operands + node->n_results + 1);
  scan.operands = ir_alloc(program, most * sizeof *scan.operands);
  scan.yields = ir_alloc(program, most * sizeof *scan.yields);
  scan.steps = ir_alloc(program, most * sizeof *scan.steps);
  if (!scan.operands || !scan.yields || !scan.steps) return;
  lower_scan_operands(&scan);
  lower_scan_yields(&scan);
  Node *made = make_scan(&scan);
  for (int i = 0; made && i < node->n_results; i++)
    pass_replace(copier, node->results[i], made->results[i]);
}

/* -- masks ------------------------------------------------------------- */

static bool has_control(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++)
    if (ir_ops[block->nodes[i]->op].class == CONTROL) return true;
  return false;
}

/* Does anything in the block ask who is in? */
static bool asks(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++)
    if (block->nodes[i]->op == OP_call) return true;
  return has_control(block);
}

static Value *both(const Lower *lower, Value *a, Value *b) {
  if (a == NULL || b == NULL) return a ? a : b;
  return lower_make(lower, OP_and, IR_VALUES(a, b), 0, NULL, NULL);
}

/* Is any device in?  Reduces all dims but those of the axes to keep. */
static Value *any(const Lower *lower, Mask mask, uint64_t keep) {
  Dims dims = {.n = 0};
  for (uint64_t rest = mask.axes & ~keep; rest; rest &= rest - 1)
    dims_push(&dims, axes_before(mask.axes, __builtin_ctzll(rest)));
  if (mask.value == NULL || dims.n == 0) return mask.value;
  return lower_make(lower, OP_reduce_or, IR_VALUES(mask.value),
                    IR_ATTRS(IR_INTS(dims, dims.v, dims.n)), NULL);
}

Value *lower_mask_over(const Lower *lower, uint64_t axes) {
  Mask mask = *lower->mask;
  return lower_spread(lower, any(lower, mask, axes), mask.axes & axes, axes);
}

static Mask narrow(const Lower *lower, Value *in, uint64_t axes) {
  Mask mask = *lower->mask;
  uint64_t set = mask.axes | axes;
  if (mask.value == NULL) return (Mask){in, axes};
  Value *value = both(lower, lower_spread(lower, mask.value, mask.axes, set),
                      lower_spread(lower, in, axes, set));
  return (Mask){value, set};
}

/* The nodes of a block, into the block where `lower` builds. */
static void lower_nodes(const Lower *lower, const Block *from, Mask mask) {
  Mask outside = *lower->mask;
  Copier *copier = lower->copier;
  *lower->mask = mask;
  for (int i = 0; i < from->n_nodes; i++)
    if (!copier->rule(copier, lower->to, from->nodes[i]))
      ir_copy_node(copier, lower->to, from->nodes[i]);
  *lower->mask = outside;
}

static Value *yielded(const Lower *lower, const Block *from, int i,
                      uint64_t set) {
  const Value *yield = from->yields[i];
  return lower_spread(lower, ir_mapped(lower->copier, yield), yield->type.axes,
                      set);
}

/* -- cond -------------------------------------------------------------- */

static void lower_branch(const Lower *lower, int b, Block *body) {
  const Node *node = lower->node;
  Lower inside = *lower;
  inside.to = body;
  lower_nodes(&inside, node->bodies[b], *lower->mask);
  Value **yields =
      ir_alloc(body->program, (size_t)(node->n_results + 1) * sizeof *yields);
  for (int i = 0; yields && i < node->n_results; i++)
    yields[i] =
        yielded(&inside, node->bodies[b], i, node->results[i]->type.axes);
  if (yields) ir_block_yield(body, yields, node->n_results);
}

static void lower_invariant_cond(const Lower *lower) {
  const Node *node = lower->node;
  Value *predicate = lower_operand(lower, 0);
  NodeSpec spec = {.op = OP_cond,
                   .n_operands = 1,
                   .operands = &predicate,
                   .place = node->place};
  for (int b = 0; b < IR_BODIES; b++) {
    spec.bodies[b] = ir_block_begin(lower->to);
    if (spec.bodies[b] == NULL) return;
    lower_branch(lower, b, spec.bodies[b]);
  }
  Node *made = ir_node(lower->to, &spec);
  for (int i = 0; made && i < node->n_results; i++)
    pass_replace(lower->copier, node->results[i], made->results[i]);
}

static void lower_varying_cond(const Lower *lower) {
  const Node *node = lower->node;
  Value *yes = lower_operand(lower, 0);
  uint64_t axes = node->operands[0]->type.axes;
  Mask mask[IR_BODIES] = {*lower->mask, *lower->mask};
  if (asks(node->bodies[COND_THEN])) mask[COND_THEN] = narrow(lower, yes, axes);
  if (asks(node->bodies[COND_ELSE])) {
    Value *no = lower_make(lower, OP_not, IR_VALUES(yes), 0, NULL, NULL);
    mask[COND_ELSE] = narrow(lower, no, axes);
  }
  for (int b = 0; b < IR_BODIES; b++)
    lower_nodes(lower, node->bodies[b], mask[b]);
  for (int i = 0; i < node->n_results; i++) {
    Type type = node->results[i]->type;
    Value *predicate = lower_align(lower, yes, axes, true, type.axes, type);
    Value *a = yielded(lower, node->bodies[COND_THEN], i, type.axes);
    Value *b = yielded(lower, node->bodies[COND_ELSE], i, type.axes);
    pass_replace(lower->copier, node->results[i],
                 lower_make(lower, OP_select, IR_VALUES(predicate, a, b), 0,
                            NULL, NULL));
  }
}

/* -- while ------------------------------------------------------------- */

typedef struct LowerWhile {
  const Lower *lower;
  const Block *test, *step; /* of the node */
  uint64_t axes;            /* of its predicate */
  bool alone; /* the test has loops: it stands in the new step alone, at its
                 start, and the last step is for nothing */
  NodeSpec spec;
  Value **operands, **yields;
} LowerWhile;

static uint64_t carry_axes(const LowerWhile *loop, int i) {
  return loop->step->params[i]->type.axes;
}

/* The test's nodes for these carries; the predicate. */
static Value *test_of(const LowerWhile *loop, const Lower *at,
                      Value *const *carries, Mask mask) {
  for (int i = 0; i < loop->test->n_params; i++)
    ir_map(at->copier, loop->test->params[i], carries[i]);
  lower_nodes(at, loop->test, mask);
  return ir_mapped(at->copier, loop->test->yields[0]);
}

/* Every device goes the same way. */
static void build_together(LowerWhile *loop) {
  const Lower *lower = loop->lower;
  Copier *copier = lower->copier;
  Lower inside = *lower;
  int n = lower->node->n_results;
  Value *someone = any(lower, *lower->mask, 0);
  for (int b = 0; b < IR_BODIES; b++) {
    const Block *from = lower->node->bodies[b];
    Block *body = ir_copy_params(copier, from, lower->to);
    if (body == NULL) return;
    loop->spec.bodies[b] = inside.to = body;
    lower_nodes(&inside, from, *lower->mask);
    for (int i = 0; b == WHILE_STEP && i < n; i++)
      loop->yields[i] = yielded(&inside, from, i, carry_axes(loop, i));
    if (b == WHILE_TEST)
      loop->yields[0] =
          both(&inside, ir_mapped(copier, from->yields[0]), someone);
    ir_block_yield(body, loop->yields, b == WHILE_TEST ? 1 : n);
  }
}

/* Who goes on at first. */
static Value *alive_at_first(const LowerWhile *loop) {
  const Lower *lower = loop->lower;
  Value *mask = lower_mask_over(lower, loop->axes);
  if (!loop->alone)
    return both(lower, test_of(loop, lower, loop->operands, *lower->mask),
                mask);
  if (mask) return mask;
  Dims dims = {.n = 0};
  lower_push_axes(lower, &dims, loop->axes);
  return ir_make_splat(lower->to, DT_BOOL, (Scalar){.u = 1}, dims.n, dims.v,
                       lower->node->place);
}

static void build_parted_test(LowerWhile *loop, const Block *params) {
  Lower inside = *loop->lower;
  Block *body = ir_block_begin(inside.to);
  for (int i = 0; body && i < params->n_params; i++) {
    Value *param =
        ir_block_param(body, params->params[i]->type, params->params[i]->name);
    if (param == NULL) return;
  }
  if (body == NULL) return;
  inside.to = body;
  Value *alive = body->params[body->n_params - 1];
  Value *go_on = any(&inside, (Mask){alive, loop->axes}, 0);
  ir_block_yield(body, &go_on, 1);
  loop->spec.bodies[WHILE_TEST] = body;
}

/* Devices go different ways. */
static void build_parted(LowerWhile *loop) {
  const Lower *lower = loop->lower;
  Copier *copier = lower->copier;
  int n = lower->node->n_results;
  Value *first = alive_at_first(loop);
  Block *body = ir_copy_params(copier, loop->step, lower->to);
  if (body == NULL || first == NULL) return;
  loop->operands[n] = first;
  loop->spec.n_operands = loop->spec.n_carries = n + 1;
  Value *alive = ir_block_param(body, first->type, NULL);
  if (alive == NULL) return;
  Lower inside = *lower;
  inside.to = body;
  if (loop->alone)
    alive = both(&inside, alive,
                 test_of(loop, &inside, body->params,
                         narrow(&inside, alive, loop->axes)));
  Mask mask = narrow(&inside, alive, loop->axes);
  lower_nodes(&inside, loop->step, mask);
  for (int i = 0; i < n; i++) {
    uint64_t set = carry_axes(loop, i);
    Value *in = lower_align(&inside, alive, loop->axes, true, set,
                            loop->step->params[i]->type);
    Value *next = yielded(&inside, loop->step, i, set);
    loop->yields[i] =
        lower_make(&inside, OP_select, IR_VALUES(in, next, body->params[i]), 0,
                   NULL, NULL);
  }
  loop->yields[n] =
      loop->alone
          ? alive
          : both(&inside, alive, test_of(loop, &inside, loop->yields, mask));
  ir_block_yield(body, loop->yields, n + 1);
  loop->spec.bodies[WHILE_STEP] = body;
  build_parted_test(loop, body);
}

static void lower_while(const Lower *lower) {
  const Node *node = lower->node;
  LowerWhile loop = {.lower = lower,
                     .test = node->bodies[WHILE_TEST],
                     .step = node->bodies[WHILE_STEP]};
  size_t most = (size_t)node->n_results + 2;
  loop.axes = loop.test->yields[0]->type.axes;
  loop.alone = has_control(loop.test);
  loop.operands = ir_alloc(lower->to->program, most * sizeof(Value *));
  loop.yields = ir_alloc(lower->to->program, most * sizeof(Value *));
  if (!loop.operands || !loop.yields) return;
  for (int i = 0; i < node->n_results; i++)
    loop.operands[i] =
        lower_spread(lower, lower_operand(lower, i),
                     node->operands[i]->type.axes, carry_axes(&loop, i));
  loop.spec = (NodeSpec){.op = OP_while,
                         .n_operands = node->n_operands,
                         .operands = loop.operands,
                         .n_carries = node->n_carries,
                         .place = node->place};
  if (loop.axes)
    build_parted(&loop);
  else
    build_together(&loop);
  Node *made =
      lower->to->program->error.failed ? NULL : ir_node(lower->to, &loop.spec);
  for (int i = 0; made && i < node->n_results; i++)
    pass_replace(lower->copier, node->results[i], made->results[i]);
}

void lower_control(const Lower *lower) {
  if (lower->node->op == OP_scan)
    lower_scan(lower);
  else if (lower->node->op == OP_while)
    lower_while(lower);
  else if (lower->node->operands[0]->type.axes)
    lower_varying_cond(lower);
  else
    lower_invariant_cond(lower);
}
