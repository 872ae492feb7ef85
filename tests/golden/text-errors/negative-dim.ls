# A dim is not negative.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: negative-dim.ls:[[@LINE+4]]:16: error: %x: dim 0 has the negative size -1
# CHECK-NEXT:{{^}}program @p(%x: f64[m-5]) {{{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
size m = 4
program @p(%x: f64[m-5]) {
  return %x
}
