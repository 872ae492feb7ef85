# A value is written with its sign.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-percent.ls:[[@LINE+4]]:12: error: neg: a value is written with a percent sign: %x
# CHECK-NEXT:{{^}}  %y = neg x{{$}}
# CHECK-NEXT:{{^}}           ^{{$}}
program @p(%x: f64[4]) {
  %y = neg x
  return %y
}
