# The stage comes first.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: stage-late.ls:[[@LINE+4]]:1: error: the stage comes first, before sizes and axes
# CHECK-NEXT:{{^}}stage named{{$}}
# CHECK-NEXT:{{^}}^{{$}}
axis a = 3
stage named
program @p(%x: f64[3]) {
  return %x
}
