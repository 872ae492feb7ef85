# A dump names its stage.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
stage batched
program @p(%x: f64[2,3], %i: i32[2]) {
  %k = random_key seed=3
  %y = take %x, %i, dim=1, batch=0
  %z = take %x, %i, dim=1
  %t = reduce_sum %x, dims=[0]
  return %y, %z, %t
}
# CHECK: stage batched
# CHECK-NEXT: program @p(%x: f64[2,3], %i: i32[2]) {
# CHECK-NEXT: %k = random_key seed=3 : u32[2]
# CHECK-NEXT: %y = take %x, %i, dim=1 : f64[2,2]
# CHECK-NEXT: %z = take %x, %i, dim=1 : f64[2,2]
# CHECK-NEXT: %t = reduce_sum %x, dims=[0] : f64[3]
# CHECK-NEXT: return %y, %z, %t
# CHECK-NEXT: }
