# Numbers have 64 bits.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: number-too-large.ls:[[@LINE+3]]:20: error: %x: 99999999999999999999 does not fit in 64 bits
# CHECK-NEXT:{{^}}program @p(%x: f64[99999999999999999999]) {{{$}}
# CHECK-NEXT:{{^}}                   ^{{$}}
program @p(%x: f64[99999999999999999999]) {
  return %x
}
