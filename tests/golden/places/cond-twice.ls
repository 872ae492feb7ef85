# One value cannot lie where two results do.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @branch(%p: bool[], %x: f64[8]) {
  %r, %s = cond %p, at=[result,result] then {
    %a = kernel form=map, at=[result] {
      %a1 = neg %x
      yield %a1
    }
    yield %a, %a
  } else {
    %b, %c = kernel form=map, at=[result,result] {
      %b1 = abs %x
      yield %b1, %x
    }
    yield %b, %c
  }
  return %r, %s
}
# CHECK: cond-twice.ls:6:{{[0-9]+}}: error: %a is yielded twice: yield 1 of the cond's then has no place of its own
