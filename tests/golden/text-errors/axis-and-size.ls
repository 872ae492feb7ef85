# A size and an axis share no name.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-and-size.ls:[[@LINE+4]]:6: error: n is a size; a size and an axis may share no name
# CHECK-NEXT:{{^}}axis n = 4{{$}}
# CHECK-NEXT:{{^}}     ^{{$}}
size n = 4
axis n = 4
program @p(%x: f64[3]) {
  return %x
}
