# Nor by a carry.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: carry-shadows.ls:[[@LINE+4]]:29: error: scan: %c is defined already, at line [[@LINE+3]]; a name may neither be defined twice nor shadow another
# CHECK-NEXT:{{^}}  %y = scan length=2, carry(%c = %c) {{{$}}
# CHECK-NEXT:{{^}}                            ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=2, carry(%c = %c) {
    yield carry(%c)
  }
  return %y
}
