; Buffers are aligned to their elements only, and hold any bits.

; emitted: more aligned than its elements
define <4 x float> @load(ptr %p) {
  %a = load <4 x float>, ptr %p, align 16
  ret <4 x float> %a
}

; optimised: more aligned than its elements
define void @store(ptr %p, i16 %x) {
  store i16 %x, ptr %p, align 4
  ret void
}

; emitted: more aligned than its elements
define <4 x i8> @in_a_literal(i64 %i) {
  %p = getelementptr i8, ptr @literal, i64 %i
  %a = load <4 x i8>, ptr %p, align 32
  ret <4 x i8> %a
}
@literal = private constant [4 x i8] c"\00\01\02\03", align 16

; Memory of its own says how it is aligned.
; optimised: fine
define <4 x i8> @own() {
  %a = load <4 x i8>, ptr @literal, align 16
  ret <4 x i8> %a
}
@literal = private constant [4 x i8] c"\00\01\02\03", align 16

; emitted: metadata that promises a value
define i8 @range(ptr %p) {
  %a = load i8, ptr %p, align 1, !range !0
  ret i8 %a
}
!0 = !{i8 0, i8 2}

; emitted: metadata that promises a value
define float @loose(float %x, float %y) {
  %a = fdiv float %x, %y, !fpmath !0
  ret float %a
}
!0 = !{float 2.5}

; emitted: a promise about a parameter
define void @aligned(ptr align 64 %p) {
  ret void
}

; emitted: fine
define <4 x float> @element(ptr %p) {
  %a = load <4 x float>, ptr %p, align 4
  ret <4 x float> %a
}
