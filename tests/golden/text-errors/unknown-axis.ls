# The axes in scope are listed, the likely one is suggested.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-axis.ls:[[@LINE+7]]:22: error: psum: axis: no axis is called row; did you mean rows? axes in scope: rows = 4, cols = 2
# CHECK-NEXT:{{^}}  %y = psum %x, axis=row{{$}}
# CHECK-NEXT:{{^}}                     ^{{$}}
axis rows = 4
axis cols = 2

program @p(%x: f64[3]{rows}) {
  %y = psum %x, axis=row
  return %y
}
