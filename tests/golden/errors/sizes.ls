# RUN: not %lockstep show %s 2>&1 | FileCheck %s
program @huge(%x: f64[4000000000], %y: f64[4000000000]) {
  %z = einsum %x, %y, spec="i,j->ij"
  return %z
}
# CHECK: error: einsum: f64[4000000000,4000000000] does not fit in 2^63 bytes
