# An unsigned one is not negative.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-negative.ls:[[@LINE+4]]:18: error: constant: -1 is out of range for u8
# CHECK-NEXT:{{^}}  %y = constant -1 : u8[]{{$}}
# CHECK-NEXT:{{^}}                 ^{{$}}
program @p() {
  %y = constant -1 : u8[]
  return %y
}
