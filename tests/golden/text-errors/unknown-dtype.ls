# The dtypes are listed.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-dtype.ls:[[@LINE+3]]:16: error: %x: no dtype is called float64; did you mean f64? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# CHECK-NEXT:{{^}}program @p(%x: float64[3]) {{{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
program @p(%x: float64[3]) {
  return %x
}
