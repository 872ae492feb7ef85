# Scans: carries, steps, lengths, what the body yields, what stays inside.
# RUN: %mistakes %s
axis rows = 4
program @wrong(%x: f64[3,4], %a: f64[], %n: i32[5], %v: f64[]{rows}) {
  MISTAKE
  return %r
}
# MISTAKE: %r = scan carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 8: scan: has neither length= nor xs to give it one (operand %a: f64[])
# MISTAKE: %r = scan length=-1, carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 8: scan: length=-1 is negative (operand %a: f64[])
# MISTAKE: %r = scan length=3, unroll=0, carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 8: scan: unroll=0 is not positive (operand %a: f64[])
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%x) ;; }
# EXPECT: 8: scan: carry %c starts as f64[] but its next value is f64[3,4] (operand %a: f64[])
# MISTAKE: %r = scan length=3, carry(%0 = %x) { ;;     %d = convert %0 : f32[3,4] ;; yield carry(%d) ;; }
# EXPECT: 8: scan: carry number 0 starts as f64[3,4] but its next value is f32[3,4]; next at p.ls:4 (operand %x: f64[3,4])
# MISTAKE: %d = neg %x ;;   %r = scan length=3, carry(%c = %d) { ;;     %e = reshape %c : f64[12] ;; yield carry(%e) ;; }
# EXPECT: 2:8: scan: carry %c starts as f64[3,4] but its next value is f64[12]; init at p.ls:3, next at p.ls:5 (operand %d: f64[3,4])
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield ys(%c) ;; }
# EXPECT: 2:1: scan: has 1 carry, but its body yields 0
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c, %c) ;; }
# EXPECT: 2:1: scan: has 1 carry, but its body yields 2
# MISTAKE: %r = scan length=3, xs(%q = %x) { ;; yield ys(%q) ;; } : f64[4,4]
# EXPECT: 3:5: scan: the type is written f64[4,4] but inferred as f64[3,4] (operand %x: f64[3,4])
# MISTAKE: %r = scan length=4, xs(%q = %x) { ;; yield ys(%q) ;; }
# EXPECT: 8: scan: the steps disagree: xs %q has 3, length=4 (operand %x: f64[3,4])
# MISTAKE: %r = scan xs(%q = %x, %t = %n) { ;; yield ys(%q) ;; }
# EXPECT: 8: scan: the steps disagree: xs %t has 5, xs %q has 3 (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: %r = scan xs(%q = %a) { ;; yield ys(%q) ;; }
# EXPECT: 16: scan: %q is a slice of f64[], which has no dim 0 to step along
# MISTAKE: %r = scan length=3, xs_dims=[0,1], xs(%q = %x) { ;; yield ys(%q) ;; }
# EXPECT: 8: scan: xs_dims has 2 dims for 1 xs
# MISTAKE: %r = scan length=3, xs_dims=[7], xs(%q = %x) { ;; yield ys(%q) ;; }
# EXPECT: 39: scan: %q is a slice of f64[3,4], which has no dim 7 to step along
# MISTAKE: %r = scan length=3, ys_dims=[7], xs(%q = %x) { ;; yield ys(%q) ;; }
# EXPECT: 8: scan: ys_dims=7 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: %r = scan length=3, ys_dims=[0,1], xs(%q = %x) { ;; yield ys(%q) ;; }
# EXPECT: 8: scan: ys_dims has 2 entries for 1 value (operand %x: f64[3,4])
# MISTAKE: %r, %z = scan length=3, carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 12: scan: has 1 result, but 2 names are given
# MISTAKE: scan length=3, carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 3: scan: has 1 result, but 0 names are given
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield %c ;; }
# EXPECT: 2:7: scan: expected carry(...) or ys(...), found %c
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;;     %d = psum %c, axis=row ;; yield carry(%d) ;; }
# EXPECT: 2:24: psum: axis: no axis is called row; did you mean rows? axes in scope: rows = 4
# MISTAKE: %r = scan length=3, carry(%x = %a) { ;; yield carry(%x) ;; }
# EXPECT: 29: scan: %x is defined already, at line 2; a name may neither be defined twice nor shadow another
# MISTAKE: %r = scan length=3, carry(%c = %a, %c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 38: scan: %c is defined already, at line 3; a name may neither be defined twice nor shadow another
# MISTAKE: %r = scan %a, length=3 { ;; yield carry(%c) ;; }
# EXPECT: 13: scan: takes its operands in carry(...) and xs(...)
# MISTAKE: %r = scan length=3, carries(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 23: scan: takes no carries(...); did you mean carry?
# MISTAKE: %r = scan length=3, carry(%c = %a), carry(%d = %a) { ;; yield carry(%c) ;; }
# EXPECT: 39: scan: carry(...) is given twice
# MISTAKE: %r = scan length=3, carry(%c = %a)
# EXPECT: 2:3: scan: expected { before the body, found return
# MISTAKE: %r = scan length=3, carry(%c) { ;; yield carry(%c) ;; }
# EXPECT: 31: scan: expected = after the name of a carry or x, found )
# MISTAKE: %r = scan length=3, carry(%c = %a { ;; yield carry(%c) ;; }
# EXPECT: 37: scan: expected ) after the bindings, found {
# MISTAKE: %r = scan length=3, carry(c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 29: scan: expected a value (%name), found c
# MISTAKE: %r = scan length=3, carry() { ;; yield carry() ;; }
# EXPECT: 29: scan: expected a value (%name), found )
# MISTAKE: %r = scan length=3 carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 22: scan: a comma is missing before carry
# MISTAKE: %r = scan len=3, carry(%c = %a) { ;; yield carry(%c) ;; }
# EXPECT: 13: scan: takes no len; did you mean length? (it takes length reverse unroll xs_dims ys_dims at)
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c), yes(%c) ;; }
# EXPECT: 2:18: scan: expected ys(...), found yes
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry %c ;; }
# EXPECT: 2:13: scan: expected ( after carry, found %c
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c ;; }
# EXPECT: 3:1: scan: expected ) after the next carries, found }
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c), ys %c ;; }
# EXPECT: 2:21: scan: expected ( after ys, found %c
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c), ys(%c ;; }
# EXPECT: 3:1: scan: expected ) after the ys, found }
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c) ys(%c) ;; }
# EXPECT: 2:17: scan: expected } after the yield, found ys
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yeld carry(%c) ;; }
# EXPECT: 2:1: no op is called yeld; did you mean yield?
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; return %c ;; }
# EXPECT: 2:1: expected a node or yield, found return
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; }
# EXPECT: 2:1: expected a node or yield, found }
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;; yield carry(%c) ;; } : f64[]{rows}
# EXPECT: 3:5: scan: the type is written f64[]{rows} but inferred as f64[] (operand %a: f64[])
# MISTAKE: %r = scan length=3, carry(%c = %a) { ;;     %d = add %c, %v ;; yield carry(%d) ;; } : f64[]
# EXPECT: 4:5: scan: the type is written f64[] but inferred as f64[]{rows}; carry %c starts as f64[] and is widened (operand %a: f64[])
# MISTAKE: %q = scan length=3, carry(%c = %a) { ;;     %d = neg %c ;; yield carry(%d) ;; } ;;   %r = neg %d
# EXPECT: 5:12: neg: %d is not defined here: the one of line 4 is visible in its body only
# MISTAKE: %r = scan length=3, carry(%c = %d) { ;;     %d = neg %c ;; yield carry(%d) ;; }
# EXPECT: 34: scan: %d is not defined here
