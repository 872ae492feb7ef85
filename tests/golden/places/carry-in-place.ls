# A step that reads its carry elsewhere than it writes may not update in place.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @step(%J: f64[64,64], %y0: f64[64,1]) {
  %y = scan length=1000, carry(%c = %y0), at=[result] {
    %n = kernel form=contract, by=inline, at=[carry] {
      %r = einsum %J, %c, spec="mn,ni->mi"
      yield %r
    }
    yield carry(%n)
  }
  return %y
}
# CHECK: carry-in-place.ls:6:{{[0-9]+}}: error: kernel %n: writes %n at result y [0,512) over %c at result y [0,512) (of scan %y), which it reads elsewhere than it writes
# CHECK-NEXT: %n = kernel form=contract
# CHECK-NEXT: ^
