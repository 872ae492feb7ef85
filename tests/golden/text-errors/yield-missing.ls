# A body ends with yield.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: yield-missing.ls:[[@LINE+6]]:3: error: expected a node or yield, found }
# CHECK-NEXT:{{^}}  }{{$}}
# CHECK-NEXT:{{^}}  ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=3, carry(%s = %c) {
    %n = neg %s
  }
  return %y
}
