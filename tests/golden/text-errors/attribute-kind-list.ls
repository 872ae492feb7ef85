# A number where a list belongs.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-list.ls:[[@LINE+4]]:27: error: transpose: perm: expected [ before a list of integers, found 1
# CHECK-NEXT:{{^}}  %y = transpose %x, perm=1{{$}}
# CHECK-NEXT:{{^}}                          ^{{$}}
program @p(%x: f64[3,3]) {
  %y = transpose %x, perm=1
  return %y
}
