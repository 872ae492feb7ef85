# A branch that yields an outer value has to copy it.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x: f64[8]) {
  %r = cond %p, at=[result] then {
    %a = kernel form=map, at=[result] {
      %a1 = neg %x
      yield %a1
    }
    yield %a
  } else {
    yield %x
  }
  return %r
}
# CHECK: cond-outer.ls:5:{{[0-9]+}}: error: %x is yield 0 of the cond's else: it must be written by a kernel or a cond in the same block, with the place `result`
