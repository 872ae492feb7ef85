# A string ends on its line.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: string-not-closed.ls:[[@LINE+4]]:24: error: einsum: the string is not closed on its line
# CHECK-NEXT:{{^}}  %y = einsum %x, spec="i->{{$}}
# CHECK-NEXT:{{^}}                       ^{{$}}
program @p(%x: f64[3]) {
  %y = einsum %x, spec="i->
  return %y
}
