# Many pieces: no loop for each, no lanes; an element looks for its piece.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s a=random:1 b=random:2
# RUN: %lockstep check %s a=random:1 b=random:2 --numerics=strict
# CHECK-NOT: load <
# CHECK: icmp
# CHECK: br i1
# CHECK: load double
# CHECK-NOT: load <
program @many(%a: f64[3], %b: f64[2]) {
  %y = concatenate %a, %b, %a, %b, %a, %b, %b, %a, %b, %a, %a, %b, %a, %b, %a, %b, %b, %a, %b, %a, dim=0
  %z = add %y, %y
  return %z
}
