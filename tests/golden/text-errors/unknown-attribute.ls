# An attribute that the op does not take.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-attribute.ls:[[@LINE+4]]:23: error: reduce_sum: takes no dimms; did you mean dims? (it takes dims)
# CHECK-NEXT:{{^}}  %y = reduce_sum %x, dimms=[0]{{$}}
# CHECK-NEXT:{{^}}                      ^{{$}}
program @p(%x: f64[3,3]) {
  %y = reduce_sum %x, dimms=[0]
  return %y
}
