# A spec is a string.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-string.ls:[[@LINE+4]]:24: error: einsum: spec: expected "text", found ij
# CHECK-NEXT:{{^}}  %y = einsum %x, spec=ij{{$}}
# CHECK-NEXT:{{^}}                       ^{{$}}
program @p(%x: f64[3,3]) {
  %y = einsum %x, spec=ij
  return %y
}
