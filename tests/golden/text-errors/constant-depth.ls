# There are as many brackets as dims.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-depth.ls:[[@LINE+4]]:18: error: constant: the literal's brackets do not fit f64[2,1], which has 2 dims
# CHECK-NEXT:{{^}}  %y = constant [1,2] : f64[2,1]{{$}}
# CHECK-NEXT:{{^}}                 ^{{$}}
program @p() {
  %y = constant [1,2] : f64[2,1]
  return %y
}
