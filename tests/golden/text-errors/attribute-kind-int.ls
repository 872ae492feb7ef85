# A word where an integer belongs is no declared size.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-int.ls:[[@LINE+4]]:28: error: concatenate: dim: no size zero is declared before this
# CHECK-NEXT:{{^}}  %y = concatenate %x, dim=zero{{$}}
# CHECK-NEXT:{{^}}                           ^{{$}}
program @p(%x: f64[3,3]) {
  %y = concatenate %x, dim=zero
  return %y
}
