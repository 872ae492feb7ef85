# Only a scan carries.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: carry-of-add.ls:[[@LINE+4]]:16: error: add: takes no carry(...)
# CHECK-NEXT:{{^}}  %y = add %c, carry(%s = %c){{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
program @p(%c: f64[3]) {
  %y = add %c, carry(%s = %c)
  return %y
}
