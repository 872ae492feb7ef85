; Divisions, shifts and conversions, kept from what is undefined or not.

; emitted: a division by what may be zero
define i32 @plain(i32 %a, i32 %b) {
  %s = udiv i32 %a, %b
  ret i32 %s
}

; emitted: a division by what may be zero
define <2 x i32> @zero_lane(<2 x i32> %a) {
  %s = urem <2 x i32> %a, <i32 3, i32 0>
  ret <2 x i32> %s
}

; The result is guarded, the division is not.
; emitted: a division by what may be zero
define i32 @too_late(i32 %a, i32 %b) {
  %zero = icmp eq i32 %b, 0
  %s = udiv i32 %a, %b
  %t = select i1 %zero, i32 -1, i32 %s
  ret i32 %t
}

; emitted: a division by what may be zero
define i32 @wrong_way(i32 %a, i32 %b) {
  %zero = icmp eq i32 %b, 0
  %safe = select i1 %zero, i32 %b, i32 1
  %s = udiv i32 %a, %safe
  ret i32 %s
}

; Another value is tested.
; emitted: a division by what may be zero
define i32 @other(i32 %a, i32 %b, i32 %c) {
  %zero = icmp eq i32 %c, 0
  %safe = select i1 %zero, i32 1, i32 %b
  %s = urem i32 %a, %safe
  ret i32 %s
}

; emitted: a division that may be MIN / -1
define i32 @minus_one(i32 %a, i32 %b) {
  %zero = icmp eq i32 %b, 0
  %safe = select i1 %zero, i32 1, i32 %b
  %s = sdiv i32 %a, %safe
  ret i32 %s
}

; emitted: a division that may be MIN / -1
define i8 @constant_minus_one(i8 %a) {
  %s = srem i8 %a, -1
  ret i8 %s
}

; Where either test is true, the divisor may be the other number.
; emitted: a division by what may be zero
define i32 @one_of_two(i32 %a, i32 %b) {
  %zero = icmp eq i32 %b, 0
  %minus = icmp eq i32 %b, -1
  %bad = and i1 %zero, %minus
  %safe = select i1 %bad, i32 1, i32 %b
  %s = sdiv i32 %a, %safe
  ret i32 %s
}

; emitted: fine
define <2 x i32> @guarded(<2 x i32> %a, <2 x i32> %b) {
  %zero = icmp eq <2 x i32> %b, zeroinitializer
  %minus = icmp eq <2 x i32> %b, <i32 -1, i32 -1>
  %bad = or <2 x i1> %zero, %minus
  %safe = select <2 x i1> %bad, <2 x i32> <i32 1, i32 1>, <2 x i32> %b
  %s = sdiv <2 x i32> %a, %safe
  %t = srem <2 x i32> %a, <i32 7, i32 -3>
  %u = add <2 x i32> %s, %t
  ret <2 x i32> %u
}

; As LLVM rewrites them.
; optimised: fine
define i32 @rewritten(i32 %a, i32 %b, i32 %c) {
  %least = call i32 @llvm.umax.i32(i32 %b, i32 1)
  %s = udiv i32 %a, %least
  %next = add i32 %b, 1
  %bad = icmp ult i32 %next, 2
  %safe = select i1 %bad, i32 1, i32 %b
  %t = sdiv i32 %a, %safe
  %same = icmp eq i32 %b, %c
  %difference = sub i32 %b, %c
  %some = select i1 %same, i32 1, i32 %difference
  %u = urem i32 %a, %some
  %v = add i32 %s, %t
  %w = add i32 %u, %v
  ret i32 %w
}
declare i32 @llvm.umax.i32(i32, i32)

; The range that is tested leaves 0 out, but not -1.
; optimised: a division that may be MIN / -1
define i32 @narrow_range(i32 %a, i32 %b) {
  %next = add i32 %b, 0
  %bad = icmp ult i32 %next, 2
  %safe = select i1 %bad, i32 2, i32 %b
  %t = sdiv i32 %a, %safe
  ret i32 %t
}

; emitted: fine
define i64 @branched(i64 %a, i64 %b) {
entry:
  %some = icmp ne i64 %b, 0
  br i1 %some, label %divide, label %done
divide:
  %s = urem i64 %a, %b
  br label %done
done:
  %t = phi i64 [ %a, %entry ], [ %s, %divide ]
  ret i64 %t
}

; The block can be reached otherwise.
; emitted: a division by what may be zero
define i64 @joined(i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %test, label %divide
test:
  %some = icmp ne i64 %b, 0
  br i1 %some, label %divide, label %done
divide:
  %s = urem i64 %a, %b
  br label %done
done:
  ret i64 %a
}

; emitted: a shift by what may be the width or more
define i32 @shift(i32 %a, i32 %b) {
  %s = shl i32 %a, %b
  ret i32 %s
}

; emitted: a shift by what may be the width or more
define i8 @by_width(i8 %a) {
  %s = lshr i8 %a, 8
  ret i8 %s
}

; emitted: a shift by what may be the width or more
define i16 @loose(i16 %a, i16 %b) {
  %in = icmp ult i16 %b, 17
  %by = select i1 %in, i16 %b, i16 15
  %s = ashr i16 %a, %by
  ret i16 %s
}

; A signed test lets negative amounts pass.
; emitted: a shift by what may be the width or more
define i32 @signed_test(i32 %a, i32 %b) {
  %in = icmp slt i32 %b, 32
  %by = select i1 %in, i32 %b, i32 31
  %s = ashr i32 %a, %by
  ret i32 %s
}

; emitted: fine
define i32 @shifts(i32 %a, i32 %b) {
  %in = icmp ult i32 %b, 32
  %by = select i1 %in, i32 %b, i32 31
  %s = shl i32 %a, %by
  %low = and i32 %b, 31
  %t = lshr i32 %s, %low
  %u = ashr i32 %t, 5
  ret i32 %u
}

; Poison, but in an arm that is not taken then.
; optimised: fine
define i32 @arm(i32 %a, i32 %b) {
  %in = icmp ult i32 %b, 32
  %s = shl i32 %a, %b
  %t = add i32 %s, 1
  %u = select i1 %in, i32 %t, i32 0
  ret i32 %u
}

; emitted: a shift by what may be the width or more
define i32 @arm_as_emitted(i32 %a, i32 %b) {
  %in = icmp ult i32 %b, 32
  %s = shl i32 %a, %b
  %u = select i1 %in, i32 %s, i32 0
  ret i32 %u
}

; It is stored as well.
; optimised: a shift by what may be the width or more
define i32 @escapes(i32 %a, i32 %b, ptr %p) {
  %in = icmp ult i32 %b, 32
  %s = shl i32 %a, %b
  store i32 %s, ptr %p, align 4
  %u = select i1 %in, i32 %s, i32 0
  ret i32 %u
}

; emitted: a conversion that does not saturate
define i32 @to_signed(double %a) {
  %s = fptosi double %a to i32
  ret i32 %s
}

; optimised: a conversion that does not saturate
define <2 x i8> @to_unsigned(<2 x float> %a) {
  %s = fptoui <2 x float> %a to <2 x i8>
  ret <2 x i8> %s
}

; emitted: fine
define i32 @saturates(double %a) {
  %s = call i32 @llvm.fptosi.sat.i32.f64(double %a)
  ret i32 %s
}
declare i32 @llvm.fptosi.sat.i32.f64(double)
