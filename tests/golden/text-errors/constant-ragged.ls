# Every list has its dim's size.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-ragged.ls:[[@LINE+4]]:26: error: constant: the literal has 1 element along dim 1, f64[2,2] has 2
# CHECK-NEXT:{{^}}  %y = constant {{\[\[}}1,2],[3]] : f64[2,2]{{$}}
# CHECK-NEXT:{{^}}                         ^{{$}}
program @p() {
  %y = constant [[1,2],[3]] : f64[2,2]
  return %y
}
