/* gemm.c: a contraction, or a part of one along one dim of its result, as calls
 * of CBLAS (OpenBLAS). */
#include "../passes/gemm.h"

#include "emit.h"

/* CBLAS's enums, by the values its interface fixes. */
enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

static Ssa to_int32(Gen *gen, Ssa value) {
  return LLVMBuildTrunc(gen->b, value, gen->i32, "");
}

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

/* Elements between neighbours along the label, in a row-major term; 0: it does
 * not stand there. */
static int64_t stride_along(const Einsum *e, const int8_t *term, int rank,
                            int label) {
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; d--) {
    if (term[d] == label) return stride;
    stride *= e->size[term[d]];
  }
  return 0;
}

static Ssa moved(Gen *gen, LLVMTypeRef real, Ssa pointer, Ssa from,
                 int64_t stride) {
  Ssa offset = LLVMBuildMul(gen->b, from, gen_number(gen, stride), "");
  return LLVMBuildGEP2(gen->b, real, pointer, &offset, 1, "");
}

/* The sizes of a part, of which one is known at run time only. */
typedef struct Extents {
  Ssa batch, m, n;
} Extents;

static bool has_label(const int8_t *term, int rank, int label) {
  for (int d = 0; d < rank; d++)
    if (term[d] == label) return true;
  return false;
}

static int role_of(const Einsum *e, int label) {
  return has_label(e->term[0], e->rank[0], label) |
         has_label(e->term[1], e->rank[1], label) << 1;
}

/* Does no dim of the same kind (batch, rows, columns) stand before it?  Only
 * then is a part of it a part of the matrix. */
static bool leads_run(const Einsum *e, int dim) {
  int role = role_of(e, e->out[dim]);
  for (int d = 0; d < dim; d++)
    if (role_of(e, e->out[d]) == role && e->size[e->out[d]] > 1) return false;
  return true;
}

/* Move the pointers to where the part starts. */
static void take_part(Gen *gen, const Node *einsum, LLVMTypeRef real,
                      GemmPart part, const GemmShape *shape, Ssa *pointers,
                      Extents *extents) {
  Einsum e;
  ir_einsum_read(einsum, &e);
  int label = e.out[part.dim];
  bool in_a = has_label(e.term[0], e.rank[0], label);
  bool in_b = has_label(e.term[1], e.rank[1], label);
  int64_t stride[] = {stride_along(&e, e.term[0], e.rank[0], label),
                      stride_along(&e, e.term[1], e.rank[1], label),
                      stride_along(&e, e.out, e.out_rank, label)};
  for (int i = 0; i < 3; i++)
    pointers[i] = moved(gen, real, pointers[i], part.from, stride[i]);
  int64_t whole = in_a && in_b ? shape->batch : in_a ? shape->m : shape->n;
  Ssa *extent = in_a && in_b ? &extents->batch
                : in_a       ? &extents->m
                             : &extents->n;
  if (!leads_run(&e, part.dim))
    gen_error(gen, "by=blas: the tiles do not divide the outermost dim");
  Ssa size = LLVMBuildSub(gen->b, part.to, part.from, "");
  *extent =
      LLVMBuildMul(gen->b, size, gen_number(gen, whole / e.size[label]), "");
}

static void call_gemm(Gen *gen, bool wide, const GemmShape *shape,
                      const Ssa *pointers, const Extents *extents, Ssa batch) {
  LLVMTypeRef real = wide ? gen->f64 : gen->f32, type;
  Ssa function = gemm_function(gen, wide, &type);
  Side left = {pointers[0], &shape->a}, right = {pointers[1], &shape->b};
  Side out = {pointers[2], &shape->c};
  bool left_turned = shape->a.transposed, right_turned = shape->b.transposed;
  Ssa m = extents->m, n = extents->n;
  if (shape->c.transposed) { /* C' = B' A' */
    Side swap = left;
    left = right;
    right = swap;
    left_turned = !shape->b.transposed;
    right_turned = !shape->a.transposed;
    m = extents->n;
    n = extents->m;
  }
  Ssa arguments[] = {int32(gen, ROW_MAJOR),
                     int32(gen, left_turned ? TRANS : NO_TRANS),
                     int32(gen, right_turned ? TRANS : NO_TRANS),
                     to_int32(gen, m),
                     to_int32(gen, n),
                     int32(gen, shape->k),
                     LLVMConstReal(real, 1),
                     matrix_at(gen, real, left, batch),
                     int32(gen, left.matrix->ld),
                     matrix_at(gen, real, right, batch),
                     int32(gen, right.matrix->ld),
                     LLVMConstReal(real, 0),
                     matrix_at(gen, real, out, batch),
                     int32(gen, out.matrix->ld)};
  LLVMBuildCall2(gen->b, type, function, arguments,
                 sizeof arguments / sizeof *arguments, "");
}

void emit_gemm(Gen *gen, const Node *einsum, Ssa a, Ssa b, Ssa c,
               GemmPart part) {
  GemmShape shape;
  if (!gemm_of(einsum, &shape)) {
    gen_error(gen, "by=blas: the einsum is no matrix product");
    return;
  }
  bool wide = einsum->results[0]->type.dtype == DT_F64;
  Ssa pointers[] = {a, b, c};
  Extents extents = {gen_number(gen, shape.batch), gen_number(gen, shape.m),
                     gen_number(gen, shape.n)};
  if (part.dim >= 0)
    take_part(gen, einsum, wide ? gen->f64 : gen->f32, part, &shape, pointers,
              &extents);
  if (shape.batch == 1 && part.dim < 0) {
    call_gemm(gen, wide, &shape, pointers, &extents, gen_number(gen, 0));
    return;
  }
  Span span;
  span_begin(gen, &span, gen_number(gen, 0), extents.batch, 1);
  call_gemm(gen, wide, &shape, pointers, &extents, span.index);
  span_end(gen, &span);
}
