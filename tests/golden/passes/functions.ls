# Functions: one routine each for a dtype, vectors of it where there are some; none
# is computed twice.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show --after=fuse %s | FileCheck --check-prefix=FUSE %s
# RUN: %lockstep check %s --numerics=strict x=random:1 p=iota
# RUN: %lockstep show --llvm %s | FileCheck --check-prefix=LLVM %s
program @functions(%x: f32[5], %p: i16[5]) {
  # CHECK: %exp = exp %x : f32[5]
  %exp = exp %x
  # CHECK: %exp2 = exp2 %exp : f32[5]
  %exp2 = exp2 %exp
  # CHECK: %expm1 = expm1 %x : f32[5]
  %expm1 = expm1 %x
  # CHECK: %log = log %x : f32[5]
  %log = log %x
  # CHECK: %log1p = log1p %x : f32[5]
  %log1p = log1p %x
  # CHECK: %rsqrt = rsqrt %x : f32[5]
  %rsqrt = rsqrt %x
  # CHECK: %cbrt = cbrt %x : f32[5]
  %cbrt = cbrt %x
  # CHECK: %sin = sin %x : f32[5]
  %sin = sin %x
  # CHECK: %cos = cos %sin : f32[5]
  %cos = cos %sin
  # CHECK: %tan = tan %x : f32[5]
  %tan = tan %x
  # CHECK: %asin = asin %x : f32[5]
  %asin = asin %x
  # CHECK: %acos = acos %x : f32[5]
  %acos = acos %x
  # CHECK: %atan = atan %x : f32[5]
  %atan = atan %x
  # CHECK: %sinh = sinh %x : f32[5]
  %sinh = sinh %x
  # CHECK: %cosh = cosh %x : f32[5]
  %cosh = cosh %x
  # CHECK: %tanh = tanh %x : f32[5]
  %tanh = tanh %x
  # CHECK: %asinh = asinh %tanh : f32[5]
  %asinh = asinh %tanh
  # CHECK: %acosh = acosh %x : f32[5]
  %acosh = acosh %x
  # CHECK: %atanh = atanh %x : f32[5]
  %atanh = atanh %x
  # CHECK: %logistic = logistic %x : f32[5]
  %logistic = logistic %x
  # CHECK: %erf = erf %logistic : f32[5]
  %erf = erf %logistic
  # CHECK: %erfc = erfc %x : f32[5]
  %erfc = erfc %x
  # CHECK: %pow = pow %exp, %sin : f32[5]
  %pow = pow %exp, %sin
  # CHECK: %ints = pow %p, %p : i16[5]
  %ints = pow %p, %p
  # CHECK: %atan2 = atan2 %pow, %x : f32[5]
  %atan2 = atan2 %pow, %x
  # Read at two indices: stored, not computed twice.
  # FUSE: slice
  # FUSE-NOT: = tanh
  %left = slice %tanh, start=[0], limit=[4]
  %right = slice %tanh, start=[1], limit=[5]
  %step = sub %right, %left
  return %exp2, %expm1, %log, %log1p, %rsqrt, %cbrt, %cos, %tan, %asin, %acos, %atan, %sinh, %cosh, %asinh, %acosh, %atanh, %erf, %erfc, %pow, %ints, %atan2, %step
}
# LLVM: call {{.*}} @lockstep_exp
# LLVM-NOT: @llvm.exp
