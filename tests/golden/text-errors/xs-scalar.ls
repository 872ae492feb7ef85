# An x is a slice.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: xs-scalar.ls:[[@LINE+4]]:16: error: scan: %x is a slice of f64[], which has no dim 0 to step along
# CHECK-NEXT:{{^}}  %y = scan xs(%x = %v) {{{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
program @p(%v: f64[]) {
  %y = scan xs(%x = %v) {
    yield ys(%x)
  }
  return %y
}
