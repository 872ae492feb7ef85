# (a, b) -> (b, a) and a three-way rotation of whole arrays, an odd and an even
# number of steps; the old carry beside the new one as ys; a carry that no one
# changes; transpose plus one of a matrix that is not symmetric.
# RUN: %lockstep run %s x=iota y=ones z=zeros | FileCheck %s
# RUN: %lockstep check %s x=iota y=ones z=zeros
# RUN: %lockstep check %s x=iota y=ones z=zeros --numerics=strict
# RUN: sed 's/length=5/length=6/' %s > %t/even.ls
# RUN: %lockstep run %t/even.ls x=iota y=ones z=zeros | FileCheck %s --check-prefix=EVEN
# RUN: %lockstep check %t/even.ls x=iota y=ones z=zeros
# RUN: sed 's/length=5/length=0/' %s > %t/none.ls
# RUN: %lockstep run %t/none.ls x=iota y=ones z=zeros | FileCheck %s --check-prefix=NONE
program @p(%x: f64[4], %y: f64[4], %z: f64[4]) {
  %one = constant 1 : f64[]
  %m0 = reshape %x : f64[2,2]
  %a, %b = scan length=5, carry(%i = %x, %j = %y) {
    yield carry(%j, %i)
  }
  %r, %s, %t, %old, %new = scan length=5, carry(%u = %x, %v = %y, %w = %z) {
    yield carry(%v, %w, %u), ys(%u, %v)
  }
  %m, %k = scan length=5, carry(%c = %m0, %d = %x) {
    %turned = transpose %c, perm=[1,0]
    %n = add %turned, %one
    yield carry(%n, %d)
  }
  return %a, %b, %r, %s, %t, %old, %new, %m, %k
}
# CHECK: a: f64[4] = [1, 1, 1, 1]
# CHECK: b: f64[4] = [0, 1, 2, 3]
# CHECK: r: f64[4] = [0, 0, 0, 0]
# CHECK: s: f64[4] = [0, 1, 2, 3]
# CHECK: t: f64[4] = [1, 1, 1, 1]
# CHECK: old: f64[5,4] =
# CHECK-NEXT: {{.*}}[0, 1, 2, 3],
# CHECK-NEXT: {{.*}}[1, 1, 1, 1],
# CHECK-NEXT: {{.*}}[0, 0, 0, 0],
# CHECK-NEXT: {{.*}}[0, 1, 2, 3],
# CHECK-NEXT: {{.*}}[1, 1, 1, 1]]
# CHECK: new: f64[5,4] =
# CHECK-NEXT: {{.*}}[1, 1, 1, 1],
# CHECK-NEXT: {{.*}}[0, 0, 0, 0],
# CHECK-NEXT: {{.*}}[0, 1, 2, 3],
# CHECK-NEXT: {{.*}}[1, 1, 1, 1],
# CHECK-NEXT: {{.*}}[0, 0, 0, 0]]
# CHECK: m: f64[2,2] =
# CHECK-NEXT: {{.*}}[5, 7],
# CHECK-NEXT: {{.*}}[6, 8]]
# CHECK: k: f64[4] = [0, 1, 2, 3]
# EVEN: a: f64[4] = [0, 1, 2, 3]
# EVEN: b: f64[4] = [1, 1, 1, 1]
# EVEN: r: f64[4] = [0, 1, 2, 3]
# EVEN: s: f64[4] = [1, 1, 1, 1]
# EVEN: t: f64[4] = [0, 0, 0, 0]
# NONE: a: f64[4] = [0, 1, 2, 3]
# NONE: b: f64[4] = [1, 1, 1, 1]
# NONE: r: f64[4] = [0, 1, 2, 3]
