/* lower_whole.c: named -> batched, of sort and call.
 *
 * sort takes its axes as further dims.  A C function sees one device's arrays,
 * so a call that varies becomes a scan over each of its axes with the call
 * inside:
 *
 *   %y = call %x, %w, symbol="f" : f64[4]{a}          # x varies over a
 *
 *   %y = scan length=8, xs(%xa = %x) {
 *     %ya = call %xa, %w, symbol="f" : f64[4]
 *     yield ys(%ya)
 *   } : f64[8,4]
 *
 * An operand that does not vary over an axis is what that scan's steps share.
 * Under a mask the call stands in a cond: a device that is out gets zeros, and
 * the function never sees what it holds. */
#include "lower.h"
#include "pass.h"

#include <string.h>

static void lower_sort(const Lower *lower) {
  const Node *node = lower->node;
  uint64_t set = node->results[0]->type.axes;
  size_t n = (size_t)node->n_operands;
  Value **operands = ir_alloc(lower->to->program, n * sizeof *operands);
  if (operands == NULL) return;
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = lower_spread(lower, lower_operand(lower, i),
                               node->operands[i]->type.axes, set);
  Attr dim = IR_INT(dim, ir_int(node, ATTR_dim) + axes_count(set));
  Node *made = ir_node(lower->to, &(NodeSpec){.op = OP_sort,
                                              .n_operands = node->n_operands,
                                              .operands = operands,
                                              .n_attrs = 1,
                                              .attrs = &dim,
                                              .place = node->place});
  for (int i = 0; made && i < node->n_results; i++)
    pass_replace(lower->copier, node->results[i], made->results[i]);
}

/* -- call -------------------------------------------------------------- */

static Type first_dim_dropped(Type type) {
  return (Type){type.dtype, type.rank - 1, type.dims + 1, 0};
}

static Value *plain_call(const Lower *lower, Block *to,
                         Value *const *operands) {
  const Node *node = lower->node;
  return ir_make(to, OP_call, node->n_operands, operands, node->n_attrs,
                 node->attrs, &node->results[0]->type, NULL, node->place);
}

/* cond in then { call } else { zeros } */
static Value *guarded_call(const Lower *lower, Block *to,
                           Value *const *operands, Value *in) {
  const Node *node = lower->node;
  Type type = node->results[0]->type;
  NodeSpec spec = {
      .op = OP_cond, .n_operands = 1, .operands = &in, .place = node->place};
  for (int b = 0; b < IR_BODIES; b++) {
    Block *body = ir_block_begin(to);
    if (body == NULL) return NULL;
    Value *value = b == COND_THEN
                       ? plain_call(lower, body, operands)
                       : ir_make_splat(body, type.dtype, (Scalar){0}, type.rank,
                                       type.dims, node->place);
    if (value == NULL) return NULL;
    ir_block_yield(body, &value, 1);
    spec.bodies[b] = body;
  }
  Node *made = ir_node(to, &spec);
  return made ? made->results[0] : NULL;
}

/* The call at the end of block `to`, in a scan over each axis of `set`.
 * operands lead with those of the axes that they vary over; behind them stands
 * who is in, over all axes of the result, or NULL. */
static Value *call_over(const Lower *lower, Block *to, uint64_t set,
                        Value *const *operands) {
  const Node *node = lower->node;
  int n = node->n_operands, n_xs = 0;
  if (set == 0)
    return operands[n] ? guarded_call(lower, to, operands, operands[n])
                       : plain_call(lower, to, operands);
  int axis = __builtin_ctzll(set);
  Block *body = ir_block_begin(to);
  size_t room = (size_t)(n + 1) * sizeof *operands;
  Value **inside = ir_alloc(lower->to->program, room);
  Value **xs = ir_alloc(lower->to->program, room);
  if (body == NULL || inside == NULL || xs == NULL) return NULL;
  for (int i = 0; i <= n; i++) {
    uint64_t own = i < n ? node->operands[i]->type.axes : set;
    inside[i] = operands[i];
    if (operands[i] == NULL || !(own >> axis & 1)) continue;
    xs[n_xs++] = operands[i];
    inside[i] =
        ir_block_param(body, first_dim_dropped(operands[i]->type), NULL);
  }
  Value *y = call_over(lower, body, set & (set - 1), inside);
  ir_block_yield(body, &y, 1);
  Attr length = IR_INT(length, lower->from->axes[axis].size);
  Node *scan = ir_node(to, &(NodeSpec){.op = OP_scan,
                                       .n_operands = n_xs,
                                       .operands = xs,
                                       .n_attrs = 1,
                                       .attrs = &length,
                                       .body = body,
                                       .place = node->place});
  return scan ? scan->results[0] : NULL;
}

static void lower_call(const Lower *lower) {
  const Node *node = lower->node;
  size_t n = (size_t)node->n_operands + 1;
  Value **operands = ir_alloc(lower->to->program, n * sizeof *operands);
  if (operands == NULL) return;
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = lower_operand(lower, i);
  uint64_t axes = node->results[0]->type.axes;
  operands[node->n_operands] = lower_mask_over(lower, axes);
  pass_replace(lower->copier, node->results[0],
               call_over(lower, lower->to, axes, operands));
}

void lower_whole(const Lower *lower) {
  if (lower->node->op == OP_sort)
    lower_sort(lower);
  else
    lower_call(lower);
}
