/* blocks.c: `blocks` as a loop around its body.
 *
 * The body is emitted from narrowed programs (ir/narrow.c), in which all types
 * have the size of one block: one inside the loop over all full blocks, and one
 * behind it for what is left.  What they read from outside is a part of the
 * whole: a pointer that moves on from block to block, and the strides of the
 * whole. */
#include "emit.h"
#include "../ir/blocks.h"
#include "../passes/whole.h"

#include <stdlib.h>
#include <string.h>

typedef struct Kept {
  struct Kept *next;
  Program *program;
} Kept;

void blocks_close(Gen *gen) {
  for (Kept *kept = gen->narrowed; kept;) {
    Kept *next = kept->next;
    ir_program_destroy(kept->program);
    free(kept);
    kept = next;
  }
  gen->narrowed = NULL;
}

static bool keep(Gen *gen, Program *program) {
  Kept *kept = malloc(sizeof *kept);
  if (program == NULL || kept == NULL) {
    ir_program_destroy(program);
    free(kept);
    gen_error(gen, "out of memory");
    return false;
  }
  *kept = (Kept){gen->narrowed, program};
  gen->narrowed = kept;
  if (program->error.failed) gen_error(gen, "%s", program->error.message);
  return gen->error == NULL;
}

/* -- parts of what lies outside ---------------------------------------- */

/* The part of a buffer that starts at element `start` of dim `cut`, its dims
 * turned where the body's are. */
static Buffer part_of(Gen *gen, const Node *blocks, const Value *value,
                      Buffer whole, int cut, Ssa start) {
  whole.placed = false; /* for what is narrowed its place says nothing */
  if (cut < 0) return whole;
  int rank = value->type.rank;
  Ssa offset =
      LLVMBuildMul(gen->b, start, gen_number(gen, whole.strides[cut]), "");
  Buffer part = {
      .pointer = LLVMBuildGEP2(gen->b, memory_type(gen, value->type.dtype),
                               whole.pointer, &offset, 1, ""),
      .strides = whole.strides};
  if (!ir_int(blocks, ATTR_inner)) return part;
  int64_t *strides = gen_alloc(gen, (size_t)(rank + 1) * sizeof *strides);
  if (strides == NULL) return part;
  int n = 0;
  for (int d = 0; d < rank; d++)
    if (d != cut) strides[n++] = whole.strides[d];
  strides[n] = whole.strides[cut];
  part.strides = strides;
  return part;
}

static Buffer *parts_of(Gen *gen, const Node *blocks, const Buffer *results,
                        Ssa start) {
  Buffer *parts =
      gen_alloc(gen, (size_t)(blocks->n_results + 1) * sizeof *parts);
  for (int i = 0; parts && i < blocks->n_results; i++)
    parts[i] = part_of(gen, blocks, blocks->results[i], results[i],
                       ir_blocks_dim(blocks, i), start);
  return parts;
}

/* -- a thread's own ------------------------------------------------------
 *
 * A block is one thread's, with all that is in it: inside there is no team, and
 * the arena is the thread's.  Thread 0's is the program's; behind that lie
 * those of the others, of pass_thread_bytes each. */

typedef struct Private {
  Ssa team, arena;
  bool has_team;
} Private;

static Ssa own_arena(Gen *gen) {
  int64_t each = pass_thread_bytes(gen->whole);
  int64_t end = whole_end(gen->whole);
  Ssa number = team_number(gen);
  Ssa before = LLVMBuildSub(gen->b, number, gen_number(gen, 1), "");
  Ssa offset = LLVMBuildMul(gen->b, before, gen_number(gen, each), "");
  offset = LLVMBuildAdd(gen->b, offset, gen_number(gen, end), "");
  Ssa first = LLVMBuildICmp(gen->b, LLVMIntEQ, number, gen_number(gen, 0), "");
  offset = LLVMBuildSelect(gen->b, first, gen_number(gen, 0), offset, "");
  return LLVMBuildGEP2(gen->b, gen->i8, gen->arena, &offset, 1, "");
}

static Private private_begin(Gen *gen, const Node *blocks) {
  Private saved = {gen->team, gen->arena, gen->has_team};
  Ssa arena = gen->arena;
  if (gen->team && ir_int(blocks, ATTR_team)) arena = own_arena(gen);
  part_give(gen, arena);
  gen->has_team = false;
  gen->team = NULL;
  return saved;
}

static void private_end(Gen *gen, const Private *saved) {
  part_give(gen, saved->arena);
  gen->has_team = saved->has_team;
  gen->team = saved->team;
}

/* -- one block --------------------------------------------------------- */

/* Emit the body of a narrowed program as if it were the whole one. */
static void emit_body(Gen *gen, const Program *program, Buffer *buffers) {
  Gen outer = *gen;
  size_t values = (size_t)program->n_values + 1;
  gen->program = program;
  gen->buffers = buffers;
  gen->memo_of = gen_alloc(gen, values * sizeof(int));
  gen->yield = gen_alloc(gen, values * sizeof(int));
  gen->found = NULL;
  gen->held_table = NULL;
  gen->units = NULL; /* what is watched is the program around */
  gen->work = NULL;
  gen->memos = NULL;
  gen->n_memos = gen->memo_room = 0;
  if (gen->memo_of && gen->yield) {
    memset(gen->memo_of, -1, values * sizeof(int));
    memset(gen->yield, -1, values * sizeof(int));
    ir_number_yields(program->body, gen->yield);
    if (part_measure(gen)) emit_block(gen, program->body, NULL);
  }
  free(gen->memos);
  gen->program = outer.program;
  gen->buffers = outer.buffers;
  gen->memo_of = outer.memo_of;
  gen->yield = outer.yield;
  gen->found = outer.found;
  gen->held_table = outer.held_table;
  gen->units = outer.units;
  gen->work = outer.work;
  gen->memos = outer.memos;
  gen->n_memos = outer.n_memos;
  gen->memo_room = outer.memo_room;
}

/* The block of `extent` elements that starts at `start`. */
static void emit_part(Gen *gen, const Node *blocks, const Buffer *results,
                      const Narrowed *narrowed, Ssa start) {
  const Program *program = narrowed->program;
  Buffer *buffers =
      gen_alloc(gen, (size_t)(program->n_values + 1) * sizeof *buffers);
  Buffer *parts = parts_of(gen, blocks, results, start);
  if (buffers == NULL || parts == NULL) return;
  for (int i = 0; i < program->body->n_params; i++) {
    const Value *capture = narrowed->captures[i];
    buffers[program->body->params[i]->id] =
        part_of(gen, blocks, capture, gen_buffer(gen, capture),
                narrowed->dim[i], start);
  }
  const Node *around = gen->blocks;
  const Buffer *around_parts = gen->parts;
  gen->blocks = blocks;
  gen->parts = parts;
  emit_body(gen, program, buffers);
  gen->blocks = around;
  gen->parts = around_parts;
}

/* The blocks that are this thread's, of `size` elements each. */
static void emit_share(Gen *gen, const Node *blocks, const Buffer *results,
                       const Narrowed *narrowed, int64_t n, int64_t size) {
  Ssa first, last, width = gen_number(gen, size);
  Span span;
  team_share(gen, n, &first, &last);
  span_begin(gen, &span, LLVMBuildMul(gen->b, first, width, ""),
             LLVMBuildMul(gen->b, last, width, ""), size);
  Private private = private_begin(gen, blocks);
  emit_part(gen, blocks, results, narrowed, span.index);
  private_end(gen, &private);
  span_end(gen, &span);
}

static void emit_full(Gen *gen, const Node *blocks, const Buffer *results,
                      const Narrowed *narrowed, int64_t full, int64_t size) {
  if (gen->team && ir_int(blocks, ATTR_team)) {
    emit_share(gen, blocks, results, narrowed, full / size, size);
    return;
  }
  Loop loop;
  Private private = private_begin(gen, blocks);
  loop_begin(gen, &loop, 0, full, size);
  emit_part(gen, blocks, results, narrowed, loop.index);
  loop_end(gen, &loop, NULL, NULL, 0);
  private_end(gen, &private);
}

/* What is left after the full blocks is thread 0's. */
static void emit_rest(Gen *gen, const Node *blocks, const Buffer *results,
                      const Narrowed *narrowed, int64_t start) {
  LLVMBasicBlockRef after = NULL;
  if (ir_int(blocks, ATTR_team)) after = team_alone_begin(gen);
  Private private = private_begin(gen, blocks);
  emit_part(gen, blocks, results, narrowed, gen_number(gen, start));
  private_end(gen, &private);
  team_alone_end(gen, after);
}

void emit_blocks(Gen *gen, const Node *blocks, const Buffer *results) {
  int64_t all = ir_blocks_extent(blocks), size = ir_blocks_size(blocks);
  int64_t full = size ? all / size * size : 0;
  Narrowed narrowed;
  if (full > 0) {
    ir_narrow(blocks, size, &narrowed);
    if (!keep(gen, narrowed.program)) return;
    emit_full(gen, blocks, results, &narrowed, full, size);
  }
  if (full < all) {
    ir_narrow(blocks, all - full, &narrowed);
    if (!keep(gen, narrowed.program)) return;
    emit_rest(gen, blocks, results, &narrowed, full);
  }
}
