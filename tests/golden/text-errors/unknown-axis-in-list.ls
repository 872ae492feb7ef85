# Nothing is near: only the axes in scope.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-axis-in-list.ls:[[@LINE+7]]:34: error: all_gather: axis: no axis is called depth; axes in scope: rows = 4, cols = 2
# CHECK-NEXT:{{^}}  %y = all_gather %x, axis=[rows,depth]{{$}}
# CHECK-NEXT:{{^}}                                 ^{{$}}
axis rows = 4
axis cols = 2

program @p(%x: f64[3]{rows}) {
  %y = all_gather %x, axis=[rows,depth]
  return %y
}
