# Nothing follows the program.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: text-after.ls:[[@LINE+6]]:1: error: expected the end of the file, found %z
# CHECK-NEXT:{{^}}%z = neg %x{{$}}
# CHECK-NEXT:{{^}}^{{$}}
program @p(%x: f64[3]) {
  return %x
}
%z = neg %x
