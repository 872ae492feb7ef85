# What is left of a dim goes by ever shorter vectors, each padded to the
# routine's lanes: 3 = 2 + 1 takes two calls.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s --numerics=strict x=random:1
program @tail(%x: f64[3]) {
  # CHECK-COUNT-2: call <{{2|4}} x double> @lockstep_sin_f64x
  # CHECK-NOT: call {{.*}} @lockstep_sin
  # CHECK: ret void
  %y = sin %x
  return %y
}
