# After the loop the carry lies at either place: both are held.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%x0: f64[8], %n: f64[]) {
  %x9 = while carry(%x = %x0), at=[[0,64]] cond {
    %p = kernel form=reduce, at=[128] {
      %s = reduce_sum %x
      %p1 = compare %s, %n, op=lt
      yield %p1
    }
    yield %p
  } do {
    %xn = kernel form=map, at=[carry] {
      %x1 = reverse %x, dims=[0]
      yield %x1
    }
    yield carry(%xn)
  }
  %t = kernel form=map, at=[0] {
    %t1 = reverse %x0, dims=[0]
    yield %t1
  }
  %y = kernel form=map, at=[result] {
    %y1 = add %x9, %t
    yield %y1
  }
  return %y
}
# CHECK: while-any-place.ls:19:{{[0-9]+}}: error: kernel %t: writes %t at arena [0,64) over %x9 at arena [0,64) (of while %x9), which kernel %y reads later
