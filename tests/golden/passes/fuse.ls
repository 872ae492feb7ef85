# Chains join; a contraction takes its epilogue; what two kernels need is made
# once; every yield has an output of its own.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
program @fuse(%A: f64[8,8], %x: f64[8], %v: f64[8]) {
  # One kernel: contraction and epilogue.
  # CHECK: %y = kernel form=contract {
  # CHECK-NEXT: %p = einsum
  # CHECK-NEXT: %q = add %p, %v
  # CHECK-NEXT: neg %q
  # CHECK-NEXT: yield
  # CHECK-NEXT: } : f64[8]
  %p = einsum %A, %x, spec="ij,j->i"
  %q = add %p, %v
  %y = neg %q
  # A product that is only summed is never stored.
  # CHECK: kernel form=reduce {
  # CHECK-NEXT: mul %x, %v
  # CHECK-NEXT: reduce_sum
  # CHECK-NEXT: yield
  %t = mul %x, %v
  %s = reduce_sum %t
  return %y, %s
}
# CHECK-NOT: kernel
