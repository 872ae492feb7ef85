# Collectives of what changes in the loop only by what all devices share leave
# it: the varying part is summed before the loop, the carry is split.
# RUN: %lockstep show --machine=modest --after=hoist %s | FileCheck %s
# RUN: %lockstep show --machine=modest --after=hoist %s >%t/once.ls
# RUN: %lockstep show --machine=modest --after=hoist %t/once.ls | diff %t/once.ls -
# RUN: %lockstep check %s J=random:1 K=random:2 y0=random:3 v0=random:4
# RUN: %lockstep explain --machine=modest --why-not=hoist %s | FileCheck %s --check-prefix=WHY
# WHY: %u = psum leaves %y = scan: the loop takes
# WHY: %m = pmean leaves
# WHY: %g = psum leaves
# WHY-NOT: stays
axis devices = 8

program @fires(%J: f64[32,32]{devices}, %K: f64[32,32]{devices},
               %y0: f64[32,1]{devices}, %v0: f64[32,1]{devices}) {
  %eps = constant 1e-06 : f64[]
  %shift = constant 3 : f64[]
  %friction = constant 0.9 : f64[]
  # CHECK: psum
  # CHECK: %[[JS:[0-9]+]] = psum %J, axis=devices : f64[32,32]
  # CHECK: scan length=1000, carry(%[[S:[a-z_0-9]+]] = %{{[a-z_0-9]+}}) {
  # CHECK-NOT: psum
  # CHECK: einsum %[[JS]], %[[S]], spec="mn,ni->mi" : f64[32,1]
  # CHECK-NOT: psum
  # CHECK: } : f64[32,1]
  %y = scan length=1000, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,ni->mi"
    %d = mul %eps, %Jc
    %u = psum %d, axis=devices
    %n = add %c, %u
    yield carry(%n)
  }
  # A mean, its operand the other way round, with a shift.
  # CHECK: pmean %K, axis=devices
  # CHECK: scan length=500
  # CHECK-NOT: pmean
  # CHECK: yield carry(
  %z = scan length=500, carry(%c = %y0) {
    %Kc = einsum %c, %K, spec="ni,mn->mi"
    %m = pmean %Kc, axis=devices
    %e = mul %m, %eps
    %f = add %e, %shift
    %n = sub %c, %f
    yield carry(%n)
  }
  # Momentum: two carries.
  # CHECK: scan length=400
  # CHECK-NOT: psum
  # CHECK: yield carry(
  %w, %v = scan length=400, carry(%x = %y0, %v = %v0) {
    %Jx = einsum %J, %x, spec="mn,ni->mi"
    %g = psum %Jx, axis=devices
    %s = mul %eps, %g
    %h = mul %friction, %v
    %v2 = sub %h, %s
    %x2 = add %x, %v2
    yield carry(%x2, %v2)
  }
  # CHECK: return
  return %y, %z, %w, %v
}
