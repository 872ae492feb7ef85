# What argmax and argmin search is made where they search it, as for reduce_max:
# no matrix of all pairs is stored.  They are no sums: nothing is added up.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
# RUN: %lockstep show --after=plan %s | FileCheck --check-prefix=PLAN %s
# RUN: %lockstep check %s x=random:1 y=random:2 --numerics=strict
# RUN: %lockstep explain %s | FileCheck --check-prefix=ARENA %s
program @nearest(%x: f64[1000], %y: f64[800]) {
  # CHECK: %near = kernel form=reduce {
  # CHECK-NEXT: broadcast %x
  # CHECK-NEXT: broadcast %y
  # CHECK-NEXT: sub
  # CHECK-NEXT: abs
  # CHECK-NEXT: [[FOUND:%.+]] = argmin
  # CHECK-NEXT: yield [[FOUND]]
  # CHECK-NEXT: } : i32[1000]
  %a = broadcast %x, dims=[0] : f64[1000,800]
  %b = broadcast %y, dims=[1] : f64[1000,800]
  %d = sub %a, %b
  %size = abs %d
  %near = argmin %size, dim=1
  # Along the first dim, with arithmetic behind it.
  # CHECK: %next = kernel form=reduce {
  # CHECK: argmax
  # CHECK-NEXT: add
  # CHECK-NEXT: yield
  # CHECK-NEXT: } : i32[1000]
  %p = broadcast %x, dims=[1] : f64[800,1000]
  %q = broadcast %y, dims=[0] : f64[800,1000]
  %product = mul %p, %q
  %far = argmax %product, dim=0
  %one = constant 1 : i32[]
  %next = add %far, %one
  return %near, %next
}
# CHECK-NOT: kernel
# PLAN: kernel form=reduce, at=[result]
# PLAN: kernel form=reduce, at=[result]
# ARENA: arena 0 bytes
