# Sums: scalar factors out, reductions and views into specs, in fast; in strict
# nothing that moves a bit.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
# RUN: %lockstep show --after=simplify --numerics=strict %s | FileCheck --check-prefix=STRICT %s
program @sums(%A: f64[8,6], %B: f64[6,5], %s: f64[], %I: i32[8,6], %n: i32[], %H: f16[8,6], %h: f16[], %w: f64[5]) {
  %sA = mul %s, %A
  %factor = einsum %sA, %B, spec="mk,kn->mn"
  %nA = neg %A
  %minus = reduce_sum %nA, dims=[0]
  %C = einsum %A, %B, spec="mk,kn->mn"
  %rows = reduce_sum %C, dims=[0]
  %At = transpose %A, perm=[1,0]
  %spec = einsum %At, %B, spec="km,kn->nm"
  %Ct0 = einsum %B, %A, spec="kn,mk->mn"
  %Ct = transpose %Ct0, perm=[1,0]
  %A1 = reshape %A : f64[8,1,6]
  %ones = einsum %A1, %B, spec="mik,kn->mn"
  %scalar = einsum %s, %B, spec=",kn->nk"
  %moved = einsum %A, spec="mk->km"
  %sum = einsum %A, spec="mk->k"
  %r0 = reduce_sum %A, dims=[1]
  %all = reduce_sum %r0, dims=[0]
  %b = broadcast %B, dims=[1,2] : f64[4,6,5]
  %four = reduce_sum %b, dims=[0]
  # integers: exact modulo 2^32, in strict too
  %nI = mul %n, %I
  %isum = reduce_sum %nI, dims=[1]
  # not: f16 (its products may overflow), a factor of a small operand of a large
  # result, an einsum that is used as it is, too
  %hH = mul %h, %H
  %not_half = reduce_sum %hH, dims=[1]
  %v = mul %s, %w
  %not_small = einsum %v, %v, spec="i,j->ij"
  %D = einsum %A, %B, spec="mk,kn->nm"
  %not_twice = reduce_sum %D, dims=[1]
  return %factor, %minus, %rows, %spec, %Ct, %ones, %scalar, %moved, %sum, %all, %four, %isum, %not_half, %not_small, %D, %not_twice
}

# CHECK: program @sums
# CHECK-NEXT: %C = einsum %A, %B, spec="mk,kn->mn" : f64[8,5]
# CHECK-NEXT: %factor = mul %s, %C : f64[8,5]
# CHECK-NEXT: [[M:%[0-9]+]] = reduce_sum %A, dims=[0] : f64[6]
# CHECK-NEXT: %minus = neg [[M]] : f64[6]
# CHECK-NEXT: %rows = einsum %A, %B, spec="mk,kn->n" : f64[5]
# CHECK-NEXT: %At = transpose %A, perm=[1,0] : f64[6,8]
# CHECK-NEXT: %spec = einsum %A, %B, spec="mk,kn->nm" : f64[5,8]
# CHECK-NEXT: %Ct = einsum %B, %A, spec="kn,mk->nm" : f64[5,8]
# CHECK-NEXT: [[V0:%[0-9]+]] = transpose %B, perm=[1,0] : f64[5,6]
# CHECK-NEXT: %scalar = mul %s, [[V0]] : f64[5,6]
# An einsum of floats starts from +0, a reduce_sum from -0: not the same.
# CHECK-NEXT: %sum = einsum %A, spec="mk->k" : f64[6]
# CHECK-NEXT: %all = reduce_sum %A, dims=[0,1] : f64[]
# CHECK-NEXT: [[V1:%[0-9]+]] = constant 4 : f64[]
# CHECK-NEXT: %four = mul [[V1]], %B : f64[6,5]
# CHECK-NEXT: [[V2:%[0-9]+]] = reduce_sum %I, dims=[1] : i32[8]
# CHECK-NEXT: %isum = mul %n, [[V2]] : i32[8]
# CHECK-NEXT: %hH = mul %h, %H : f16[8,6]
# CHECK-NEXT: %not_half = reduce_sum %hH, dims=[1] : f16[8]
# CHECK-NEXT: %v = mul %s, %w : f64[5]
# CHECK-NEXT: %not_small = einsum %v, %v, spec="i,j->ij" : f64[5,5]
# CHECK-NEXT: %not_twice = reduce_sum %spec, dims=[1] : f64[5]
# CHECK-NEXT: return %factor, %minus, %rows, %spec, %Ct, %C as ones, %scalar, %At as moved, %sum, %all, %four, %isum, %not_half, %not_small, %spec as D, %not_twice
# CHECK-NEXT: }
# STRICT: program @sums
# STRICT-NEXT: %sA = mul %s, %A : f64[8,6]
# STRICT-NEXT: %factor = einsum %sA, %B, spec="mk,kn->mn" : f64[8,5]
# STRICT-NEXT: %nA = neg %A : f64[8,6]
# STRICT-NEXT: %minus = reduce_sum %nA, dims=[0] : f64[6]
# STRICT-NEXT: %C = einsum %A, %B, spec="mk,kn->mn" : f64[8,5]
# STRICT-NEXT: %rows = reduce_sum %C, dims=[0] : f64[5]
# STRICT-NEXT: %At = transpose %A, perm=[1,0] : f64[6,8]
# STRICT-NEXT: %spec = einsum %A, %B, spec="mk,kn->nm" : f64[5,8]
# STRICT-NEXT: %Ct = einsum %B, %A, spec="kn,mk->nm" : f64[5,8]
# STRICT-NEXT: %scalar = einsum %s, %B, spec=",kn->nk" : f64[5,6]
# STRICT-NEXT: %sum = einsum %A, spec="mk->k" : f64[6]
# STRICT-NEXT: %r0 = reduce_sum %A, dims=[1] : f64[8]
# STRICT-NEXT: %all = reduce_sum %r0, dims=[0] : f64[]
# STRICT-NEXT: %b = broadcast %B, dims=[1,2] : f64[4,6,5]
# STRICT-NEXT: %four = reduce_sum %b, dims=[0] : f64[6,5]
# STRICT-NEXT: [[V0:%[0-9]+]] = reduce_sum %I, dims=[1] : i32[8]
# STRICT-NEXT: %isum = mul %n, [[V0]] : i32[8]
# STRICT-NEXT: %hH = mul %h, %H : f16[8,6]
# STRICT-NEXT: %not_half = reduce_sum %hH, dims=[1] : f16[8]
# STRICT-NEXT: %v = mul %s, %w : f64[5]
# STRICT-NEXT: %not_small = einsum %v, %v, spec="i,j->ij" : f64[5,5]
# STRICT-NEXT: %not_twice = reduce_sum %spec, dims=[1] : f64[5]
# STRICT-NEXT: return %factor, %minus, %rows, %spec, %Ct, %C as ones, %scalar, %At as moved, %sum, %all, %four, %isum, %not_half, %not_small, %spec as D, %not_twice
# STRICT-NEXT: }
