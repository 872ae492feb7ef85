# RUN: not %lockstep show %s 2>&1 | FileCheck %s
axis rows = 4
axis cols = 2
program @wrong(%x: f64[3]{rows}) {
  %y = psum %x, axis=[rows,cols,rows]
  return %y
}
# CHECK: psum-axis-twice.ls:5:33: error: psum: axis: axis rows is given twice
# CHECK-NEXT: %y = psum %x, axis=[rows,cols,rows]
# CHECK-NEXT: ^
