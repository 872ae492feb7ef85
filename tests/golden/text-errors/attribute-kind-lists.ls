# Groups are lists of lists.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-lists.ls:[[@LINE+5]]:33: error: psum: groups: expected [ before a list of integers, found 0
# CHECK-NEXT:{{^}}  %y = psum %x, axis=a, groups=[0,1]{{$}}
# CHECK-NEXT:{{^}}                                ^{{$}}
axis a = 2
program @p(%x: f64[3,3]{a}) {
  %y = psum %x, axis=a, groups=[0,1]
  return %y
}
