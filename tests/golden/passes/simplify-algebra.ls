# Identities that hold for every number, NaN, infinities and both zeros.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
# RUN: %lockstep show --after=simplify --numerics=strict %s | FileCheck %s
program @algebra(%x: f32[4], %y: f32[4], %i: i32[4], %j: i32[4], %p: bool[4], %h: f16[4], %s: f32[]) {
  %one = constant 1 : f32[]
  %plus = constant 0 : f32[]
  %minus = constant -0 : f32[4]
  %least = constant -inf : f32[]
  %mul = mul %x, %one
  %div = div %x, %one
  %sub = sub %x, %plus
  %add = add %minus, %x
  %neg0 = neg %x
  %neg = neg %neg0
  %max = max %x, %x
  %identity = max %x, %least
  %same = select %p, %x, %x
  %wide = convert %x : f64[4]
  %narrow = convert %wide : f32[4]
  %still = convert %x : f32[4]
  # integers, modulo 2^32
  %i_zero = constant 0 : i32[]
  %i_one = constant 1 : i32[]
  %ia = add %i, %i_zero
  %i0 = shift_left %ia, %i_zero
  %ib = div %i, %i_one
  %i1 = xor %ib, %i_zero
  %ic = neg %i
  %id = neg %ic
  %i2 = or %id, %id
  %i3 = mul %i, %i_zero
  # bool
  %pn = not %p
  %p0 = not %pn
  %true = constant true : bool[]
  %false = constant false : bool[]
  %p1 = select %p, %true, %false
  # one op becomes another
  %abs = abs %neg0
  %difference = add %y, %neg0
  %four = constant 4 : f32[]
  %quotient = div %x, %four
  %i_two = constant 2 : i32[]
  %twice = mul %i, %i_two
  %times = mul %twice, %i_two
  %ne = compare %x, %y, op=eq
  %flip = not %ne
  %le = compare %i, %j, op=lt
  %order = not %le
  %zero = sub %i, %i
  # not these: x + 0 is not x for x = -0, x - x not 0 for x = inf, x < y or
  # x >= y not true for NaN, what is rounded stays rounded, 1/3 is rounded
  %not_zero = add %x, %plus
  %lt = compare %x, %y, op=lt
  %not_order = not %lt
  %f16 = convert %x : f16[4]
  %not_round = convert %f16 : f32[4]
  %not_twice = sub %x, %x
  %three = constant 3 : f32[]
  %not_third = div %x, %three
  %i16 = convert %i : f32[4]
  %kept = convert %i16 : i32[4]
  return %mul as r0, %div as r1, %sub as r2, %add as r3, %neg as r4, %max as r5, %identity as r6, %same as r7, %narrow as r8, %still as r9, %i0 as i0, %i1 as i1, %i2 as i2, %i3 as i3, %p0 as p0, %p1 as p1, %abs, %difference, %quotient, %times, %flip, %order, %zero, %not_zero, %not_order, %not_round, %not_twice, %not_third, %kept
}

# CHECK: program @algebra
# CHECK-NEXT: %plus = constant 0 : f32[]
# CHECK-NEXT: %i3 = constant 0 : i32[4]
# CHECK-NEXT: %abs = abs %x : f32[4]
# CHECK-NEXT: %difference = sub %y, %x : f32[4]
# CHECK-NEXT: [[V0:%[0-9]+]] = constant 0.25 : f32[]
# CHECK-NEXT: %quotient = mul %x, [[V0]] : f32[4]
# CHECK-NEXT: [[V1:%[0-9]+]] = constant 4 : i32[]
# CHECK-NEXT: %times = mul [[V1]], %i : i32[4]
# CHECK-NEXT: %flip = compare %x, %y, op=ne : bool[4]
# CHECK-NEXT: %order = compare %i, %j, op=ge : bool[4]
# CHECK-NEXT: %not_zero = add %x, %plus : f32[4]
# CHECK-NEXT: %lt = compare %x, %y, op=lt : bool[4]
# CHECK-NEXT: %not_order = not %lt : bool[4]
# CHECK-NEXT: %f16 = convert %x : f16[4]
# CHECK-NEXT: %not_round = convert %f16 : f32[4]
# CHECK-NEXT: %not_twice = sub %x, %x : f32[4]
# CHECK-NEXT: %three = constant 3 : f32[]
# CHECK-NEXT: %not_third = div %x, %three : f32[4]
# CHECK-NEXT: %i16 = convert %i : f32[4]
# CHECK-NEXT: %kept = convert %i16 : i32[4]
# CHECK-NEXT: return %x as r0, %x as r1, %x as r2, %x as r3, %x as r4, %x as r5, %x as r6, %x as r7, %x as r8, %x as r9, %i as i0, %i as i1, %i as i2, %i3, %p as p0, %p as p1, %abs, %difference, %quotient, %times, %flip, %order, %i3 as zero, %not_zero, %not_order, %not_round, %not_twice, %not_third, %kept
# CHECK-NEXT: }
