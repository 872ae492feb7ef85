# A dim that a scan only batches over, and then sums, becomes an axis, and hoist
# takes the sum out.  Inputs and results keep their dims.
# RUN: %lockstep show --after=raise %s | FileCheck %s
# RUN: %lockstep show --after=hoist %s | FileCheck %s --check-prefix=HOISTED
# RUN: %lockstep show --after=raise %s >%t/once.ls
# RUN: %lockstep show --after=raise %t/once.ls | diff %t/once.ls -
# RUN: %lockstep show --after=hoist %s >%t/twice.ls
# RUN: %lockstep show --after=hoist %t/twice.ls | diff %t/twice.ls -
# RUN: %lockstep show --after=hoist --without=raise %s >%t/out.ls
# RUN: %lockstep show %s | diff %t/out.ls -
# RUN: %lockstep show --after=raise --without=hoist %s | diff %t/out.ls -
# RUN: %lockstep check %s J=random:1,-1,1 K=random:2,-1,1 L=random:3,-1,1 \
# RUN:   y0=random:4 z0=random:5 M=iota i0=iota
# RUN: %lockstep explain --why-not=raise %s | FileCheck %s --check-prefix=WHY
# RUN: %lockstep explain --why-not=hoist %s | FileCheck %s --check-prefix=WHY
# WHY: dim 0 of %c, size 8, becomes an axis: hoist moves sums over it
# WHY: dim 1 of %x, size 8, becomes an axis
# WHY-NOT: gain nothing

# CHECK: axis raised_8 = 8
# CHECK: axis raised_4 = 4
# CHECK: axis raised_4_2 = 4
# HOISTED-NOT: f64{{.*}}{raised_8}{{.*}}) {
program @fires(%J: f64[8,16,16], %y0: f64[8,16,1], %K: f64[16,8,16],
               %z0: f64[16,8], %L: f64[4,4,16,16], %M: i32[8,16,16],
               %i0: i32[8,16]) {
  %eps = constant 1e-06 : f64[]
  %friction = constant 0.9 : f64[]
  %nil = constant 0 : f64[8,16,1]
  # CHECK: %[[Y:[0-9]+]] = map %y0, axis=raised_8 : f64[16,1]{raised_8}
  # CHECK: %[[J:[0-9]+]] = map %J, axis=raised_8 : f64[16,16]{raised_8}
  # CHECK: scan length=1000, carry(%c = %[[Y]]) {
  # CHECK: einsum %[[J]], %c, spec="mn,ni->mi" : f64[16,1]{raised_8}
  # CHECK: %u = psum %{{[a-z0-9]+}}, axis=raised_8 : f64[16,1]
  # CHECK: add %c, %u : f64[16,1]{raised_8}
  # CHECK: %y = unmap %{{[0-9]+}}, axis=raised_8 : f64[8,16,1]
  # HOISTED: scan length=1000
  # HOISTED-NOT: psum
  # HOISTED: yield
  # HOISTED: %y = unmap {{.*}} : f64[8,16,1]
  %y = scan length=1000, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="dmn,dni->dmi"
    %d = mul %eps, %Jc
    %u = reduce_sum %d, dims=[0]
    %n = add %c, %u
    yield carry(%n)
  }
  # The dim in the middle, the sum in the einsum, operands the other way round.
  # CHECK: map %K, axis=raised_8, dim=1
  # CHECK: scan length=500
  # CHECK: einsum %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, spec="b,cb->c" : f64[16]{raised_8}
  # CHECK: psum
  # CHECK: %z = unmap %{{[0-9]+}}, axis=raised_8, dim=1 : f64[16,8]
  # HOISTED: scan length=500
  # HOISTED-NOT: psum
  # HOISTED: yield
  %z = scan length=500, carry(%x = %z0) {
    %Kx = einsum %x, %K, spec="ba,cab->c"
    %e = mul %Kx, %eps
    %w = broadcast %e, dims=[0] : f64[16,8]
    %n = sub %x, %w
    yield carry(%n)
  }
  # A mean, dims kept, momentum whose init is zeros: these do not vary.
  # CHECK: scan length=400, carry(%p = %{{[0-9]+}}, %v = %{{[0-9]+}}) {
  # CHECK: psum
  # CHECK: reshape %{{[a-z0-9]+}} : f64[16,1]
  # HOISTED: scan length=400
  # HOISTED-NOT: psum
  # HOISTED: yield
  %a, %b = scan length=400, carry(%p = %y0, %v = %nil) {
    %Jp = einsum %J, %p, spec="zab,zbc->zac"
    %s = reduce_sum %Jp, dims=[0]
    %k = reshape %s : f64[1,16,1]
    %eighth = constant 0.125 : f64[]
    %m = mul %k, %eighth
    %h = mul %friction, %v
    %v2 = sub %h, %m
    %f = mul %v2, %eps
    %p2 = add %p, %f
    yield carry(%p2, %v2)
  }
  # Two dims of one size, and a carry that is the same along both.
  # CHECK: map %{{[0-9A-Z]+}}, axis=raised_4
  # CHECK: scan length=300
  # CHECK: psum %{{[A-Za-z0-9]+}}, axis=raised_4_2
  # CHECK: psum %{{[A-Za-z0-9]+}}, axis=raised_4 :
  # HOISTED: scan length=300
  # HOISTED-NOT: psum
  # HOISTED: yield
  %ones = constant 1 : f64[16]
  %g = scan length=300, carry(%q = %ones) {
    %Lq = einsum %L, %q, spec="demn,n->dme"
    %t = reduce_sum %Lq, dims=[0,2]
    %r = mul %t, %eps
    %n = add %q, %r
    yield carry(%n)
  }
  # Integers: exact, so in strict numerics, too.
  # HOISTED: scan length=200
  # HOISTED-NOT: psum
  # HOISTED: yield
  %i = scan length=200, carry(%j = %i0) {
    %Mj = einsum %M, %j, spec="dmn,dn->m"
    %n = add %j, %Mj
    yield carry(%n)
  }
  # HOISTED: return
  return %y, %z, %a, %b, %g, %i
}
