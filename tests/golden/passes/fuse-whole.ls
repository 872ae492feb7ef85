# An op on whole arrays has a kernel of its own: what it reads and what reads it
# are others.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
program @whole(%x: f64[8,4], %i: i32[3], %u: f64[3,4]) {
  # CHECK: [[N:%n[_0-9]*]] = kernel form=map {
  # CHECK-NEXT: neg %x
  %n = neg %x
  # CHECK: [[K:%[a-z0-9_]+]], [[V:%[a-z0-9_]+]] = kernel form=call {
  # CHECK-NEXT: [[KI:%[a-z0-9_]+]], [[VI:%[a-z0-9_]+]] = sort [[N]], %x, dim=0 : f64[8,4], f64[8,4]
  # CHECK-NEXT: yield [[KI]], [[VI]]
  # CHECK-NEXT: } : f64[8,4], f64[8,4]
  %k, %v = sort %n, %x, dim=0
  # CHECK: kernel form=map {
  # CHECK-NEXT: add [[K]], [[V]]
  # CHECK-NEXT: sqrt
  %s = add %k, %v
  %r = sqrt %s
  # CHECK: kernel form=call {
  # CHECK-NEXT: cumprod {{%[a-z0-9_]+}}, dim=1
  # CHECK-NEXT: yield
  %p = cumprod %r, dim=1
  # CHECK: kernel form=call {
  # CHECK-NEXT: [[A:%[a-z0-9_]+]] = scatter_add {{%[a-z0-9_]+}}, %i, %u, dim=0
  # CHECK-NEXT: yield [[A]], [[A]]
  %a = scatter_add %p, %i, %u, dim=0
  return %a, %a as b
}
