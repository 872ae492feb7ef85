# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/scan xs(%a = %x, %b = %y)/scan length=-1, xs(%a = %x, %b = %x)/' %s > %t/negative.ls
# RUN: not %lockstep show %t/negative.ls 2>&1 | FileCheck --check-prefix=NEGATIVE %s
program @wrong(%x: f64[3], %y: f64[4]) {
  %z = scan xs(%a = %x, %b = %y) {
    %n = add %a, %b
    yield ys(%n)
  }
  return %z
}
# CHECK: error: scan: the steps disagree: xs %b has 4, xs %a has 3
# NEGATIVE: error: scan: length=-1 is negative
