# Large matrix products go to BLAS; small ones, matrix-vector products and what
# is no matrix product stay inline.
# RUN: %lockstep show --after=schedule %s | FileCheck %s
# RUN: %lockstep show --after=schedule --gemm=inline %s | FileCheck --check-prefix=INLINE %s
# RUN: %lockstep show --after=schedule --numerics=strict %s | FileCheck --check-prefix=INLINE %s
# RUN: %lockstep show --after=schedule --gemm=blas %s | FileCheck --check-prefix=BLAS %s
program @products(%A: f64[96,96], %B: f64[96,96], %x: f64[96], %S: f64[4,4], %I: i32[96,96]) {
  # CHECK: %C = kernel form=contract, by=blas {
  # BLAS: %C = kernel form=contract, by=blas {
  # INLINE-NOT: by=blas
  %C = einsum %A, %B, spec="ij,jk->ik"
  # CHECK: %y = kernel form=contract, by=inline {
  # BLAS: %y = kernel form=contract, by=blas {
  %y = einsum %A, %x, spec="ij,j->i"
  # CHECK: %T = kernel form=contract, by=inline {
  # BLAS: %T = kernel form=contract, by=blas {
  %T = einsum %S, %S, spec="ij,jk->ik"
  # CHECK: %J = kernel form=contract, by=inline {
  # BLAS: %J = kernel form=contract, by=inline {
  %J = einsum %I, %I, spec="ij,jk->ik"
  return %C, %y, %T, %J
}
