# Every elementwise op, with the broadcasts that are inserted.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis a = 2
axis b = 3
program @elementwise(%x: f64[2,3]{a}, %y: f64[3]{b}, %i: i32[4], %p: bool[4], %s: f64[], %u: u8[4]) {
  %neg = neg %x
  %abs = abs %x
  %sign = sign %i
  %sqrt = sqrt %x
  %floor = floor %x
  %ceil = ceil %x
  %round = round %x
  %is_finite = is_finite %x
  %not = not %p
  %popcount = popcount %i
  %add = add %x, %y
  %sub = sub %x, %s
  %mul = mul %s, %x
  %div = div %i, %i
  %rem = rem %i, %i
  %max = max %p, %p
  %min = min %x, %y
  %and = and %p, %p
  %or = or %i, %i
  %xor = xor %u, %u
  %left = shift_left %u, %u
  %logical = shift_right_logical %i, %i
  %arithmetic = shift_right_arithmetic %i, %i
  %eq = compare %i, %i, op=eq
  %ne = compare %i, %i, op=ne
  %lt = compare %x, %s, op=lt
  %le = compare %x, %y, op=le
  %gt = compare %u, %u, op=gt
  %ge = compare %p, %p, op=ge
  %select = select %p, %i, %i
  %clamp = clamp %s, %x, %s
  %convert = convert %x : f32[2,3]
  %bitcast = bitcast %i : u32[4]
  return %add, %sub, %min, %le, %clamp, %convert
}
# CHECK: axis a = 2
# CHECK-NEXT: axis b = 3
# CHECK-EMPTY:
# CHECK-NEXT: program @elementwise(%x: f64[2,3]{a}, %y: f64[3]{b}, %i: i32[4], %p: bool[4], %s: f64[], %u: u8[4]) {
# CHECK-NEXT: %neg = neg %x : f64[2,3]{a}
# CHECK-NEXT: %abs = abs %x : f64[2,3]{a}
# CHECK-NEXT: %sign = sign %i : i32[4]
# CHECK-NEXT: %sqrt = sqrt %x : f64[2,3]{a}
# CHECK-NEXT: %floor = floor %x : f64[2,3]{a}
# CHECK-NEXT: %ceil = ceil %x : f64[2,3]{a}
# CHECK-NEXT: %round = round %x : f64[2,3]{a}
# CHECK-NEXT: %is_finite = is_finite %x : bool[2,3]{a}
# CHECK-NEXT: %not = not %p : bool[4]
# CHECK-NEXT: %popcount = popcount %i : i32[4]
# CHECK-NEXT: %0 = broadcast %y, dims=[1] : f64[2,3]{b}
# CHECK-NEXT: %add = add %x, %0 : f64[2,3]{a,b}
# CHECK-NEXT: %sub = sub %x, %s : f64[2,3]{a}
# CHECK-NEXT: %mul = mul %s, %x : f64[2,3]{a}
# CHECK-NEXT: %div = div %i, %i : i32[4]
# CHECK-NEXT: %rem = rem %i, %i : i32[4]
# CHECK-NEXT: %max = max %p, %p : bool[4]
# CHECK-NEXT: %1 = broadcast %y, dims=[1] : f64[2,3]{b}
# CHECK-NEXT: %min = min %x, %1 : f64[2,3]{a,b}
# CHECK-NEXT: %and = and %p, %p : bool[4]
# CHECK-NEXT: %or = or %i, %i : i32[4]
# CHECK-NEXT: %xor = xor %u, %u : u8[4]
# CHECK-NEXT: %left = shift_left %u, %u : u8[4]
# CHECK-NEXT: %logical = shift_right_logical %i, %i : i32[4]
# CHECK-NEXT: %arithmetic = shift_right_arithmetic %i, %i : i32[4]
# CHECK-NEXT: %eq = compare %i, %i, op=eq : bool[4]
# CHECK-NEXT: %ne = compare %i, %i, op=ne : bool[4]
# CHECK-NEXT: %lt = compare %x, %s, op=lt : bool[2,3]{a}
# CHECK-NEXT: %2 = broadcast %y, dims=[1] : f64[2,3]{b}
# CHECK-NEXT: %le = compare %x, %2, op=le : bool[2,3]{a,b}
# CHECK-NEXT: %gt = compare %u, %u, op=gt : bool[4]
# CHECK-NEXT: %ge = compare %p, %p, op=ge : bool[4]
# CHECK-NEXT: %select = select %p, %i, %i : i32[4]
# CHECK-NEXT: %clamp = clamp %s, %x, %s : f64[2,3]{a}
# CHECK-NEXT: %convert = convert %x : f32[2,3]{a}
# CHECK-NEXT: %bitcast = bitcast %i : u32[4]
# CHECK-NEXT: return %add, %sub, %min, %le, %clamp, %convert
# CHECK-NEXT: }
