/* raise.c: explicit device dims of loops become axes, where hoist gains by it.
 *
 * Comes in: a named program.  Goes out: the same, or one in which loops walk
 * some of their dims as axes.  Inputs and results are what they were.
 *
 * The same computation can be written with an axis, or with a dim of as many
 * elements:
 *
 *   scan carry(c = y0):                               J: f64[8,64,64]
 *     u = reduce_sum(einsum(J, c, "dmn,dni->dmi"), dims=[0])
 *     c' = c + broadcast(u)                           y0: f64[8,64,1]
 *
 * hoist knows axes only.  So the dim gets one:
 *
 *   J_d = map(J), y_d = map(y0)                       f64[64,64]{raised_8}, ...
 *   scan carry(c = y_d):
 *     u = psum(einsum(J_d, c, "mn,ni->mi"))           f64[64,1]
 *     c' = c + u                                      f64[64,1]{raised_8}
 *   y = unmap(.)                                      f64[8,64,1]
 *
 * Which dims are one axis is what dims.c finds: the dims that the loop's nodes
 * walk by one index.  Such a class is tried if something in the loop sums over
 * it.  Nodes that work across it, as a reverse, get the whole array by an unmap
 * and give it back by a map (raise_lift.c).  A trial is kept if hoist moves a
 * collective over the new axis out of a loop; then the loop is looked at anew,
 * as there may be another such dim.  Of a nest of loops the outermost is tried
 * first: there the most work can leave.  lower_axes makes a dim of the axis
 * again.
 *
 * Trials are made on a small program that holds the outermost loop alone, and
 * there is a limit to their number, so the pass is linear in the program. */
#include "hoist.h"
#include "raise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/text.h"

enum { MOST_TRIALS = 16 };

typedef struct Raise {
  Copier copier;
  const Options *options;
  bool plain, raised, no_memory;
  bool *used;      /* by value id: is it used? */
  int *stamp;      /* by value id: the last unit that reads it */
  Value **in_unit; /* by value id: what stands for it in the unit at hand */
  int n_units;
  uint64_t made; /* axes that this pass declared */
  PassNote *note;
  void *note_context;
} Raise;

/* One outermost loop, in a program of its own.  What it takes from outside are
 * constants, then parameters. */
typedef struct Unit {
  Raise *raise;
  const Node *loop;
  Program *program;
  const Value **reads; /* from outside: the constants first */
  int n_reads, room, n_constants;
  uint64_t taken; /* axes that were raised in it */
  int trials;
} Unit;

/* -- units ------------------------------------------------------------- */

static void read_value(Unit *unit, const Value *value) {
  Raise *raise = unit->raise;
  if (value->block->depth > unit->loop->block->depth) return;
  if (raise->stamp[value->id] == raise->n_units) return;
  raise->stamp[value->id] = raise->n_units;
  if (unit->n_reads == unit->room) {
    int room = 2 * unit->room + 16;
    const Value **more = realloc(unit->reads, (size_t)room * sizeof *more);
    raise->no_memory |= more == NULL;
    if (more == NULL) return;
    unit->reads = more;
    unit->room = room;
  }
  unit->reads[unit->n_reads++] = value;
}

static void read_node(Unit *unit, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    read_value(unit, node->operands[i]);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    const Block *body = node->bodies[b];
    for (int i = 0; i < body->n_nodes; i++) read_node(unit, body->nodes[i]);
    for (int i = 0; i < body->n_yields; i++) read_value(unit, body->yields[i]);
  }
}

static bool is_constant(const Value *value) {
  Scalar element;
  return ir_is_splat(value, &element);
}

/* Stand-ins for what the loop reads: of numbers the numbers, as hoist looks at
 * them. */
static void make_inputs(Unit *unit, Copier *copier, bool constants) {
  for (int i = 0; i < unit->n_reads; i++) {
    const Value *value = unit->reads[i];
    Block *body = unit->program->body;
    if (is_constant(value) != constants) continue;
    if (constants)
      ir_copy_node(copier, body, value->node);
    else
      ir_map(copier, value, ir_block_param(body, value->type, value->name));
    unit->n_constants += constants;
  }
}

static void make_results(Unit *unit, Copier *copier) {
  const Node *loop = unit->loop;
  Program *program = unit->program;
  size_t room = (size_t)loop->n_results + 1;
  Value **yields = ir_alloc(program, room * sizeof *yields);
  const char **names = ir_alloc(program, room * sizeof *names);
  int n = 0;
  if (yields == NULL || names == NULL) return;
  for (int i = 0; i < loop->n_results; i++) {
    if (!unit->raise->used[loop->results[i]->id]) continue;
    names[n] = ir_format(program, "r%d", i);
    yields[n++] = ir_mapped(copier, loop->results[i]);
  }
  ir_block_yield(program->body, yields, n);
  ir_result_names(program, names);
}

static bool copy_axes(Program *to, const Program *from) {
  for (int a = to->n_axes; a < from->n_axes; a++)
    if (ir_axis_declare(to, from->axes[a].name, from->axes[a].size,
                        (Place){0}) < 0)
      return false;
  return true;
}

static bool unit_begin(Unit *unit) {
  Raise *raise = unit->raise;
  raise->n_units++;
  read_node(unit, unit->loop);
  unit->program = ir_program_create("unit", NAMED);
  if (unit->program == NULL || raise->no_memory) return false;
  Copier copier = {
      .from = raise->copier.from, .to = unit->program, .map = raise->in_unit};
  if (!copy_axes(unit->program, raise->copier.to) ||
      !ir_copy_callees(unit->program, raise->copier.from))
    return false;
  make_inputs(unit, &copier, true);
  make_inputs(unit, &copier, false);
  ir_copy_node(&copier, unit->program->body, unit->loop);
  if (!unit->program->error.failed) make_results(unit, &copier);
  return !unit->program->error.failed;
}

/* The unit's nodes in the place of the loop. */
static void inline_unit(Unit *unit, Block *to) {
  const Program *from = unit->program;
  Copier *outer = &unit->raise->copier, inner = {.from = from, .to = outer->to};
  int n_params = 0, n_constants = 0, n_results = 0;
  inner.map = calloc((size_t)from->n_values + 1, sizeof(Value *));
  if (inner.map == NULL || !copy_axes(outer->to, from)) {
    unit->raise->no_memory |= inner.map == NULL;
    free(inner.map);
    return;
  }
  for (int i = 0; i < unit->n_reads; i++) {
    const Value *value = unit->reads[i];
    const Value *inside = is_constant(value)
                              ? from->body->nodes[n_constants++]->results[0]
                              : from->body->params[n_params++];
    ir_map(&inner, inside, ir_mapped(outer, value));
  }
  for (int i = n_constants; i < from->body->n_nodes; i++)
    ir_copy_node(&inner, to, from->body->nodes[i]);
  for (int i = 0; i < unit->loop->n_results; i++) {
    const Value *old = unit->loop->results[i];
    if (!unit->raise->used[old->id]) continue;
    pass_replace(outer, old,
                 ir_mapped(&inner, from->body->yields[n_results++]));
  }
  free(inner.map);
}

/* -- the axis ---------------------------------------------------------- */

/* One that the pass declared for another loop will do; else n_axes. */
static int axis_for(const Unit *unit, int64_t size) {
  const Program *program = unit->program;
  for (int a = 0; a < program->n_axes; a++)
    if ((unit->raise->made & ~unit->taken) >> a & 1 &&
        program->axes[a].size == size)
      return a;
  return program->n_axes;
}

static void name_axis(const Program *program, int64_t size, char name[48]) {
  snprintf(name, 48, "raised_%lld", (long long)size);
  for (int n = 2; ir_axis_find(program, name) >= 0; n++)
    snprintf(name, 48, "raised_%lld_%d", (long long)size, n);
}

/* -- notes ------------------------------------------------------------- */

/* The first carry or operand of the loop that has the class. */
static const Value *shows(DimClasses *classes, int class, int *dim) {
  const Node *loop = classes->loop;
  for (int i = 0; i < loop->body->n_params; i++) {
    const Value *param = loop->body->params[i];
    int first = pass_dims_value(classes, param);
    *dim = pass_dims_within(classes, first, param->type.rank, class);
    if (*dim >= 0) return param;
  }
  for (int v = 0; v < loop->body->n_nodes; v++) {
    const Node *node = loop->body->nodes[v];
    int first = pass_dims_use(classes, node, 0);
    for (int i = 0; i < node->n_operands; i++) {
      int rank = node->operands[i]->type.rank;
      *dim = pass_dims_within(classes, first, rank, class);
      if (*dim >= 0) return node->operands[i];
      first += rank;
    }
  }
  return NULL;
}

static void say(Unit *unit, DimClasses *classes, int class, const char *what) {
  Buffer out = {0};
  char size[64];
  int dim;
  if (unit->raise->note == NULL) return;
  const Value *value = shows(classes, class, &dim);
  if (value && value->name) {
    snprintf(size, sizeof size, "dim %d of %%", dim);
    ir_put_text(&out, size);
    ir_put_text(&out, value->name);
  } else {
    ir_put_text(&out, "a dim in a loop");
  }
  snprintf(size, sizeof size, ", size %lld, ", (long long)classes->size[class]);
  ir_put_text(&out, size);
  ir_put_text(&out, what);
  char *text = ir_buffer_take(&out);
  if (text) unit->raise->note(text, unit->raise->note_context);
  free(text);
}

/* What hoist says of the trial, line by line. */
static void pass_on(const char *line, void *context) {
  Unit *unit = context;
  Buffer out = {0};
  ir_put_text(&out, "  as an axis: ");
  ir_put_text(&out, line);
  char *text = ir_buffer_take(&out);
  if (text) unit->raise->note(text, unit->raise->note_context);
  free(text);
}

static void say_why(Unit *unit, const Program *trial) {
  if (unit->raise->note == NULL) return;
  ir_program_destroy(
      pass_hoist_noting(trial, unit->raise->options, pass_on, unit));
}

/* -- trials ------------------------------------------------------------ */

/* Does hoist move a sum over the axis out of a loop? */
static bool gains(Unit *unit, const Program *trial, int axis) {
  uint64_t moved;
  Program *hoisted = pass_hoist_moving(trial, unit->raise->options, &moved);
  unit->raise->no_memory |= hoisted == NULL || hoisted->error.out_of_memory;
  ir_program_destroy(hoisted);
  return moved >> axis & 1;
}

static bool *find_used(const Program *program);

/* The unit with the class as an axis, if that gains. */
static bool try_class(Unit *unit, DimClasses *classes, int class,
                      const bool *used) {
  char name[48];
  int64_t size = classes->size[class];
  Lift lift = {.options = unit->raise->options,
               .classes = classes,
               .loop = classes->loop,
               .used = used,
               .class = class,
               .axis = axis_for(unit, size)};
  bool no_memory = false;
  name_axis(unit->program, size, name);
  Program *trial = raise_lift(&lift, name, &no_memory);
  unit->raise->no_memory |= no_memory;
  if (trial == NULL) {
    if (!unit->taken)
      say(unit, classes, class,
          "is no axis: a value has two dims that run together with it");
    return false;
  }
  unit->trials++;
  if (!gains(unit, trial, lift.axis)) {
    say(unit, classes, class, "could be an axis, but hoist would gain nothing");
    say_why(unit, trial);
    ir_program_destroy(trial);
    return false;
  }
  say(unit, classes, class,
      "becomes an axis: hoist moves sums over it out of the loop");
  unit->taken |= UINT64_C(1) << lift.axis;
  ir_program_destroy(unit->program);
  unit->program = trial;
  return true;
}

/* Does something sum over it that could as well run in any order? */
static bool is_candidate(DimClasses *classes, int dim) {
  return pass_dims_class(classes, dim) == dim && classes->size[dim] > 1 &&
         pass_dims_plays(classes, dim, DIM_SUMMED) &&
         pass_dims_plays(classes, dim, DIM_PARALLEL);
}

static bool try_loop(Unit *unit, const Node *loop) {
  DimClasses classes;
  bool raised = false;
  bool *used = find_used(unit->program);
  if (!used || !pass_dims_begin(&classes, loop)) unit->raise->no_memory = true;
  for (int d = 0; used && d < classes.n && !raised; d++) {
    if (unit->raise->no_memory || unit->trials >= MOST_TRIALS) break;
    if (is_candidate(&classes, d)) raised = try_class(unit, &classes, d, used);
  }
  if (used) pass_dims_end(&classes);
  free(used);
  return raised;
}

/* Outer loops before inner ones.  True: the unit is another program now. */
static bool try_block(Unit *unit, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    bool loop = node->op == OP_scan && ir_int(node, ATTR_length) > 1;
    if (unit->raise->no_memory || unit->trials >= MOST_TRIALS) return false;
    if (loop && try_loop(unit, node)) return true;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (try_block(unit, node->bodies[b])) return true;
  }
  return false;
}

/* -- the pass ---------------------------------------------------------- */

static bool sums(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_reduce_sum || node->op == OP_einsum) return true;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (sums(node->bodies[b])) return true;
  }
  return false;
}

static bool raise_unit(Raise *raise, Block *to, const Node *loop) {
  Unit unit = {.raise = raise, .loop = loop};
  if (!sums(loop->body)) return false;
  if (unit_begin(&unit))
    while (unit.program->n_axes < IR_MAX_AXES &&
           try_block(&unit, unit.program->body)) {
    }
  else
    raise->no_memory = true;
  if (unit.taken && !raise->no_memory) inline_unit(&unit, to);
  raise->made |= unit.taken;
  raise->raised |= unit.taken != 0;
  free(unit.reads);
  ir_program_destroy(unit.program);
  return unit.taken != 0;
}

/* An outermost loop; the loops in it belong to it. */
static bool raise_node(Copier *copier, Block *to, const Node *node) {
  Raise *raise = copier->context;
  if (node->op != OP_scan || raise->plain || raise->no_memory) return false;
  if (raise_unit(raise, to, node)) return true;
  raise->plain = true;
  ir_copy_node(copier, to, node);
  raise->plain = false;
  return true;
}

static bool *find_used(const Program *program) {
  bool *used = calloc((size_t)program->n_values + 1, sizeof *used);
  if (used) hoist_note_uses(used, program->body);
  return used;
}

static bool hoist_is_left_out(const Options *options) {
  return options->without >> pass_find("hoist") & 1;
}

Program *pass_raise_noting(const Program *program, const Options *options,
                           PassNote *note, void *context) {
  size_t values = (size_t)program->n_values + 1;
  Raise raise = {.copier = {.from = program, .rule = raise_node},
                 .options = options,
                 .plain = hoist_is_left_out(options),
                 .note = note,
                 .note_context = context};
  raise.copier.context = &raise;
  raise.used = find_used(program);
  raise.stamp = calloc(values, sizeof *raise.stamp);
  raise.in_unit = calloc(values, sizeof(Value *));
  Program *made = NULL;
  if (raise.used && raise.stamp && raise.in_unit)
    made = ir_copy(&raise.copier, NAMED);
  if (made && raise.no_memory) ir_out_of_memory(made);
  if (made && raise.raised) made = ir_finish(made, NULL);
  free(raise.used);
  free(raise.stamp);
  free(raise.in_unit);
  return made;
}

Program *pass_raise(const Program *program, const Options *options) {
  return pass_raise_noting(program, options, NULL, NULL);
}
