# One type a result.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: types-two.ls:[[@LINE+4]]:8: error: neg: has 1 result, but 2 types are written
# CHECK-NEXT:{{^}}  %y = neg %x : f64[4], f64[4]{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p(%x: f64[4]) {
  %y = neg %x : f64[4], f64[4]
  return %y
}
