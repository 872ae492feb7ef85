# A planned while: %i is updated in place, %x takes turns between two places,
# and the init is copied to the last of them.
# RUN: %lockstep show %s --after=plan | FileCheck %s
# RUN: %lockstep check %s x0=random:1 n=iota
stage kernels
program @loop(%x0: f64[8], %n: i32[1]) {
  %one = constant 1 : i32[]
  %i0 = constant -6 : i32[]
  %i9, %x9 = while carry(%i = %i0, %x = %x0), at=[0,[64,128]] cond {
    %p = kernel form=map, at=[192] {
      %n0 = reshape %n : i32[]
      %p1 = compare %i, %n0, op=lt
      yield %p1
    }
    yield %p
  } do {
    %in = kernel form=map, at=[carry] {
      %i1 = add %i, %one
      yield %i1
    }
    %xn = kernel form=map, at=[carry] {
      %x1 = reverse %x, dims=[0]
      %x2 = add %x1, %x
      yield %x2
    }
    yield carry(%in, %xn)
  }
  %i = kernel form=map, at=[result] {
    yield %i9
  }
  %x = kernel form=map, at=[result] {
    yield %x9
  }
  return %i, %x
}
# CHECK: %i9, %x9 = while carry(%i = %i0, %x = %x0), at=[0,[64,128]] cond {
# CHECK: %p = kernel form=map, at=[192] {
# CHECK: %in = kernel form=map, at=[carry] {
# CHECK: %xn = kernel form=map, at=[carry] {
# CHECK: %i = kernel form=map, at=[result] {
