# while and cond: one name for a carry in both bodies, types of results, nesting,
# no result, no yield; the axes that a predicate adds.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
# RUN: %lockstep show --dot %s | FileCheck --check-prefix=DOT %s
axis a = 2
axis b = 3
program @control(%x: f64[3]{b}, %n: i32[]{a}, %p: bool[], %q: bool[]{a}) {
  %0 = constant 0 : i32[]
  %one = constant 1 : i32[]
  %i, %y = while carry(%k = %0, %c = %x) cond {
    %go = compare %k, %n, op=lt
    yield %go
  } do {
    %k2 = add %k, %one
    %u = psum %c, axis=b
    %s = cond %p then { yield %c } else {
      %h = add %c, %u
      yield %h
    }
    yield carry(%k2, %s)
  }
  %r, %t = cond %q then {
    %c = neg %x
    yield %c, %one
  } else { yield %x, %one }
  cond %p then { yield } else { yield }
  while cond { yield %p } do { yield }
  %last = while carry(%7 = %one) cond {
    %in = while carry(%8 = %7) cond { yield %p } do { yield carry(%8) }
    %more = compare %in, %0, op=ne
    yield %more
  } do { yield carry(%0) }
  return %i, %y, %r, %t, %last
}
# CHECK: program @control(
# CHECK-NEXT: %0 = constant 0 : i32[]
# CHECK-NEXT: %one = constant 1 : i32[]
# CHECK-NEXT: %i, %y = while carry(%k = %0, %c = %x) cond {
# CHECK-NEXT: %go = compare %k, %n, op=lt : bool[]{a}
# CHECK-NEXT: yield %go
# CHECK-NEXT: } do {
# CHECK-NEXT: %k2 = add %k, %one : i32[]{a}
# CHECK-NEXT: %u = psum %c, axis=b : f64[3]{a}
# CHECK-NEXT: %s = cond %p then {
# CHECK-NEXT: yield %c
# CHECK-NEXT: } else {
# CHECK-NEXT: %h = add %c, %u : f64[3]{a,b}
# CHECK-NEXT: yield %h
# CHECK-NEXT: } : f64[3]{a,b}
# CHECK-NEXT: yield carry(%k2, %s)
# CHECK-NEXT: } : i32[]{a}, f64[3]{a,b}
# CHECK-NEXT: %r, %t = cond %q then {
# CHECK-NEXT: %c = neg %x : f64[3]{b}
# CHECK-NEXT: yield %c, %one
# CHECK-NEXT: } else {
# CHECK-NEXT: yield %x, %one
# CHECK-NEXT: } : f64[3]{a,b}, i32[]{a}
# CHECK-NEXT: cond %p then {
# CHECK-NEXT: yield
# CHECK-NEXT: } else {
# CHECK-NEXT: yield
# CHECK-NEXT: }
# CHECK-NEXT: while cond {
# CHECK-NEXT: yield %p
# CHECK-NEXT: } do {
# CHECK-NEXT: yield
# CHECK-NEXT: }
# CHECK-NEXT: %last = while carry(%1 = %one) cond {
# CHECK-NEXT: %in = while carry(%2 = %1) cond {
# CHECK-NEXT: yield %p
# CHECK-NEXT: } do {
# CHECK-NEXT: yield carry(%2)
# CHECK-NEXT: } : i32[]
# CHECK-NEXT: %more = compare %in, %0, op=ne : bool[]
# CHECK-NEXT: yield %more
# CHECK-NEXT: } do {
# CHECK-NEXT: yield carry(%0)
# CHECK-NEXT: } : i32[]
# CHECK-NEXT: return %i, %y, %r, %t, %last
# DOT: subgraph cluster_{{[0-9]+}} {
# DOT-NEXT: label="cond"
# DOT: subgraph cluster_{{[0-9]+}}_1 {
# DOT-NEXT: label="do"
# DOT: label="then"
# DOT: label="else"
