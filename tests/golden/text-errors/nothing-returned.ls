# At least one result.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: nothing-returned.ls:[[@LINE+5]]:1: error: expected a value (%name) to return, found }
# CHECK-NEXT:{{^}}}{{$}}
# CHECK-NEXT:{{^}}^{{$}}
program @p(%x: f64[3]) {
  return
}
