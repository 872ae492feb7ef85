/* axes.c: which axes each value varies over, and the copy that fixes it.
 *
 * A loop's carry varies over whatever its init or its next value varies over,
 * a while's over what its predicate does, too; these may depend on the carry,
 * so this is a fixpoint.  Sets only
 * grow, and a sweep over the whole program goes on from what inner scans had,
 * so nesting costs nothing extra.  Once the sets are stable the program is
 * copied with final types; all checks on axes happen in that copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir.h"
#include "unique.h"

typedef struct Sweep {
  const Program *program;
  uint64_t *axes; /* by value id */
  bool changed;
} Sweep;

static void join(Sweep *sweep, const Value *value, uint64_t more) {
  uint64_t *axes = &sweep->axes[value->id];
  sweep->changed |= (more & ~*axes) != 0;
  *axes |= more;
}

static void sweep_block(Sweep *sweep, const Block *block);

static void sweep_scan(Sweep *sweep, const Node *scan) {
  const Block *body = scan->body;
  for (int i = 0; i < body->n_params; i++)
    join(sweep, body->params[i], sweep->axes[scan->operands[i]->id]);
  sweep_block(sweep, body);
  for (int i = 0; i < scan->n_results; i++) {
    uint64_t next = sweep->axes[body->yields[i]->id];
    if (i < scan->n_carries) {
      join(sweep, body->params[i], next);
      next = sweep->axes[body->params[i]->id];
    }
    join(sweep, scan->results[i], next);
  }
}

static void sweep_while(Sweep *sweep, const Node *loop) {
  const Block *test = loop->bodies[WHILE_TEST];
  const Block *step = loop->bodies[WHILE_STEP];
  sweep_block(sweep, test);
  uint64_t predicate = sweep->axes[test->yields[0]->id];
  for (int i = 0; i < loop->n_carries; i++) {
    join(sweep, step->params[i],
         predicate | sweep->axes[loop->operands[i]->id]);
    join(sweep, test->params[i], sweep->axes[step->params[i]->id]);
  }
  sweep_block(sweep, step);
  for (int i = 0; i < loop->n_carries; i++) {
    join(sweep, step->params[i], sweep->axes[step->yields[i]->id]);
    join(sweep, test->params[i], sweep->axes[step->params[i]->id]);
    join(sweep, loop->results[i], sweep->axes[step->params[i]->id]);
  }
}

static void sweep_cond(Sweep *sweep, const Node *cond) {
  uint64_t predicate = sweep->axes[cond->operands[0]->id];
  for (int b = 0; b < IR_BODIES; b++) {
    sweep_block(sweep, cond->bodies[b]);
    for (int i = 0; i < cond->n_results; i++)
      join(sweep, cond->results[i],
           predicate | sweep->axes[cond->bodies[b]->yields[i]->id]);
  }
}

static void sweep_node(Sweep *sweep, const Node *node) {
  if (node->op == OP_scan || node->op == OP_while || node->op == OP_cond) {
    (node->op == OP_scan    ? sweep_scan
     : node->op == OP_while ? sweep_while
                            : sweep_cond)(sweep, node);
    return;
  }
  if (node->op == OP_constant || node->op == OP_iota) return;
  uint64_t few[8] = {0}, set, *axes = few;
  if (node->n_operands > 8) {
    axes = malloc((size_t)node->n_operands * sizeof *axes);
    if (axes == NULL) return;
  }
  for (int i = 0; i < node->n_operands; i++)
    axes[i] = sweep->axes[node->operands[i]->id];
  set = ir_axes_rule(sweep->program, node->op, node->attrs, node->n_attrs, axes,
                     node->n_operands);
  if (axes != few) free(axes);
  for (int i = 0; i < node->n_results; i++) join(sweep, node->results[i], set);
}

static void sweep_block(Sweep *sweep, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) sweep_node(sweep, block->nodes[i]);
}

bool ir_axes_fixpoint(const Program *program, uint64_t *axes) {
  Sweep sweep = {program, axes, true};
  memset(axes, 0, (size_t)program->n_values * sizeof *axes);
  for (int i = 0; i < program->body->n_params; i++)
    axes[program->body->params[i]->id] = program->body->params[i]->type.axes;
  while (sweep.changed) {
    sweep.changed = false;
    sweep_block(&sweep, program->body);
  }
  return true;
}

/* -- the final copy ---------------------------------------------------- */

typedef struct Finish {
  uint64_t *axes;
  const Written *written;
} Finish;

static Type final_type(Copier *copier, const Value *param) {
  const Finish *finish = copier->context;
  Type type = param->type;
  type.axes = finish->axes[param->id];
  return type;
}

/* A carry may vary over more than its init does. */
static const char *widened(Copier *copier, const Value *value) {
  const Node *node = value->node;
  if (value->index >= node->n_carries) return "";
  const Value *init = node->operands[value->index];
  if ((value->type.axes & ~init->type.axes) == 0) return "";
  int step = node->op == OP_while ? WHILE_STEP : 0;
  const char *name = node->bodies[step]->params[value->index]->name;
  return ir_format(copier->to, "; carry %s%s starts as %s and is widened",
                   name ? "%" : "number ",
                   name ? name : ir_format(copier->to, "%d", value->index),
                   ir_type_text(copier->to, init->type).text);
}

static bool check_written(Copier *copier, const Value *draft) {
  const Finish *finish = copier->context;
  const Value *value = ir_mapped(copier, draft);
  if (finish->written == NULL || value == NULL) return true;
  const Written *written = &finish->written[draft->id];
  if (written->type.dtype == DT_COUNT) return true;
  Type type = written->type;
  if (!written->braces && (ir_ops[draft->node->op].flags & TYPED))
    type.axes = value->type.axes;
  if (ir_type_equal(type, value->type)) return true;
  const Node *node = value->node;
  bool listed = node->n_operands > 0;
  return ir_error(
      copier->to, written->place,
      "%s: the type is written %s but inferred as %s%s%s%s%s",
      ir_ops[node->op].name, ir_type_text(copier->to, type).text,
      ir_type_text(copier->to, value->type).text, widened(copier, value),
      listed ? " (" : "",
      listed ? ir_operands_text(copier->to, node->operands, node->n_operands)
             : "",
      listed ? ")" : "");
}

static bool finish_node(Copier *copier, Block *to, const Node *node) {
  ir_copy_node(copier, to, node);
  for (int i = 0; i < node->n_results; i++)
    check_written(copier, node->results[i]);
  return true;
}

/* NAME, else the value's name; equal names get _2, _3, ... */
static void name_results(Program *program, const char *const *wanted) {
  const Block *body = program->body;
  const char **names =
      ir_alloc(program, (size_t)(body->n_yields + 1) * sizeof *names);
  Unique unique = {.program = program};
  if (names == NULL) return;
  for (int i = 0; i < body->n_yields && !program->error.failed; i++) {
    const char *base = wanted && wanted[i] ? wanted[i] : body->yields[i]->name;
    if (base)
      names[i] = ir_unique_name(&unique, base);
    else
      ir_error(program, (Place){0},
               "result number %d has no name; give it one with `as`", i);
  }
  ir_unique_end(&unique);
  if (!program->error.failed) ir_result_names(program, names);
}

Program *ir_finish(Program *draft, const Written *written) {
  if (draft->error.failed) return draft;
  uint64_t *axes = malloc((size_t)(draft->n_values + 1) * sizeof *axes);
  if (axes == NULL) {
    ir_program_destroy(draft);
    return NULL;
  }
  ir_axes_fixpoint(draft, axes);
  Finish finish = {axes, written};
  Copier copier = {.from = draft,
                   .rule = finish_node,
                   .param_type = final_type,
                   .context = &finish};
  const char **names = draft->result_names;
  draft->result_names = NULL;
  Program *program = ir_copy(&copier, draft->stage);
  free(axes);
  if (program && !program->error.failed) name_results(program, names);
  ir_program_destroy(draft);
  return program;
}
