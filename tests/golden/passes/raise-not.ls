# Where hoist would gain nothing the program stays as it was, to the letter.
# RUN: %lockstep show %s >%t/before.ls
# RUN: %lockstep show --after=raise %s | diff %t/before.ls -
# RUN: %lockstep show --after=hoist %s | diff %t/before.ls -
# RUN: %lockstep explain --why-not=raise %s | FileCheck %s
# RUN: %lockstep explain --why-not=hoist %s | FileCheck %s --check-prefix=HOIST
# CHECK: dim 0 of %a, size 8, could be an axis, but hoist would gain nothing
# HOIST: dim 0 of %a, size 8, could be an axis, but hoist would gain nothing
# HOIST: as an axis: %a2 = psum stays in
# HOIST-NOT: two dims
# CHECK: as an axis: %a2 = psum stays in %{{.*}} = scan: it takes %t = tanh
# CHECK: dim 0 of %b, size 8, could be an axis
# CHECK: as an axis: %b3 = psum stays in
# CHECK: dim 0 of %e, size 8, could be an axis
# CHECK: as an axis: %e2 = psum could leave {{.*}}both together must be less
# CHECK: a dim in a loop, size 8, is no axis: a value has two dims that run
program @stays(%J: f64[8,16,16], %y0: f64[8,16], %xs: f64[50,8,16,16],
               %h0: f16[8,16], %s0: f64[8,8]) {
  # A nonlinear op before the sum.
  %ya = scan length=100, carry(%a = %y0) {
    %Ja = einsum %J, %a, spec="dmn,dn->dm"
    %t = tanh %Ja
    %a2 = reduce_sum %t, dims=[0]
    %n = add %a, %a2
    yield carry(%n)
  }
  # A varying factor that is another one at each step.
  %yb = scan carry(%b = %y0), xs(%X = %xs) {
    %b2 = einsum %X, %b, spec="dmn,dn->dm"
    %b3 = reduce_sum %b2, dims=[0]
    %n = sub %b, %b3
    yield carry(%n)
  }
  # No sum: the largest.
  %yc = scan length=100, carry(%c = %y0) {
    %c2 = einsum %J, %c, spec="dmn,dn->dm"
    %c3 = reduce_max %c2, dims=[0]
    %n = sub %c, %c3
    yield carry(%n)
  }
  # Two steps do not pay.
  %ye = scan length=2, carry(%e = %y0) {
    %Je = einsum %J, %e, spec="dmn,dn->dm"
    %e2 = reduce_sum %Je, dims=[0]
    %n = add %e, %e2
    yield carry(%n)
  }
  # The dim is its own neighbour: s(t+1) = s(t) s(t).
  %yg = scan length=100, carry(%g = %s0) {
    %n = einsum %g, %g, spec="ab,bc->ac"
    yield carry(%n)
  }
  # f16: sums of what varies might overflow.
  %yh = scan length=100, carry(%h = %h0) {
    %h2 = reduce_sum %h, dims=[0]
    %n = sub %h, %h2
    yield carry(%n)
  }
  return %ya, %yb, %yc, %ye, %yg, %yh
}
