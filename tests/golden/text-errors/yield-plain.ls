# A scan's yield says what is carried.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: yield-plain.ls:[[@LINE+5]]:11: error: scan: expected carry(...) or ys(...), found %s
# CHECK-NEXT:{{^}}    yield %s{{$}}
# CHECK-NEXT:{{^}}          ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=3, carry(%s = %c) {
    yield %s
  }
  return %y
}
