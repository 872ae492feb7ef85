# Not two.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: results-two.ls:[[@LINE+4]]:12: error: neg: has 1 result, but 2 names are given
# CHECK-NEXT:{{^}}  %y, %z = neg %x{{$}}
# CHECK-NEXT:{{^}}           ^{{$}}
program @p(%x: f64[4]) {
  %y, %z = neg %x
  return %y
}
