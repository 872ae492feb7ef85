# Either all have places or none.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @half(%x: f64[4]) {
  %y = kernel form=map {
    %n = neg %x
    yield %n
  }
  %z = kernel form=map, at=[result] {
    %m = mul %y, %y
    yield %m
  }
  return %z
}
# CHECK: half-planned.ls:5:{{[0-9]+}}: error: kernel %y: has no `at`, but other nodes of the program have
