# A list ends with its bracket.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: list-not-closed.ls:[[@LINE+4]]:31: error: reduce_sum: dims: expected ] at the end of the list, found :
# CHECK-NEXT:{{^}}  %y = reduce_sum %x, dims=[0 : f64[]{{$}}
# CHECK-NEXT:{{^}}                              ^{{$}}
program @p(%x: f64[3]) {
  %y = reduce_sum %x, dims=[0 : f64[]
  return %y
}
