# There are no axes after lower_axes.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-when-batched.ls:[[@LINE+4]]:1: error: there are no axes at the batched and kernels stages
# CHECK-NEXT:{{^}}axis devices = 4{{$}}
# CHECK-NEXT:{{^}}^{{$}}
stage batched
axis devices = 4
program @p(%x: f64[3]) {
  return %x
}
