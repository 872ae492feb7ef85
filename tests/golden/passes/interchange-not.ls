# Where the pass must not fire.
# RUN: %lockstep show --machine=modest --after=interchange %s | FileCheck %s
# RUN: %lockstep explain --machine=modest --why-not=interchange %s | FileCheck --check-prefix=WHY %s
# RUN: %lockstep explain --machine=modest --without=simplify --why-not=interchange %s | FileCheck --check-prefix=NONE %s
# CHECK-NOT: blocks
# WHY: %a = scan is not independent along dim 0 of %a (1000000): %r = reverse turns it round
# WHY: %b = scan is not independent along dim 0 of %b (1000000): %s = reduce_sum reduces it
# WHY: %d = scan stays whole along dim 0 of %d (64): whole it takes {{.*}} cycles, and all of it lies in the innermost cache
# WHY: %d2 = scan stays whole along dim 0 of %d2 (300000): whole it takes {{.*}} cycles, in blocks at best {{.*}}, which is not less than 0.9 of it
# WHY: %e = scan is not independent along dim 0 of %e (1000000): {{.*}} takes a part of it
# WHY: %f = scan is not independent along dim 0 of %f (1000): {{.*}} has it twice
# WHY: %g = scan is not independent along dim 0 of %g (1000000): %g2 lacks it and is read
# WHY: %h = scan is not independent along dim 0 of %h (1000000): {{.*}} = random_uniform draws by position along it
# WHY: %i = scan makes a scalar, which has no dim to cut
# NONE: %j = scan has no steps
size n = 1000000
program @stays(%x: f64[n], %small: f64[64], %long: f64[300000], %w: f64[1000,1000], %z: f64[]) {
  %half = constant 0.5 : f64[]
  %a = scan length=100, carry(%c = %x) {
    %r = reverse %c, dims=[0]
    %m = mul %r, %half
    yield carry(%m)
  }
  %b = scan length=100, carry(%c = %x) {
    %s = reduce_sum %c, dims=[0]
    %m = mul %c, %s
    yield carry(%m)
  }
  # Too small to gain.
  %d = scan length=100, carry(%c = %small) {
    %m = mul %c, %c
    yield carry(%m)
  }
  # Bound by arithmetic.
  %d2 = scan length=100, carry(%c = %long) {
    %t = tanh %c
    %u = atan2 %t, %c
    %v = pow %u, %t
    %m = cbrt %v
    yield carry(%m)
  }
  # Reads its neighbours.
  %e = scan length=100, carry(%c = %x) {
    %left = slice %c, start=[0], limit=[1]
    %rest = slice %c, start=[1], limit=[n]
    %turned = concatenate %rest, %left, dim=0
    %m = add %c, %turned
    yield carry(%m)
  }
  # A matrix and its transpose.
  %f = scan length=100, carry(%c = %w) {
    %t = transpose %c, perm=[1,0]
    %m = add %c, %t
    yield carry(%m)
  }
  # A scalar comes out as well.
  %g, %g2 = scan length=100, carry(%c = %x, %s = %z) {
    %m = mul %c, %half
    %s2 = add %s, %half
    yield carry(%m, %s2)
  }
  # Draws: element i knows that it is number i.
  %key = random_key seed=1 : u32[2]
  %step = constant 3 : i32[]
  %h, %last = scan length=100, carry(%c = %x, %k = %key) {
    %next = random_fold_in %k, %step
    %u = random_uniform %next : f64[n]
    %m = mul %c, %u
    yield carry(%m, %next)
  }
  %i = scan length=100, carry(%c = %z) {
    %m = mul %c, %half
    yield carry(%m)
  }
  %j = scan length=0, carry(%c = %x) {
    %m = mul %c, %half
    yield carry(%m)
  }
  return %a, %b, %d, %d2, %e, %f, %g, %g2, %h, %i, %j
}
