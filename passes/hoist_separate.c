/* hoist_separate.c: every value of a body as a sum of separable parts.
 *
 * Comes in: the body, and which of its carries are taken apart.  Goes out: for
 * each value the expression that computes it in the new loop (direct), and the
 * sum that it equals (Rep).  What stays or does not vary is its own Rep; what
 * no rule takes apart is all rest. */
#include <stdlib.h>
#include <string.h>

#include "hoist.h"

/* -- the tables -------------------------------------------------------- */

static void touch(Attempt *a, const Value *value) {
  if (a->n_touched == a->touched_room) {
    int room = a->touched_room ? 2 * a->touched_room : 64;
    int *more = realloc(a->touched, (size_t)room * sizeof *more);
    if (more == NULL) {
      ir_out_of_memory(a->arena);
      return;
    }
    a->touched = more;
    a->touched_room = room;
  }
  a->touched[a->n_touched++] = value->id;
}

static void set_direct(Attempt *a, const Value *value, int expr) {
  if (a->hoist->direct[value->id] == NONE) touch(a, value);
  if (attempt_failed(a)) return;
  a->hoist->direct[value->id] = expr;
  Expr *e = expr_at(a, expr);
  if (e->name == NULL && e->kind != EXPR_OUTER) e->name = value->name;
}

void hoist_forget(Attempt *a) {
  for (int i = 0; i < a->n_touched; i++) {
    a->hoist->direct[a->touched[i]] = NONE;
    a->hoist->reps[a->touched[i]] = NULL;
  }
  a->n_touched = 0;
}

int hoist_direct(Attempt *a, const Value *value) {
  if (a->hoist->direct[value->id] == NONE)
    set_direct(a, value, hoist_outer(a, value));
  return attempt_failed(a) ? 0 : a->hoist->direct[value->id];
}

const Blame *hoist_blame(Attempt *a, const Value *value, const char *why) {
  Blame *blame = ir_alloc(a->arena, sizeof *blame);
  if (blame) *blame = (Blame){value, why};
  return blame;
}

/* The expression itself, as what it is. */
static const Rep *whole(Attempt *a, const Value *value, const char *why) {
  Sum sum;
  int expr = hoist_direct(a, value);
  bool rest = expr_varies(a, expr) && !expr_stays(a, expr);
  sum_begin(&sum, a, (Place){0});
  sum_value(&sum, expr, rest ? hoist_blame(a, value, why) : NULL);
  return sum_finish(&sum);
}

static void set_rep(Attempt *a, const Value *value, const Rep *rep) {
  if (!attempt_failed(a)) a->hoist->reps[value->id] = rep;
}

const Rep *hoist_rep(Attempt *a, const Value *value) {
  static const Rep nothing = {.shared = NONE, .own = NONE, .rest = NONE};
  hoist_direct(a, value);
  if (a->hoist->reps[value->id] == NULL)
    set_rep(a, value, whole(a, value, NULL));
  const Rep *rep = a->hoist->reps[value->id];
  return rep ? rep : &nothing; /* memory ran out */
}

/* -- parameters -------------------------------------------------------- */

/* p c0 + s, added up: for what takes the carry as a whole. */
static int rebuilt(Attempt *a, const Rep *rep) {
  Sum sum;
  sum_begin(&sum, a, a->scan->place);
  sum_expanded(&sum, rep);
  int expr = sum.rep.own;
  for (int i = 0; i < sum.rep.n_terms; i++)
    expr = hoist_add(a, expr, hoist_apply(a, sum.terms[i]), a->scan->place);
  return hoist_add(a, expr, sum.rep.shared, a->scan->place);
}

static void separate_carry(Attempt *a, int i) {
  const Value *param = a->body->params[i];
  const Carry *carry = &a->carries[i];
  if (carry->constant) {
    set_direct(a, param, carry->init);
  } else if (carry->split) {
    Sum sum;
    sum_begin(&sum, a, a->scan->place);
    sum_coef(&sum, i, hoist_number(param->type.dtype, 1));
    const Rep *rep = sum_finish(&sum);
    if (rep == NULL) return;
    set_direct(a, param, rebuilt(a, rep));
    set_rep(a, param, rep);
    return;
  } else {
    set_direct(a, param, carry->kept);
  }
  set_rep(a, param, whole(a, param, carry->why));
}

static void separate_params(Attempt *a) {
  const Node *scan = a->scan;
  for (int i = 0; i < a->body->n_params; i++) {
    const Value *param = a->body->params[i];
    if (i < scan->n_carries) {
      separate_carry(a, i);
      continue;
    }
    set_direct(a, param, hoist_param(a, param->type, param->name));
    set_rep(a, param, whole(a, param, "it is an x, another one at each step"));
  }
}

/* -- nodes ------------------------------------------------------------- */

static void separate_copy(Attempt *a, const Node *node) {
  static const char *const why = "nothing is known of what it computes";
  int copy = hoist_copy(a, node);
  for (int i = 0; i < node->n_results; i++) {
    set_direct(a, node->results[i], i ? hoist_part(a, copy, node, i) : copy);
    set_rep(a, node->results[i], whole(a, node->results[i], why));
  }
}

static int direct_node(Attempt *a, const Node *node) {
  int few[8], *operands = few, n = node->n_operands;
  if (n > 8) operands = ir_alloc(a->arena, (size_t)n * sizeof *operands);
  if (operands == NULL) return 0;
  for (int i = 0; i < n; i++) operands[i] = hoist_direct(a, node->operands[i]);
  Recipe recipe = hoist_recipe(node);
  return hoist_expr(a, &recipe, n, operands);
}

static bool only_rest(const Rep *rep) {
  return rep->shared == NONE && rep->own == NONE && rep->n_terms == 0 &&
         rep->n_coefs == 0;
}

/* Of the first operand that has a rest, or of the node itself. */
static const Blame *blame_of(Attempt *a, const Node *node) {
  for (int i = 0; i < node->n_operands; i++) {
    const Rep *rep = hoist_rep(a, node->operands[i]);
    if (rep->rest != NONE && rep->blame) return rep->blame;
  }
  const Value *result = node->results[0];
  const char *why = hoist_dtype_reason(a, result->type.dtype);
  return hoist_blame(a, result, why ? why : "no rule takes it apart");
}

static const Rep *rep_of_node(Attempt *a, const Node *node) {
  Sum sum;
  int direct = hoist_direct(a, node->results[0]);
  sum_begin(&sum, a, node->place);
  bool done = hoist_rule(&sum, node);
  if (done && !only_rest(&sum.rep)) return sum_finish(&sum);
  const Blame *blame = done ? sum.rep.blame : NULL;
  sum_begin(&sum, a, node->place);
  sum_rest(&sum, direct, blame ? blame : blame_of(a, node));
  return sum_finish(&sum);
}

static void separate_node(Attempt *a, const Node *node) {
  if (node->n_results != 1 || node->body || node->op == OP_call) {
    separate_copy(a, node);
    return;
  }
  const Value *result = node->results[0];
  int direct = direct_node(a, node);
  set_direct(a, result, direct);
  if (!expr_varies(a, direct) || expr_stays(a, direct))
    set_rep(a, result, whole(a, result, NULL));
  else
    set_rep(a, result, rep_of_node(a, node));
}

/* -- collectives ------------------------------------------------------- */

uint64_t hoist_axes(const Node *node) {
  IntList list = ir_ints(node, ATTR_axis);
  uint64_t set = 0;
  for (int i = 0; i < list.n; i++) set |= UINT64_C(1) << list.v[i];
  return set;
}

static bool crosses(Attempt *a, const Node *node) {
  if (ir_ops[node->op].class != COLLECTIVE || node->n_operands == 0 ||
      node->op == OP_map)
    return false;
  uint64_t axes = expr_at(a, hoist_direct(a, node->operands[0]))->type.axes;
  return (axes & hoist_axes(node)) != 0;
}

static const Blame *why_not_moved(Attempt *a, const Node *node) {
  if (ir_attr(node, ATTR_groups))
    return hoist_blame(a, node->results[0], "it has groups");
  if (!hoist_collects(node))
    return hoist_blame(a, node->results[0], "it is no sum over devices");
  const Rep *rep = hoist_rep(a, node->operands[0]);
  if (rep->rest != NONE) return rep->blame;
  const char *why = hoist_dtype_reason(a, node->operands[0]->type.dtype);
  return hoist_blame(a, node->results[0], why ? why : "it changes the dtype");
}

/* A collective whose operand is separable is a sum over what remains. */
static void separate_collective(Attempt *a, const Node *node) {
  const Value *result = node->results[0];
  Fate *fate = &a->fates[a->n_fates];
  if (!crosses(a, node)) {
    separate_node(a, node);
    return;
  }
  a->n_fates++;
  *fate = (Fate){.node = node};
  int plain = direct_node(a, node);
  if (expr_stays(a, plain)) {
    a->n_standing += node->op != OP_unmap; /* that is but a view */
    fate->moved = true;
    separate_node(a, node);
    return;
  }
  Sum sum;
  sum_begin(&sum, a, node->place);
  if (!hoist_collective(&sum, node)) {
    fate->blame = why_not_moved(a, node);
    separate_node(a, node);
    return;
  }
  fate->moved = true;
  a->n_moved++;
  a->moved |= hoist_axes(node);
  bool shared =
      sum.rep.own == NONE && sum.rep.rest == NONE && sum.rep.n_terms == 0;
  set_direct(a, result, shared ? sum.rep.shared : plain);
  set_rep(a, result, sum_finish(&sum));
}

void hoist_separate(Attempt *a) {
  hoist_forget(a);
  a->n_fates = a->n_moved = a->n_standing = 0;
  a->moved = 0;
  separate_params(a);
  for (int i = 0; i < a->body->n_nodes && !attempt_failed(a); i++)
    if (ir_ops[a->body->nodes[i]->op].class == COLLECTIVE)
      separate_collective(a, a->body->nodes[i]);
    else
      separate_node(a, a->body->nodes[i]);
}
