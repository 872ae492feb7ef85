# A program ends with return.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-return.ls:[[@LINE+5]]:1: error: expected a node or return, found }
# CHECK-NEXT:{{^}}}{{$}}
# CHECK-NEXT:{{^}}^{{$}}
program @p(%c: f64[3]) {
  %n = neg %c
}
