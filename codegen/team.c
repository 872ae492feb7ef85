/* team.c: a program's code for a team of threads.
 *
 * Comes in: a planned program with kernels that have team=true.  Goes out: code
 * that every thread of the team walks alike.  A team's kernel computes the
 * thread's own tiles only; any other kernel is computed by thread 0 alone; the
 * threads meet (lockstep_meet of the runtime) where sync=true says so, and
 * around blocks, and around what control flow itself reads and writes:
 *   - before a predicate is read, so that all go the same way;
 *   - around the copy of a carry's init.
 * A program without a team has none of this.
 *
 * Tiles are numbered along the one dim that they divide; thread t of n takes
 * numbers [t k / n, (t + 1) k / n) of k. */
#include "emit.h"

bool cg_has_team(const Program *planned) { return ir_has_team(planned->body); }

/* -- the team ---------------------------------------------------------- */

void team_meet(Gen *gen) {
  if (gen->team == NULL) return;
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(gen->context), &gen->ptr, 1, 0);
  Ssa function = LLVMGetNamedFunction(gen->module, "lockstep_meet");
  if (function == NULL)
    function = LLVMAddFunction(gen->module, "lockstep_meet", type);
  LLVMBuildCall2(gen->b, type, function, &gen->team, 1, "");
}

/* Field i of RtTeam: number, count. */
static Ssa field(Gen *gen, int i) {
  Ssa at = gen_number(gen, i);
  Ssa slot = LLVMBuildGEP2(gen->b, gen->i32, gen->team, &at, 1, "");
  return LLVMBuildZExt(gen->b, LLVMBuildLoad2(gen->b, gen->i32, slot, ""),
                       gen->i64, "");
}

LLVMBasicBlockRef team_alone_begin(Gen *gen) {
  if (gen->team == NULL) return NULL;
  LLVMBasicBlockRef alone, after;
  alone = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  Ssa first =
      LLVMBuildICmp(gen->b, LLVMIntEQ, field(gen, 0), gen_number(gen, 0), "");
  LLVMBuildCondBr(gen->b, first, alone, after);
  LLVMPositionBuilderAtEnd(gen->b, alone);
  return after;
}

void team_alone_end(Gen *gen, LLVMBasicBlockRef after) {
  if (after == NULL) return;
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

void team_copy(Gen *gen, const Value *value, Buffer to) {
  team_meet(gen);
  LLVMBasicBlockRef after = team_alone_begin(gen);
  emit_copy(gen, value, to);
  team_alone_end(gen, after);
  team_meet(gen);
}

/* -- tiles ------------------------------------------------------------- */

static Ssa boundary(Gen *gen, Ssa number, int64_t tiles) {
  Ssa product = LLVMBuildMul(gen->b, number, gen_number(gen, tiles), "");
  Ssa operands[] = {field(gen, 1), gen_number(gen, 1)}; /* never 0 */
  Ssa count = intrinsic(gen, "llvm.umax", operands, 2);
  return LLVMBuildUDiv(gen->b, product, count, "");
}

Deal team_deal(Gen *gen, const Node *kernel) {
  Deal deal = {.dim = -1};
  if (gen->team == NULL || !ir_int(kernel, ATTR_team)) return deal;
  Type type = kernel->results[0]->type;
  deal.dim = ir_dealt_dim(kernel);
  if (deal.dim < 0) {
    gen_error(gen, "a team's kernel has no tiles");
    return deal;
  }
  deal.size = type.dims[deal.dim];
  deal.tile = ir_ints(kernel, ATTR_tile).v[deal.dim];
  int64_t tiles = (deal.size - 1) / deal.tile + 1;
  Ssa number = field(gen, 0);
  Ssa next = LLVMBuildAdd(gen->b, number, gen_number(gen, 1), "");
  deal.first = boundary(gen, number, tiles);
  deal.last = boundary(gen, next, tiles);
  deal.from = team_tile_start(gen, &deal, deal.first);
  deal.to = team_tile_start(gen, &deal, deal.last);
  return deal;
}

Ssa team_number(Gen *gen) { return field(gen, 0); }

void team_share(Gen *gen, int64_t count, Ssa *first, Ssa *last) {
  Ssa number = field(gen, 0);
  *first = boundary(gen, number, count);
  *last = boundary(gen, LLVMBuildAdd(gen->b, number, gen_number(gen, 1), ""),
                   count);
}

Ssa team_tile_start(Gen *gen, const Deal *deal, Ssa tile) {
  Ssa start = LLVMBuildMul(gen->b, tile, gen_number(gen, deal->tile), "");
  return least(gen, start, gen_number(gen, deal->size));
}

/* -- loops whose bounds are known at run time -------------------------- */

void span_begin(Gen *gen, Span *span, Ssa from, Ssa limit, int64_t step) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->b);
  span->body = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  span->after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  span->limit = limit;
  span->step = step;
  Ssa any = LLVMBuildICmp(gen->b, LLVMIntULT, from, limit, "");
  LLVMBuildCondBr(gen->b, any, span->body, span->after);
  LLVMPositionBuilderAtEnd(gen->b, span->body);
  span->index = LLVMBuildPhi(gen->b, gen->i64, "");
  LLVMAddIncoming(span->index, &from, &before, 1);
}

void span_end(Gen *gen, Span *span) {
  Ssa next = LLVMBuildAdd(gen->b, span->index, gen_number(gen, span->step), "");
  Ssa more = LLVMBuildICmp(gen->b, LLVMIntULT, next, span->limit, "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->b);
  LLVMBuildCondBr(gen->b, more, span->body, span->after);
  LLVMAddIncoming(span->index, &next, &latch, 1);
  LLVMPositionBuilderAtEnd(gen->b, span->after);
}
