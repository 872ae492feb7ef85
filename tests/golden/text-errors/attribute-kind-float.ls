# An integer has no fraction.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-float.ls:[[@LINE+4]]:28: error: concatenate: dim: expected an integer, found 0.5
# CHECK-NEXT:{{^}}  %y = concatenate %x, dim=0.5{{$}}
# CHECK-NEXT:{{^}}                           ^{{$}}
program @p(%x: f32[3,3]) {
  %y = concatenate %x, dim=0.5
  return %y
}
