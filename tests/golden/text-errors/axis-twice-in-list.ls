# The op and the axis are named.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-twice-in-list.ls:[[@LINE+6]]:33: error: psum: axis: axis rows is given twice
# CHECK-NEXT:{{^}}  %y = psum %x, axis=[rows,cols,rows]{{$}}
# CHECK-NEXT:{{^}}                                ^{{$}}
axis rows = 4
axis cols = 2
program @p(%x: f64[3]{rows}) {
  %y = psum %x, axis=[rows,cols,rows]
  return %y
}
