# Ops that move elements.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @views(%x: f64[2,3], %i: i32[], %k: i32[5], %v: f64[], %u: f64[1,2]) {
  %iota = iota dim=1 : i32[4,3]
  %broadcast = broadcast %x, dims=[1,2] : f64[8,2,3]
  %reshape = reshape %x : f64[6]
  %transpose = transpose %x, perm=[1,0]
  %slice = slice %x, start=[0,1], limit=[2,3]
  %strided = slice %x, start=[0,0], limit=[2,3], stride=[1,2]
  %concatenate = concatenate %x, %x, %x, dim=-1
  %pad = pad %x, %v, low=[1,0], high=[0,-1]
  %interior = pad %x, %v, low=[0,0], high=[0,0], interior=[1,2]
  %reverse = reverse %x, dims=[-1,0]
  %dynamic_slice = dynamic_slice %x, %i, %i, sizes=[1,2]
  %update = dynamic_update_slice %x, %u, %i, %i
  %take = take %x, %k, dim=1
  return %iota, %broadcast, %strided, %take
}
# CHECK: program @views(%x: f64[2,3], %i: i32[], %k: i32[5], %v: f64[], %u: f64[1,2]) {
# CHECK-NEXT: %iota = iota dim=1 : i32[4,3]
# CHECK-NEXT: %broadcast = broadcast %x, dims=[1,2] : f64[8,2,3]
# CHECK-NEXT: %reshape = reshape %x : f64[6]
# CHECK-NEXT: %transpose = transpose %x, perm=[1,0] : f64[3,2]
# CHECK-NEXT: %slice = slice %x, start=[0,1], limit=[2,3] : f64[2,2]
# CHECK-NEXT: %strided = slice %x, start=[0,0], limit=[2,3], stride=[1,2] : f64[2,2]
# CHECK-NEXT: %concatenate = concatenate %x, %x, %x, dim=1 : f64[2,9]
# CHECK-NEXT: %pad = pad %x, %v, low=[1,0], high=[0,-1] : f64[3,2]
# CHECK-NEXT: %interior = pad %x, %v, low=[0,0], high=[0,0], interior=[1,2] : f64[3,7]
# CHECK-NEXT: %reverse = reverse %x, dims=[0,1] : f64[2,3]
# CHECK-NEXT: %dynamic_slice = dynamic_slice %x, %i, %i, sizes=[1,2] : f64[1,2]
# CHECK-NEXT: %update = dynamic_update_slice %x, %u, %i, %i : f64[2,3]
# CHECK-NEXT: %take = take %x, %k, dim=1 : f64[2,5]
# CHECK-NEXT: return %iota, %broadcast, %strided, %take
# CHECK-NEXT: }
