# The body yields as many carries as there are.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: carry-count.ls:[[@LINE+6]]:5: error: scan: has 1 carry, but its body yields 2
# CHECK-NEXT:{{^}}    yield carry(%n, %n){{$}}
# CHECK-NEXT:{{^}}    ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=3, carry(%s = %c) {
    %n = neg %s
    yield carry(%n, %n)
  }
  return %y
}
