# A set holds an axis once.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-in-braces-twice.ls:[[@LINE+4]]:28: error: %x: axis rows stands twice in the braces
# CHECK-NEXT:{{^}}program @p(%x: f64[3]{rows,rows}) {{{$}}
# CHECK-NEXT:{{^}}                           ^{{$}}
axis rows = 4
program @p(%x: f64[3]{rows,rows}) {
  return %x
}
