# A parameter has a type.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: no-colon.ls:[[@LINE+3]]:15: error: expected : after the name of a parameter, found f64
# CHECK-NEXT:{{^}}program @p(%x f64[3]) {{{$}}
# CHECK-NEXT:{{^}}              ^{{$}}
program @p(%x f64[3]) {
  return %x
}
