# The rows of a tile whose sums run along lanes: one call for four of them.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s A=random:1 x=random:2
# RUN: %lockstep check %s A=random:1 x=random:2 --numerics=strict
program @rows(%A: f64[32,64], %x: f64[64]) {
  # CHECK: call <[[N:[0-9]+]] x double> @lockstep_tanh_f64x[[N]](
  # CHECK: store <4 x double>
  # CHECK-NOT: store double
  %y = einsum %A, %x, spec="ij,j->i"
  %t = tanh %y
  return %t
}
