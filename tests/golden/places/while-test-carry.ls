# Only the step carries values on.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @loop(%p0: bool[]) {
  %p9 = while carry(%p = %p0), at=[0] cond {
    %q = kernel form=map, at=[carry] {
      %q1 = not %p
      yield %q1
    }
    yield %q
  } do {
    %pn = kernel form=map, at=[carry] {
      %p1 = not %p
      yield %p1
    }
    yield carry(%pn)
  }
  %y = kernel form=map, at=[result] {
    yield %p9
  }
  return %y
}
# CHECK: while-test-carry.ls:6:{{[0-9]+}}: error: kernel: %q has the place `carry`, but it stands in no step of a scan or while
