# Two vectors of the hash at once; the key is read before the loop. A normal
# number is arithmetic on vectors and one call of log.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s --numerics=strict k=iota
program @draws(%k: u32[2]) {
  # CHECK: load i32
  # CHECK: load i32
  # CHECK: phi i64
  # CHECK-NOT: load i32
  # CHECK: add <{{8|16}} x i32>
  # CHECK: @lockstep_log_f64x
  # CHECK: store <{{8|16}} x double>
  %n = random_normal %k : f64[4096]
  return %n
}
