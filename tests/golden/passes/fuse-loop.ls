# A scan whose step is small is one kernel of form=loop; an inner scan stands in
# it; what is too large, or sorts, is kernels as ever.
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: %lockstep show --after=plan %s > %t/plan.ls
# RUN: %lockstep show --after=plan %t/plan.ls | diff %t/plan.ls -
# RUN: %lockstep explain %s | FileCheck --check-prefix=EXPLAIN %s
# RUN: %lockstep check %s A=random:1,-0.5,0.5 x=random:2 w=random:3 z=random:4
# RUN: %lockstep check --numerics=strict %s A=random:1,-0.5,0.5 x=random:2 \
# RUN:   w=random:3 z=random:4
program @loops(%A: f64[3,3], %x: f64[3], %w: f64[256], %z: f64[8]) {
  # CHECK: {{.*}} = kernel form=loop, at=[result,result] {
  # CHECK-NEXT: = scan length=7
  # CHECK-NEXT: = einsum
  # CHECK: yield %
  # EXPLAIN: loop of einsum, scan
  %x9, %xs = scan length=7, carry(%c = %x) {
    %n = einsum %A, %c, spec="ij,j->i"
    yield carry(%n), ys(%n)
  }
  # CHECK: {{.*}} = kernel form=loop, at=[result] {
  # CHECK: = scan length=5
  # CHECK: = scan length=2
  # CHECK-NOT: kernel
  # CHECK: yield carry
  # CHECK: yield carry
  # EXPLAIN: loop of {{.*}}2 scan
  %y9 = scan length=5, carry(%c = %x) {
    %d9 = scan length=2, carry(%d = %c) {
      %n = mul %d, %x
      yield carry(%n)
    }
    %m = add %d9, %c
    yield carry(%m)
  }
  # CHECK: = scan length=5, {{.*}} at=[result] {
  # CHECK-NEXT: kernel form=map
  %w9 = scan length=5, carry(%c = %w) {
    %n = mul %c, %c
    yield carry(%n)
  }
  # CHECK: = scan length=5
  # CHECK-NEXT: kernel form=call
  %z9 = scan length=5, carry(%c = %z) {
    %n = cumsum %c, dim=0
    yield carry(%n)
  }
  return %x9, %xs, %y9, %w9, %z9
}
