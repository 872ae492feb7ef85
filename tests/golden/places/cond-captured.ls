# %k is read in one branch and afterwards: the other one may not write over it.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x: f64[8]) {
  %k = kernel form=map, at=[0] {
    %k1 = mul %x, %x
    yield %k1
  }
  %r = cond %p, at=[64] then {
    %t = kernel form=map, at=[0] {
      %t1 = reverse %x, dims=[0]
      yield %t1
    }
    %a = kernel form=map, at=[64] {
      %a1 = add %x, %t
      yield %a1
    }
    yield %a
  } else {
    %b = kernel form=map, at=[64] {
      %b1 = sub %x, %k
      yield %b1
    }
    yield %b
  }
  %y = kernel form=map, at=[result] {
    %y1 = mul %r, %k
    yield %y1
  }
  return %y
}
# CHECK: cond-captured.ls:10:{{[0-9]+}}: error: kernel %t: writes %t at arena [0,64) over %k at arena [0,64) (of kernel %k), which kernel %y reads later
