# What the test reads from outside lives until the loop ends.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%x0: f64[8], %n: f64[]) {
  %m = kernel form=map, at=[0] {
    %m1 = neg %n
    yield %m1
  }
  %x9 = while carry(%x = %x0), at=[[64,128]] cond {
    %p = kernel form=reduce, at=[192] {
      %s = reduce_sum %x
      %p1 = compare %s, %m, op=lt
      yield %p1
    }
    yield %p
  } do {
    %t = kernel form=map, at=[0] {
      %t1 = reverse %x, dims=[0]
      yield %t1
    }
    %xn = kernel form=map, at=[carry] {
      %x1 = add %x, %t
      yield %x1
    }
    yield carry(%xn)
  }
  %y = kernel form=map, at=[result] {
    yield %x9
  }
  return %y
}
# CHECK: while-test-reads.ls:17:{{[0-9]+}}: error: kernel %t: writes %t at arena [0,64) over %m at arena [0,8) (of kernel %m), which lives as long as the while around
