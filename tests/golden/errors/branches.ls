# while and cond: predicates, bodies, carries, and collectives that devices
# which go another way would never meet.
# RUN: %mistakes %s
axis rows = 4
axis cols = 2
program @wrong(%x: f64[3,4], %b: bool[], %a: f64[], %p: bool[3], %w: bool[]{rows}, %v: f64[]{rows}) {
  MISTAKE
  return %r
}
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %x ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 8: while: the predicate is f64[3,4], not bool[] (operand %x: f64[3,4])
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %p ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 8: while: the predicate is bool[3], not bool[] (operand %x: f64[3,4])
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b ;; } do { ;; yield carry(%a) ;; }
# EXPECT: 8: while: carry %c starts as f64[3,4] but its next value is f64[] (operand %x: f64[3,4])
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b, %b ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 8: while: cond yields 2 values, not one predicate (operand %x: f64[3,4])
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 8: while: cond yields 0 values, not one predicate (operand %x: f64[3,4])
# MISTAKE: %r = while carry(%c = %x) do { ;; yield carry(%c) ;; } cond { ;; yield %b ;; }
# EXPECT: 29: while: expected `cond {`, found do
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b ;; } do { ;; yield carry(%c), ys(%c) ;; }
# EXPECT: 4:18: while: has no ys: they are a scan's
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b ;; } do { ;; yield %c ;; }
# EXPECT: 4:7: while: expected carry(...) or ys(...), found %c
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b ;; } do { ;; yield carry(%c, %c) ;; }
# EXPECT: 4:1: while: has 1 carry, but its body yields 2
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield carry(%b) ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 2:7: while: expected a value (%name), found carry
# MISTAKE: %r = while xs(%c = %x) cond { ;; yield %b ;; } do { ;; yield %c ;; }
# EXPECT: 14: while: takes no xs(...)
# MISTAKE: %r = while %x cond { ;; yield %b ;; } do { ;; yield %c ;; }
# EXPECT: 14: while: takes its operands in carry(...)
# MISTAKE: %r = while carry(%c = %x), length=3 cond { ;; yield %b ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 30: while: takes no length (it takes at)
# MISTAKE: %r = while carry(%c = %x) cond { ;; yield %b ;; }
# EXPECT: 4:3: while: expected `do {`, found return
# MISTAKE: %r = while carry(%c = %x) cond ;; yield %b ;; }
# EXPECT: 2:1: while: expected { before the body, found yield
# MISTAKE: %r = while carry(%c = %v) cond { ;; yield %w ;; } do { ;;     %d = psum %c, axis=rows ;; yield carry(%d) ;; }
# EXPECT: 4:10: psum: crosses axis rows inside a while whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %c: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = while carry(%c = %v) cond { ;;     %m = psum %c, axis=rows ;;     %t = compare %m, %c, op=lt ;; yield %t ;; } do { ;; yield carry(%c) ;; }
# EXPECT: 2:10: psum: crosses axis rows inside a while whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %c: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = cond %b then { ;; yield %x ;; } else { ;; yield %a ;; }
# EXPECT: 8: cond: result 0 is f64[3,4] in then, but f64[] in else (operand %b: bool[])
# MISTAKE: %r = cond %b then { ;; yield %x ;; } else { ;; yield %x, %x ;; }
# EXPECT: 8: cond: then yields 1 value, else 2 (operand %b: bool[])
# MISTAKE: %r = cond %a then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 8: cond: the predicate is f64[], not bool[] (operand %a: f64[])
# MISTAKE: %r = cond %p then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 8: cond: the predicate is bool[3], not bool[] (operand %p: bool[3])
# MISTAKE: %r = cond then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 8: cond: takes 1 operand, not 0
# MISTAKE: %r = cond %b, %b then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 8: cond: takes 1 operand, not 2 (operands %b: bool[], %b: bool[])
# MISTAKE: %r = cond %b then { ;; yield %x ;; }
# EXPECT: 4:3: cond: expected `else {`, found return
# MISTAKE: %r = cond %b else { ;; yield %x ;; } then { ;; yield %x ;; }
# EXPECT: 16: cond: expected `then {`, found else
# MISTAKE: %r = cond %b { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 16: cond: expected `then {`, found {
# MISTAKE: %r = cond %b then { ;; yield carry(%x) ;; } else { ;; yield %x ;; }
# EXPECT: 2:7: cond: expected a value (%name), found carry
# MISTAKE: %r = cond %b, dim=0 then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 17: cond: takes no dim (it takes at)
# MISTAKE: %r, %q = cond %b then { ;; yield %x ;; } else { ;; yield %x ;; }
# EXPECT: 12: cond: has 1 result, but 2 names are given
# MISTAKE: %r = cond %w then { ;;     %g = psum %v, axis=rows ;; yield %g ;; } else { ;; yield %v ;; }
# EXPECT: 2:10: psum: crosses axis rows inside a cond whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %v: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = cond %w then { ;;     %g = ppermute %v, axis=[cols,rows], pairs=[[0,1]] ;; yield %g ;; } else { ;; yield %v ;; }
# EXPECT: 2:10: ppermute: crosses axis rows inside a cond whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %v: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = cond %w then { ;;     %g = unmap %v, axis=rows ;;     %s = reduce_sum %g ;; yield %s ;; } else { ;; yield %v ;; }
# EXPECT: 2:10: unmap: crosses axis rows inside a cond whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %v: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = cond %w then { ;;     %g = scan length=2, carry(%c = %v) { ;;       %d = pmax %c, axis=rows ;; yield carry(%d) ;; } ;; yield %g ;; } else { ;; yield %v ;; }
# EXPECT: 3:12: pmax: crosses axis rows inside a cond whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %c: f64[]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: %r = cond %w then { ;;     %g = cond %b then { ;;       %d = all_gather %v, axis=rows ;;       %e = reduce_sum %d ;; yield %e ;; } else { ;; yield %v ;; } ;; yield %g ;; } else { ;; yield %v ;; }
# EXPECT: 3:12: all_gather: crosses axis rows inside a cond whose predicate, bool[]{rows}, varies over rows: devices that go another way would be waited for without end (operand %v: f64[]{rows}); axes in scope: rows = 4, cols = 2
