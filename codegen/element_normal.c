/* element_normal.c: from uniform numbers in (-1, 1) to normal ones: the steps
 * of ir/normal.c on all lanes at once.  Each lane chooses the coefficients of
 * its piece, so that one quotient serves the three. */
#include "emit.h"
#include "../ir/normal.h"

static Ssa times(Gen *gen, Ssa a, Ssa b) {
  return LLVMBuildFMul(gen->b, a, b, "");
}

static Ssa plus(Gen *gen, Ssa a, Ssa b) {
  return LLVMBuildFAdd(gen->b, a, b, "");
}

static Ssa minus(Gen *gen, Ssa a, Ssa b) {
  return LLVMBuildFSub(gen->b, a, b, "");
}

static Ssa is_less(Gen *gen, LLVMRealPredicate how, Ssa x, double limit) {
  return LLVMBuildFCmp(gen->b, how, x, constant_like(gen, x, limit), "");
}

/* Which lanes lie where. */
typedef struct Pieces {
  Ssa in_middle, is_near;
} Pieces;

static Ssa choose_tail(Gen *gen, Pieces pieces, Ssa like, double near,
                       double far) {
  return choose(gen, pieces.is_near, constant_like(gen, like, near),
                constant_like(gen, like, far));
}

/* The polynomial above (0) or below (1), by Horner's rule. */
static Ssa polynomial(Gen *gen, Pieces pieces, int which, Ssa x) {
  Ssa sum = NULL;
  for (int i = NORMAL_TERMS - 1; i >= 0; i--) {
    double middle = ir_normal_terms[NORMAL_MIDDLE][which][i];
    Ssa tail =
        choose_tail(gen, pieces, x, ir_normal_terms[NORMAL_NEAR][which][i],
                    ir_normal_terms[NORMAL_FAR][which][i]);
    Ssa term =
        choose(gen, pieces.in_middle, constant_like(gen, x, middle), tail);
    sum = sum ? plus(gen, times(gen, sum, x), term) : term;
  }
  return sum;
}

static Ssa in_f64(Gen *gen, Ssa u) {
  Ssa size = intrinsic(gen, "llvm.fabs", &u, 1);
  Ssa left = minus(gen, constant_like(gen, u, 1), size);
  Ssa log =
      LLVMBuildFNeg(gen->b, emit_function(gen, OP_log, DT_F64, &left, 1), "");
  Ssa v = intrinsic(gen, "llvm.sqrt", &log, 1), z = times(gen, u, u);
  Pieces pieces = {is_less(gen, LLVMRealOLE, size, NORMAL_MIDDLE_END),
                   is_less(gen, LLVMRealOLT, v, NORMAL_NEAR_END)};
  Ssa turn = choose_tail(gen, pieces, v, NORMAL_NEAR_TURN, NORMAL_FAR_TURN);
  Ssa scale = choose_tail(gen, pieces, v, NORMAL_NEAR_SCALE, NORMAL_FAR_SCALE);
  Ssa x = choose(gen, pieces.in_middle,
                 minus(gen, constant_like(gen, u, NORMAL_MIDDLE_TURN), z),
                 minus(gen, v, turn));
  Ssa quotient = LLVMBuildFDiv(gen->b, polynomial(gen, pieces, 0, x),
                               polynomial(gen, pieces, 1, x), "");
  Ssa more = plus(gen, times(gen, z, quotient),
                  constant_like(gen, u, NORMAL_ROOT_REST));
  Ssa middle = plus(gen, times(gen, u, constant_like(gen, u, NORMAL_ROOT)),
                    times(gen, u, more));
  Ssa tail = plus(gen, times(gen, v, scale), times(gen, v, quotient));
  tail = intrinsic(gen, "llvm.copysign", (Ssa[]){tail, u}, 2);
  return choose(gen, pieces.in_middle, middle, tail);
}

/* In f64 for every dtype, rounded through f32 to the 16-bit floats. */
Ssa emit_normal(Gen *gen, DType dtype, Ssa uniform) {
  DType held = dtype == DT_F64 ? DT_F64 : DT_F32;
  Ssa value = in_f64(gen, convert(gen, DT_F64, held, uniform));
  return round_to(gen, dtype, convert(gen, held, DT_F64, value));
}
