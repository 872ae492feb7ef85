# What no result needs is gone, parameters and result names stay.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
program @dead(%x: f64[4], %unused: f32[3], %steps: f64[5,4], %more: f64[5,4]) {
  %gone = sqrt %x
  %gone2 = add %gone, %x
  %c, %self, %pair, %y1, %y2 = scan carry(%a = %x, %b = %gone, %d = %x), xs(%s = %steps, %t = %more) {
    %n = add %a, %s
    # only feeds itself
    %m = mul %b, %t
    # feeds %a's loop and is no result
    %e = mul %d, %n
    %f = add %n, %e
    %w = sqrt %m
    yield carry(%f, %m, %e), ys(%n, %w)
  }
  %never = scan length=3, carry(%k = %x) {
    %l = add %k, %k
    yield carry(%l)
  }
  %nothing, %no_ys = scan length=0, carry(%o = %x) {
    %q = sqrt %o
    yield carry(%q), ys(%o)
  }
  %same = scan length=9, unroll=3, carry(%z = %x) {
    yield carry(%z)
  }
  return %c as kept, %y1, %nothing, %no_ys, %same
}

# CHECK: program @dead
# CHECK-NEXT: %c, %pair, %y1 = scan length=5, carry(%a = %x, %d = %x), xs(%s = %steps) {
# CHECK-NEXT: %n = add %a, %s : f64[4]
# CHECK-NEXT: %e = mul %d, %n : f64[4]
# CHECK-NEXT: %f = add %n, %e : f64[4]
# CHECK-NEXT: yield carry(%f, %e), ys(%n)
# CHECK-NEXT: } : f64[4], f64[4], f64[5,4]
# CHECK-NEXT: %no_ys = constant 0 : f64[0,4]
# CHECK-NEXT: return %c as kept, %y1, %x as nothing, %no_ys, %x as same
# CHECK-NEXT: }
