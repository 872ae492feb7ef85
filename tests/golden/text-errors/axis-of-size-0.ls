# An axis has at least one device.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-of-size-0.ls:[[@LINE+3]]:6: error: axis devices has size 0; an axis has at least 1 device
# CHECK-NEXT:{{^}}axis devices = 0{{$}}
# CHECK-NEXT:{{^}}     ^{{$}}
axis devices = 0
program @p(%x: f64[3]) {
  return %x
}
