# Ops on whole arrays.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis a = 2

program @whole(%x: f32[4,3]{a}, %k: i32[4,3], %i: i64[5], %u: f32[5,3]) {
  %cumsum = cumsum %x, dim=-1
  %cumprod = cumprod %x, dim=0, reverse=false
  %cummax = cummax %k, dim=0, reverse=true
  %cummin = cummin %x, reverse=true, dim=1
  %keys, %values = sort %k, %x, dim=-2
  %alone = sort %u, dim=0 : f32[5,3]
  %scatter_add = scatter_add %x, %i, %u, dim=-2
  return %cumsum, %cumprod, %cummax, %cummin, %keys, %values, %alone, %scatter_add
}
# CHECK: %cumsum = cumsum %x, dim=1 : f32[4,3]{a}
# CHECK-NEXT: %cumprod = cumprod %x, dim=0 : f32[4,3]{a}
# CHECK-NEXT: %cummax = cummax %k, dim=0, reverse=true : i32[4,3]
# CHECK-NEXT: %cummin = cummin %x, dim=1, reverse=true : f32[4,3]{a}
# CHECK-NEXT: %keys, %values = sort %k, %x, dim=0 : i32[4,3]{a}, f32[4,3]{a}
# CHECK-NEXT: %alone = sort %u, dim=0 : f32[5,3]
# CHECK-NEXT: %scatter_add = scatter_add %x, %i, %u, dim=0 : f32[4,3]{a}
