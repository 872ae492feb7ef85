# RUN: not %lockstep show %s 2>&1 | FileCheck %s
program @wrong(%A: f64[2,3], %B: f64[4,5]) {
  %C = einsum %A, %B, spec="ij, jk -> ik"
  return %C
}
# CHECK: einsum-label.ls:3:8: error: einsum: spec "ij, jk -> ik": label j has sizes 3 and 4
# CHECK: {{^}}  ij, jk -> ik
# CHECK-NEXT: {{^}}      ^
