# RUN: not %lockstep show %s 2>&1 | FileCheck %s
program @wrong(%x: f64[3,4], %y: f64[3]) {
  %z = mul %x, %y
  return %z
}
# CHECK: error: mul: shapes do not agree: f64[3,4] and f64[3] (operands %x: f64[3,4], %y: f64[3])
