# Kernels, schedules and places.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
stage kernels
program @seed(%J: f64[8,64,64], %y0: f64[8,64,1]) {
  %eps = constant 1e-06 : f64[]
  %none = constant -0 : f64[64,1]
  %Js, %b = kernel at=[0,[32768]], form=reduce {
    %p = reduce_sum %J, dims=[0]
    %q = einsum %J, %y0, spec="dmn,dni->mi"
    yield %p, %q
  }
  %s = scan length=1000, carry(%c = %none), at=[[33280,33792]] {
    %n = kernel form=contract, by=inline, at=[carry], tile=[8,4] {
      %r = einsum %Js, %c, spec="mn,ni->mi"
      %u = add %b, %r
      %e = mul %eps, %u
      %a = add %c, %e
      yield %a
    }
    yield carry(%n)
  }
  %y = kernel form=map, at=[result], tile=[2,64,1], team=true, sync=true {
    %w = broadcast %s, dims=[1,2] : f64[8,64,1]
    %z = add %y0, %w
    yield %z
  }
  return %y
}
# CHECK: stage kernels
# CHECK-NEXT: program @seed(%J: f64[8,64,64], %y0: f64[8,64,1]) {
# CHECK-NEXT: %eps = constant 1e-06 : f64[]
# CHECK-NEXT: %none = constant -0 : f64[64,1]
# CHECK-NEXT: %Js, %b = kernel form=reduce, at=[0,32768] {
# CHECK-NEXT: %p = reduce_sum %J, dims=[0] : f64[64,64]
# CHECK-NEXT: %q = einsum %J, %y0, spec="dmn,dni->mi" : f64[64,1]
# CHECK-NEXT: yield %p, %q
# CHECK-NEXT: } : f64[64,64], f64[64,1]
# CHECK-NEXT: %s = scan length=1000, carry(%c = %none), at={{\[\[}}33280,33792]] {
# CHECK-NEXT: %n = kernel form=contract, by=inline, tile=[8,4], at=[carry] {
# CHECK-NEXT: %r = einsum %Js, %c, spec="mn,ni->mi" : f64[64,1]
# CHECK-NEXT: %u = add %b, %r : f64[64,1]
# CHECK-NEXT: %e = mul %eps, %u : f64[64,1]
# CHECK-NEXT: %a = add %c, %e : f64[64,1]
# CHECK-NEXT: yield %a
# CHECK-NEXT: } : f64[64,1]
# CHECK-NEXT: yield carry(%n)
# CHECK-NEXT: } : f64[64,1]
# CHECK-NEXT: %y = kernel form=map, tile=[2,64,1], team=true, sync=true, at=[result] {
# CHECK-NEXT: %w = broadcast %s, dims=[1,2] : f64[8,64,1]
# CHECK-NEXT: %z = add %y0, %w : f64[8,64,1]
# CHECK-NEXT: yield %z
# CHECK-NEXT: } : f64[8,64,1]
# CHECK-NEXT: return %y
# CHECK-NEXT: }
