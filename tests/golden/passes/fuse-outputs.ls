# Two carries of one shape are two outputs of one kernel; a value yielded twice
# is two outputs; a parameter that is yielded is a copy.
# RUN: %lockstep show --after=fuse %s | FileCheck %s
program @outputs(%a0: f64[256], %b0: f64[256]) {
  # CHECK: scan
  # CHECK: {{%[a-z0-9_]+, %[a-z0-9_]+, %[a-z0-9_]+, %[a-z0-9_]+}} = kernel form=map {
  # CHECK-NOT: kernel
  # CHECK: yield carry({{%[a-z0-9_]+, %[a-z0-9_]+}}), ys({{%[a-z0-9_]+, %[a-z0-9_]+}})
  %a9, %b9, %ys, %old = scan length=3, carry(%a = %a0, %b = %b0) {
    %t = mul %a, %b
    %n = add %t, %a
    %m = sub %t, %b
    yield carry(%n, %m), ys(%n, %a)
  }
  return %a9, %b9, %ys, %old
}
