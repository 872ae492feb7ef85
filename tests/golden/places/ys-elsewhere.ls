# A y must be written into the stacked array.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @stack(%x: f64[8,4]) {
  %ys = scan xs(%r = %x), at=[result] {
    %y = kernel form=map, at=[0] {
      %n = neg %r
      yield %n
    }
    yield ys(%y)
  }
  return %ys
}
# CHECK: ys-elsewhere.ls:6:{{[0-9]+}}: error: %y is yield 0 of the scan's ys: it must be written by a kernel or a cond in the same block, with the place `ys`
