# The planned seed program of the design: it reads, prints as it is, and runs.
# RUN: %lockstep show %s --after=plan | FileCheck %s
# RUN: %lockstep show %s --strip | FileCheck %s --check-prefix=STRIP
# RUN: %lockstep check %s J=random:1 y0=random:2
stage kernels
program @seed(%J: f64[8,64,64], %y0: f64[8,64,1]) {
  %eps = constant 1e-06 : f64[]
  %none = constant -0 : f64[64,1]
  %Js, %b = kernel form=reduce, at=[0,32768] {
    %p = reduce_sum %J, dims=[0]
    %q = einsum %J, %y0, spec="dmn,dni->mi"
    yield %p, %q
  }
  %s = scan length=1000, carry(%c = %none), at=[[33280,33792]] {
    %n = kernel form=contract, by=inline, at=[carry] {
      %r = einsum %Js, %c, spec="mn,ni->mi"
      %u = add %b, %r
      %e = mul %eps, %u
      %a = add %c, %e
      yield %a
    }
    yield carry(%n)
  }
  %y = kernel form=map, at=[result] {
    %w = broadcast %s, dims=[1,2] : f64[8,64,1]
    %z = add %y0, %w
    yield %z
  }
  return %y
}
# CHECK: stage kernels
# CHECK: %Js, %b = kernel form=reduce, at=[0,32768] {
# CHECK: %s = scan length=1000, carry(%c = %none), at=[{{\[}}33280,33792]] {
# CHECK: %n = kernel form=contract, by=inline, at=[carry] {
# CHECK: %y = kernel form=map, at=[result] {
# STRIP: stage batched
# STRIP-NOT: kernel
# STRIP-NOT: at=
# STRIP: return %z as y
