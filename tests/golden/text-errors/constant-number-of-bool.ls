# A bool is true or false.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-number-of-bool.ls:[[@LINE+4]]:17: error: constant: expected true or false for a bool, found 1
# CHECK-NEXT:{{^}}  %y = constant 1 : bool[]{{$}}
# CHECK-NEXT:{{^}}                ^{{$}}
program @p() {
  %y = constant 1 : bool[]
  return %y
}
