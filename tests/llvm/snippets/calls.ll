; Calls: of ours and of OpenBLAS, and of what has one right result.

; emitted: a function whose name LLVM may know
define double @libm(double %x) {
  %a = call double @exp(double %x)
  ret double %a
}
declare double @exp(double)

; emitted: not an intrinsic with one right result
define float @sine(float %x) {
  %a = call float @llvm.sin.f32(float %x)
  ret float %a
}
declare float @llvm.sin.f32(float)

; One rounding or two: LLVM may choose.
; emitted: not an intrinsic with one right result
define float @either(float %x) {
  %a = call float @llvm.fmuladd.f32(float %x, float %x, float %x)
  ret float %a
}
declare float @llvm.fmuladd.f32(float, float, float)

; emitted: not an intrinsic with one right result
define void @assumed(i1 %x) {
  call void @llvm.assume(i1 %x)
  ret void
}
declare void @llvm.assume(i1)

; emitted: not an intrinsic with one right result
define float @lanes(<4 x float> %x) {
  %a = call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %x)
  ret float %a
}
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)

; emitted: undefined for one operand
define i32 @magnitude(i32 %x) {
  %a = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %a
}
declare i32 @llvm.abs.i32(i32, i1)

; emitted: a call of another type than the function's
define float @mistaken(float %x) {
  %a = call float @lockstep_exp(float %x)
  ret float %a
}
declare double @lockstep_exp(double)

; emitted: a call that LLVM may take for libm's
define double @known(double %x) {
  %a = call double @lockstep_exp(double %x) builtin
  ret double %a
}
declare double @lockstep_exp(double) nobuiltin

; emitted: a promise about a parameter
define double @result(double %x) {
  %a = call double @lockstep_exp(double %x)
  ret double %a
}
declare nofpclass(nan) double @lockstep_exp(double)

; emitted: a while may run for ever
define void @ends() mustprogress {
entry:
  br label %loop
loop:
  br label %loop
}

; emitted: a call through a pointer
define void @pointer(ptr %f) {
  call void %f()
  ret void
}

; emitted: no rule for this instruction
define ptr @address(i64 %x) {
  %a = inttoptr i64 %x to ptr
  ret ptr %a
}

; What the host has registered.
; emitted: fine
define void @host(ptr %x) {
  %f = load ptr, ptr @lockstep_callee_f
  call void %f(ptr %x, ptr %x, ptr %x)
  ret void
}
@lockstep_callee_f = external global [2 x ptr]

; emitted: fine
define double @ours(double %x) {
  %a = call double @lockstep_exp(double %x)
  %b = call double @llvm.fma.f64(double %a, double %a, double %x)
  %c = call double @llvm.maximum.f64(double %b, double 0.0)
  ret double %c
}
declare double @lockstep_exp(double) memory(none)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.maximum.f64(double, double)
