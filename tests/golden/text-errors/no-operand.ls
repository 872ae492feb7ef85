# The next node is not taken for an operand.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-operand.ls:[[@LINE+4]]:8: error: neg: takes 1 operand, not 0
# CHECK-NEXT:{{^}}  %y = neg{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p(%x: f64[4]) {
  %y = neg
  %z = neg %y
  return %y
}
