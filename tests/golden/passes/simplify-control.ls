# What is known of a branch or a while is taken; a branch keeps its own work,
# and what may not end stays where it is wanted.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
# RUN: %lockstep check %s x=random:1 y=random:2 p=ones n=ones
stage batched
program @known(%x: f64[8], %y: f64[8], %p: bool[], %n: i32[]) {
  %yes = constant true : bool[]
  %no = constant false : bool[]
  %one = constant 1 : i32[]
  %ten = constant 10 : i32[]
  # CHECK-NOT: cond %yes
  # CHECK: %s = add %x, %y : f64[8]
  %taken = cond %yes then {
    %s = add %x, %y
    yield %s
  } else {
    %m = mul %x, %y
    yield %m
  }
  # CHECK-NEXT: %chosen = select %p, %x, %y : f64[8]
  %chosen, %same, %dead = cond %p then {
    %e = exp %x
    yield %x, %y, %e
  } else {
    yield %y, %y, %x
  }
  # No step: the init.
  %never = while carry(%c = %x) cond {
    yield %no
  } do {
    %d = add %c, %c
    yield carry(%d)
  }
  # A while loses carries that never change or that no one asks for, and what
  # needs none of the others moves out.
  # CHECK: %e = exp %x : f64[8]
  # CHECK-NEXT: %i, %v = while carry(%[[I:[a-z0-9_]+]] = %n, %[[V:[a-z0-9_]+]] = %y) cond {
  # CHECK: } do {
  # CHECK-NEXT: %i2 = add %[[I]], %one
  # CHECK-NEXT: %v2 = add %[[V]], %e
  # CHECK-NEXT: yield carry(%i2, %v2)
  %i, %k, %v, %unused = while carry(%i = %n, %k = %x, %v = %y, %u = %x) cond {
    %go = compare %i, %ten, op=lt
    yield %go
  } do {
    %i2 = add %i, %one
    %e = exp %k
    %v2 = add %v, %e
    %u2 = add %u, %v
    yield carry(%i2, %k, %v2, %u2)
  }
  # CHECK: scan length=5, carry(%c = %x)
  # CHECK: cond %p then {
  # CHECK-NEXT: exp %y
  # CHECK: %w = while
  # CHECK: sin
  %loop = scan length=5, carry(%c = %x) {
    %r = cond %p then {
      %f = exp %y
      %g = add %f, %c
      yield %g
    } else {
      %w = while carry(%w = %y) cond {
        yield %yes
      } do {
        %w2 = sin %w
        yield carry(%w2)
      }
      %h = mul %w, %c
      yield %h
    }
    yield carry(%r)
  }
  # CHECK: return %s as taken, %chosen, %y as same, %x as never, %i, %x as k,
  return %taken, %chosen, %same, %never, %i, %k, %v, %loop
}
