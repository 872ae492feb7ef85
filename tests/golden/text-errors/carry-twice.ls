# carry(...) is one list.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: carry-twice.ls:[[@LINE+4]]:39: error: scan: carry(...) is given twice
# CHECK-NEXT:{{^}}  %y = scan length=3, carry(%s = %c), carry(%t = %c) {{{$}}
# CHECK-NEXT:{{^}}                                      ^{{$}}
program @p(%c: f64[3]) {
  %y = scan length=3, carry(%s = %c), carry(%t = %c) {
    yield carry(%s, %t)
  }
  return %y
}
