# What does not change in a loop leaves it; views stay until their consumer
# leaves.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
program @motion(%A: f64[4,4], %v: f64[4], %key: u32[2], %x: f64[4]) {
  %r, %fixed, %ys = scan length=10, carry(%c = %x, %j = %v) {
    %t = transpose %A, perm=[1,0]
    %h = mul %t, %A
    %d = random_uniform %key : f64[4]
    %in = scan length=5, carry(%e = %c) {
      %w = sqrt %j
      %g = add %d, %w
      %k = mul %e, %c
      %far = sub %k, %g
      %near = mul %c, %c
      %f = add %far, %near
      yield carry(%f)
    }
    %p = einsum %h, %in, spec="mn,n->m"
    %w2 = sqrt %v
    %still = reverse %v, dims=[0]
    %n = mul %p, %still
    yield carry(%n, %j), ys(%w2)
  }
  return %r, %fixed, %ys
}

# CHECK: program @motion
# CHECK-NEXT: %t = transpose %A, perm=[1,0] : f64[4,4]
# CHECK-NEXT: %h = mul %t, %A : f64[4,4]
# CHECK-NEXT: %d = random_uniform %key : f64[4]
# CHECK-NEXT: %w = sqrt %v : f64[4]
# CHECK-NEXT: %g = add %d, %w : f64[4]
# CHECK-NEXT: %ys = broadcast %w, dims=[1] : f64[10,4]
# CHECK-NEXT: %r = scan length=10, carry(%c = %x) {
# CHECK-NEXT: %near = mul %c, %c : f64[4]
# CHECK-NEXT: %in = scan length=5, carry(%e = %c) {
# CHECK-NEXT: %k = mul %e, %c : f64[4]
# CHECK-NEXT: %far = sub %k, %g : f64[4]
# CHECK-NEXT: %f = add %far, %near : f64[4]
# CHECK-NEXT: yield carry(%f)
# CHECK-NEXT: } : f64[4]
# CHECK-NEXT: %p = einsum %h, %in, spec="mn,n->m" : f64[4]
# CHECK-NEXT: %still = reverse %v, dims=[0] : f64[4]
# CHECK-NEXT: %n = mul %p, %still : f64[4]
# CHECK-NEXT: yield carry(%n)
# CHECK-NEXT: } : f64[4]
# CHECK-NEXT: return %r, %v as fixed, %ys
# CHECK-NEXT: }
