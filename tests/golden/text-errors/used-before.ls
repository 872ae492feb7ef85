# A name is visible from its node on.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: used-before.ls:[[@LINE+4]]:12: error: neg: %z is not defined here
# CHECK-NEXT:{{^}}  %y = neg %z{{$}}
# CHECK-NEXT:{{^}}           ^{{$}}
program @p(%x: f64[3]) {
  %y = neg %z
  %z = neg %x
  return %y
}
