# The same with starts that are known at run time only, step after step, in a
# scan, in a while, and in a branch.
# RUN: %lockstep run %s x=iota one=ones | FileCheck %s
# RUN: %lockstep check %s x=iota one=ones
# RUN: %lockstep check %s x=iota one=ones --numerics=strict
program @p(%x: f64[6], %one: i32[]) {
  %zero = constant 0 : i32[]
  %three = constant 3 : i32[]
  %a = scan length=3, carry(%c = %x) {
    %head = slice %c, start=[0], limit=[5]
    %n = dynamic_update_slice %c, %head, %one
    yield carry(%n)
  }
  %i, %b = while carry(%k = %zero, %c2 = %x) cond {
    %go = compare %k, %three, op=lt
    yield %go
  } do {
    %tail = dynamic_slice %c2, %one, sizes=[5]
    %n2 = dynamic_update_slice %c2, %tail, %zero
    %k1 = add %k, %one
    yield carry(%k1, %n2)
  }
  %p = compare %one, %zero, op=gt
  %d = scan length=2, carry(%c3 = %x) {
    %v = cond %p then {
      %mid = dynamic_slice %c3, %zero, sizes=[4]
      %n3 = dynamic_update_slice %c3, %mid, %one
      yield %n3
    } else {
      yield %c3
    }
    yield carry(%v)
  }
  return %a, %b, %d
}
# CHECK: a: f64[6] = [0, 0, 0, 0, 1, 2]
# CHECK: b: f64[6] = [3, 4, 5, 5, 5, 5]
# CHECK: d: f64[6] = [0, 0, 0, 1, 2, 5]
