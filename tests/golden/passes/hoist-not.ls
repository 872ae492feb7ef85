# Where the pass must not fire nothing changes.
# RUN: %lockstep show --machine=modest %s >%t/before.ls
# RUN: %lockstep show --machine=modest --after=hoist %s | diff %t/before.ls -
# RUN: %lockstep explain --machine=modest --why-not=hoist %s | FileCheck %s
# CHECK: %a2 = psum stays in %a = scan: it takes %t = tanh
# CHECK: %b2 = psum stays in %b = scan
# CHECK: %d2 = pmax stays in %d = scan
# CHECK: %e2 = psum stays in %e = scan
# CHECK: %g2 = psum {{.*}}%g = scan
# CHECK: %h2 = psum stays in %h = scan
axis devices = 8

program @stays(%J: f64[16,16]{devices}, %y0: f64[16]{devices},
               %xs: f64[50,16,16]{devices}, %h0: f16[16]{devices}) {
  %eps = constant 1e-03 : f64[]
  # A nonlinear op before the collective.
  %a = scan length=100, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,n->m"
    %t = tanh %Jc
    %a2 = psum %t, axis=devices
    %n = add %c, %a2
    yield carry(%n)
  }
  # A varying factor that is another one at each step.
  %b = scan carry(%c = %y0), xs(%X = %xs) {
    %Xc = einsum %X, %c, spec="mn,n->m"
    %b2 = psum %Xc, axis=devices
    %s = mul %eps, %b2
    %n = add %c, %s
    yield carry(%n)
  }
  # No sum.
  %d = scan length=100, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,n->m"
    %d2 = pmax %Jc, axis=devices
    %n = add %c, %d2
    yield carry(%n)
  }
  # Groups.
  %e = scan length=100, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,n->m"
    %e2 = psum %Jc, axis=devices, groups=[[0,1,2,3],[4,5,6,7]]
    %n = add %c, %e2
    yield carry(%n)
  }
  # Two steps do not pay.
  %g = scan length=2, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,n->m"
    %g2 = psum %Jc, axis=devices
    %n = add %c, %g2
    yield carry(%n)
  }
  # f16: sums of what varies might overflow.
  %h = scan length=100, carry(%c = %h0) {
    %h2 = psum %c, axis=devices
    %n = sub %c, %h2
    yield carry(%n)
  }
  return %a, %b, %d, %e, %g, %h
}
