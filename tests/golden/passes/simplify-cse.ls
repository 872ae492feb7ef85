# Equal nodes are one, in a block and in the blocks that it encloses.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
program @cse(%x: f64[4], %y: f64[4]) {
  %a = add %x, %y
  %b = add %y, %x
  %c = mul %a, %b
  %s, %ys = scan length=3, carry(%k = %x) {
    %d = add %x, %y
    %e = mul %k, %d
    %f = mul %d, %k
    %g = sub %e, %f
    yield carry(%g), ys(%e)
  }
  %two = constant 2 : f64[]
  %deux = constant 2 : f64[]
  %p = div %x, %two
  %q = mul %x, %deux
  # not: other operands, attributes, types, zeros; another body's nodes
  %u = sub %x, %y
  %v = sub %y, %x
  %r = reshape %x : f64[2,2]
  %t = reshape %x : f64[4,1]
  %plus = constant 0 : f64[]
  %minus = constant -0 : f64[]
  %m = max %x, %plus
  %n = max %x, %minus
  %first = scan length=3, carry(%k1 = %x) {
    %one = sqrt %k1
    yield carry(%one)
  }
  %second = scan length=4, carry(%k2 = %x) {
    %other = sqrt %k2
    yield carry(%other)
  }
  return %c, %s, %ys, %p, %q, %u, %v, %r, %t, %m, %n, %first, %second
}

# CHECK: program @cse
# CHECK-NEXT: %a = add %x, %y : f64[4]
# CHECK-NEXT: %c = mul %a, %a : f64[4]
# CHECK-NEXT: %s, %ys = scan length=3, carry(%k = %x) {
# CHECK-NEXT: %e = mul %k, %a : f64[4]
# CHECK-NEXT: %g = sub %e, %e : f64[4]
# CHECK-NEXT: yield carry(%g), ys(%e)
# CHECK-NEXT: } : f64[4], f64[3,4]
# CHECK-NEXT: %two = constant 2 : f64[]
# CHECK-NEXT: [[V0:%[0-9]+]] = constant 0.5 : f64[]
# CHECK-NEXT: %p = mul %x, [[V0]] : f64[4]
# CHECK-NEXT: %q = mul %x, %two : f64[4]
# CHECK-NEXT: %u = sub %x, %y : f64[4]
# CHECK-NEXT: %v = sub %y, %x : f64[4]
# CHECK-NEXT: %r = reshape %x : f64[2,2]
# CHECK-NEXT: %t = reshape %x : f64[4,1]
# CHECK-NEXT: %plus = constant 0 : f64[]
# CHECK-NEXT: %minus = constant -0 : f64[]
# CHECK-NEXT: %m = max %x, %plus : f64[4]
# CHECK-NEXT: %n = max %x, %minus : f64[4]
# CHECK-NEXT: %first = scan length=3, carry(%k1 = %x) {
# CHECK-NEXT: %one = sqrt %k1 : f64[4]
# CHECK-NEXT: yield carry(%one)
# CHECK-NEXT: } : f64[4]
# CHECK-NEXT: %second = scan length=4, carry(%k2 = %x) {
# CHECK-NEXT: %other = sqrt %k2 : f64[4]
# CHECK-NEXT: yield carry(%other)
# CHECK-NEXT: } : f64[4]
# CHECK-NEXT: return %c, %s, %ys, %p, %q, %u, %v, %r, %t, %m, %n, %first, %second
# CHECK-NEXT: }
