# A character of no token.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: bad-character.ls:[[@LINE+4]]:14: error: neg: unexpected character ;
# CHECK-NEXT:{{^}}  %y = neg %x;{{$}}
# CHECK-NEXT:{{^}}             ^{{$}}
program @p(%x: f64[3]) {
  %y = neg %x;
  return %y
}
