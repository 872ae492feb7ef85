# size
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: size-declared-twice.ls:[[@LINE+4]]:6: error: size m is declared twice
# CHECK-NEXT:{{^}}size m = 5{{$}}
# CHECK-NEXT:{{^}}     ^{{$}}
size m = 4
size m = 5
program @p(%x: f64[m]) {
  return %x
}
