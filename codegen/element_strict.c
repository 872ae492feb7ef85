/* element_strict.c: reduce_sum and reduce_prod in the strict order of
 * runtime/evaluate_reduce.c: blocks of 4096 terms, 16 lanes, joined by halves.
 * Up to 16 terms that order is a tree, which serves the fast mode as well. */
#include "sum.h"

enum { BLOCK = 4096 };

/* -- few terms: a tree ------------------------------------------------- */

static void unravel(Gen *gen, Sum *sum, Ssa flat) {
  for (int i = sum->n_dims - 1; i >= 0; i--) {
    Ssa size = LLVMConstInt(gen->i64, (unsigned long long)sum->sizes[i], 0);
    Ssa at = i == 0 ? flat : LLVMBuildURem(gen->b, flat, size, "");
    sum->inner[i] = (Ix){at, 0};
    if (i > 0) flat = LLVMBuildUDiv(gen->b, flat, size, "");
  }
}

void sum_unravel(Gen *gen, Sum *sum, int64_t term) {
  unravel(gen, sum, gen_number(gen, term));
}

/* lane[k] joined with lane[k + h] for h = 8, 4, 2, 1; missing ones are the
 * identity. */
static Ssa join_halves(Gen *gen, const Sum *sum, Ssa *lanes, int n) {
  for (int by = SUM_TREE / 2; by > 0; by /= 2)
    for (int k = 0; k < by && k + by < n; k++)
      lanes[k] =
          arithmetic(gen, sum->join, sum->dtype, lanes[k], lanes[k + by]);
  return lanes[0];
}

Ssa sum_tree(Gen *gen, Sum *sum, const Ix *point) {
  Ssa terms[SUM_TREE];
  int n = (int)sum_terms(sum);
  for (int k = 0; k < n; k++) {
    unravel(gen, sum, LLVMConstInt(gen->i64, (unsigned long long)k, 0));
    terms[k] = sum_reduced_term(gen, sum, point);
  }
  return join_halves(gen, sum, terms, n);
}

/* -- many terms in strict order ---------------------------------------- */

static Ssa lane_slot(Gen *gen, const Sum *sum, Ssa lanes, Ssa number) {
  return LLVMBuildGEP2(gen->b, register_type(gen, sum->dtype), lanes, &number,
                       1, "");
}

static Ssa strict_block(Gen *gen, Sum *sum, const Ix *point, Ssa lanes,
                        Ssa start, int64_t count) {
  LLVMTypeRef type = register_type(gen, sum->dtype);
  Ssa loaded[SUM_TREE];
  for (int k = 0; k < SUM_TREE; k++) {
    Ssa number = LLVMConstInt(gen->i64, (unsigned long long)k, 0);
    LLVMBuildStore(gen->b, sum->identity, lane_slot(gen, sum, lanes, number));
  }
  Loop loop;
  loop_begin(gen, &loop, 0, count, 1);
  int mark = memo_mark(gen);
  unravel(gen, sum, LLVMBuildAdd(gen->b, start, loop.index, ""));
  Ssa number = LLVMBuildAnd(gen->b, loop.index,
                            LLVMConstInt(gen->i64, SUM_TREE - 1, 0), "");
  Ssa slot = lane_slot(gen, sum, lanes, number);
  Ssa lane = LLVMBuildLoad2(gen->b, type, slot, "");
  lane = arithmetic(gen, sum->join, sum->dtype, lane,
                    sum_reduced_term(gen, sum, point));
  LLVMBuildStore(gen->b, lane, slot);
  memo_release(gen, mark);
  loop_end(gen, &loop, NULL, NULL, 0);
  for (int k = 0; k < SUM_TREE; k++) {
    number = LLVMConstInt(gen->i64, (unsigned long long)k, 0);
    loaded[k] =
        LLVMBuildLoad2(gen->b, type, lane_slot(gen, sum, lanes, number), "");
  }
  return join_halves(gen, sum, loaded, SUM_TREE);
}

Ssa entry_array(Gen *gen, LLVMTypeRef type, unsigned n) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->b);
  LLVMPositionBuilderBefore(gen->b, LLVMGetBasicBlockTerminator(gen->entry));
  Ssa array = LLVMBuildAlloca(gen->b, LLVMArrayType2(type, n), "");
  LLVMPositionBuilderAtEnd(gen->b, here);
  return array;
}

/* The same without loops, where indices are to be constants. */
static Ssa strict_unrolled(Gen *gen, Sum *sum, const Ix *point) {
  int64_t terms = sum_terms(sum);
  Ssa lanes[SUM_TREE], total = sum->identity;
  for (int64_t start = 0; start < terms; start += BLOCK) {
    for (int k = 0; k < SUM_TREE; k++) lanes[k] = sum->identity;
    for (int64_t i = start; i < terms && i < start + BLOCK; i++) {
      Ssa *lane = &lanes[i % SUM_TREE];
      unravel(gen, sum, gen_number(gen, i));
      *lane = arithmetic(gen, sum->join, sum->dtype, *lane,
                         sum_reduced_term(gen, sum, point));
    }
    total = arithmetic(gen, sum->join, sum->dtype, total,
                       join_halves(gen, sum, lanes, SUM_TREE));
  }
  return total;
}

Ssa sum_strict(Gen *gen, Sum *sum, const Ix *point) {
  if (gen->held) return strict_unrolled(gen, sum, point);
  int64_t terms = sum_terms(sum), blocks = terms / BLOCK, rest = terms % BLOCK;
  Ssa lanes = entry_array(gen, register_type(gen, sum->dtype), SUM_TREE);
  Ssa total = sum->identity;
  if (blocks > 0) {
    Loop loop;
    loop_begin(gen, &loop, 0, blocks, 1);
    Ssa phi = loop_phi(gen, &loop, total);
    Ssa start =
        LLVMBuildMul(gen->b, loop.index, LLVMConstInt(gen->i64, BLOCK, 0), "");
    Ssa block = strict_block(gen, sum, point, lanes, start, BLOCK);
    total = arithmetic(gen, sum->join, sum->dtype, phi, block);
    loop_end(gen, &loop, &phi, &total, 1);
  }
  if (rest > 0) {
    Ssa start = LLVMConstInt(gen->i64, (unsigned long long)(blocks * BLOCK), 0);
    Ssa block = strict_block(gen, sum, point, lanes, start, rest);
    total = arithmetic(gen, sum->join, sum->dtype, total, block);
  }
  return total;
}
