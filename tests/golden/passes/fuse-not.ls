# What must not fuse: arithmetic that a contraction would repeat, a reduction
# behind a broadcast, a draw that is read at two indices.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
program @apart(%A: f64[8,8], %B: f64[8,8], %key: u32[2]) {
  # CHECK: %sums = kernel form=reduce {
  # CHECK: %square, %centred = kernel form=map {
  # CHECK: %C = kernel form=contract {
  # CHECK-NEXT: einsum %A, %square
  # CHECK-NEXT: yield
  %square = mul %B, %B
  %C = einsum %A, %square, spec="ij,jk->ik"
  %sums = reduce_sum %A, dims=[1]
  %wide = broadcast %sums, dims=[0] : f64[8,8]
  %centred = sub %A, %wide
  # CHECK: %u = kernel form=map {
  # CHECK-NEXT: random_uniform
  # CHECK-NEXT: yield
  # CHECK: %walk = kernel form=map {
  # CHECK-NOT: random_uniform
  %u = random_uniform %key : f64[9]
  %left = slice %u, start=[0], limit=[8]
  %right = slice %u, start=[1], limit=[9]
  %walk = sub %right, %left
  return %C, %centred, %walk
}
