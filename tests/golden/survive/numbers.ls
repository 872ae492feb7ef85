# NaN wins, -inf stays, -0 < +0, denormals are kept, integers never trap: folded
# (constants) and at run time (inputs) alike.
# RUN: %lockstep run %s zf=zeros zi=zeros | FileCheck %s
# RUN: %lockstep check %s zf=zeros zi=zeros --numerics=strict
program @p(%zf: f64[], %zi: i32[]) {
  %nan = constant [nan,1] : f64[2]
  %nan_run = add %nan, %zf
  %max_nan = reduce_max %nan
  %max_nan_run = reduce_max %nan_run
  %low = constant -inf : f64[3]
  %low_run = add %low, %zf
  %max_low = reduce_max %low
  %max_low_run = reduce_max %low_run
  %zeros = constant [-0,0] : f64[2]
  %other = constant [0,-0] : f64[2]
  %max_zero = max %zeros, %other
  %min_zero = min %zeros, %other
  %tiny = constant 1e-310 : f64[7]
  %tiny_run = add %tiny, %zf
  %big = constant 1e100 : f64[]
  %denormal = mul %tiny, %big
  %denormal_run = mul %tiny_run, %big
  %least = constant -2147483648 : i32[5]
  %least_run = add %least, %zi
  %less = constant -1 : i32[]
  %none = constant 0 : i32[]
  %over = div %least_run, %less
  %over_rest = rem %least_run, %less
  %by_zero = div %least_run, %zi
  %by_zero_folded = div %least, %none
  %rest_zero = rem %least_run, %zi
  return %max_nan, %max_nan_run, %max_low, %max_low_run, %max_zero, %min_zero, %denormal, %denormal_run, %over, %over_rest, %by_zero, %by_zero_folded, %rest_zero
}
# CHECK: max_nan: f64[] = nan
# CHECK: max_nan_run: f64[] = nan
# CHECK: max_low: f64[] = -inf
# CHECK: max_low_run: f64[] = -inf
# CHECK: max_zero: f64[2] = [0, 0]
# CHECK: min_zero: f64[2] = [-0, -0]
# CHECK: denormal: f64[7] = [9.99999999999997e-211, {{.*}}, 9.99999999999997e-211]
# CHECK: denormal_run: f64[7] = [9.99999999999997e-211, {{.*}}, 9.99999999999997e-211]
# CHECK: over: i32[5] = [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648]
# CHECK: over_rest: i32[5] = [0, 0, 0, 0, 0]
# CHECK: by_zero: i32[5] = [-1, -1, -1, -1, -1]
# CHECK: by_zero_folded: i32[5] = [-1, -1, -1, -1, -1]
# CHECK: rest_zero: i32[5] = [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648]
