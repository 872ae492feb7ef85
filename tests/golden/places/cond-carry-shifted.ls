# A branch may not shift the carry in place; the other one may leave it.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x0: f64[8]) {
  %x9 = scan length=3, carry(%x = %x0), at=[result] {
    %n = cond %p, at=[carry] then {
      %b = kernel form=map, at=[carry] {
        yield %x
      }
      yield %b
    } else {
      %a = kernel form=map, at=[carry] {
        %a1 = reverse %x, dims=[0]
        yield %a1
      }
      yield %a
    }
    yield carry(%n)
  }
  return %x9
}
# CHECK: cond-carry-shifted.ls:12:{{[0-9]+}}: error: kernel %a: writes %a at result x9 [0,64) over %x at result x9 [0,64) (of scan %x9), which it reads elsewhere than it writes
