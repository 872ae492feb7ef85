# Bindings, step dims, nesting; the axes of carries are the least set.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis a = 2
program @scans(%c0: f64[3], %d: f64[3]{a}, %xs: f64[5,3], %zs: f64[3,5]{a}) {
  %c, %e, %ys = scan xs(%x = %xs, %z = %zs), reverse=true, carry(%k = %c0, %same = %c0), xs_dims=[0,-1], unroll=4 {
    %n = add %k, %d
    %m = mul %n, %z
    %inner = scan length=3, carry(%i = %x) {
      %j = neg %i
      yield carry(%j)
    }
    yield carry(%m, %same), ys(%inner)
  }
  %stacked = scan length=7 { yield ys(%d) }
  %across = scan ys_dims=[1], xs(%row = %xs) { yield ys(%row) }
  scan length=0 { yield }
  return %c, %e, %ys, %stacked, %across
}
# CHECK: axis a = 2
# CHECK-EMPTY:
# CHECK-NEXT: program @scans(%c0: f64[3], %d: f64[3]{a}, %xs: f64[5,3], %zs: f64[3,5]{a}) {
# CHECK-NEXT: %c, %e, %ys = scan length=5, reverse=true, unroll=4, xs_dims=[0,1], carry(%k = %c0, %same = %c0), xs(%x = %xs, %z = %zs) {
# CHECK-NEXT: %n = add %k, %d : f64[3]{a}
# CHECK-NEXT: %m = mul %n, %z : f64[3]{a}
# CHECK-NEXT: %inner = scan length=3, carry(%i = %x) {
# CHECK-NEXT: %j = neg %i : f64[3]
# CHECK-NEXT: yield carry(%j)
# CHECK-NEXT: } : f64[3]
# CHECK-NEXT: yield carry(%m, %same), ys(%inner)
# CHECK-NEXT: } : f64[3]{a}, f64[3], f64[5,3]
# CHECK-NEXT: %stacked = scan length=7 {
# CHECK-NEXT: yield ys(%d)
# CHECK-NEXT: } : f64[7,3]{a}
# CHECK-NEXT: %across = scan length=5, ys_dims=[1], xs(%row = %xs) {
# CHECK-NEXT: yield ys(%row)
# CHECK-NEXT: } : f64[3,5]
# CHECK-NEXT: scan length=0 {
# CHECK-NEXT: yield
# CHECK-NEXT: }
# CHECK-NEXT: return %c, %e, %ys, %stacked, %across
# CHECK-NEXT: }
