/* watch.c: where a long run reports how far it is, and can be cancelled.
 *
 * Comes in: a planned program.  Goes out: units of work for each node that
 * reports, and the code that does.
 *
 * A unit is a predicted cycle.  Each step of a loop that takes LONG_STEP or
 * more adds what it took; so does each row of a kernel that takes LONG_KERNEL,
 * which then is not counted in the step around it.  Loops with shorter steps
 * are part of the step around them, and nothing reports in a program that is
 * over before anyone could read it.  A report is an addition, a comparison and
 * a branch: see runtime/watch.c for what is behind it. */
#include <stdlib.h>

#include "emit.h"

static const double long_step = 20e3, long_kernel = 10e6, long_program = 200e6;

typedef struct Measure {
  const ProgramCost *cost;
  int next; /* kernel of cost */
  int64_t *units;
  double total;
  bool endless; /* a while has long steps */
  bool team;
} Measure;

/* Only what is a nest of loops of our own. */
static bool has_rows(const Node *kernel) {
  int64_t form = ir_int(kernel, ATTR_form), by = ir_int(kernel, ATTR_by);
  return !ir_int(kernel, ATTR_team) && form != WORD_call && form != WORD_loop &&
         by != WORD_blas && by != WORD_packed;
}

/* Does the team meet in each step of this scan, which no loop is around? */
static bool meets(const Node *scan) {
  bool sync = false;
  for (int i = 0; scan->op == OP_scan && i < scan->body->n_nodes; i++)
    sync |= scan->body->nodes[i]->op == OP_kernel &&
            ir_int(scan->body->nodes[i], ATTR_sync);
  return sync && scan->block->owner == NULL;
}

static double report(Measure *m, const Node *node, double cycles, double runs) {
  m->units[node->id] = (int64_t)cycles;
  m->total += cycles * runs;
  return 0;
}

/* What one run of the block takes that nothing in it reports. */
static double measure_block(Measure *m, const Block *block, double runs);

static double measure_node(Measure *m, const Node *node, double runs) {
  double cycles = 0, length = 1;
  if (node->op == OP_kernel) {
    cycles = m->cost->kernels[m->next++].cycles;
    bool reports = cycles >= long_kernel && has_rows(node);
    return reports ? report(m, node, cycles, runs) : cycles;
  }
  if (node->op == OP_scan) length = (double)ir_int(node, ATTR_length);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    cycles += measure_block(m, node->bodies[b], runs * length);
  if (node->op == OP_cond || cycles < long_step || (m->team && !meets(node)))
    return cycles * length;
  m->endless |= node->op == OP_while;
  return report(m, node, cycles, runs * length);
}

static double measure_block(Measure *m, const Block *block, double runs) {
  double cycles = 0;
  for (int i = 0; i < block->n_nodes; i++)
    if (block->nodes[i]->op != OP_constant)
      cycles += measure_node(m, block->nodes[i], runs);
  return cycles;
}

bool watch_measure(const Program *program, const Options *options,
                   int64_t **units, double *total) {
  ProgramCost cost;
  *units = NULL;
  *total = 0;
  if (!pass_cost(program, &cost)) return false;
  bool fine = pass_predict(program, &options->hardware, 1, &cost);
  Measure m = {.cost = &cost, .team = cg_has_team(program)};
  m.units = fine ? calloc((size_t)program->n_nodes + 1, sizeof *m.units) : NULL;
  fine = m.units != NULL;
  if (fine) measure_block(&m, program->body, 1);
  if (fine && (cost.cycles >= long_program || m.endless)) {
    *units = m.units;
    *total = m.total;
  } else {
    free(m.units);
  }
  pass_cost_free(&cost);
  return fine;
}

int64_t watch_units(const Gen *gen, const Node *node) {
  return gen->units ? gen->units[node->id] : 0;
}

/* -- code -------------------------------------------------------------- */

static Ssa field(Gen *gen, int i) {
  Ssa at = gen_number(gen, i);
  return LLVMBuildGEP2(gen->b, gen->i64, gen->watch, &at, 1, "");
}

static Ssa call_watch(Gen *gen) {
  LLVMTypeRef type = LLVMFunctionType(gen->i32, &gen->ptr, 1, 0);
  Ssa function = LLVMGetNamedFunction(gen->module, "lockstep_watch");
  if (function == NULL)
    function = LLVMAddFunction(gen->module, "lockstep_watch", type);
  Ssa stop = LLVMBuildCall2(gen->b, type, function, &gen->watch, 1, "");
  return LLVMBuildICmp(gen->b, LLVMIntNE, stop, LLVMConstNull(gen->i32), "");
}

Ssa watch_step(Gen *gen, int64_t units) {
  if (units <= 0) return NULL;
  LLVMBasicBlockRef ask, after, here;
  ask = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  Ssa done = LLVMBuildLoad2(gen->b, gen->i64, field(gen, 0), "");
  Ssa next = LLVMBuildLoad2(gen->b, gen->i64, field(gen, 1), "");
  done = LLVMBuildAdd(gen->b, done, gen_number(gen, units), "");
  LLVMBuildStore(gen->b, done, field(gen, 0));
  Ssa due = LLVMBuildICmp(gen->b, LLVMIntSGE, done, next, "");
  here = LLVMGetInsertBlock(gen->b);
  LLVMBuildCondBr(gen->b, due, ask, after);
  LLVMPositionBuilderAtEnd(gen->b, ask);
  Ssa stop = call_watch(gen), no = LLVMConstNull(gen->i1);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
  Ssa leave = LLVMBuildPhi(gen->b, gen->i1, "");
  LLVMAddIncoming(leave, &no, &here, 1);
  LLVMAddIncoming(leave, &stop, &ask, 1);
  return leave;
}

/* -- teams --------------------------------------------------------------------
 *
 * All threads must leave a scan behind the same step, or they would wait for
 * each other in different places.  Thread 0 reports, and at the end of step t
 * says that t + 1 is the last one; at the end of step t + 1 all have met since
 * and know.  That holds where the team meets in every step, and where no
 * other loop writes the number meanwhile: in the outermost scans. */

Ssa watch_scan(Gen *gen, const Node *scan, Ssa index) {
  int64_t units = watch_units(gen, scan);
  if (units <= 0 || gen->team == NULL) return watch_step(gen, units);
  if (!meets(scan)) return NULL;
  LLVMBasicBlockRef after = team_alone_begin(gen);
  Ssa stop = watch_step(gen, units), slot = field(gen, 2);
  Ssa known = LLVMBuildLoad2(gen->b, gen->i64, slot, "");
  Ssa next = LLVMBuildAdd(gen->b, index, gen_number(gen, 1), "");
  Ssa sooner = LLVMBuildICmp(gen->b, LLVMIntSLT, next, known, "");
  stop = LLVMBuildAnd(gen->b, stop, sooner, ""); /* said once, it stays */
  Ssa last = LLVMBuildSelect(gen->b, stop, next, known, "");
  LLVMSetVolatile(LLVMBuildStore(gen->b, last, slot), 1);
  team_alone_end(gen, after);
  Ssa told = LLVMBuildLoad2(gen->b, gen->i64, field(gen, 2), "");
  LLVMSetVolatile(told, 1);
  return LLVMBuildICmp(gen->b, LLVMIntSGE, index, told, "");
}
