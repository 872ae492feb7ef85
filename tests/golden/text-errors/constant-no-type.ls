# A constant has a type.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-no-type.ls:[[@LINE+4]]:8: error: constant: needs its result type to be written
# CHECK-NEXT:{{^}}  %y = constant 1{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p() {
  %y = constant 1
  return %y
}
