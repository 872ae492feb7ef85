# Letters are compared without case.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: dtype-in-capitals.ls:[[@LINE+3]]:16: error: %x: no dtype is called F32; did you mean f32? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# CHECK-NEXT:{{^}}program @p(%x: F32[3]) {{{$}}
# CHECK-NEXT:{{^}}               ^{{$}}
program @p(%x: F32[3]) {
  return %x
}
