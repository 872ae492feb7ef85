# A function of vectors is a call of a vector routine; the tail calls the same
# one, padded, and so does what is uniform.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s --numerics=strict x=random:1 s=random:2
program @vectors(%x: f64[1001], %s: f64[]) {
  # CHECK: call <[[N:[0-9]+]] x double> @lockstep_exp_f64x[[N]](
  # CHECK: call <[[N]] x double> @lockstep_exp_f64x[[N]](
  # CHECK-NOT: call double @
  %e = exp %x
  %c = cos %s
  return %e, %c
}
