# A branch writes the carry in place, and the step reads it after the cond.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x0: f64[8]) {
  %x9, %ys = scan length=3, carry(%x = %x0), at=[result,result] {
    %n = cond %p, at=[carry] then {
      %a = kernel form=map, at=[carry] {
        %a1 = neg %x
        yield %a1
      }
      yield %a
    } else {
      %b = kernel form=map, at=[carry] {
        yield %x
      }
      yield %b
    }
    %y = kernel form=map, at=[ys] {
      yield %x
    }
    yield carry(%n), ys(%y)
  }
  return %x9, %ys
}
# CHECK: cond-carry-later.ls:7:{{[0-9]+}}: error: kernel %a: writes %a at result x9 [0,64) over %x at result x9 [0,64) (of scan %x9), which kernel %y reads later
