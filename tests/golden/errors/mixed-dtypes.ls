# RUN: not %lockstep show %s 2>&1 | FileCheck %s
program @wrong(%x: f64[3], %y: f32[3]) {
  %z = add %x, %y
  return %z
}
# CHECK: mixed-dtypes.ls:3:8: error: add: operands have dtypes f64 and f32; use convert (operands %x: f64[3], %y: f32[3])
