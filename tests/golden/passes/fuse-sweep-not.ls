# Sums whose kept dims are not subsets of each other share no nest, nor do sums
# of which one reads the other: what they sum is stored.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
# RUN: %lockstep check %s
program @apart() {
  # CHECK: %z, %x = kernel form=map {
  # CHECK: %rows = kernel form=reduce
  # CHECK: %columns = kernel form=reduce
  # CHECK: %most = kernel form=reduce
  # CHECK: kernel form=reduce
  %key = random_key seed=0
  %x = random_uniform %key : f64[40,30]
  %rows = reduce_sum %x, dims=[0]
  %columns = reduce_sum %x, dims=[1]
  %other = random_key seed=1
  %z = random_uniform %other : f64[40,30]
  %most = reduce_max %z, dims=[1]
  %all = broadcast %most, dims=[0] : f64[40,30]
  %less = sub %z, %all
  %sum = reduce_sum %less, dims=[0]
  return %rows, %columns, %sum
}
