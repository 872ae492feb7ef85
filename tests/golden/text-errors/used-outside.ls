# A body's names end with it.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: used-outside.ls:[[@LINE+8]]:12: error: neg: %inner is not defined here
# CHECK-NEXT:{{^}}  %y = neg %inner{{$}}
# CHECK-NEXT:{{^}}           ^{{$}}
program @p(%xs: f64[5,3]) {
  %q = scan xs(%x = %xs) {
    %inner = neg %x
    yield ys(%inner)
  }
  %y = neg %inner
  return %y
}
