# The init is copied to the last place, so it lies at none of them.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%k: f64[], %n: f64[]) {
  %x0 = kernel form=map, at=[0] {
    %k2 = mul %k, %k
    yield %k2
  }
  %x9 = while carry(%x = %x0), at=[[64,0]] cond {
    %p = kernel form=map, at=[128] {
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
# CHECK: while-init.ls:9:{{[0-9]+}}: error: while %x9: writes %x at arena [0,8) over %x0 at arena [0,8) (of kernel %x0), which lives as long as the while
