# A collective does not stand at the batched stage: it has no axes.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: collective-when-batched.ls:[[@LINE+5]]:22: error: psum: axis: no axis is called devices: there are no axes at the batched and kernels stages
# CHECK-NEXT:{{^}}  %y = psum %x, axis=devices{{$}}
# CHECK-NEXT:{{^}}                     ^{{$}}
stage batched
program @p(%x: f64[3]) {
  %y = psum %x, axis=devices
  return %y
}
