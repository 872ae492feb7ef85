# Yields are looked up too.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: yield-undefined.ls:[[@LINE+6]]:17: error: scan: %nn is not defined here; did you mean %n?
# CHECK-NEXT:{{^}}    yield carry(%nn){{$}}
# CHECK-NEXT:{{^}}                ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=3, carry(%s = %c) {
    %n = neg %s
    yield carry(%nn)
  }
  return %y
}
