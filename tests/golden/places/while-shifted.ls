# One place is not enough for a step that reads elsewhere than it writes.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%x0: f64[8], %n: f64[]) {
  %x9 = while carry(%x = %x0), at=[0] cond {
    %p = kernel form=reduce, at=[64] {
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
  %y = kernel form=map, at=[result] {
    yield %x9
  }
  return %y
}
# CHECK: while-shifted.ls:13:{{[0-9]+}}: error: kernel %xn: writes %xn at arena [0,64) over %x at arena [0,64) (of while %x9), which it reads elsewhere than it writes
