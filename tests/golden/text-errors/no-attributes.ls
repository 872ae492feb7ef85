# An op without attributes says so.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-attributes.ls:[[@LINE+4]]:20: error: add: takes no axis (it takes no attributes)
# CHECK-NEXT:{{^}}  %y = add %x, %x, axis=0{{$}}
# CHECK-NEXT:{{^}}                   ^{{$}}
program @p(%x: f64[3,3]) {
  %y = add %x, %x, axis=0
  return %y
}
