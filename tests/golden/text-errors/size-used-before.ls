# Each size stands before its first use.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: size-used-before.ls:[[@LINE+3]]:12: error: no size n is declared before this
# CHECK-NEXT:{{^}}axis a = 2*n{{$}}
# CHECK-NEXT:{{^}}           ^{{$}}
axis a = 2*n
size n = 3
program @p(%x: f64[3]) {
  return %x
}
