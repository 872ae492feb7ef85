# A program ends with return.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: yield-in-program.ls:[[@LINE+4]]:3: error: expected a node or return, found yield
# CHECK-NEXT:{{^}}  yield %c{{$}}
# CHECK-NEXT:{{^}}  ^{{$}}
program @p(%c: f64[3]) {
  yield %c
}
