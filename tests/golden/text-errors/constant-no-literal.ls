# And a literal.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: constant-no-literal.ls:[[@LINE+4]]:17: error: constant: expected a literal, found :
# CHECK-NEXT:{{^}}  %y = constant : f64[]{{$}}
# CHECK-NEXT:{{^}}                ^{{$}}
program @p() {
  %y = constant : f64[]
  return %y
}
