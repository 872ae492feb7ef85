# Sizes are gone after parsing.
# RUN: %lockstep show %s --size n=5 | FileCheck %s
# RUN: %lockstep show %s --size n=5 > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
size m = 4
size n = 2*m - 1      # 7, but the command line says 5
size back = -n+m*2+1
axis rows = back
program @sizes(%x: f64[m*n, n]{rows}) {
  %t = slice %x, start=[m-1, 0], limit=[2*m-1, n] : f64[m,n]{rows}
  %k = constant n : f32[2]
  %l = constant [m, back] : i32[2]
  return %t, %k, %l
}
# CHECK: axis rows = 4
# CHECK-EMPTY:
# CHECK-NEXT: program @sizes(%x: f64[20,5]{rows}) {
# CHECK-NEXT: %t = slice %x, start=[3,0], limit=[7,5] : f64[4,5]{rows}
# CHECK-NEXT: %k = constant 5 : f32[2]
# CHECK-NEXT: %l = constant 4 : i32[2]
# CHECK-NEXT: return %t, %k, %l
# CHECK-NEXT: }
