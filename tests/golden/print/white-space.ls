# Line ends are white space; a type may be left out.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis a = 2 program
@p (
%x : i32 [ 2 ] { a } ) { %y = add %x, # half way
  %x %z =
psum
%y , axis = a : i32[2] return %z , %y } # the end
# CHECK: axis a = 2
# CHECK-EMPTY:
# CHECK-NEXT: program @p(%x: i32[2]{a}) {
# CHECK-NEXT: %y = add %x, %x : i32[2]{a}
# CHECK-NEXT: %z = psum %y, axis=a : i32[2]
# CHECK-NEXT: return %z, %y
# CHECK-NEXT: }
