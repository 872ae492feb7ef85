/* pipeline.c: the passes in order, and what runs them.
 *
 * A program enters at the first pass that takes its stage.  After each pass the
 * runner verifies (infers again), times and reports; so no pass holds code for
 * checking or dumping. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pass.h"

/* clang-format off */
const Pass pass_table[] = {
  /* name         takes                 makes    optional */
  {"raise",      NAMED,   NAMED,   NAMED,   true,  pass_raise,
   "dims that are summed in scans become axes, where hoist gains by that"},
  {"hoist",      NAMED,   NAMED,   NAMED,   true,  pass_hoist,
   "work leaves scans, across collectives; carries are split for it"},
  {"lower_axes", NAMED,   NAMED,   BATCHED, false, pass_lower_axes,
   "axes become leading dims, collectives reductions and views over them"},
  {"simplify",   BATCHED, BATCHED, BATCHED, true,  pass_simplify,
   "folding, algebra, common subexpressions, dead code, loop-invariant motion"},
  {"contract",   BATCHED, BATCHED, BATCHED, false, pass_contract,
   "einsums of many operands become pairs in the best order"},
  {"interchange", BATCHED, BATCHED, KERNELS, true, pass_interchange,
   "scans that are independent along a dim run block by block"},
  {"fuse",       BATCHED, KERNELS, KERNELS, false, pass_fuse,
   "every node goes into a kernel"},
  {"schedule",   KERNELS, KERNELS, KERNELS, false, pass_schedule,
   "each contraction: inline or BLAS; tiles for the team"},
  {"plan",       KERNELS, KERNELS, KERNELS, false, pass_plan,
   "places: arena offsets, carries in place; where the team meets"},
};
/* clang-format on */
const int pass_count = sizeof pass_table / sizeof *pass_table;

int pass_find(const char *name) {
  for (int i = 0; i < pass_count; i++)
    if (strcmp(pass_table[i].name, name) == 0) return i;
  return -1;
}

void pass_replace(Copier *copier, const Value *from, Value *to) {
  if (to && to->name == NULL && from->name && to->node)
    to->name = ir_copy_string(copier->to, from->name);
  ir_map(copier, from, to);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The error of a program that a pass made, as one of the pass. */
static void blame(Program *program, const Pass *pass) {
  if (!program->error.failed || program->error.out_of_memory) return;
  program->error.message =
      ir_format(program, "%s (in pass %s)", program->error.message, pass->name);
}

static bool applies(int i, Stage stage, const Options *options) {
  const Pass *pass = &pass_table[i];
  if (options->without >> i & 1) return false;
  return pass->accepts <= stage && stage <= pass->latest;
}

Program *pass_run(const Program *program, const Options *options, int last,
                  PassObserver *observer, void *context) {
  Copier copier = {.from = program};
  Program *current = ir_copy(&copier, program->stage);
  for (int i = 0; i <= last && current && !current->error.failed; i++) {
    if (!applies(i, current->stage, options)) continue;
    double start = milliseconds();
    int before = current->n_nodes;
    Program *next = pass_table[i].run(current, options);
    if (next == NULL) {
      ir_program_destroy(current);
      return NULL;
    }
    ir_verify(next);
    blame(next, &pass_table[i]);
    ir_program_destroy(current);
    current = next;
    if (observer && !current->error.failed)
      observer(&(PassReport){&pass_table[i], current, milliseconds() - start,
                             before, current->n_nodes},
               context);
  }
  return current;
}
