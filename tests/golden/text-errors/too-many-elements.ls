# 2^63 bytes is the most.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: too-many-elements.ls:[[@LINE+3]]:16: error: %x: f64[4294967296,4294967296,4] does not fit in 2^63 bytes
# CHECK-NEXT:{{^}}program @p(%x: f64[4294967296,4294967296,4]) {{{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
program @p(%x: f64[4294967296,4294967296,4]) {
  return %x
}
