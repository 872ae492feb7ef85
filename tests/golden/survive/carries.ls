# Rotated, swapped and transposed carries; one that no one changes; the old and
# the new carry as ys; the same value returned twice.
# RUN: %lockstep run %s x=iota | FileCheck %s
# RUN: %lockstep check %s x=iota
# RUN: %lockstep check %s x=iota --numerics=strict
program @p(%x: f64[2,2]) {
  %one = constant 1 : f64[]
  %p = constant 10 : f64[]
  %q = constant 20 : f64[]
  %r = constant 30 : f64[]
  %t, %a, %b, %c, %k, %old, %new = scan length=4, carry(%m = %x, %i = %p, %j = %q, %l = %r, %s = %x) {
    %turned = transpose %m, perm=[1,0]
    %n = add %turned, %one
    yield carry(%n, %j, %l, %i, %s), ys(%i, %j)
  }
  return %t, %a, %b, %c, %k, %old, %new, %x, %a as again
}
# CHECK: t: f64[2,2] =
# CHECK-NEXT: {{.*}}[4, 5],
# CHECK-NEXT: {{.*}}[6, 7]]
# CHECK: a: f64[] = 20
# CHECK: b: f64[] = 30
# CHECK: c: f64[] = 10
# CHECK: k: f64[2,2] =
# CHECK-NEXT: {{.*}}[0, 1],
# CHECK-NEXT: {{.*}}[2, 3]]
# CHECK: old: f64[4] = [10, 20, 30, 10]
# CHECK: new: f64[4] = [20, 30, 10, 20]
# CHECK: x: f64[2,2] =
# CHECK: again: f64[] = 20
