# Both branches write where the cond's entry says.
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
    %b = kernel form=map, at=[0] {
      yield %x
    }
    yield %b
  }
  return %r
}
# CHECK: cond-elsewhere.ls:12:{{[0-9]+}}: error: %b is yield 0 of the cond's else: it must be written by a kernel or a cond in the same block, with the place `result`
