# Carries that grow, decay, or leave the range.
# RUN: %lockstep show --after=hoist %s | FileCheck %s
# RUN: %lockstep explain --why-not=hoist %s | FileCheck %s --check-prefix=WHY
# RUN: %lockstep check %s J=random:1,-1,1 y0=random:2 D=zeros
# RUN: %lockstep check %s J=random:1,-1,1 y0=zeros D=zeros
# RUN: %lockstep check %s J=random:1,-1,1 y0=random:2 D=random:3,1e307,1e308 --without=hoist
# WHY: carry %g stays whole: multiples of its init would grow, by 1.01 a step
# WHY-NOT: is no axis
# WHY: carry %p stays whole: multiples of its init would grow, by 1.4{{[0-9]*}} a step
axis devices = 8

program @sizes(%J: f64[16,16]{devices}, %y0: f64[16]{devices},
               %D: f64[16,16]{devices}) {
  %eps = constant 1e-04 : f64[]
  # Multiples that grow would drown the init in rounding: it stays.
  # CHECK: scan length=500
  # CHECK: psum
  # CHECK: yield
  %more = constant 1.01 : f64[]
  %a = scan length=500, carry(%g = %y0) {
    %w = einsum %J, %g, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %f = mul %g, %more
    %n = add %f, %e
    yield carry(%n)
  }
  # The same over two carries, each of which is but a sum of two.
  # CHECK: scan length=60
  # CHECK: psum
  # CHECK: yield
  %b, %b2 = scan length=60, carry(%p = %y0, %q = %y0) {
    %w = einsum %J, %p, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %s = add %p, %q
    %d = sub %p, %q
    %n = add %s, %e
    %m = sub %d, %e
    yield carry(%n, %m)
  }
  # Decay, to nothing: 0.5 to the 1200th is no double any more.
  # CHECK: scan length=1200
  # CHECK-NOT: psum
  # CHECK: yield
  %half = constant 0.5 : f64[]
  %c = scan length=1200, carry(%h = %y0) {
    %w = einsum %J, %h, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %f = mul %h, %half
    %n = add %f, %e
    yield carry(%n)
  }
  # Equal multiples in a chain grow as a polynomial only: taken apart.
  # CHECK: scan length=300
  # CHECK-NOT: psum
  # CHECK: yield
  %d, %v = scan length=300, carry(%x = %y0, %v = %y0) {
    %w = einsum %J, %x, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %v2 = sub %v, %e
    %k = mul %v2, %eps
    %n = add %x, %k
    yield carry(%n, %v2)
  }
  # Sums of D leave the range; left in the order that is written, each step is
  # what the evaluator gets.  Taken apart, an infinity may become a NaN.
  # CHECK: scan length=250
  # CHECK-NOT: psum
  # CHECK: yield
  %e = scan length=250, carry(%y = %y0) {
    %w = einsum %D, %y, spec="mn,n->m"
    %u = psum %w, axis=devices
    %n = sub %y, %u
    yield carry(%n)
  }
  # CHECK: return
  return %a, %b, %b2, %c, %d, %v, %e
}
