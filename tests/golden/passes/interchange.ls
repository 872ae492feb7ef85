# Scans that are independent along a dim run block by block.
# RUN: %lockstep show --machine=modest --after=interchange %s | FileCheck %s
# RUN: %lockstep show --machine=modest --after=interchange --numerics=strict %s | FileCheck %s
# RUN: %lockstep show --machine=modest --after=interchange --without=interchange %s | FileCheck --check-prefix=WITHOUT %s
# RUN: %lockstep explain --machine=modest %s | FileCheck --check-prefix=EXPLAIN %s
# RUN: %lockstep explain --machine=modest --json %s | FileCheck --check-prefix=JSON %s
# RUN: %lockstep explain --machine=modest --why-not=interchange %s | FileCheck --check-prefix=WHY %s
# RUN: %lockstep show --machine=modest --after=plan --dot %s | FileCheck --check-prefix=DOT %s
# RUN: %lockstep show --machine=modest --after=plan --strip %s | FileCheck --check-prefix=STRIP %s
# RUN: %lockstep show --machine=modest --after=plan %s | FileCheck --check-prefix=PLAN %s
# WITHOUT-NOT: blocks
# STRIP-NOT: blocks
# STRIP-NOT: kernel
# EXPLAIN: in blocks of {{[0-9]+}} along dim 0 of %a, which has 1000000
# EXPLAIN: in blocks of {{[0-9]+}} along dim 0 of %e, which has 4096; there it is the innermost dim
# JSON: "block": {{[1-9]}}
# WHY: %a = scan runs in blocks along dim 0 of %a (1000000) of {{[0-9]+}}: whole it takes {{.*}} cycles, in blocks
# DOT: blocks of {{[0-9]+}}
size n = 1000000
program @cut(%x: f64[n], %u: f64[40,n], %h0: f64[262144,4], %W: f64[4,4],
             %m: f64[50000,20], %s: f64[4096,3], %k: f64[4096,3,3],
             %t: f64[3,500000]) {
  %half = constant 0.5 : f64[]
  %zero = constant 0 : i32[]
  # Arithmetic; what is carried lies in the arena, a block of it.
  # CHECK: %a = blocks dim=0, size={{[0-9]+}} {
  # CHECK-NEXT: scan length=100
  # PLAN: %a = blocks dim=0, size={{[0-9]+}}, team=true, at=[result] {
  # PLAN-NEXT: scan length=100, carry({{.*}}), at=[{{[0-9]+}}] {
  # PLAN: kernel form=map, at=[result] {
  # PLAN-NEXT: yield
  %a = scan length=100, carry(%c = %x) {
    %p = mul %c, %half
    %n = sub %p, %c
    yield carry(%n)
  }
  # xs and ys, whose dim stands elsewhere; ys are written where they belong.
  # CHECK: %b, %ys = blocks dim=0, dims=[0,1], size={{[0-9]+}} {
  # PLAN: %b, %ys = blocks {{.*}}, at=[result,result] {
  # PLAN-NEXT: scan {{.*}}, at=[{{[0-9]+}},result] {
  # PLAN: at=[{{carry,ys|ys,carry|ys|carry}}]
  %b, %ys = scan carry(%c = %x), xs(%v = %u) {
    %n = mul %c, %v
    %y = add %n, %half
    yield carry(%n), ys(%y)
  }
  # Two scans, one after another.
  # CHECK: %c1 = blocks
  # CHECK: %c2 = blocks
  %c1 = scan length=60, carry(%c = %x) {
    %n = mul %c, %c
    yield carry(%n)
  }
  %c2 = scan length=70, carry(%c = %c1) {
    %n = mul %c, %half
    yield carry(%n)
  }
  # The rows of a recurrent cell.
  # CHECK: %d = blocks dim=0, size={{[0-9]+}}
  # CHECK: einsum {{.*}} : f64[262144,4]
  %d = scan length=50, carry(%c = %h0) {
    %r = einsum %c, %W, spec="bh,hk->bk"
    %n = add %r, %h0
    yield carry(%n)
  }
  # Small systems: inside, the dim that is cut is the innermost, and what every
  # step reads is copied so.
  # CHECK: %e = blocks dim=0, size={{[0-9]+}}, inner=true {
  # CHECK-NEXT: %k_2 = kernel form=map {
  # CHECK-NEXT: yield %k
  # CHECK: einsum %k_2
  %e = scan length=100, carry(%c = %s) {
    %r = einsum %k, %c, spec="nij,nj->ni"
    %n = add %r, %c
    yield carry(%n)
  }
  # A sum over another dim.
  # CHECK: %f = blocks dim=0, size={{[0-9]+}}
  %f = scan length=60, carry(%c = %m) {
    %square = mul %c, %c
    %r = reduce_sum %square, dims=[1]
    %w = broadcast %r, dims=[0] : f64[50000,20]
    %n = sub %c, %w
    yield carry(%n)
  }
  # A step counter that no one reads afterwards, and a loop and a branch that
  # all elements take alike.
  # CHECK: %g = blocks dim=1, size={{[0-9]+}}
  # CHECK: %g{{.*}}, %i{{.*}} = scan
  %g, %i = scan length=60, carry(%c = %t, %j = %zero) {
    %one = constant 1 : i32[]
    %even = compare %j, %one, op=lt
    %n = cond %even then {
      %twice = add %c, %c
      yield %twice
    } else {
      yield %c
    }
    %q = mul %n, %half
    %next = add %j, %one
    yield carry(%q, %next)
  }
  return %a, %b, %ys, %c2, %d, %e, %f, %g
}
