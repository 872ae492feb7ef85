# as stands only where the value's name is another.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
program @results(%x: f64[3]) {
  %1 = neg %x
  %y = neg %1
  return %y, %y, %x as y, %y as z, %1, %x as x, %1 as 0b
}
# CHECK: program @results(%x: f64[3]) {
# CHECK-NEXT: %1 = neg %x : f64[3]
# CHECK-NEXT: %y = neg %1 : f64[3]
# CHECK-NEXT: return %y, %y as y_2, %x as y_3, %y as z, %1, %x, %1 as 0b
# CHECK-NEXT: }
