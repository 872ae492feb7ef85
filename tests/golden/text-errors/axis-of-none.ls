# A program without axes.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-of-none.ls:[[@LINE+4]]:22: error: pmax: axis: no axis is called devices: the program declares no axes
# CHECK-NEXT:{{^}}  %y = pmax %x, axis=devices{{$}}
# CHECK-NEXT:{{^}}                     ^{{$}}
program @p(%x: f64[3]) {
  %y = pmax %x, axis=devices
  return %y
}
