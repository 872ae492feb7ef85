# A draw that only arithmetic or a reduction consumes is made where it is
# consumed, inside a loop as well: what is stored is keys and results.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
# RUN: %lockstep check %s p0=random:1 --numerics=strict
# RUN: %lockstep explain %s | FileCheck --check-prefix=ARENA %s
axis d = 2

program @walk(%p0: f64[100]{d}) {
  %key = random_key seed=5
  %step = iota dim=0 : i32[4]
  %device = axis_index axis=d
  %mine = random_fold_in %key, %device
  # CHECK: scan
  %p, %s, %m, %o, %v = scan carry(%c = %p0), xs(%t = %step) {
    # CHECK: kernel form=map {
    # CHECK: random_fold_in
    # CHECK-NEXT: yield
    %k = random_fold_in %mine, %t
    # Arithmetic.
    # CHECK: %n = kernel form=map {
    # CHECK-NEXT: random_normal {{%.+}}, batch=1 : f64[2,100]
    # CHECK: add
    # CHECK-NEXT: yield
    %z = random_normal %k : f64[100]
    %n = add %c, %z
    # A sum, a maximum, a position, a product with a vector.
    # CHECK: kernel form=reduce {
    # CHECK-NEXT: random_uniform {{%.+}}, batch=1 : f32[2,300,200]
    # CHECK-NEXT: mul
    # CHECK-NEXT: reduce_sum
    # CHECK-NEXT: yield
    %u = random_uniform %k : f32[300,200]
    %uu = mul %u, %u
    %sum = reduce_sum %uu, dims=[1]
    # CHECK: kernel form=reduce {
    # CHECK-NEXT: random_bits {{%.+}}, batch=1 : u8[2,70000]
    # CHECK-NEXT: reduce_max
    # CHECK-NEXT: yield
    %r = random_bits %k : u8[70000]
    %most = reduce_max %r
    # CHECK: kernel form=reduce {
    # CHECK-NEXT: random_normal {{%.+}}, batch=1 : bf16[2,50000]
    # CHECK-NEXT: argmin
    # CHECK-NEXT: yield
    %w = random_normal %k : bf16[50000]
    %least = argmin %w, dim=0
    # CHECK: kernel form=contract {
    # CHECK-NEXT: random_normal {{%.+}}, batch=1 : f64[2,150,100]
    # CHECK-NEXT: einsum
    # CHECK-NEXT: yield
    %A = random_normal %k : f64[150,100]
    %Ac = einsum %A, %c, spec="mn,n->m"
    yield carry(%n), ys(%sum, %most, %least, %Ac)
  }
  return %p, %s, %m, %o, %v
}
# ARENA: arena {{[0-9]?[0-9]?[0-9]?[0-9]}} bytes
