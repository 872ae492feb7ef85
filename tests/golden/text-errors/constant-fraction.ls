# An integer has no fraction.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-fraction.ls:[[@LINE+4]]:17: error: constant: 1.5 is no value of i32
# CHECK-NEXT:{{^}}  %y = constant 1.5 : i32[]{{$}}
# CHECK-NEXT:{{^}}                ^{{$}}
program @p() {
  %y = constant 1.5 : i32[]
  return %y
}
