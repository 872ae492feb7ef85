# The shortest digits that read back to the same value of the dtype.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @literals() {
  %splat = constant 1e-06 : f64[8,8]
  %equal = constant [2,2.0,2e0] : f64[3]
  %f64 = constant [0.1, 1e-6, 1000, 123456789, 1.7976931348623157e308, 5e-324, 0.30000000000000004] : f64[7]
  %f32 = constant [0.1, 1e-6, 16777216, 3.4028235e38, 1e-45, 1e39] : f32[6]
  %f16 = constant [0.1, 65504, 6e-8, 65520] : f16[4]
  %bf16 = constant [0.1, 1e38, 256.5] : bf16[3]
  %special = constant [nan, inf, -inf, -0, 0] : f64[5]
  %bool = constant [[true,false],[false,false]] : bool[2,2]
  %i8 = constant [-128, 127] : i8[2]
  %u64 = constant [0, 18446744073709551615] : u64[2]
  %i64 = constant [9223372036854775807, -9223372036854775808] : i64[2]
  %deep = constant [[[1,2]],[[3,4]],[[5,6]]] : i32[3,1,2]
  %empty = constant [[],[]] : f64[2,0]
  %zeros = constant [0,-0] : f32[2]
  return %f64 as r
}
# CHECK: program @literals() {
# CHECK-NEXT: %splat = constant 1e-06 : f64[8,8]
# CHECK-NEXT: %equal = constant 2 : f64[3]
# CHECK-NEXT: %f64 = constant [0.1,1e-06,1e+03,123456789,1.7976931348623157e+308,5e-324,0.30000000000000004] : f64[7]
# CHECK-NEXT: %f32 = constant [0.1,1e-06,16777216,3.4028235e+38,1e-45,inf] : f32[6]
# CHECK-NEXT: %f16 = constant [0.1,6.55e+04,6e-08,inf] : f16[4]
# CHECK-NEXT: %bf16 = constant [0.1,1e+38,256] : bf16[3]
# CHECK-NEXT: %special = constant [nan,inf,-inf,-0,0] : f64[5]
# CHECK-NEXT: %bool = constant {{\[\[}}true,false],[false,false]] : bool[2,2]
# CHECK-NEXT: %i8 = constant [-128,127] : i8[2]
# CHECK-NEXT: %u64 = constant [0,18446744073709551615] : u64[2]
# CHECK-NEXT: %i64 = constant [9223372036854775807,-9223372036854775808] : i64[2]
# CHECK-NEXT: %deep = constant {{\[\[\[}}1,2]],{{\[\[}}3,4]],{{\[\[}}5,6]]] : i32[3,1,2]
# CHECK-NEXT: %empty = constant 0 : f64[2,0]
# CHECK-NEXT: %zeros = constant [0,-0] : f32[2]
# CHECK-NEXT: return %f64 as r
# CHECK-NEXT: }
