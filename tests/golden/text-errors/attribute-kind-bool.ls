# tiled is true or false.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-bool.ls:[[@LINE+5]]:37: error: all_gather: tiled: expected true or false, found 1
# CHECK-NEXT:{{^}}  %y = all_gather %x, axis=a, tiled=1{{$}}
# CHECK-NEXT:{{^}}                                    ^{{$}}
axis a = 2
program @p(%x: f64[3,3]{a}) {
  %y = all_gather %x, axis=a, tiled=1
  return %y
}
