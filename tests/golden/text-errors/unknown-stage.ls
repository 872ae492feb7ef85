# Stages are listed.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-stage.ls:[[@LINE+3]]:7: error: expected a stage (named, batched, kernels), found kernel; did you mean kernels?
# CHECK-NEXT:{{^}}stage kernel{{$}}
# CHECK-NEXT:{{^}}      ^{{$}}
stage kernel
program @p(%x: f64[3]) {
  return %x
}
