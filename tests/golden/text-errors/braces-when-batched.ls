# Nor braces.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: braces-when-batched.ls:[[@LINE+4]]:23: error: %x: no axis is called devices: there are no axes at the batched and kernels stages
# CHECK-NEXT:{{^}}program @p(%x: f64[3]{devices}) {{{$}}
# CHECK-NEXT:{{^}}                      ^{{$}}
stage batched
program @p(%x: f64[3]{devices}) {
  return %x
}
