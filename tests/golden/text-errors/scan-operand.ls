# A scan has no plain operands.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: scan-operand.ls:[[@LINE+4]]:13: error: scan: takes its operands in carry(...) and xs(...)
# CHECK-NEXT:{{^}}  %y = scan %c, length=3 {{{$}}
# CHECK-NEXT:{{^}}            ^{{$}}
program @p(%c: f64[3]) {
  %y = scan %c, length=3 {
    yield
  }
  return %y
}
