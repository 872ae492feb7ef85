# Reductions and einsum: dims are filled in, specs are made canonical.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @reductions(%x: f64[2,3,4], %p: bool[2,3], %i: i32[5], %h: f16[3,3], %A: f32[2,3], %B: f32[3,4]) {
  %all = reduce_sum %x
  %sum = reduce_sum %x, dims=[-1]
  %count = reduce_sum %p, dims=[0]
  %prod = reduce_prod %x, dims=[0,2]
  %max = reduce_max %x, dims=[1]
  %min = reduce_min %i, dims=[0]
  %and = reduce_and %p, dims=[1]
  %or = reduce_or %i
  %trace = einsum %h, spec="ii"
  %product = einsum %A, %B, spec="mk, kn"
  %wide = einsum %A, %B, spec="mk,kn->nm", accumulate=f64
  %rest = einsum %x, spec="...i->..."
  return %all, %trace, %product, %wide, %rest
}
# CHECK: program @reductions(%x: f64[2,3,4], %p: bool[2,3], %i: i32[5], %h: f16[3,3], %A: f32[2,3], %B: f32[3,4]) {
# CHECK-NEXT: %all = reduce_sum %x, dims=[0,1,2] : f64[]
# CHECK-NEXT: %sum = reduce_sum %x, dims=[2] : f64[2,3]
# CHECK-NEXT: %count = reduce_sum %p, dims=[0] : i32[3]
# CHECK-NEXT: %prod = reduce_prod %x, dims=[0,2] : f64[3]
# CHECK-NEXT: %max = reduce_max %x, dims=[1] : f64[2,4]
# CHECK-NEXT: %min = reduce_min %i, dims=[0] : i32[]
# CHECK-NEXT: %and = reduce_and %p, dims=[1] : bool[2]
# CHECK-NEXT: %or = reduce_or %i, dims=[0] : i32[]
# CHECK-NEXT: %trace = einsum %h, spec="ii->" : f16[]
# CHECK-NEXT: %product = einsum %A, %B, spec="mk,kn->mn" : f32[2,4]
# CHECK-NEXT: %wide = einsum %A, %B, spec="mk,kn->nm", accumulate=f64 : f64[4,2]
# CHECK-NEXT: %rest = einsum %x, spec="abi->ab" : f64[2,3]
# CHECK-NEXT: return %all, %trace, %product, %wide, %rest
# CHECK-NEXT: }
