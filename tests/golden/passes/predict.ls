# What a plan should take, and what binds it; on a modest machine the numbers
# are the same everywhere.
# RUN: %lockstep explain --without=interchange --machine=modest %s | FileCheck %s
# RUN: %lockstep explain --without=interchange --machine=modest --json %s | FileCheck %s --check-prefix=JSON
# RUN: %lockstep explain --without=interchange --machine=modest %s --size n=16777216 | FileCheck %s --check-prefix=LARGE
# RUN: %lockstep explain --without=interchange --machine=modest %s --size n=2 | FileCheck %s --check-prefix=SMALL
# CHECK: predict: {{[0-9]+}} kernels
# CHECK-NEXT: predicted {{.*}}, bound by functions
# CHECK: map of 2 add, 2 mul
# CHECK-NEXT: 100 runs
# CHECK-NEXT: predicted {{.*}} us, bound by L2
# CHECK: map of tanh
# CHECK-NEXT: 10 runs
# CHECK-NEXT: predicted {{.*}} us, bound by functions
# JSON: "predicted_ms": {{[0-9.]+}},
# JSON-NEXT: "bound": "{{[A-Za-z0-9]+}}"
# LARGE: 100 runs
# LARGE-NEXT: predicted {{.*}} ms, bound by memory
# SMALL: 1 run,
# SMALL-NEXT: predicted {{.*}} ns, bound by latency
size n = 16384

program @predict(%x: f64[n], %y: f64[n]) {
  %a = scan length=100, carry(%c = %x) {
    %s = mul %c, %c
    %t = add %s, %x
    %u = mul %t, %c
    %v = add %u, %x
    yield carry(%v)
  }
  %b = scan length=10, carry(%d = %y) {
    %w = tanh %d
    yield carry(%w)
  }
  return %a, %b
}
