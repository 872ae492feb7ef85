# What a branch does not yield is no result of the program.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x: f64[8]) {
  %r = cond %p, at=[result] then {
    %t = kernel form=map, at=[result] {
      %t1 = reverse %x, dims=[0]
      yield %t1
    }
    %a = kernel form=map, at=[result] {
      %a1 = add %t, %x
      yield %a1
    }
    yield %a
  } else {
    %b = kernel form=map, at=[result] {
      yield %x
    }
    yield %b
  }
  return %r
}
# CHECK: cond-result-inside.ls:6:{{[0-9]+}}: error: kernel: %t has the place `result`, but the branch does not yield it
