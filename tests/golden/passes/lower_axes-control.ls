# A predicate that varies parts the devices: a cond is both branches and a
# select, a while carries who is alive. An invariant one stays what it is.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
# RUN: %lockstep check %s x=iota p=ones q=ones
axis a = 4
axis b = 3

program @parted(%x: f64[2]{a}, %p: bool[], %q: bool[]{a}) {
  %one = constant 1 : f64[]
  %two = constant 2 : f64[]
  %most = constant 100 : f64[]
  %zero = constant 0 : i32[]
  %three = constant 3 : i32[]
  %step = constant 1 : i32[]
  %yes = constant true : bool[]

  # CHECK: %same = cond %p then {
  # CHECK-NEXT: %u = reduce_sum %x, dims=[0] : f64[2]
  # CHECK-NEXT: %[[WIDE:[0-9]+]] = broadcast %u, dims=[1] : f64[4,2]
  # CHECK-NEXT: yield %[[WIDE]]
  # CHECK-NEXT: } else {
  # CHECK-NEXT: yield %x
  # CHECK-NEXT: } : f64[4,2]
  %same = cond %p then {
    %u = psum %x, axis=a
    yield %u
  } else {
    yield %x
  }

  # CHECK-NEXT: %d = mul %x, %two : f64[4,2]
  # CHECK-NEXT: %[[MASK:[0-9]+]] = broadcast %q, dims=[0] : bool[4,2]
  # CHECK-NEXT: %parted = select %[[MASK]], %d, %x : f64[4,2]
  %parted = cond %q then {
    %d = mul %x, %two
    yield %d
  } else {
    yield %x
  }

  # A loop in a branch asks whether anyone is in; here it would not end.
  # CHECK: %[[ANY:[0-9]+]] = reduce_or %none, dims=[0] : bool[]
  # CHECK-NEXT: %z = while carry(%c = %one) cond {
  # CHECK-NEXT: %[[GO:[0-9]+]] = and %yes, %[[ANY]] : bool[]
  # CHECK-NEXT: yield %[[GO]]
  %none = xor %q, %q
  %kept = cond %none then {
    %z = while carry(%c = %one) cond {
      yield %yes
    } do {
      %n = add %c, %one
      yield carry(%n)
    }
    yield %z
  } else {
    yield %one
  }

  # CHECK: %enough = add
  # CHECK-NEXT: %go = compare %enough, %most, op=lt : bool[4]
  # CHECK-NEXT: %sum, %{{[0-9]+}} = while carry(%c = %enough, %[[IN:[0-9]+]] = %go) cond {
  # CHECK-NEXT: %[[SOME:[0-9]+]] = reduce_or %[[IN]], dims=[0] : bool[]
  # CHECK-NEXT: yield %[[SOME]]
  # CHECK-NEXT: } do {
  # CHECK-NEXT: %n = add %c, %enough : f64[4]
  # CHECK-NEXT: %[[NEXT:[0-9]+]] = select %[[IN]], %n, %c : f64[4]
  # CHECK-NEXT: %go_2 = compare %[[NEXT]], %most, op=lt : bool[4]
  # CHECK-NEXT: %[[STILL:[0-9]+]] = and %[[IN]], %go_2 : bool[4]
  # CHECK-NEXT: yield carry(%[[NEXT]], %[[STILL]])
  %total = reduce_sum %x
  %enough = add %total, %one
  %sum = while carry(%c = %enough) cond {
    %go = compare %c, %most, op=lt
    yield %go
  } do {
    %n = add %c, %enough
    yield carry(%n)
  }

  # A test with a loop inside stands once, in the step.
  # CHECK: %[[ALL:[0-9]+]] = constant true : bool[4]
  # CHECK-NEXT: %twice, %{{[0-9]+}} = while carry(%i = %{{[0-9]+}}, %{{[0-9]+}} = %[[ALL]]) cond {
  # CHECK-NEXT: reduce_or
  # CHECK-NEXT: yield
  # CHECK-NEXT: } do {
  # CHECK-NEXT: scan length=2
  %twice = while carry(%i = %zero) cond {
    %k = scan length=2, carry(%k = %i) {
      %k2 = add %k, %step
      yield carry(%k2)
    }
    %few = compare %k, %three, op=lt
    %go = and %few, %q
    yield %go
  } do {
    %i2 = add %i, %step
    yield carry(%i2)
  }
  return %same, %parted, %kept, %sum, %twice
}
