# Keys and draws.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @random(%n: i32[], %keys: u32[8,2]) {
  %key = random_key seed=-1
  %split = random_split %key, count=8
  %fold = random_fold_in %key, %n
  %bits = random_bits %key : u8[3]
  %uniform = random_uniform %key : f32[2,2]
  %default = random_uniform %key, low=0.0, high=1.0 : f64[4]
  %range = random_uniform %fold, low=-0.1, high=1e3 : bf16[4]
  %many = random_bits %keys, batch=1 : u32[8,3]
  return %split, %bits, %uniform, %range, %many
}
# CHECK: program @random(%n: i32[], %keys: u32[8,2]) {
# CHECK-NEXT: %key = random_key seed=-1 : u32[2]
# CHECK-NEXT: %split = random_split %key, count=8 : u32[8,2]
# CHECK-NEXT: %fold = random_fold_in %key, %n : u32[2]
# CHECK-NEXT: %bits = random_bits %key : u8[3]
# CHECK-NEXT: %uniform = random_uniform %key : f32[2,2]
# CHECK-NEXT: %default = random_uniform %key : f64[4]
# CHECK-NEXT: %range = random_uniform %fold, low=-0.1, high=1e+03 : bf16[4]
# CHECK-NEXT: %many = random_bits %keys, batch=1 : u32[8,3]
# CHECK-NEXT: return %split, %bits, %uniform, %range, %many
# CHECK-NEXT: }
