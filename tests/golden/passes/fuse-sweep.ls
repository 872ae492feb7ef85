# Draws that are only summed are never stored: both sums over devices, of which
# one has an epilogue, draw once. 
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: %lockstep check %s
# RUN: %lockstep show --after=fuse --numerics=strict %s | FileCheck --check-prefix=STRICT %s
# On a machine of 4 GB, too: the sum takes the place of what is larger.
# RUN: %lockstep show --machine=modest --size m=16384 --after=hoist %s | FileCheck --check-prefix=LARGE %s
# LARGE: psum %J
# LARGE: scan
# LARGE-NOT: psum
size m = 32
axis devices = 8
program @sweep() {
  # CHECK-NOT: f64[8,32,32]
  # CHECK: {{%[a-z0-9_]+, %[a-z0-9_]+}} = kernel form=reduce, at=
  # CHECK-NEXT: random_uniform
  # CHECK-NEXT: einsum
  # CHECK-NEXT: mul
  # CHECK-NEXT: reduce_sum
  # CHECK-NEXT: yield
  # CHECK-NEXT: } : f64[32,32], f64[32,1]
  # In strict numerics every sum has its order: it is stored.
  # STRICT: %J = kernel form=map {
  # STRICT-NEXT: random_uniform
  %seed = random_key seed=0
  %device = axis_index axis=devices
  %key = random_fold_in %seed, %device
  %J = random_uniform %key : f64[m,m]
  %own = random_fold_in %key, %device
  %y0 = random_uniform %own : f64[m,1]
  %eps = constant 1e-06 : f64[]
  %y = scan length=100, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,ni->mi"
    %d = mul %eps, %Jc
    %u = psum %d, axis=devices
    %n = add %c, %u
    yield carry(%n)
  }
  return %y
}
