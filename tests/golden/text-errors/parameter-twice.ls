# Nor by a parameter.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: parameter-twice.ls:[[@LINE+3]]:24: error: %x is defined already, at line [[@LINE+3]]; a name may neither be defined twice nor shadow another
# CHECK-NEXT:{{^}}program @p(%x: f64[3], %x: f64[3]) {{{$}}
# CHECK-NEXT:{{^}}                       ^{{$}}
program @p(%x: f64[3], %x: f64[3]) {
  return %x
}
