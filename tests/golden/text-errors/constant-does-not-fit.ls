# A literal that its dtype cannot hold.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-does-not-fit.ls:[[@LINE+4]]:20: error: constant: 300 is out of range for i8
# CHECK-NEXT:{{^}}  %y = constant [1,300] : i8[2]{{$}}
# CHECK-NEXT:{{^}}                   ^{{$}}
program @p() {
  %y = constant [1,300] : i8[2]
  return %y
}
