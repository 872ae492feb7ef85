# Nor in a body inside.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: shadowed.ls:[[@LINE+5]]:5: error: %x is defined already, at line [[@LINE+3]]; a name may neither be defined twice nor shadow another
# CHECK-NEXT:{{^}}    %x = neg %s{{$}}
# CHECK-NEXT:{{^}}    ^{{$}}
program @p(%c: f64[3], %x: f64[3]) {
  %y = scan length=2, carry(%s = %c) {
    %x = neg %s
    yield carry(%x)
  }
  return %y
}
