# The axes of a carry are known only after the fixpoint; so is this error.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s
axis a = 3
program @wrong(%x: f64[3]{a}, %zero: f64[3]) {
  %c9 = scan length=2, carry(%c = %zero) {
    %m = map %c, axis=a, dim=0
    %n = add %c, %x
    yield carry(%n)
  }
  return %c9
}
# CHECK: map-twice.ls:6:10: error: map: the operand already varies over axis a (operand %c: f64[3]{a})
