# One name a result.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: results-none.ls:[[@LINE+4]]:3: error: scan: has 1 result, but 0 names are given
# CHECK-NEXT:{{^}}  scan xs(%x = %xs) {{{$}}
# CHECK-NEXT:{{^}}  ^{{$}}
program @p(%xs: f64[5,3]) {
  scan xs(%x = %xs) {
    yield ys(%x)
  }
  return %xs
}
