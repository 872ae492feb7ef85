/* branch.c: while as a loop around its test and its step, cond as a branch.
 *
 * A while copies its inits to the last of their places; from then on a carry is
 * a pointer to where the step before wrote, and the places take turns as in a
 * scan (scan.c).  What both branches of a cond yield they write where its
 * result lies, so that nothing is left to do where they meet. */
#include "emit.h"

static LLVMBasicBlockRef new_block(Gen *gen) {
  return LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
}

/* A predicate, which lies in memory like everything that leaves a kernel. */
static Ssa load_predicate(Gen *gen, const Value *value) {
  int mark = memo_mark(gen);
  team_meet(gen);
  gen->lanes = 1;
  Ssa predicate = emit_value(gen, value, NULL);
  memo_release(gen, mark);
  return predicate;
}

/* -- while ------------------------------------------------------------- */

/* The pointers of one carry: slot 0 is read, slot 1 + j is where the step after
 * j more writes.  With one place nothing turns, and there are no phis. */
typedef struct Turn {
  int k;
  Ssa *now;
} Turn;

static bool begin_carry(Gen *gen, const Node *loop, int i, Turn *turn) {
  IntList places = ir_lists(loop, ATTR_at).v[i];
  turn->k = places.n;
  turn->now = gen_alloc(gen, (size_t)(places.n + 1) * sizeof(Ssa));
  if (turn->now == NULL || places.n == 0) return false;
  Buffer last = {0};
  for (int j = 0; j < places.n; j++) {
    last = gen_place(gen, NULL, loop->results[i], places.v[j]);
    turn->now[1 + j] = last.pointer;
  }
  turn->now[0] = last.pointer;
  team_copy(gen, loop->operands[i], last);
  return true;
}

static void turn_phis(Gen *gen, Turn *turn, LLVMBasicBlockRef before) {
  for (int j = 0; turn->k > 1 && j <= turn->k; j++) {
    Ssa phi = LLVMBuildPhi(gen->b, gen->ptr, "");
    LLVMAddIncoming(phi, &turn->now[j], &before, 1);
    turn->now[j] = phi;
  }
}

static void turn_again(const Turn *turn, LLVMBasicBlockRef latch) {
  for (int j = 0; turn->k > 1 && j <= turn->k; j++) {
    Ssa next = turn->now[1 + j % turn->k];
    LLVMAddIncoming(turn->now[j], &next, &latch, 1);
  }
}

static void emit_rounds(Gen *gen, const Node *loop, Turn *turns) {
  size_t n = (size_t)loop->n_results + 1;
  Frame frame = {loop, gen_alloc(gen, n * sizeof(Ssa)), NULL};
  if (frame.next == NULL) return;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->b);
  LLVMBasicBlockRef test = new_block(gen), step = new_block(gen);
  LLVMBasicBlockRef after = new_block(gen);
  LLVMBuildBr(gen->b, test);
  LLVMPositionBuilderAtEnd(gen->b, test);
  for (int i = 0; i < loop->n_results; i++) turn_phis(gen, &turns[i], before);
  for (int i = 0; i < loop->n_results; i++) {
    const Value *result = loop->results[i];
    Buffer now = {.pointer = turns[i].now[0],
                  .strides = gen_row_major(gen, result->type)};
    gen->buffers[result->id] = now;
    for (int b = 0; b < IR_BODIES; b++)
      gen->buffers[loop->bodies[b]->params[i]->id] = now;
    frame.next[i] = turns[i].now[1];
  }
  emit_block(gen, loop->bodies[WHILE_TEST], &frame);
  Ssa go_on = load_predicate(gen, loop->bodies[WHILE_TEST]->yields[0]);
  LLVMBuildCondBr(gen->b, go_on, step, after);
  LLVMPositionBuilderAtEnd(gen->b, step);
  emit_block(gen, loop->bodies[WHILE_STEP], &frame);
  Ssa leave = gen->team ? NULL : watch_step(gen, watch_units(gen, loop));
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->b);
  if (leave)
    LLVMBuildCondBr(gen->b, leave, after, test);
  else
    LLVMBuildBr(gen->b, test);
  for (int i = 0; i < loop->n_results; i++) turn_again(&turns[i], latch);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

/* In a block that is cut into parts, where a result lies must be known: at the
 * first of its places, to which it is copied if it ended in another. */
static void settle(Gen *gen, const Node *loop, int i) {
  const Value *result = loop->results[i];
  IntList places = ir_lists(loop, ATTR_at).v[i];
  Buffer to = gen_place(gen, NULL, result, places.v[0]);
  if (places.n > 1) {
    LLVMBasicBlockRef copy = new_block(gen), after = new_block(gen);
    Ssa now = gen_buffer(gen, result).pointer;
    Ssa there = LLVMBuildICmp(gen->b, LLVMIntEQ, now, to.pointer, "");
    LLVMBuildCondBr(gen->b, there, after, copy);
    LLVMPositionBuilderAtEnd(gen->b, copy);
    emit_copy(gen, result, to);
    LLVMBuildBr(gen->b, after);
    LLVMPositionBuilderAtEnd(gen->b, after);
  }
  gen->buffers[result->id] = to;
}

void emit_while(Gen *gen, const Node *loop, const Frame *outer) {
  (void)outer; /* its places are all in the arena */
  if (ir_lists(loop, ATTR_at).n != loop->n_results) {
    gen_error(gen, "a while has no places: the program is not planned");
    return;
  }
  Turn *turns = gen_alloc(gen, (size_t)(loop->n_results + 1) * sizeof *turns);
  for (int i = 0; turns && i < loop->n_results; i++)
    if (!begin_carry(gen, loop, i, &turns[i])) return;
  if (turns == NULL) return;
  emit_rounds(gen, loop, turns);
  for (int i = 0; part_splits(gen, loop->block) && i < loop->n_results; i++)
    settle(gen, loop, i);
}

/* -- cond -------------------------------------------------------------- */

void emit_cond(Gen *gen, const Node *cond, const Frame *outer) {
  IntLists at = ir_lists(cond, ATTR_at);
  if (at.n != cond->n_results) {
    gen_error(gen, "a cond has no places: the program is not planned");
    return;
  }
  for (int i = 0; i < cond->n_results; i++)
    gen->buffers[cond->results[i]->id] =
        gen_place(gen, outer, cond->results[i], at.v[i].v[0]);
  LLVMBasicBlockRef after = new_block(gen);
  LLVMBasicBlockRef branch[IR_BODIES] = {new_block(gen), new_block(gen)};
  LLVMBuildCondBr(gen->b, load_predicate(gen, cond->operands[0]),
                  branch[COND_THEN], branch[COND_ELSE]);
  for (int b = 0; b < IR_BODIES; b++) {
    LLVMPositionBuilderAtEnd(gen->b, branch[b]);
    emit_block(gen, cond->bodies[b], outer);
    LLVMBuildBr(gen->b, after);
  }
  LLVMPositionBuilderAtEnd(gen->b, after);
}
