; Poison may fill lanes that nothing reads.

; emitted: poison is stored
define void @whole(ptr %p) {
  store <2 x float> poison, ptr %p, align 4
  ret void
}

; emitted: poison is stored
define void @undefined(ptr %p) {
  store i32 undef, ptr %p, align 4
  ret void
}

; emitted: poison is stored
define void @one_lane_short(ptr %p, float %x) {
  %a = insertelement <2 x float> poison, float %x, i64 0
  %b = fadd <2 x float> %a, %a
  store <2 x float> %b, ptr %p, align 4
  ret void
}

; emitted: poison is stored
define void @shuffled_in(ptr %p, <2 x float> %x) {
  %a = shufflevector <2 x float> %x, <2 x float> poison, <2 x i32> <i32 1, i32 2>
  store <2 x float> %a, ptr %p, align 4
  ret void
}

; emitted: poison is stored
define void @through_a_loop(ptr %p, <2 x i32> %x) {
entry:
  br label %loop
loop:
  %a = phi <2 x i32> [ <i32 0, i32 poison>, %entry ], [ %b, %loop ]
  %b = add <2 x i32> %a, %x
  %c = extractelement <2 x i32> %b, i64 1
  store i32 %c, ptr %p, align 4
  br label %loop
}

; emitted: poison is stored
define void @out_of_range(ptr %p, <2 x i32> %x) {
  %c = extractelement <2 x i32> %x, i64 2
  store i32 %c, ptr %p, align 4
  ret void
}

; emitted: poison as an address
define i32 @address() {
  %a = load i32, ptr poison, align 4
  ret i32 %a
}

; emitted: a branch on poison
define void @branch() {
  br i1 undef, label %a, label %b
a:
  ret void
b:
  ret void
}

; emitted: a division by poison
define <2 x i32> @divisor(<2 x i32> %a) {
  %s = udiv <2 x i32> %a, <i32 1, i32 poison>
  ret <2 x i32> %s
}

; emitted: poison is handed to a function
define double @argument() {
  %s = call double @lockstep_exp(double poison)
  ret double %s
}
declare double @lockstep_exp(double)

; emitted: unreachable code is assumed
define void @nowhere() {
  unreachable
}

; A splat, and lanes filled one by one.
; emitted: fine
define void @full(ptr %p, float %x, float %y) {
  %a = insertelement <2 x float> poison, float %x, i64 0
  %b = shufflevector <2 x float> %a, <2 x float> poison, <2 x i32> zeroinitializer
  %c = insertelement <2 x float> %a, float %y, i64 1
  %d = fadd <2 x float> %b, %c
  store <2 x float> %d, ptr %p, align 4
  ret void
}

; Lanes are joined, and the first alone is read.
; optimised: fine
define void @joined(ptr %p, <2 x float> %x) {
  %a = shufflevector <2 x float> %x, <2 x float> poison, <2 x i32> <i32 1, i32 poison>
  %b = fadd <2 x float> %x, %a
  %c = extractelement <2 x float> %b, i64 0
  store float %c, ptr %p, align 4
  ret void
}
