# sort reads its keys while it writes.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @sorted(%x: f64[8]) {
  %k = kernel form=map, at=[0] {
    %k1 = mul %x, %x
    yield %k1
  }
  %s = kernel form=call, at=[0] {
    %s1 = sort %k, dim=0
    yield %s1
  }
  %y = kernel form=map, at=[result] {
    %y1 = mul %s, %x
    yield %y1
  }
  return %y
}
# CHECK: sort-in-place.ls:9:{{[0-9]+}}: error: kernel %s: writes %s at arena [0,64) over %k at arena [0,64) (of kernel %k), which it reads elsewhere than it writes
