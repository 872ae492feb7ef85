# x[1:] = x[:-1] in place would spread the first element over all.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @shift(%x0: i32[16]) {
  %x9 = scan length=5, carry(%x = %x0), at=[result] {
    %xn = kernel form=map, at=[carry] {
      %f = slice %x, start=[0], limit=[1]
      %s = slice %x, start=[0], limit=[15]
      %n = concatenate %f, %s, dim=0
      yield %n
    }
    yield carry(%xn)
  }
  return %x9
}
# CHECK: carry-shifted.ls:6:{{[0-9]+}}: error: kernel %xn: writes %xn at result x9 [0,64) over %x at result x9 [0,64) (of scan %x9), which it reads elsewhere than it writes
