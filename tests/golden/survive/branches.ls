# A branch that returns its argument unchanged copies nothing: of 10^6 steps over
# 8 MB one changes the carry (in the scan, none).  Copies would take an hour.
# RUN: timeout 100 %lockstep run %s x=iota p=zeros n=ones | FileCheck %s
program @p(%x: f64[1000000], %p: bool[], %n: i32[]) {
  %zero = constant 0 : i32[]
  %one = constant 1 : i32[]
  %many = constant 1000000 : i32[]
  %y = scan length=1000000, carry(%c = %x) {
    %d = cond %p then {
      %m = neg %c
      yield %m
    } else {
      yield %c
    }
    yield carry(%d)
  }
  %i, %z = while carry(%k = %zero, %e = %x) cond {
    %go = compare %k, %many, op=lt
    yield %go
  } do {
    %k1 = add %k, %n
    %first = compare %k, %zero, op=eq
    %f = cond %first then {
      %q = neg %e
      yield %q
    } else {
      yield %e
    }
    yield carry(%k1, %f)
  }
  return %y, %i, %z
}
# CHECK: y: f64[1000000] = [0, 1, 2, {{.*}}, 999999]
# CHECK: i: i32[] = 1000000
# CHECK: z: f64[1000000] = [-0, -1, -2, {{.*}}, -999999]
