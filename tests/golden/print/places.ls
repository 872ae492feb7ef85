# --places adds where a node was written.
# RUN: %lockstep show %s --places | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @p(%x: f64[3]) {
  %y = neg %x

  %z = scan length=3, carry(%c = %y) {
    %n = neg %c   yield carry(%n)
  }
  return %z
}
# CHECK: program @p(%x: f64[3]) {
# CHECK-NEXT: %y = neg %x : f64[3]  # {{.*}}places.ls:5
# CHECK-NEXT: %z = scan length=3, carry(%c = %y) {  # {{.*}}places.ls:7
# CHECK-NEXT: %n = neg %c : f64[3]  # {{.*}}places.ls:8
# CHECK-NEXT: yield carry(%n)
# CHECK-NEXT: } : f64[3]
# CHECK-NEXT: return %z
# CHECK-NEXT: }
