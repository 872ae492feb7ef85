# Lines before the program are sizes and axes.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-program.ls:[[@LINE+3]]:1: error: expected size, axis or program, found axes; did you mean axis?
# CHECK-NEXT:{{^}}axes a = 2{{$}}
# CHECK-NEXT:{{^}}^{{$}}
axes a = 2
program @p(%x: f64[3]) {
  return %x
}
