# accumulate wants a dtype.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: attribute-kind-dtype.ls:[[@LINE+4]]:43: error: einsum: accumulate: no dtype is called double; did you mean f64? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# CHECK-NEXT:{{^}}  %y = einsum %x, spec="ij->", accumulate=double{{$}}
# CHECK-NEXT:{{^}}                                          ^{{$}}
program @p(%x: f32[3,3]) {
  %y = einsum %x, spec="ij->", accumulate=double
  return %y
}
