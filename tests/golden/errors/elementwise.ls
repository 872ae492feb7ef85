# Elementwise ops, constants' types, iota: dtypes, shapes, counts.
# RUN: %mistakes %s
axis rows = 4
program @wrong(%x: f64[3,4], %s: f32[3], %i: i32[], %n: i32[5], %p: bool[3], %v: f64[4]{rows}, %a: f64[], %b: bool[], %h: f16[3], %u: u8[3,4]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: neg %p
# EXPECT: 8: neg: wants numbers, not bool (operand %p: bool[3])
# MISTAKE: neg %x, %x
# EXPECT: 8: neg: takes 1 operand, not 2 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: neg
# EXPECT: 8: neg: takes 1 operand, not 0
# MISTAKE: sign %b
# EXPECT: 8: sign: wants numbers, not bool (operand %b: bool[])
# MISTAKE: sqrt %n
# EXPECT: 8: sqrt: wants floats, not i32 (operand %n: i32[5])
# MISTAKE: tanh %p
# EXPECT: 8: tanh: wants floats, not bool (operand %p: bool[3])
# MISTAKE: erfc %i
# EXPECT: 8: erfc: wants floats, not i32 (operand %i: i32[])
# MISTAKE: is_finite %n
# EXPECT: 8: is_finite: wants floats, not i32 (operand %n: i32[5])
# MISTAKE: not %x
# EXPECT: 8: not: wants bool or integers, not f64 (operand %x: f64[3,4])
# MISTAKE: popcount %x
# EXPECT: 8: popcount: wants integers, not f64 (operand %x: f64[3,4])
# MISTAKE: popcount %p
# EXPECT: 8: popcount: wants integers, not bool (operand %p: bool[3])
# MISTAKE: add %x, %s
# EXPECT: 8: add: operands have dtypes f64 and f32; use convert (operands %x: f64[3,4], %s: f32[3])
# MISTAKE: add %h, %s
# EXPECT: 8: add: operands have dtypes f16 and f32; use convert (operands %h: f16[3], %s: f32[3])
# MISTAKE: add %x, %n
# EXPECT: 8: add: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: add %p, %p
# EXPECT: 8: add: wants numbers, not bool (operands %p: bool[3], %p: bool[3])
# MISTAKE: add %x
# EXPECT: 8: add: takes 2 operands, not 1 (operand %x: f64[3,4])
# MISTAKE: sub %x, %x, %x
# EXPECT: 8: sub: takes 2 operands, not 3 (operands %x: f64[3,4], %x: f64[3,4], %x: f64[3,4])
# MISTAKE: mul %u, %n
# EXPECT: 8: mul: operands have dtypes u8 and i32; use convert (operands %u: u8[3,4], %n: i32[5])
# MISTAKE: div %p, %b
# EXPECT: 8: div: wants numbers, not bool (operands %p: bool[3], %b: bool[])
# MISTAKE: rem %p, %p
# EXPECT: 8: rem: wants numbers, not bool (operands %p: bool[3], %p: bool[3])
# MISTAKE: pow %p, %p
# EXPECT: 8: pow: wants numbers, not bool (operands %p: bool[3], %p: bool[3])
# MISTAKE: pow %x, %i
# EXPECT: 8: pow: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %i: i32[])
# MISTAKE: atan2 %n, %n
# EXPECT: 8: atan2: wants floats, not i32 (operands %n: i32[5], %n: i32[5])
# MISTAKE: max %x, %n
# EXPECT: 8: max: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: min %v, %s
# EXPECT: 8: min: operands have dtypes f64 and f32; use convert (operands %v: f64[4]{rows}, %s: f32[3])
# MISTAKE: and %x, %x
# EXPECT: 8: and: wants bool or integers, not f64 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: or %s, %s
# EXPECT: 8: or: wants bool or integers, not f32 (operands %s: f32[3], %s: f32[3])
# MISTAKE: xor %p, %n
# EXPECT: 8: xor: operands have dtypes bool and i32; use convert (operands %p: bool[3], %n: i32[5])
# MISTAKE: shift_left %x, %x
# EXPECT: 8: shift_left: wants integers, not f64 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: shift_right_logical %p, %p
# EXPECT: 8: shift_right_logical: wants integers, not bool (operands %p: bool[3], %p: bool[3])
# MISTAKE: shift_right_arithmetic %n, %u
# EXPECT: 8: shift_right_arithmetic: operands have dtypes i32 and u8; use convert (operands %n: i32[5], %u: u8[3,4])
# MISTAKE: add %x, %n : f64[3,4]
# EXPECT: 8: add: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: %v, add %x
# EXPECT: 8: expected the name of an op, found %v
# MISTAKE: mul %x, %n
# EXPECT: 8: mul: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: add %v, %p
# EXPECT: 8: add: operands have dtypes f64 and bool; use convert (operands %v: f64[4]{rows}, %p: bool[3])
# MISTAKE: compare %x, %x
# EXPECT: 8: compare: needs op=... (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: compare %x, %s, op=lt
# EXPECT: 8: compare: operands have dtypes f64 and f32; use convert (operands %x: f64[3,4], %s: f32[3])
# MISTAKE: compare %x, %n, op=eq
# EXPECT: 8: compare: operands have dtypes f64 and i32; use convert (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: select %x, %x, %x
# EXPECT: 8: select: the first operand is bool, not f64 (operands %x: f64[3,4], %x: f64[3,4], %x: f64[3,4])
# MISTAKE: select %p, %x, %x
# EXPECT: 8: select: the predicate is a scalar or of the full shape f64[3,4] (operands %p: bool[3], %x: f64[3,4], %x: f64[3,4])
# MISTAKE: select %b, %x, %s
# EXPECT: 8: select: operands have dtypes f64 and f32; use convert (operands %b: bool[], %x: f64[3,4], %s: f32[3])
# MISTAKE: select %b, %x
# EXPECT: 8: select: takes 3 operands, not 2 (operands %b: bool[], %x: f64[3,4])
# MISTAKE: select %i, %x, %x
# EXPECT: 8: select: the first operand is bool, not i32 (operands %i: i32[], %x: f64[3,4], %x: f64[3,4])
# MISTAKE: clamp %a, %x, %i
# EXPECT: 8: clamp: operands have dtypes f64 and i32; use convert (operands %a: f64[], %x: f64[3,4], %i: i32[])
# MISTAKE: clamp %x, %x
# EXPECT: 8: clamp: takes 3 operands, not 2 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: clamp %p, %p, %i
# EXPECT: 8: clamp: operands have dtypes bool and i32; use convert (operands %p: bool[3], %p: bool[3], %i: i32[])
# MISTAKE: convert %x
# EXPECT: 8: convert: needs its result type to be written (operand %x: f64[3,4])
# MISTAKE: convert %x : f32[4]
# EXPECT: 8: convert: keeps the shape; its type is written f32[4] (operand %x: f64[3,4])
# MISTAKE: convert %x, %x : f32[3,4]
# EXPECT: 8: convert: takes 1 operand, not 2 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: bitcast %x : f32[3,4]
# EXPECT: 8: bitcast: f64 and f32 do not have the same width (operand %x: f64[3,4])
# MISTAKE: bitcast %p : u8[3]
# EXPECT: 8: bitcast: bool and u8 do not have the same width (operand %p: bool[3])
# MISTAKE: bitcast %x : u64[12]
# EXPECT: 8: bitcast: keeps the shape; its type is written u64[12] (operand %x: f64[3,4])
# MISTAKE: bitcast %x
# EXPECT: 8: bitcast: needs its result type to be written (operand %x: f64[3,4])
# MISTAKE: iota dim=5 : i32[3]
# EXPECT: 8: iota: dim=5 is out of range for rank 1
# MISTAKE: iota dim=-2 : i32[3]
# EXPECT: 8: iota: dim=-2 is out of range for rank 1
# MISTAKE: iota dim=0 : bool[3]
# EXPECT: 8: iota: wants numbers, not bool
# MISTAKE: iota dim=0 : i32[]
# EXPECT: 8: iota: dim=0 is out of range for rank 0
# MISTAKE: iota dim=0
# EXPECT: 8: iota: needs its result type to be written
# MISTAKE: iota : i32[3]
# EXPECT: 8: iota: needs dim=...
# MISTAKE: iota %x, dim=0 : i32[3]
# EXPECT: 8: iota: takes 0 operands, not 1 (operand %x: f64[3,4])
