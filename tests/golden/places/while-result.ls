# Where the last step of a while writes is not known before: no buffer of the
# caller's can be a carry's place.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%x0: f64[], %n: f64[]) {
  %x9 = while carry(%x = %x0), at=[[result,0]] cond {
    %p = kernel form=map, at=[64] {
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
  return %x9
}
# CHECK: while-result.ls:6:{{[0-9]+}}: error: while: %x9 has the place `result`, but a while's carry lies in the arena
