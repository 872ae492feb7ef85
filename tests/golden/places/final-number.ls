# The number that the last step writes is the result's.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @shift(%x0: f64[4,4]) {
  %x9 = scan length=4, carry(%x = %x0), at=[[result,0]] {
    %xn = kernel form=map, at=[carry] {
      %t = transpose %x, perm=[1,0]
      yield %t
    }
    yield carry(%xn)
  }
  return %x9
}
# CHECK: final-number.ls:5:{{[0-9]+}}: error: scan: %x9 has `result` as number 0 of its places, but after 4 steps it lies in number 1
