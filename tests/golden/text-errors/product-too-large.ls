# So have products of sizes.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: product-too-large.ls:[[@LINE+4]]:23: error: %x: the number does not fit in 64 bits
# CHECK-NEXT:{{^}}program @p(%x: f64[2, m*m]) {{{$}}
# CHECK-NEXT:{{^}}                      ^{{$}}
size m = 4294967296
program @p(%x: f64[2, m*m]) {
  return %x
}
