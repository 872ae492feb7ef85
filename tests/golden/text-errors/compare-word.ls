# The relations are listed.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: compare-word.ls:[[@LINE+4]]:27: error: compare: op: less is none of eq ne lt le gt ge
# CHECK-NEXT:{{^}}  %y = compare %x, %x, op=less{{$}}
# CHECK-NEXT:{{^}}                          ^{{$}}
program @p(%x: f64[3]) {
  %y = compare %x, %x, op=less
  return %y
}
