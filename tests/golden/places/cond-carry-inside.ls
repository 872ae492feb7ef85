# A branch writes the carry in place and reads it once more.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x0: f64[8]) {
  %x9, %ys = scan length=3, carry(%x = %x0), at=[result,result] {
    %n, %y = cond %p, at=[carry,ys] then {
      %a = kernel form=map, at=[carry] {
        %a1 = neg %x
        yield %a1
      }
      %c = kernel form=map, at=[ys] {
        yield %x
      }
      yield %a, %c
    } else {
      %b, %d = kernel form=map, at=[carry,ys] {
        yield %x, %x
      }
      yield %b, %d
    }
    yield carry(%n), ys(%y)
  }
  return %x9, %ys
}
# CHECK: cond-carry-inside.ls:7:{{[0-9]+}}: error: kernel %a: writes %a at result x9 [0,64) over %x at result x9 [0,64) (of scan %x9), which kernel %c reads later
