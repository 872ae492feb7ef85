# What a scan's body reads from outside lives through all of its steps.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @captured(%x: f64[8], %c0: f64[8]) {
  %k = kernel form=map, at=[0] {
    %k1 = mul %x, %x
    yield %k1
  }
  %c9 = scan length=4, carry(%c = %c0), at=[result] {
    %t = kernel form=map, at=[0] {
      %t1 = mul %c, %k
      yield %t1
    }
    %n = kernel form=map, at=[carry] {
      %n1 = add %c, %t
      yield %n1
    }
    yield carry(%n)
  }
  return %c9
}
# CHECK: live-through-scan.ls:10:{{[0-9]+}}: error: kernel %t: writes %t at arena [0,64) over %k at arena [0,64) (of kernel %k), which lives as long as the scan around
