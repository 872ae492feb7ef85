# One value cannot lie in two buffers.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @twice(%x: f64[4]) {
  %y = kernel form=map, at=[result] {
    %n = neg %x
    yield %n
  }
  return %y, %y as z
}
# CHECK: result-twice.ls:5:{{[0-9]+}}: error: %y is yielded twice: result 1 of the program has no place of its own
