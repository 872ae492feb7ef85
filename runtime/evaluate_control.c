/* evaluate_control.c: blocks, and the ops that own one: scan and kernel.  Those
 * that own two, while and cond, are in evaluate_branch.c.
 *
 * Blocks nest at most IR_MAX_NESTING deep, so running one inside another is
 * plain recursion; nothing on that path keeps an array on the stack.
 */
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* -- blocks ------------------------------------------------------------ */

static void clear_results(const Node *node, char *const *results) {
  for (int i = 0; i < node->n_results; i++) {
    memset(results[i], 0, (size_t)ir_type_bytes(node->results[i]->type));
  }
}

static bool run_devices(Evaluation *evaluation, const Node *node,
                        DeviceRule *rule, const char **operands,
                        char **results) {
  int64_t device[IR_MAX_AXES] = {0};
  uint64_t axes = node->results[0]->type.axes;
  bool fine;
  do {
    for (int i = 0; i < node->n_operands; i++) {
      operands[i] = rt_device(evaluation, node->operands[i], device);
    }
    for (int i = 0; i < node->n_results; i++) {
      results[i] = rt_device(evaluation, node->results[i], device);
    }
    bool in = rt_is_in(evaluation, axes, device);
    if (!in) clear_results(node, results);
    fine = !in || rule(evaluation, node, operands, results);
  } while (fine && rt_next_device(evaluation->program, axes, device));
  return fine;
}

static bool define_and_run(Evaluation *evaluation, const Node *node,
                           DeviceRule *rule) {
  int64_t pointers = (int64_t)node->n_operands + node->n_results;
  const char **room = rt_allocate(evaluation, pointers, sizeof *room);
  bool fine = room != NULL;
  for (int i = 0; fine && i < node->n_results; i++) {
    fine = rt_define(evaluation, node->results[i]);
  }
  if (fine) {
    char **results = (char **)(room + node->n_operands);
    fine = run_devices(evaluation, node, rule, room, results);
  }
  free(room);
  return fine;
}

static bool run_node(Evaluation *evaluation, const Node *node) {
  EvaluateRule rule = rt_rule(node->op);
  if (rule.node) return rule.node(evaluation, node);
  if (rule.device) return define_and_run(evaluation, node, rule.device);
  return rt_fail(evaluation, "evaluate: no rule for %s", ir_ops[node->op].name);
}

static void release_dead(Evaluation *evaluation, const Node *node) {
  int id = evaluation->first_dead[node->id];
  for (; id >= 0; id = evaluation->next_dead[id]) {
    Array *array = &evaluation->arrays[id];
    if (!array->borrowed) free(array->data);
    *array = (Array){0};
  }
}

bool rt_run_block(Evaluation *evaluation, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    if (!run_node(evaluation, block->nodes[i])) return false;
    release_dead(evaluation, block->nodes[i]);
  }
  return true;
}

void rt_release_block(Evaluation *evaluation, const Block *block) {
  for (int i = 0; i < block->n_params; i++) {
    rt_release(evaluation, block->params[i]);
  }
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_results; k++) {
      rt_release(evaluation, node->results[k]);
    }
    /* After a failure a body may hold arrays, too. */
    for (int b = 0; b < IR_BODIES && evaluation->message; b++) {
      if (node->bodies[b]) rt_release_block(evaluation, node->bodies[b]);
    }
  }
}

char *rt_take_yield(Evaluation *evaluation, const Block *block, int index,
                    uint64_t axes) {
  const Value *value = block->yields[index];
  Array *array = &evaluation->arrays[value->id];
  bool ours = value->block == block && !array->borrowed;
  for (int i = index + 1; ours && i < block->n_yields; i++) {
    ours = block->yields[i] != value;
  }
  if (!ours || value->type.axes != axes) {
    return rt_spread(evaluation, value, axes);
  }
  char *data = array->data;
  *array = (Array){0};
  return data;
}

bool rt_kernel(Evaluation *evaluation, const Node *node) {
  bool fine = rt_run_block(evaluation, node->body);
  for (int i = 0; fine && i < node->n_results; i++) {
    const Value *result = node->results[i];
    char *data = rt_take_yield(evaluation, node->body, i, result->type.axes);
    evaluation->arrays[result->id] = (Array){.data = data};
    fine = data != NULL;
  }
  rt_release_block(evaluation, node->body);
  return fine;
}

/* -- scan -------------------------------------------------------------- */

static int step_dim(const Node *scan, AttrKey key, int index) {
  IntList dims = ir_ints(scan, key);
  return index < dims.n ? (int)dims.v[index] : 0;
}

/* Copy step `step` out of the stacked array (whose dims have the step dim more
 * than the part's), or into it. */
typedef struct Stack {
  const Value *stacked, *part;
  int dim;
  bool into;
} Stack;

static void move_step(Evaluation *evaluation, const Stack *stack, int64_t step,
                      uint64_t axes) {
  int64_t device[IR_MAX_AXES] = {0};
  Type whole = stack->stacked->type;
  int64_t element = (int64_t)ir_dtype_bytes(whole.dtype);
  int64_t outer = rt_product(whole.dims, stack->dim);
  int64_t size = element * rt_product(whole.dims + stack->dim + 1,
                                      whole.rank - stack->dim - 1);
  int64_t distance = size * whole.dims[stack->dim];
  if (ir_type_bytes(whole) == 0) return;
  do {
    char *part = rt_device(evaluation, stack->part, device);
    char *slot = rt_device(evaluation, stack->stacked, device) + step * size;
    if (stack->into) {
      rt_copy_pieces(outer, size, slot, distance, part, size);
    } else {
      rt_copy_pieces(outer, size, part, size, slot, distance);
    }
  } while (rt_next_device(evaluation->program, axes, device));
}

static bool slice_xs(Evaluation *evaluation, const Node *scan, int64_t step) {
  for (int i = scan->n_carries; i < scan->n_operands; i++) {
    const Value *part = scan->body->params[i];
    int dim = step_dim(scan, ATTR_xs_dims, i - scan->n_carries);
    Stack stack = {scan->operands[i], part, dim, false};
    if (!rt_define(evaluation, part)) return false;
    move_step(evaluation, &stack, step, part->type.axes);
  }
  return true;
}

static void stack_ys(Evaluation *evaluation, const Node *scan, int64_t step) {
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    const Value *whole = scan->results[i];
    int dim = step_dim(scan, ATTR_ys_dims, i - scan->n_carries);
    Stack stack = {whole, scan->body->yields[i], dim, true};
    move_step(evaluation, &stack, step, whole->type.axes);
  }
}

/* Every yield is read before a param is written: carries may be swapped, and
 * a y may be the old carry. */
static bool next_carries(Evaluation *evaluation, const Node *scan,
                         char **next) {
  const Block *body = scan->body;
  bool fine = true;
  for (int i = 0; i < scan->n_carries; i++) {
    uint64_t axes = body->params[i]->type.axes;
    next[i] = fine ? rt_take_yield(evaluation, body, i, axes) : NULL;
    fine = fine && next[i];
  }
  rt_release_block(evaluation, body);
  for (int i = 0; i < scan->n_carries; i++) {
    evaluation->arrays[body->params[i]->id] = (Array){.data = next[i]};
  }
  return fine;
}

static int64_t scan_length(const Node *scan) {
  if (ir_attr(scan, ATTR_length)) return ir_int(scan, ATTR_length);
  int dim = step_dim(scan, ATTR_xs_dims, 0);
  return scan->operands[scan->n_carries]->type.dims[dim];
}

static bool run_steps(Evaluation *evaluation, const Node *scan, char **next) {
  int64_t length = scan_length(scan);
  bool reverse = ir_int(scan, ATTR_reverse) != 0;
  for (int64_t t = 0; t < length; t++) {
    int64_t step = reverse ? length - 1 - t : t;
    if (!slice_xs(evaluation, scan, step)) return false;
    if (!rt_run_block(evaluation, scan->body)) return false;
    stack_ys(evaluation, scan, step);
    if (!next_carries(evaluation, scan, next)) return false;
  }
  return true;
}

static bool start_scan(Evaluation *evaluation, const Node *scan) {
  for (int i = 0; i < scan->n_carries; i++) {
    const Value *param = scan->body->params[i];
    char *data = rt_spread(evaluation, scan->operands[i], param->type.axes);
    evaluation->arrays[param->id] = (Array){.data = data};
    if (!data) return false;
  }
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    if (!rt_define(evaluation, scan->results[i])) return false;
  }
  return true;
}

bool rt_scan(Evaluation *evaluation, const Node *scan) {
  char **next = rt_allocate(evaluation, scan->n_carries, sizeof *next);
  bool fine =
      next && start_scan(evaluation, scan) && run_steps(evaluation, scan, next);
  for (int i = 0; fine && i < scan->n_carries; i++) {
    const Value *param = scan->body->params[i];
    const Value *result = scan->results[i];
    char *data = rt_spread(evaluation, param, result->type.axes);
    evaluation->arrays[result->id] = (Array){.data = data};
    fine = data != NULL;
  }
  rt_release_block(evaluation, scan->body);
  free(next);
  return fine;
}
