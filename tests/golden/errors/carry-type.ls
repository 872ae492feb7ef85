# RUN: not %lockstep show %s 2>&1 | FileCheck %s
program @wrong(%x: f64[3], %u: f64[2,3]) {
  %s0 = neg %x
  %y = scan length=2, carry(%s = %s0) {
    %n = add %u, %s
    yield carry(%n)
  }
  return %y
}
# CHECK: carry-type.ls:4:8: error: scan: carry %s starts as f64[3] but its next value is f64[2,3]; init at {{.*}}carry-type.ls:3, next at {{.*}}carry-type.ls:5
