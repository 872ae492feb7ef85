; Flags that promise something: none but on the index of a loop.

; emitted: fast-math flags
define float @sum(float %a, float %b) {
  %s = fadd nnan float %a, %b
  ret float %s
}

; emitted: fast-math flags
define <4 x float> @root(<4 x float> %a) {
  %s = call ninf <4 x float> @llvm.sqrt.v4f32(<4 x float> %a)
  ret <4 x float> %s
}
declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)

; emitted: fast-math flags
define i1 @less(double %a, double %b) {
  %s = fcmp nsz olt double %a, %b
  ret i1 %s
}

; emitted: fast-math flags
define double @order(double %a, double %b) {
  %s = fmul reassoc double %a, %b
  ret double %s
}

; optimised: fast-math flags
define double @contracted(double %a, double %b) {
  %s = fmul contract double %a, %b
  ret double %s
}

; optimised: fast-math flags
define double @chosen(i1 %c, double %a, double %b) {
  %s = select nnan i1 %c, double %a, double %b
  ret double %s
}

; emitted: an attribute that changes what floats do
define double @whole(double %a) "no-nans-fp-math"="true" {
  ret double %a
}

; emitted: nsw or nuw on what is no loop's index
define i32 @signed(i32 %a, i32 %b) {
  %s = add nsw i32 %a, %b
  ret i32 %s
}

; emitted: nsw or nuw on what is no loop's index
define i64 @product(i64 %a, i64 %b) {
  %s = mul nuw i64 %a, %b
  ret i64 %s
}

; emitted: nsw or nuw on what is no loop's index
define i64 @left(i64 %a) {
  %s = shl nuw i64 %a, 3
  ret i64 %s
}

; emitted: nsw or nuw on what is no loop's index
define i8 @narrow(i32 %a) {
  %s = trunc nuw i32 %a to i8
  ret i8 %s
}

; optimised: fine
define i64 @proved(i64 %a) {
  %s = add nuw nsw i64 %a, 3
  ret i64 %s
}

; emitted: exact
define i32 @half(i32 %a) {
  %s = lshr exact i32 %a, 1
  ret i32 %s
}

; emitted: exact
define i32 @third(i32 %a) {
  %s = sdiv exact i32 %a, 3
  ret i32 %s
}

; emitted: disjoint
define i32 @both(i32 %a, i32 %b) {
  %s = or disjoint i32 %a, %b
  ret i32 %s
}

; emitted: nneg
define i64 @wide(i32 %a) {
  %s = zext nneg i32 %a to i64
  ret i64 %s
}

; emitted: nneg
define double @real(i32 %a) {
  %s = uitofp nneg i32 %a to double
  ret double %s
}

; emitted: an address that promises its bounds
define ptr @inside(ptr %a, i64 %i) {
  %s = getelementptr inbounds i32, ptr %a, i64 %i
  ret ptr %s
}

; emitted: fine
define void @counted(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i64 %i, 4
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The limit lets the last sum wrap.
; emitted: nsw or nuw on what is no loop's index
define void @wraps() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i64 %i, 4
  %more = icmp ult i64 %next, -1
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The limit is no constant.
; emitted: nsw or nuw on what is no loop's index
define void @unknown(i64 %limit) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %limit
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The loop goes on where the index is not below the limit.
; emitted: nsw or nuw on what is no loop's index
define void @inverted() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %done, label %loop
done:
  ret void
}

; A sum of the program's own: what is added is no constant.
; emitted: nsw or nuw on what is no loop's index
define void @total(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load i64, ptr %p
  %next = add nuw i64 %i, %x
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}
