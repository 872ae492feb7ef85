/* parts.c: the functions that a program's code is made of.
 *
 * Comes in: the nodes of a block.  Goes out: their code, in the function that
 * is being emitted or, where there is very much of it, in functions of its own.
 *
 * LLVM's work on a function grows faster than the function: loops one after
 * another are guards one inside the other to it, and in a basic block every
 * load is held against every store.  So a block with more than MOST_WORK is cut
 * into at most FAN pieces, each the body of a function that is called once;
 * pieces of more than PART_WORK are cut again.  For work of 1,000,000 the main
 * function calls 32 parts, each of these 32, and these hold kernels:
 *
 *   lockstep_main -> part -> part -> kernels of about 500
 *
 * A part may stand anywhere: in the body of a loop, in a branch.
 *
 * Pointers.  An LLVM value is good in its own function only.  What lies in the
 * arena or in a result, a part finds by its place, with what every function is
 * given.  What is known to the function around alone (the pointers that a carry
 * takes in turn, slices of xs and ys) is handed over in a table, which that
 * function fills before it calls; if it has such a pointer from its own table,
 * it hands it on.  Both are done in the part's entry, once for each value.
 *
 * Two parts that one function calls know nothing of each other.  Therefore
 * where a value lies must not depend on what happens at run time: see
 * emit_while. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

enum { MOST_WORK = 4096, PART_WORK = 512, FAN = 32 };

/* What every function gets from the one that calls it, in this order. */
static const size_t given[] = {offsetof(Gen, inputs), offsetof(Gen, results),
                               offsetof(Gen, arena), offsetof(Gen, team),
                               offsetof(Gen, watch)};
enum { GIVEN = sizeof given / sizeof *given };
_Static_assert((int)GIVEN <= (int)MOST_GIVEN, "a part has room for them");

static Ssa *given_field(Gen *gen, int i) {
  return (Ssa *)(void *)((char *)gen + given[i]);
}

/* -- functions --------------------------------------------------------- */

/* A part gets its table besides. */
static LLVMTypeRef function_type(Gen *gen, bool part) {
  LLVMTypeRef types[GIVEN + 1];
  for (int i = 0; i <= GIVEN; i++) types[i] = gen->ptr;
  return LLVMFunctionType(LLVMVoidTypeInContext(gen->context), types,
                          GIVEN + part, 0);
}

static void add_attribute(Gen *gen, Ssa function, const char *key,
                          const char *value) {
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(gen->context, key, (unsigned)strlen(key), value,
                                (unsigned)strlen(value)));
}

static Ssa new_function(Gen *gen, bool part) {
  Ssa function =
      LLVMAddFunction(gen->module, part ? "lockstep_part" : "lockstep_main",
                      function_type(gen, part));
  if (part) LLVMSetLinkage(function, LLVMInternalLinkage);
  add_attribute(gen, function, "target-cpu", gen->host->cpu);
  add_attribute(gen, function, "target-features", gen->host->features);
  if (gen->vector_bytes == 64)
    add_attribute(gen, function, "prefer-vector-width", "512");
  return function;
}

/* What is emitted belongs to this part from here on. */
static void enter(Gen *gen, Part *part) {
  gen->part = part;
  gen->function = part->function;
  gen->entry = part->entry;
  for (int i = 0; i < GIVEN; i++) *given_field(gen, i) = part->given[i];
  if (!gen->has_team) gen->team = NULL;
}

void part_begin(Gen *gen, Part *part) {
  *part = (Part){.outer = gen->part};
  if (part->outer) part->resume = LLVMGetInsertBlock(gen->b);
  part->function = new_function(gen, part->outer != NULL);
  for (int i = 0; i < GIVEN; i++)
    part->given[i] = LLVMGetParam(part->function, (unsigned)i);
  if (part->outer) part->table = LLVMGetParam(part->function, GIVEN);
  part->entry =
      LLVMAppendBasicBlockInContext(gen->context, part->function, "entry");
  LLVMBasicBlockRef start =
      LLVMAppendBasicBlockInContext(gen->context, part->function, "start");
  LLVMPositionBuilderAtEnd(gen->b, part->entry);
  LLVMBuildBr(gen->b, start);
  LLVMPositionBuilderAtEnd(gen->b, start);
  enter(gen, part);
}

/* From here on the arena is this, also for the parts that are called. */
void part_give(Gen *gen, Ssa arena) {
  gen->arena = arena;
  for (int i = 0; i < GIVEN; i++)
    if (given_field(gen, i) == &gen->arena) gen->part->given[i] = arena;
}

/* Go to the end of the entry; back by go_back. */
static LLVMBasicBlockRef at_entry(Gen *gen, const Part *part) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->b);
  LLVMPositionBuilderBefore(gen->b, LLVMGetBasicBlockTerminator(part->entry));
  return here;
}

/* What is emitted may belong before a branch that is there already. */
static void go_back(Gen *gen, LLVMBasicBlockRef here) {
  Ssa end = LLVMGetBasicBlockTerminator(here);
  if (end)
    LLVMPositionBuilderBefore(gen->b, end);
  else
    LLVMPositionBuilderAtEnd(gen->b, here);
}

static Ssa table_slot(Gen *gen, Ssa table, int i) {
  Ssa at = gen_number(gen, i);
  return LLVMBuildGEP2(gen->b, gen->ptr, table, &at, 1, "");
}

/* The table that the part wants, filled, in the function around it. */
static Ssa filled_table(Gen *gen, const Part *part) {
  if (part->n_handed == 0) return LLVMConstNull(gen->ptr);
  LLVMBasicBlockRef here = at_entry(gen, part->outer);
  Ssa table = LLVMBuildArrayAlloca(gen->b, gen->ptr,
                                   gen_number(gen, part->n_handed), "");
  go_back(gen, here);
  for (int i = 0; i < part->n_handed; i++)
    LLVMBuildStore(gen->b, part_pointer(gen, part->handed[i]),
                   table_slot(gen, table, i));
  return table;
}

void part_end(Gen *gen, Part *part) {
  LLVMBuildRetVoid(gen->b);
  if (part->outer) {
    enter(gen, part->outer);
    LLVMPositionBuilderAtEnd(gen->b, part->resume);
    Ssa arguments[GIVEN + 1];
    memcpy(arguments, part->outer->given, GIVEN * sizeof *arguments);
    arguments[GIVEN] = filled_table(gen, part);
    LLVMBuildCall2(gen->b, function_type(gen, true), part->function, arguments,
                   GIVEN + 1, "");
  }
  free(part->handed);
}

/* -- pointers of other functions --------------------------------------- */

/* The function whose value it is; NULL: it is good in all. */
static Ssa owner_of(Ssa pointer) {
  if (LLVMIsAInstruction(pointer))
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(pointer));
  return LLVMIsAArgument(pointer) ? LLVMGetParamParent(pointer) : NULL;
}

static bool is_good_here(const Gen *gen, Ssa pointer) {
  Ssa owner = owner_of(pointer);
  return owner == NULL || owner == gen->function;
}

static bool is_around(const Part *part, Ssa function) {
  while (part && part->function != function) part = part->outer;
  return part != NULL;
}

/* Its number in the part's table.  Only the newest entries are looked through:
 * a pointer that is there twice costs a load. */
static int handed_number(Gen *gen, Part *part, Ssa pointer) {
  enum { LOOK = 32 };
  for (int i = part->n_handed - 1; i >= 0 && i >= part->n_handed - LOOK; i--)
    if (part->handed[i] == pointer) return i;
  if (part->n_handed == part->room) {
    int room = part->room ? part->room * 2 : 16;
    Ssa *bigger = realloc(part->handed, (size_t)room * sizeof *bigger);
    if (bigger == NULL) {
      gen_error(gen, "out of memory");
      return 0;
    }
    part->handed = bigger;
    part->room = room;
  }
  part->handed[part->n_handed] = pointer;
  return part->n_handed++;
}

Ssa part_pointer(Gen *gen, Ssa pointer) {
  if (is_good_here(gen, pointer)) return pointer;
  Part *part = gen->part;
  if (!is_around(part->outer, owner_of(pointer))) {
    gen_error(gen, "a part reads a pointer that no one hands to it");
    return part->table;
  }
  LLVMBasicBlockRef here = at_entry(gen, part);
  int number = handed_number(gen, part, pointer);
  Ssa handed = gen_table_entry(gen, part->table, number);
  go_back(gen, here);
  return handed;
}

static Buffer found_here(Gen *gen, const Value *value, Buffer buffer) {
  LLVMBasicBlockRef here = at_entry(gen, gen->part);
  if (!buffer.placed)
    buffer.pointer = part_pointer(gen, buffer.pointer);
  else if (value->node)
    buffer = gen_place(gen, buffer.frame, value, buffer.place);
  else
    buffer.pointer = gen_table_entry(gen, gen->inputs, value->index);
  go_back(gen, here);
  return buffer;
}

Buffer part_buffer(Gen *gen, const Value *value, Buffer buffer) {
  if (buffer.pointer && is_good_here(gen, buffer.pointer)) return buffer;
  Buffer *found = &gen->found[value->id];
  if (found->pointer == NULL || !is_good_here(gen, found->pointer))
    *found = found_here(gen, value, buffer);
  return *found;
}

/* -- work -------------------------------------------------------------- */

/* Of a node, and of those before it in its block.  The unit is what LLVM does
 * for an addition, roughly. */
struct Work {
  int64_t own, before;
};

static const int op_work[] = {
    [ELEMENTWISE] = 1, [VIEW] = 4,       [INDEXED] = 8, [REDUCE] = 16,
    [EINSUM] = 64,     [WHOLE] = 32,     [RANDOM] = 64, [CONTROL] = 8,
    [WRAPPER] = 8,     [COLLECTIVE] = 0, [LEAF] = 1,
};
enum { DEAR_WORK = 16, RESULT_WORK = 2, OPERAND_WORK = 2, CALLS_WORK = 64 };

static int64_t block_work(Gen *gen, const Block *block, bool whole);

static int64_t node_work(Gen *gen, const Node *node, bool whole) {
  const OpInfo *op = &ir_ops[node->op];
  bool many = node->n_operands > 3; /* pieces of a concatenate */
  int64_t work = op->flags & DEAR ? DEAR_WORK : op_work[op->class];
  work += (int64_t)RESULT_WORK * node->n_results;
  if (many) work += (int64_t)OPERAND_WORK * node->n_operands;
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    work += block_work(gen, node->bodies[b], whole || node->op == OP_kernel);
  return work;
}

/* What a block adds to the function that it stands in; whole: it is not cut.
 * (Inside a kernel nothing is.) */
static int64_t block_work(Gen *gen, const Block *block, bool whole) {
  int64_t work = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    struct Work *node = &gen->work[block->nodes[i]->id];
    node->before = work;
    node->own = node_work(gen, block->nodes[i], whole);
    work += node->own;
  }
  return whole || work <= MOST_WORK ? work : CALLS_WORK;
}

bool part_measure(Gen *gen) {
  const Program *program = gen->program;
  size_t nodes = (size_t)program->n_nodes + 1;
  size_t values = (size_t)program->n_values + 1;
  gen->work = gen_alloc(gen, nodes * sizeof *gen->work);
  gen->found = gen_alloc(gen, values * sizeof *gen->found);
  if (gen->work == NULL || gen->found == NULL) return false;
  block_work(gen, program->body, false);
  return true;
}

/* -- blocks ------------------------------------------------------------ */

/* Of the nodes [from, to). */
static int64_t work_of(const Gen *gen, const Block *block, int from, int to) {
  if (from == to) return 0;
  const struct Work *first = &gen->work[block->nodes[from]->id];
  const struct Work *last = &gen->work[block->nodes[to - 1]->id];
  return last->before + last->own - first->before;
}

bool part_splits(const Gen *gen, const Block *block) {
  return work_of(gen, block, 0, block->n_nodes) > MOST_WORK;
}

static void emit_nodes(Gen *gen, const Block *block, const Frame *frame,
                       int from, int to) {
  for (int i = from; i < to && gen->error == NULL; i++)
    emit_node(gen, block->nodes[i], frame);
}

static void emit_parts(Gen *gen, const Block *block, const Frame *frame,
                       int from, int to) {
  int64_t all = work_of(gen, block, from, to);
  int64_t piece = all / FAN > PART_WORK ? all / FAN : PART_WORK;
  if (all <= PART_WORK || to - from == 1) {
    emit_nodes(gen, block, frame, from, to);
    return;
  }
  while (from < to && gen->error == NULL) {
    int end = from + 1;
    while (end < to && work_of(gen, block, from, end + 1) <= piece) end++;
    Part part;
    part_begin(gen, &part);
    emit_parts(gen, block, frame, from, end);
    part_end(gen, &part);
    from = end;
  }
}

void emit_block(Gen *gen, const Block *block, const Frame *frame) {
  if (part_splits(gen, block))
    emit_parts(gen, block, frame, 0, block->n_nodes);
  else
    emit_nodes(gen, block, frame, 0, block->n_nodes);
}
