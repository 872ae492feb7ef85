# The step reads the carry after the test.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%x0: f64[], %n: f64[]) {
  %x9 = while carry(%x = %x0), at=[0] cond {
    %p = kernel form=map, at=[0] {
      %p1 = compare %x, %n, op=lt
      yield %p1
    }
    yield %p
  } do {
    %xn = kernel form=map, at=[carry] {
      %x1 = add %x, %x
      yield %x1
    }
    yield carry(%xn)
  }
  %y = kernel form=map, at=[result] {
    yield %x9
  }
  return %y
}
# CHECK: while-test-writes.ls:6:{{[0-9]+}}: error: kernel %p: writes %p at arena [0,1) over %x at arena [0,8) (of while %x9), which lives as long as the while around
