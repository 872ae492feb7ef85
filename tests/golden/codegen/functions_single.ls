# f32 is computed in f32, and so are f16 and bf16, rounded once.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s --numerics=strict x=random:1,-3,3 h=random:2
program @single(%x: f32[100], %h: f16[100]) {
  # CHECK-NOT: fpext
  # CHECK-DAG: @lockstep_tanh_f32x
  # CHECK-DAG: @lockstep_log_f32x
  # CHECK-DAG: @lockstep_exp_f32x
  # CHECK-NOT: double
  %t = tanh %x
  %r = rsqrt %t
  %g = logistic %r
  %l = log %h
  return %g, %l
}
