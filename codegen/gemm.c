/* gemm.c: a contraction as calls of CBLAS (OpenBLAS). */
#include "../passes/gemm.h"

#include "emit.h"

/* CBLAS's enums, by the values its interface fixes. */
enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

static Ssa int32(Gen *gen, int64_t value) {
  return LLVMConstInt(gen->i32, (unsigned long long)value, 1);
}

static Ssa gemm_function(Gen *gen, bool wide, LLVMTypeRef *type) {
  const char *name = wide ? "cblas_dgemm" : "cblas_sgemm";
  LLVMTypeRef i = gen->i32, p = gen->ptr, real = wide ? gen->f64 : gen->f32;
  LLVMTypeRef parameters[] = {i, i, i, i, i, i, real, p, i, p, i, real, p, i};
  *type = LLVMFunctionType(LLVMVoidTypeInContext(gen->context), parameters,
                           sizeof parameters / sizeof *parameters, 0);
  Ssa function = LLVMGetNamedFunction(gen->module, name);
  return function ? function : LLVMAddFunction(gen->module, name, *type);
}

typedef struct Side {
  Ssa pointer;
  const GemmMatrix *matrix;
} Side;

static Ssa matrix_at(Gen *gen, LLVMTypeRef real, Side side, Ssa batch) {
  Ssa stride =
      LLVMConstInt(gen->i64, (unsigned long long)side.matrix->batch_stride, 0);
  Ssa offset = LLVMBuildMul(gen->b, batch, stride, "");
  return LLVMBuildGEP2(gen->b, real, side.pointer, &offset, 1, "");
}

void emit_gemm(Gen *gen, const Node *einsum, Ssa a, Ssa b, Ssa c) {
  GemmShape shape;
  if (!gemm_of(einsum, &shape)) {
    gen_error(gen, "by=blas: the einsum is no matrix product");
    return;
  }
  bool wide = einsum->results[0]->type.dtype == DT_F64;
  LLVMTypeRef real = wide ? gen->f64 : gen->f32, type;
  Ssa function = gemm_function(gen, wide, &type);
  Side left = {a, &shape.a}, right = {b, &shape.b}, out = {c, &shape.c};
  bool left_turned = shape.a.transposed, right_turned = shape.b.transposed;
  int64_t m = shape.m, n = shape.n;
  if (shape.c.transposed) { /* C' = B' A' */
    Side swap = left;
    left = right;
    right = swap;
    left_turned = !shape.b.transposed;
    right_turned = !shape.a.transposed;
    m = shape.n;
    n = shape.m;
  }
  Loop loop;
  loop_begin(gen, &loop, 0, shape.batch, 1);
  Ssa arguments[] = {int32(gen, ROW_MAJOR),
                     int32(gen, left_turned ? TRANS : NO_TRANS),
                     int32(gen, right_turned ? TRANS : NO_TRANS),
                     int32(gen, m),
                     int32(gen, n),
                     int32(gen, shape.k),
                     LLVMConstReal(real, 1),
                     matrix_at(gen, real, left, loop.index),
                     int32(gen, left.matrix->ld),
                     matrix_at(gen, real, right, loop.index),
                     int32(gen, right.matrix->ld),
                     LLVMConstReal(real, 0),
                     matrix_at(gen, real, out, loop.index),
                     int32(gen, out.matrix->ld)};
  LLVMBuildCall2(gen->b, type, function, arguments,
                 sizeof arguments / sizeof *arguments, "");
  loop_end(gen, &loop, NULL, NULL, 0);
}
