# Braces are sets: dumps print them in the order of the axis lines.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis b = 2
axis a = 3
program @order(%x: f64[3]{a,b}, %y: f64[3]{a}) {
  %z = add %x, %y : f64[3]{a,b}
  return %z
}
# CHECK: axis b = 2
# CHECK-NEXT: axis a = 3
# CHECK-EMPTY:
# CHECK-NEXT: program @order(%x: f64[3]{b,a}, %y: f64[3]{a}) {
# CHECK-NEXT: %z = add %x, %y : f64[3]{b,a}
# CHECK-NEXT: return %z
# CHECK-NEXT: }
