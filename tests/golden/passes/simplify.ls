# The seed program with an explicit device dim: the sum over the devices goes
# into the contraction, the factor behind it; what is the same in each step
# leaves the loop.
# RUN: %lockstep show --after=simplify --without=raise %s | FileCheck %s
# RUN: %lockstep show --after=simplify --without=raise %s > %t/1.ls && %lockstep show --after=simplify %t/1.ls | diff %t/1.ls -
# RUN: %lockstep check --numerics=strict %s J=random:1 y0=random:2
program @average(%J: f64[8,16,16], %y0: f64[8,16,1]) {
  %y, %log = scan length=10, unroll=2, carry(%c = %y0) {
    %eps = constant 1e-06 : f64[]
    %half = constant 0.5 : f64[]
    %Jt = transpose %J, perm=[0,2,1]
    %Js0 = add %J, %Jt
    %Js = mul %half, %Js0
    %e = broadcast %eps, dims=[] : f64[8,16,1]
    %Jc = einsum %Js, %c, spec="dmn,dni->dmi"
    %d = mul %e, %Jc
    %u = reduce_sum %d, dims=[0]
    %b = broadcast %u, dims=[1,2] : f64[8,16,1]
    %n = add %c, %b
    %norm = einsum %n, %n, spec="dmi,dmi->"
    %unused = sqrt %norm
    yield carry(%n), ys(%unused)
  }
  return %y
}

# CHECK: program @average
# CHECK-NEXT: %half = constant 0.5 : f64[]
# CHECK-NEXT: %Jt = transpose %J, perm=[0,2,1] : f64[8,16,16]
# CHECK-NEXT: %Js0 = add %J, %Jt : f64[8,16,16]
# CHECK-NEXT: %Js = mul %half, %Js0 : f64[8,16,16]
# CHECK-NEXT: %y = scan length=10, carry(%c = %y0) {
# CHECK-NEXT: %eps = constant 1e-06 : f64[]
# CHECK-NEXT: [[V0:%[0-9]+]] = einsum %Js, %c, spec="dmn,dni->mi" : f64[16,1]
# CHECK-NEXT: %u = mul %eps, [[V0]] : f64[16,1]
# CHECK-NEXT: %b = broadcast %u, dims=[1,2] : f64[8,16,1]
# CHECK-NEXT: %n = add %c, %b : f64[8,16,1]
# CHECK-NEXT: yield carry(%n)
# CHECK-NEXT: } : f64[8,16,1]
# CHECK-NEXT: return %y
# CHECK-NEXT: }
