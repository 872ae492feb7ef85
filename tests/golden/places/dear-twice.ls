# Fused, the inner product would be made again for each row of the outer one.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @square(%A: f64[8,8], %x: f64[8]) {
  %y = kernel form=contract, by=inline, at=[result] {
    %r = einsum %A, %x, spec="mn,n->m"
    %s = einsum %A, %r, spec="mn,n->m"
    yield %s
  }
  return %y
}
# CHECK: dear-twice.ls:7:{{[0-9]+}}: error: kernel: %r is computed anew for each time that %s reads it
