/* evaluate.c: the reference evaluator's entry, its table of rules, and the
 * life of its arrays.
 *
 * Comes in: a program at any stage, the caller's inputs and result buffers.
 * Goes out: results.  Nodes run in order, all devices of one before the next;
 * an array is freed after the node (of its own block) that last reads it, so a
 * long program does not hold all that it ever computed.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* -- the table --------------------------------------------------------- */

static const EvaluateRule rules[OP_COUNT] = {
    [OP_constant] = {rt_constant, NULL},
    [OP_iota] = {rt_iota, NULL},
    [OP_broadcast] = {rt_broadcast, NULL},
    [OP_reshape] = {rt_reshape, NULL},
    [OP_transpose] = {rt_transpose, NULL},
    [OP_slice] = {rt_slice, NULL},
    [OP_concatenate] = {rt_concatenate, NULL},
    [OP_pad] = {rt_pad, NULL},
    [OP_reverse] = {rt_reverse, NULL},
    [OP_dynamic_slice] = {rt_dynamic_slice, NULL},
    [OP_dynamic_update_slice] = {rt_dynamic_update_slice, NULL},
    [OP_take] = {rt_take, NULL},
    [OP_reduce_sum] = {rt_reduce, NULL},
    [OP_reduce_prod] = {rt_reduce, NULL},
    [OP_reduce_max] = {rt_reduce, NULL},
    [OP_reduce_min] = {rt_reduce, NULL},
    [OP_reduce_and] = {rt_reduce, NULL},
    [OP_reduce_or] = {rt_reduce, NULL},
    [OP_argmax] = {rt_arg, NULL},
    [OP_argmin] = {rt_arg, NULL},
    [OP_einsum] = {rt_einsum, NULL},
    [OP_scatter_add] = {rt_scatter_add, NULL},
    [OP_cumsum] = {rt_cumulative, NULL},
    [OP_cumprod] = {rt_cumulative, NULL},
    [OP_cummax] = {rt_cumulative, NULL},
    [OP_cummin] = {rt_cumulative, NULL},
    [OP_sort] = {rt_sort, NULL},
    [OP_call] = {rt_call, NULL},
    [OP_random_key] = {rt_random_key, NULL},
    [OP_random_split] = {rt_random_split, NULL},
    [OP_random_fold_in] = {rt_random_fold_in, NULL},
    [OP_random_bits] = {rt_random_bits, NULL},
    [OP_random_uniform] = {rt_random_uniform, NULL},
    [OP_random_normal] = {rt_random_normal, NULL},
    [OP_psum] = {NULL, rt_psum},
    [OP_pmean] = {NULL, rt_pmean},
    [OP_pmax] = {NULL, rt_pmax},
    [OP_pmin] = {NULL, rt_pmin},
    [OP_all_gather] = {NULL, rt_all_gather},
    [OP_psum_scatter] = {NULL, rt_psum_scatter},
    [OP_ppermute] = {NULL, rt_ppermute},
    [OP_all_to_all] = {NULL, rt_all_to_all},
    [OP_pbroadcast] = {NULL, rt_pbroadcast},
    [OP_axis_index] = {NULL, rt_axis_index},
    [OP_axis_size] = {NULL, rt_axis_size},
    [OP_map] = {NULL, rt_map},
    [OP_unmap] = {NULL, rt_unmap},
    [OP_scan] = {NULL, rt_scan},
    [OP_while] = {NULL, rt_while},
    [OP_cond] = {NULL, rt_cond},
    [OP_kernel] = {NULL, rt_kernel},
    [OP_blocks] = {NULL, rt_kernel}, /* all of the dim at once */
};

EvaluateRule rt_rule(Op op) {
  if (ir_ops[op].class == ELEMENTWISE) {
    return (EvaluateRule){rt_elementwise, NULL};
  }
  return rules[op];
}

/* -- failures and memory ----------------------------------------------- */

bool rt_fail(Evaluation *evaluation, const char *format, ...) {
  va_list arguments;
  if (evaluation->message) return false;
  va_start(arguments, format);
  if (vasprintf(&evaluation->message, format, arguments) < 0) {
    evaluation->message = NULL;
  }
  va_end(arguments);
  return false;
}

void *rt_allocate(Evaluation *evaluation, int64_t count, size_t size) {
  int64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    rt_fail(evaluation, "evaluate: %lld elements of %zu bytes are too many",
            (long long)count, size);
    return NULL;
  }
  void *memory = malloc(bytes ? (size_t)bytes : 1);
  if (!memory) {
    rt_fail(evaluation, "evaluate: out of memory (%lld bytes wanted)",
            (long long)bytes);
  }
  return memory;
}

int64_t rt_copies(const Program *program, uint64_t axes) {
  int64_t copies = 1;
  for (int a = 0; a < program->n_axes; a++) {
    if (axes >> a & 1 &&
        __builtin_mul_overflow(copies, program->axes[a].size, &copies)) {
      return -1;
    }
  }
  return copies;
}

int64_t rt_all_elements(Evaluation *evaluation, Type type) {
  int64_t copies = rt_copies(evaluation->program, type.axes);
  int64_t all;
  if (copies < 0 ||
      __builtin_mul_overflow(copies, ir_type_elements(type), &all)) {
    rt_fail(evaluation, "evaluate: %s has more than 2^63 elements",
            ir_type_text(evaluation->program, type).text);
    return -1;
  }
  return all;
}

bool rt_define(Evaluation *evaluation, const Value *value) {
  Array *array = &evaluation->arrays[value->id];
  int64_t all = rt_all_elements(evaluation, value->type);
  if (all < 0) return false;
  assert(!array->data && "a value is defined once each time its block runs");
  array->data = rt_allocate(evaluation, all, ir_dtype_bytes(value->type.dtype));
  array->borrowed = false;
  return array->data != NULL;
}

void rt_release(Evaluation *evaluation, const Value *value) {
  Array *array = &evaluation->arrays[value->id];
  if (!array->borrowed) free(array->data);
  *array = (Array){0};
}

/* -- devices ----------------------------------------------------------- */

int64_t rt_copy_of(const Program *program, uint64_t axes,
                   const int64_t *device) {
  int64_t copy = 0;
  for (uint64_t rest = axes; rest; rest &= rest - 1) {
    int axis = __builtin_ctzll(rest);
    copy = copy * program->axes[axis].size + device[axis];
  }
  return copy;
}

char *rt_device(const Evaluation *evaluation, const Value *value,
                const int64_t *device) {
  char *data = evaluation->arrays[value->id].data;
  assert(data && "operands are computed before they are read");
  return data + rt_copy_of(evaluation->program, value->type.axes, device) *
                    ir_type_bytes(value->type);
}

bool rt_next_device(const Program *program, uint64_t axes, int64_t *device) {
  while (axes) {
    int axis = 63 - __builtin_clzll(axes);
    if (++device[axis] < program->axes[axis].size) return true;
    device[axis] = 0;
    axes &= ~(UINT64_C(1) << axis);
  }
  return false;
}

char *rt_spread(Evaluation *evaluation, const Value *value, uint64_t axes) {
  int64_t device[IR_MAX_AXES] = {0};
  int64_t bytes = ir_type_bytes(value->type);
  Type type = value->type;
  type.axes = axes;
  int64_t all = rt_all_elements(evaluation, type);
  if (all < 0) return NULL;
  char *data = rt_allocate(evaluation, all, ir_dtype_bytes(type.dtype));
  if (!data) return NULL;
  char *to = data;
  do {
    memcpy(to, rt_device(evaluation, value, device), (size_t)bytes);
    to += bytes;
  } while (rt_next_device(evaluation->program, axes, device));
  return data;
}

/* -- leaves ------------------------------------------------------------ */

bool rt_constant(Evaluation *evaluation, const Node *node,
                 const char *const *operands, char *const *results) {
  (void)evaluation;
  (void)operands;
  Type type = node->results[0]->type;
  if (node->splat) {
    rt_fill(results[0], ir_type_elements(type), ir_dtype_bytes(type.dtype),
            node->literal);
  } else if (ir_type_bytes(type)) {
    memcpy(results[0], node->literal, (size_t)ir_type_bytes(type));
  }
  return true;
}

bool rt_iota(Evaluation *evaluation, const Node *node,
             const char *const *operands, char *const *results) {
  (void)evaluation;
  (void)operands;
  Type type = node->results[0]->type;
  size_t size = ir_dtype_bytes(type.dtype);
  int dim = (int)ir_int(node, ATTR_dim);
  int64_t inner = rt_product(type.dims + dim + 1, type.rank - dim - 1);
  int64_t elements = ir_type_elements(type);
  for (int64_t at = 0; at < elements; at++) {
    Scalar index = {.i = at / inner % type.dims[dim]};
    ir_scalar_store(type.dtype, results[0] + at * (int64_t)size,
                    ir_scalar_convert(type.dtype, DT_I64, index));
  }
  return true;
}

/* -- when arrays die --------------------------------------------------- */

/* The node of value's own block inside which, or as which, a block reads it.
 * NULL: that block's yields read it, or it is no node's. */
static const Node *reader(const Value *value, const Block *block,
                          const Node *node) {
  while (block != value->block) {
    node = block->owner;
    block = block->parent;
  }
  return node;
}

/* last[id]: the node after which the value dies; NULL: with its block. */
static void find_last_reads(const Block *block, const Node **last) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_results; k++) last[node->results[k]->id] = node;
    for (int k = 0; k < node->n_operands; k++) {
      const Value *value = node->operands[k];
      last[value->id] = reader(value, block, node);
    }
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
      find_last_reads(node->bodies[b], last);
    }
  }
  for (int k = 0; k < block->n_yields; k++) {
    const Value *value = block->yields[k];
    last[value->id] = reader(value, block, NULL);
  }
}

static bool plan_deaths(Evaluation *evaluation) {
  const Program *program = evaluation->program;
  const Node **last = calloc((size_t)program->n_values + 1, sizeof *last);
  if (!last) return rt_fail(evaluation, "evaluate: out of memory");
  find_last_reads(program->body, last);
  for (int id = 0; id < program->n_nodes; id++) evaluation->first_dead[id] = -1;
  for (int id = 0; id < program->n_values; id++) {
    if (!last[id]) continue;
    evaluation->next_dead[id] = evaluation->first_dead[last[id]->id];
    evaluation->first_dead[last[id]->id] = id;
  }
  free(last);
  return true;
}

/* -- the entry --------------------------------------------------------- */

static bool start(Evaluation *evaluation, const void *const *inputs) {
  const Program *program = evaluation->program;
  size_t values = (size_t)program->n_values + 1;
  size_t nodes = (size_t)program->n_nodes + 1;
  evaluation->arrays = calloc(values, sizeof *evaluation->arrays);
  evaluation->next_dead = calloc(values, sizeof *evaluation->next_dead);
  evaluation->first_dead = calloc(nodes, sizeof *evaluation->first_dead);
  if (!evaluation->arrays || !evaluation->next_dead ||
      !evaluation->first_dead) {
    return rt_fail(evaluation, "evaluate: out of memory");
  }
  for (int i = 0; i < program->body->n_params; i++) {
    Array *array = &evaluation->arrays[program->body->params[i]->id];
    array->data = (char *)(uintptr_t)(inputs[i] ? inputs[i] : "");
    array->borrowed = true;
  }
  return plan_deaths(evaluation);
}

static bool write_results(Evaluation *evaluation, void *const *results) {
  const Block *body = evaluation->program->body;
  for (int i = 0; i < body->n_yields; i++) {
    const Value *value = body->yields[i];
    int64_t all = rt_all_elements(evaluation, value->type);
    if (all < 0) return false;
    size_t bytes = (size_t)all * ir_dtype_bytes(value->type.dtype);
    if (bytes) memcpy(results[i], evaluation->arrays[value->id].data, bytes);
  }
  return true;
}

char *rt_evaluate(const Program *program, const void *const *inputs,
                  void *const *results) {
  Evaluation evaluation = {.program = program};
  if (program->error.failed) {
    rt_fail(&evaluation, "%s", program->error.message);
    return evaluation.message;
  }
  bool done = start(&evaluation, inputs) &&
              rt_run_block(&evaluation, program->body) &&
              write_results(&evaluation, results);
  if (evaluation.arrays) rt_release_block(&evaluation, program->body);
  free(evaluation.arrays);
  free(evaluation.next_dead);
  free(evaluation.first_dead);
  if (!done && !evaluation.message) return strdup("evaluate: out of memory");
  return evaluation.message;
}
