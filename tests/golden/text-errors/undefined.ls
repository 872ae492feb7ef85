# A name that is near is suggested.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: undefined.ls:[[@LINE+4]]:23: error: add: %velocty is not defined here; did you mean %velocity?
# CHECK-NEXT:{{^}}  %y = add %velocity, %velocty{{$}}
# CHECK-NEXT:{{^}}                      ^{{$}}
program @p(%velocity: f64[3]) {
  %y = add %velocity, %velocty
  return %y
}
