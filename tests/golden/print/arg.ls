# argmax and argmin: an i32, their dim dropped; normal draws.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @arg(%x: f64[2,3,4], %p: bool[2,3], %keys: u32[8,2]) {
  %high = argmax %x, dim=1
  %low = argmin %x, dim=-1 : i32[2,3]
  %first = argmax %p, dim=0
  %key = random_key seed=1
  %one = random_normal %key : f64[]
  %many = random_normal %keys, batch=1 : bf16[8,3]
  return %high, %low, %first, %one, %many
}
# CHECK: program @arg(%x: f64[2,3,4], %p: bool[2,3], %keys: u32[8,2]) {
# CHECK-NEXT: %high = argmax %x, dim=1 : i32[2,4]
# CHECK-NEXT: %low = argmin %x, dim=2 : i32[2,3]
# CHECK-NEXT: %first = argmax %p, dim=0 : i32[3]
# CHECK-NEXT: %key = random_key seed=1 : u32[2]
# CHECK-NEXT: %one = random_normal %key : f64[]
# CHECK-NEXT: %many = random_normal %keys, batch=1 : bf16[8,3]
# CHECK-NEXT: return %high, %low, %first, %one, %many
# CHECK-NEXT: }
