# scatter_add may write over what it adds to, but not over what it adds.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @counts(%x0: f64[8], %is: i32[8]) {
  %x9 = scan length=4, carry(%x = %x0), at=[result] {
    %n = kernel form=call, at=[carry] {
      %n1 = scatter_add %x, %is, %x, dim=0
      yield %n1
    }
    yield carry(%n)
  }
  return %x9
}
# CHECK: scatter-reads-base.ls:6:{{[0-9]+}}: error: kernel %n: writes %n at result x9 [0,64) over %x at result x9 [0,64) (of scan %x9), which it reads elsewhere than it writes
