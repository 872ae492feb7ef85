# A branch writes where its cond's result lies: a carry that it only hands
# through is not copied, one that it changes is written over itself. A while's
# carries lie in the arena, in one place or taking turns between two.
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: %lockstep check %s x=random:1 A=random:2 n=ones
# RUN: %lockstep check %s x=random:1 A=random:2 n=zeros --numerics=strict
program @places(%x: f64[4], %A: f64[4,4], %n: i32[]) {
  %zero = constant 0 : i32[]
  %one = constant 1 : i32[]
  %two = constant 2 : i32[]
  %seven = constant 7 : i32[]
  # CHECK: %c = scan length=4, carry(%[[C:c[_0-9]*]] = %x), {{.*}}, at=[result] {
  # CHECK: kernel form=map, at=[{{[0-9]+}}]
  # CHECK: cond %{{[a-z0-9_]+}}, at=[carry] then {
  # CHECK-NEXT: kernel form=map, at=[carry] {
  # CHECK: } else {
  # CHECK-NEXT: kernel form=map, at=[carry] {
  # CHECK-NEXT: yield %[[C]]
  %steps = iota dim=0 : i32[4]
  %c = scan carry(%c = %x), xs(%t = %steps) {
    %rest = rem %t, %two
    %even = compare %rest, %n, op=eq
    %r = cond %even then {
      %u = add %c, %x
      yield %u
    } else {
      yield %c
    }
    yield carry(%r)
  }
  # CHECK: while carry({{.*}}), at=[{{[0-9]+}},{{\[}}[[A:[0-9]+]],[[B:[0-9]+]]]] cond {
  # CHECK: kernel form=map, at=[{{[0-9]+}}]
  # CHECK: } do {
  # CHECK: kernel form={{map|contract}}, {{(by=inline, )?}}at=[carry]
  # CHECK: kernel form={{map|contract}}, {{(by=inline, )?}}at=[carry]
  %i, %v = while carry(%i = %n, %v = %x) cond {
    %go = compare %i, %seven, op=lt
    yield %go
  } do {
    %i2 = add %i, %one
    %w = einsum %A, %v, spec="mn,n->m"
    yield carry(%i2, %w)
  }
  # Where it ends is not known beforehand: its results are copied.
  # CHECK: kernel form=map, at=[result] {
  # CHECK-NEXT: yield %i
  # CHECK: kernel form=map, at=[result] {
  # CHECK-NEXT: yield %v
  return %c, %i, %v
}
