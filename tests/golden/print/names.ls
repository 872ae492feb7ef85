# Unnamed values are numbered in the order of the dump; shadowed names do not occur, equal ones may.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @names(%0: f64[3], %x: f64[3]) {
  %7 = neg %x
  %a, %12 = scan length=2, carry(%3 = %7) {
    %4 = neg %3
    %n = add %4, %4
    yield carry(%n), ys(%4)
  }
  %b = scan length=2, carry(%c = %a) {
    %n = neg %c
    %5 = neg %n
    yield carry(%5)
  }
  %n = add %0, %b
  %90 = neg %n
  return %n, %12 as stacked, %n, %90 as last, %0
}
# CHECK: program @names(%0: f64[3], %x: f64[3]) {
# CHECK-NEXT: %1 = neg %x : f64[3]
# CHECK-NEXT: %a, %2 = scan length=2, carry(%3 = %1) {
# CHECK-NEXT: %4 = neg %3 : f64[3]
# CHECK-NEXT: %n = add %4, %4 : f64[3]
# CHECK-NEXT: yield carry(%n), ys(%4)
# CHECK-NEXT: } : f64[3], f64[2,3]
# CHECK-NEXT: %b = scan length=2, carry(%c = %a) {
# CHECK-NEXT: %n = neg %c : f64[3]
# CHECK-NEXT: %5 = neg %n : f64[3]
# CHECK-NEXT: yield carry(%5)
# CHECK-NEXT: } : f64[3]
# CHECK-NEXT: %n = add %0, %b : f64[3]
# CHECK-NEXT: %6 = neg %n : f64[3]
# CHECK-NEXT: return %n, %2 as stacked, %n as n_2, %6 as last, %0
# CHECK-NEXT: }
