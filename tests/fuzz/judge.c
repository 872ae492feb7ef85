/* judge.c: how closely a fast run must agree with the evaluator.
 *
 * Three levels.  EXACT: nothing rounds on the way.  ROUNDED: sums may be
 * reassociated and distributed, so results agree to rounding at the scale of
 * the largest value on the way.  ROUGH: something discontinuous (floor,
 * compare, an index, a quotient) stands behind rounding, so nothing can be
 * said.  Where an infinity or NaN occurs on the way, ROUNDED is not compared
 * either: distributing may turn one into the other. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"

typedef enum Level { EXACT, ROUNDED, ROUGH } Level;

typedef struct Judge {
  unsigned char *level; /* by value id */
  bool changed;
  double epsilon; /* of the coarsest float dtype */
} Judge;

static void raise_level(Judge *judge, const Value *value, Level level) {
  if (judge->level[value->id] >= level) return;
  judge->level[value->id] = (unsigned char)level;
  judge->changed = true;
}

static Level level_of(const Judge *judge, const Value *value) {
  return (Level)judge->level[value->id];
}

static double epsilon_of(DType dtype) {
  switch (dtype) {
    case DT_BF16:
      return 0x1p-7;
    case DT_F16:
      return 0x1p-10;
    case DT_F32:
      return FLT_EPSILON;
    default:
      return DBL_EPSILON;
  }
}

/* Is a little error in any operand a little error in the result? */
static bool smooth(Op op) {
  switch (op) {
    case OP_neg:
    case OP_abs:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_max:
    case OP_min:
    case OP_select:
    case OP_clamp:
    case OP_convert:
    case OP_reduce_sum:
    case OP_reduce_max:
    case OP_reduce_min:
    case OP_einsum:
    case OP_scatter_add:
    case OP_cumsum:
    case OP_cummax:
    case OP_cummin:
      return true;
    default:
      return ir_ops[op].class == VIEW || ir_ops[op].class == COLLECTIVE;
  }
}

/* Does it only choose among its operands' elements? */
static bool moves(Op op) {
  switch (op) {
    case OP_neg:
    case OP_abs:
    case OP_max:
    case OP_min:
    case OP_select:
    case OP_clamp:
    case OP_reduce_max:
    case OP_reduce_min:
    case OP_pmax:
    case OP_pmin:
    case OP_all_gather:
    case OP_ppermute:
    case OP_all_to_all:
    case OP_pbroadcast:
    case OP_map:
    case OP_unmap:
    case OP_constant:
    case OP_iota:
    case OP_sign:
    case OP_floor:
    case OP_ceil:
    case OP_round:
    case OP_bitcast:
    case OP_cummax:
    case OP_cummin:
    case OP_sort:
      return true;
    default:
      return ir_ops[op].class == VIEW || ir_ops[op].class == INDEXED;
  }
}

static Level level_after(const Judge *judge, const Node *node) {
  Level most = EXACT;
  for (int i = 0; i < node->n_operands; i++) {
    const Value *operand = node->operands[i];
    Level level = level_of(judge, operand);
    bool index =
        ir_ops[node->op].class == INDEXED && ir_is_float(operand->type.dtype);
    if (level == ROUNDED && !index && !smooth(node->op)) level = ROUGH;
    if (level > most) most = level;
  }
  bool is_float = ir_is_float(node->results[0]->type.dtype);
  if (most == ROUNDED && !is_float) return ROUGH;
  if (is_float && !moves(node->op) && most < ROUNDED) return ROUNDED;
  return most;
}

static void judge_block(Judge *judge, const Block *block);

static void judge_scan(Judge *judge, const Node *node) {
  const Block *body = node->body;
  for (int i = 0; i < node->n_operands; i++)
    raise_level(judge, body->params[i], level_of(judge, node->operands[i]));
  judge_block(judge, body);
  for (int i = 0; i < node->n_results; i++) {
    raise_level(judge, node->results[i], level_of(judge, body->yields[i]));
    if (i >= node->n_carries) continue;
    raise_level(judge, body->params[i], level_of(judge, body->yields[i]));
    raise_level(judge, node->results[i], level_of(judge, node->operands[i]));
  }
}

static Level highest(const Judge *judge, Value *const *values, int n) {
  Level most = EXACT;
  for (int i = 0; i < n; i++)
    if (level_of(judge, values[i]) > most) most = level_of(judge, values[i]);
  return most;
}

/* Where a predicate may turn out otherwise nothing can be said. */
static Level behind(const Judge *judge, const Value *predicate, Level level) {
  return level_of(judge, predicate) == EXACT ? level : ROUGH;
}

static void judge_while(Judge *judge, const Node *node) {
  const Block *test = node->bodies[WHILE_TEST];
  const Block *step = node->bodies[WHILE_STEP];
  judge_block(judge, test);
  judge_block(judge, step);
  for (int i = 0; i < node->n_carries; i++) {
    Value *all[] = {node->operands[i], step->yields[i], step->params[i]};
    Level level = behind(judge, test->yields[0], highest(judge, all, 3));
    raise_level(judge, step->params[i], level);
    raise_level(judge, test->params[i], level);
    raise_level(judge, node->results[i], level);
  }
}

static void judge_cond(Judge *judge, const Node *node) {
  for (int b = 0; b < IR_BODIES; b++) {
    judge_block(judge, node->bodies[b]);
    for (int i = 0; i < node->n_results; i++)
      raise_level(judge, node->results[i],
                  behind(judge, node->operands[0],
                         level_of(judge, node->bodies[b]->yields[i])));
  }
}

static void coarsen(Judge *judge, Value *const *values, int n) {
  for (int i = 0; i < n; i++)
    judge->epsilon = fmax(judge->epsilon, epsilon_of(values[i]->type.dtype));
}

static void judge_block(Judge *judge, const Block *block) {
  coarsen(judge, block->params, block->n_params);
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    coarsen(judge, node->results, node->n_results);
    if (node->op == OP_scan)
      judge_scan(judge, node);
    else if (node->op == OP_while)
      judge_while(judge, node);
    else if (node->op == OP_cond)
      judge_cond(judge, node);
    else
      for (int r = 0; r < node->n_results; r++)
        raise_level(judge, node->results[r], level_after(judge, node));
  }
}

/* The largest magnitude of any float on the way; infinite if one is not
 * finite or cannot be had. */
static double largest(const Program *program, const Buffers *inputs) {
  Program *exposed = rebuild(program, &(Edit){.dropped = -1, .expose = true});
  Buffers results = {0};
  char *message = NULL;
  double most = exposed ? 1 : INFINITY;
  if (exposed && !evaluate(exposed, inputs, &results, &message))
    most = INFINITY;
  for (int i = 0; i < results.n; i++) {
    Type type = exposed->body->yields[i]->type;
    int64_t n = edge_elements(exposed, type);
    for (int64_t k = 0; ir_is_float(type.dtype) && k < n; k++) {
      size_t at = (size_t)k * ir_dtype_bytes(type.dtype);
      double x = ir_scalar_load(type.dtype, (char *)results.data[i] + at).f;
      most = isfinite(x) ? fmax(most, fabs(x)) : INFINITY;
    }
  }
  free(message);
  buffers_free(&results);
  ir_program_destroy(exposed);
  return most;
}

bool judge(const Program *program, const Buffers *inputs, Rule *rules) {
  Judge judge = {.changed = true, .epsilon = DBL_EPSILON};
  judge.level = calloc((size_t)program->n_values + 1, 1);
  if (!judge.level) return false;
  while (judge.changed) {
    judge.changed = false;
    judge_block(&judge, program->body);
  }
  double scale = largest(program, inputs);
  double tolerance = judge.epsilon * scale * scale * 1e4;
  for (int i = 0; i < program->body->n_yields; i++) {
    Level level = level_of(&judge, program->body->yields[i]);
    bool blind = !(tolerance < 0.1 * scale);
    rules[i] = (Rule){.exact = level == EXACT,
                      .atol = level == EXACT ? 0 : tolerance,
                      .skip = level == ROUGH || (level == ROUNDED && blind)};
  }
  free(judge.level);
  return true;
}
