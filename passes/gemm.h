/* gemm.h: an einsum seen as a (batched) matrix product C = A B, for schedule
 * and for code generation. */
#ifndef LOCKSTEP_PASSES_GEMM_H
#define LOCKSTEP_PASSES_GEMM_H

#include "../ir/ir.h"

typedef struct GemmMatrix {
  bool transposed;      /* stored with rows and columns exchanged */
  int64_t ld;           /* elements between stored rows */
  int64_t batch_stride; /* elements between matrices of the batch */
} GemmMatrix;

/* C[m,n] = A[m,k] B[k,n], batch times. A transposed C means C' = B' A'. */
typedef struct GemmShape {
  int64_t batch, m, n, k;
  GemmMatrix a, b, c;
} GemmShape;

/* False: the einsum is no matrix product of f32 or f64 on arrays as they
 * lie. */
bool gemm_of(const Node *einsum, GemmShape *shape);
/* The einsum of a kernel of form=contract. */
const Node *gemm_einsum(const Node *kernel);
/* The result of the kernel that holds the product until the epilogue has run:
 * its number, or -1. */
int gemm_target(const Node *kernel, const Node *einsum);

#endif
