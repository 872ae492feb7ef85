# Large kernels are dealt in tiles.  What stays in its tiles does not meet, what
# crosses them does, once a step; small programs have no team.
# RUN: %lockstep show %s --after=plan | FileCheck %s
# RUN: %lockstep show %s --after=plan --size=n=64 | FileCheck %s --check-prefix=SMALL
# RUN: %lockstep run %s x=random:1 X=random:3 W=random:2 --threads=1 > %t/1
# RUN: %lockstep run %s x=random:1 X=random:3 W=random:2 > %t/2
# RUN: diff %t/1 %t/2
size n = 1024
program @shared(%x: f64[n], %W: f64[n,n], %X: f64[n,n]) {
  %y = scan length=20, carry(%c = %x) {
    %p = einsum %W, %c, spec="mn,n->m"
    %t = tanh %p
    yield carry(%t)
  }
  %Z = scan length=20, carry(%C = %X) {
    %T = tanh %C
    yield carry(%T)
  }
  return %y, %Z
}
# CHECK: %t = kernel form=contract, by=inline, tile=[16], team=true, sync=true, at=[carry]
# CHECK-NOT: sync
# CHECK: %T = kernel form=map, tile=[4,1024], team=true, at=[carry]
# SMALL: kernel
# SMALL-NOT: team
# RUN: %lockstep explain %s | FileCheck %s --check-prefix=WHY
# WHY: by the team, tiles [16], which meets first
# WHY: by the team, tiles [4,1024]{{$}}
