/* fuse.c: batched -> kernels.  Every node but constants and control goes into a
 * kernel.
 *
 * fuse_units.c decides which nodes share one; here the block is copied unit by
 * unit, each after the units whose values it reads.  Every yield of a scan's
 * body, and every result of the program, gets a kernel output (or scan result)
 * of its own, so that plan can place each without copying: a value that is
 * yielded twice is two outputs, a parameter that is yielded is a copy. */
#include "fuse.h"

#include <stdlib.h>
#include <string.h>

/* -- emission ---------------------------------------------------------- */

typedef struct Emit {
  Fuse *fuse;
  const Block *from;
  Block *to;
  int first_unit, n_units;
  int *start; /* members of unit u: members[start[u]..start[u+1]) */
  const Node **members;
  Value **yields; /* of the new block */
  bool *done;
} Emit;

static Word form_of(const Unit *unit) {
  if (unit->whole) return WORD_call;
  if (unit->heavy == NULL) return WORD_map;
  if (unit->n_swept) return WORD_reduce;
  bool pair = unit->heavy->op == OP_einsum && unit->heavy->n_operands > 1;
  return pair ? WORD_contract : WORD_reduce;
}

static void emit_kernel(Emit *e, int number) {
  Fuse *fuse = e->fuse;
  Unit *unit = &fuse->units[number];
  Copier *copier = fuse->copier;
  Program *program = copier->to;
  Block *body = ir_block_begin(e->to);
  int local = number - e->first_unit;
  Place place = {0};
  for (int i = e->start[local]; i < e->start[local + 1]; i++) {
    place = e->members[i]->place;
    ir_copy_node(copier, body, e->members[i]);
  }
  Value **yields =
      ir_alloc(program, (size_t)(unit->n_outputs + 1) * sizeof *yields);
  if (yields == NULL || body == NULL) return;
  for (int o = 0; o < unit->n_outputs; o++)
    yields[o] = ir_mapped(copier, unit->outputs[o].value);
  ir_block_yield(body, yields, unit->n_outputs);
  Node *kernel =
      ir_node(e->to, &(NodeSpec){.op = OP_kernel,
                                 .n_attrs = 1,
                                 .attrs = (Attr[]){IR_INT(form, form_of(unit))},
                                 .body = body,
                                 .place = place});
  for (int o = unit->n_outputs - 1; kernel && o >= 0; o--) {
    const Output *output = &unit->outputs[o];
    Value *result = kernel->results[o];
    bool made = output->value->node && output->value->block == e->from &&
                fuse->unit_of[output->value->node->id] == number;
    if (output->value->name && made) result->name = yields[o]->name;
    if (output->slot >= 0) e->yields[output->slot] = result;
    if (made) ir_map(copier, output->value, result);
  }
}

static void fuse_block(Fuse *fuse, const Block *from, Block *to);

/* A scan whose step is small, as it is. */
static void wrap_loop(Emit *e, const Node *scan) {
  Copier *copier = e->fuse->copier;
  Block *body = ir_block_begin(e->to);
  if (body == NULL) return;
  ir_copy_node(copier, body, scan);
  Value **yields =
      ir_alloc(copier->to, (size_t)(scan->n_results + 1) * sizeof *yields);
  if (yields == NULL) return;
  for (int i = 0; i < scan->n_results; i++)
    yields[i] = ir_mapped(copier, scan->results[i]);
  ir_block_yield(body, yields, scan->n_results);
  Node *kernel =
      ir_node(e->to, &(NodeSpec){.op = OP_kernel,
                                 .n_attrs = 1,
                                 .attrs = (Attr[]){IR_INT(form, WORD_loop)},
                                 .body = body,
                                 .place = scan->place});
  for (int i = 0; kernel && i < scan->n_results; i++) {
    kernel->results[i]->name = scan->results[i]->name ? yields[i]->name : NULL;
    ir_map(copier, scan->results[i], kernel->results[i]);
  }
}

static void emit_alone(Emit *e, const Node *node) {
  Copier *copier = e->fuse->copier;
  Block *bodies[IR_BODIES] = {NULL};
  if (node->op == OP_kernel) {
    ir_copy_node(copier, e->to, node);
    return;
  }
  if (fuse_is_loop(node)) {
    wrap_loop(e, node);
    return;
  }
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    bodies[b] = ir_copy_params(copier, node->bodies[b], e->to);
    if (bodies[b] == NULL) return;
    fuse_block(e->fuse, node->bodies[b], bodies[b]);
  }
  Value **operands =
      ir_alloc(copier->to, (size_t)(node->n_operands + 1) * sizeof *operands);
  if (operands == NULL) return;
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = ir_mapped(copier, node->operands[i]);
  Node *copy = ir_clone(e->to, node, operands, bodies);
  for (int i = 0; copy && i < node->n_results; i++)
    ir_map(copier, node->results[i], copy->results[i]);
}

/* -- order ------------------------------------------------------------- */

/* Visit for every value that a unit reads of this block: the unit making it. */
typedef struct Reads {
  Emit *emit;
  int *stack;
  int depth, room;
  bool waiting; /* something it reads is not there yet */
} Reads;

static void read_value(Reads *reads, const Value *value) {
  Emit *e = reads->emit;
  if (value->block != e->from || value->node == NULL) return;
  int unit = e->fuse->unit_of[value->node->id];
  if (unit < 0 || e->done[unit - e->first_unit]) return;
  reads->waiting = true;
  if (reads->depth == reads->room) {
    int *bigger =
        realloc(reads->stack, (size_t)reads->room * 2 * sizeof *bigger);
    if (bigger == NULL) {
      e->fuse->failed = true;
      return;
    }
    reads->stack = bigger;
    reads->room *= 2;
  }
  reads->stack[reads->depth++] = unit;
}

static void read_node(Reads *reads, const Node *node, int unit);

static void read_body(Reads *reads, const Block *body, int unit) {
  for (int i = 0; i < body->n_nodes; i++)
    read_node(reads, body->nodes[i], unit);
  for (int i = 0; i < body->n_yields; i++) read_value(reads, body->yields[i]);
}

static void read_node(Reads *reads, const Node *node, int unit) {
  for (int o = 0; o < node->n_operands; o++) {
    const Value *value = node->operands[o];
    bool own = value->node && value->block == reads->emit->from &&
               reads->emit->fuse->unit_of[value->node->id] == unit;
    if (!own) read_value(reads, value);
  }
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    read_body(reads, node->bodies[b], unit);
}

static void read_unit(Reads *reads, int number) {
  Emit *e = reads->emit;
  const Unit *unit = &e->fuse->units[number];
  int local = number - e->first_unit;
  if (unit->fixed) {
    read_node(reads, unit->fixed, number);
    return;
  }
  for (int i = e->start[local]; i < e->start[local + 1]; i++)
    read_node(reads, e->members[i], number);
  for (int o = 0; o < unit->n_outputs; o++) {
    const Value *value = unit->outputs[o].value;
    bool own = value->node && value->block == e->from &&
               e->fuse->unit_of[value->node->id] == number;
    if (!own) read_value(reads, value);
  }
}

/* Emit a unit and, before it, whatever it waits for. */
static void emit_unit(Reads *reads, int number) {
  Emit *e = reads->emit;
  reads->depth = 0;
  reads->stack[reads->depth++] = number;
  while (reads->depth > 0 && !e->fuse->failed) {
    int unit = reads->stack[reads->depth - 1];
    if (!e->done[unit - e->first_unit]) {
      reads->waiting = false;
      read_unit(reads, unit);
      if (reads->waiting) continue;
      e->done[unit - e->first_unit] = true;
      if (e->fuse->units[unit].fixed)
        emit_alone(e, e->fuse->units[unit].fixed);
      else if (!e->fuse->units[unit].gone)
        emit_kernel(e, unit);
    }
    reads->depth--;
  }
}

/* Members of each unit in definition order: a counting sort. */
static void sort_members(Emit *e) {
  const Block *from = e->from;
  int *next = e->start + 1; /* where the next member of each unit goes */
  for (int i = 0; i < from->n_nodes; i++) {
    int unit = e->fuse->unit_of[from->nodes[i]->id] - e->first_unit;
    if (unit >= 0 && unit + 1 < e->n_units) next[unit + 1]++;
  }
  for (int u = 1; u < e->n_units; u++) next[u] += next[u - 1];
  for (int i = 0; i < from->n_nodes; i++) {
    int unit = e->fuse->unit_of[from->nodes[i]->id] - e->first_unit;
    if (unit >= 0) e->members[next[unit]++] = from->nodes[i];
  }
}

static void emit_block(Emit *e) {
  const Block *from = e->from;
  Fuse *fuse = e->fuse;
  Reads reads = {.emit = e, .room = 64};
  reads.stack = malloc((size_t)reads.room * sizeof *reads.stack);
  if (reads.stack == NULL) {
    fuse->failed = true;
    return;
  }
  for (int i = 0; i < from->n_nodes; i++)
    if (from->nodes[i]->op == OP_constant)
      ir_copy_node(fuse->copier, e->to, from->nodes[i]);
  for (int i = 0; i < from->n_nodes && !fuse->failed; i++) {
    int unit = fuse->unit_of[from->nodes[i]->id];
    if (unit >= 0) emit_unit(&reads, unit);
  }
  for (int u = 0; u < e->n_units && !fuse->failed; u++)
    emit_unit(&reads, e->first_unit + u); /* copies have no members */
  free(reads.stack);
}

static void fuse_block(Fuse *fuse, const Block *from, Block *to) {
  Program *program = fuse->copier->to;
  size_t yields = (size_t)from->n_yields + 1;
  Emit e = {.fuse = fuse, .from = from, .to = to, .first_unit = fuse->n_units};
  e.yields = ir_alloc(program, yields * sizeof *e.yields);
  if (e.yields == NULL) return;
  fuse_block_units(fuse, from);
  if (fuse->failed) return;
  e.n_units = fuse->n_units - e.first_unit;
  e.start = calloc((size_t)e.n_units + 2, sizeof *e.start);
  e.members = calloc((size_t)from->n_nodes + 1, sizeof *e.members);
  e.done = calloc((size_t)e.n_units + 1, sizeof *e.done);
  if (e.start && e.members && e.done) {
    sort_members(&e);
    emit_block(&e);
  } else {
    fuse->failed = true;
  }
  free(e.start);
  free(e.members);
  free(e.done);
  for (int i = 0; i < from->n_yields; i++)
    if (e.yields[i] == NULL) /* it has storage where it is made */
      e.yields[i] = ir_mapped(fuse->copier, from->yields[i]);
  ir_block_yield(to, e.yields, from->n_yields);
}

Program *pass_fuse(const Program *program, const Options *options) {
  Copier copier = {.from = program};
  Fuse fuse = {.program = program,
               .copier = &copier,
               .strict = options->numerics == NUMERICS_STRICT};
  size_t values = (size_t)program->n_values + 1;
  size_t nodes = (size_t)program->n_nodes + 1;
  fuse.first_use = malloc(values * sizeof *fuse.first_use);
  fuse.escapes = calloc(values, sizeof *fuse.escapes);
  fuse.unit_of = malloc(nodes * sizeof *fuse.unit_of);
  fuse.index = calloc(nodes, sizeof *fuse.index);
  fuse.fellow = calloc(nodes, sizeof *fuse.fellow);
  fuse.failed = !fuse.first_use || !fuse.escapes || !fuse.unit_of ||
                !fuse.index || !fuse.fellow;
  if (!fuse.failed) {
    memset(fuse.first_use, -1, values * sizeof *fuse.first_use);
    memset(fuse.unit_of, -1, nodes * sizeof *fuse.unit_of);
  }
  if (ir_copy_begin(&copier, KERNELS) && !fuse.failed)
    fuse_block(&fuse, program->body, copier.to->body);
  Program *fused = ir_copy_end(&copier);
  if (fuse.failed && fused) ir_out_of_memory(fused);
  for (int u = 0; u < fuse.n_units; u++) free(fuse.units[u].outputs);
  free(fuse.units);
  free(fuse.uses);
  free(fuse.first_use);
  free(fuse.escapes);
  free(fuse.unit_of);
  free(fuse.index);
  free(fuse.fellow);
  return fused;
}
