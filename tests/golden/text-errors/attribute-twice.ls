# The second one is to blame.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-twice.ls:[[@LINE+4]]:34: error: transpose: perm is given twice
# CHECK-NEXT:{{^}}  %y = transpose %x, perm=[1,0], perm=[0,1]{{$}}
# CHECK-NEXT:{{^}}                                 ^{{$}}
program @p(%x: f64[3,3]) {
  %y = transpose %x, perm=[1,0], perm=[0,1]
  return %y
}
