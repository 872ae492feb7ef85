# Einsums of many operands become pairs, in the best order in fast, from left to
# right in strict; letters say what a label does.
# RUN: %lockstep show --after=contract %s | FileCheck %s
# RUN: %lockstep show --after=contract --numerics=strict %s | FileCheck --check-prefix=STRICT %s
program @contract(%A: f64[30,4], %B: f64[4,40], %v: f64[40], %h: f16[30,4], %g: f16[4,40], %w: f16[40], %S: f64[7,7,9], %T: f64[9,5,6]) {
  %chain = einsum %A, %B, %v, spec="xy,yz,z->x"
  %half = einsum %h, %g, %w, spec="xy,yz,z->x"
  %diagonal = einsum %S, %T, spec="iik,kjl->ij"
  %batch = einsum %S, %S, spec="pqr,psr->pqs"
  %turned = einsum %B, %A, spec="kn,mk->mn"
  %trace = einsum %S, spec="iik->k"
  # invariant pairs are made outside of the loop
  %loop = scan length=100, carry(%c = %A) {
    %n = einsum %B, %B, %c, spec="kn,ln,mk->ml"
    yield carry(%n)
  }
  return %chain, %half, %diagonal, %batch, %turned, %trace, %loop
}

# CHECK: program @contract
# CHECK-NEXT: [[V0:%[0-9]+]] = einsum %B, %v, spec="mk,k->m" : f64[4]
# CHECK-NEXT: %chain = einsum %A, [[V0]], spec="mk,k->m" : f64[30]
# CHECK-NEXT: [[V1:%[0-9]+]] = convert %h : f32[30,4]
# CHECK-NEXT: [[V2:%[0-9]+]] = convert %g : f32[4,40]
# CHECK-NEXT: [[V3:%[0-9]+]] = convert %w : f32[40]
# CHECK-NEXT: [[V4:%[0-9]+]] = einsum [[V2]], [[V3]], spec="mk,k->m" : f32[4]
# CHECK-NEXT: [[V5:%[0-9]+]] = einsum [[V1]], [[V4]], spec="mk,k->m" : f32[30]
# CHECK-NEXT: %half = convert [[V5]] : f16[30]
# CHECK-NEXT: [[V6:%[0-9]+]] = einsum %S, spec="mma->ma" : f64[7,9]
# CHECK-NEXT: [[V7:%[0-9]+]] = reduce_sum %T, dims=[2] : f64[9,5]
# CHECK-NEXT: %diagonal = einsum [[V6]], [[V7]], spec="mk,kn->mn" : f64[7,5]
# CHECK-NEXT: %batch = einsum %S, %S, spec="bmk,bnk->bmn" : f64[7,7,7]
# CHECK-NEXT: %turned = einsum %B, %A, spec="km,nk->nm" : f64[30,40]
# CHECK-NEXT: %trace = einsum %S, spec="aam->m" : f64[9]
# CHECK-NEXT: [[V8:%[0-9]+]] = einsum %B, %B, spec="mk,nk->mn" : f64[4,4]
# CHECK-NEXT: %loop = scan length=100, carry(%c = %A) {
# CHECK-NEXT: %n = einsum %c, [[V8]], spec="mk,kn->mn" : f64[30,4]
# CHECK-NEXT: yield carry(%n)
# CHECK-NEXT: } : f64[30,4]
# CHECK-NEXT: return %chain, %half, %diagonal, %batch, %turned, %trace, %loop
# CHECK-NEXT: }
# STRICT: program @contract
# STRICT-NEXT: [[V0:%[0-9]+]] = einsum %A, %B, spec="mk,kn->mn" : f64[30,40]
# STRICT-NEXT: %chain = einsum [[V0]], %v, spec="mk,k->m" : f64[30]
# STRICT-NEXT: [[V1:%[0-9]+]] = convert %h : f32[30,4]
# STRICT-NEXT: [[V2:%[0-9]+]] = convert %g : f32[4,40]
# STRICT-NEXT: [[V3:%[0-9]+]] = convert %w : f32[40]
# STRICT-NEXT: [[V4:%[0-9]+]] = einsum [[V1]], [[V2]], spec="mk,kn->mn" : f32[30,40]
# STRICT-NEXT: [[V5:%[0-9]+]] = einsum [[V4]], [[V3]], spec="mk,k->m" : f32[30]
# STRICT-NEXT: %half = convert [[V5]] : f16[30]
# STRICT-NEXT: [[V6:%[0-9]+]] = einsum %S, spec="mma->ma" : f64[7,9]
# STRICT-NEXT: %diagonal = einsum [[V6]], %T, spec="mk,kna->mn" : f64[7,5]
# STRICT-NEXT: %batch = einsum %S, %S, spec="bmk,bnk->bmn" : f64[7,7,7]
# STRICT-NEXT: %turned = einsum %B, %A, spec="km,nk->nm" : f64[30,40]
# STRICT-NEXT: %trace = einsum %S, spec="aam->m" : f64[9]
# STRICT-NEXT: [[V7:%[0-9]+]] = einsum %B, %B, spec="mk,nk->mn" : f64[4,4]
# STRICT-NEXT: %loop = scan length=100, carry(%c = %A) {
# STRICT-NEXT: %n = einsum [[V7]], %c, spec="km,nk->nm" : f64[30,4]
# STRICT-NEXT: yield carry(%n)
# STRICT-NEXT: } : f64[30,4]
# STRICT-NEXT: return %chain, %half, %diagonal, %batch, %turned, %trace, %loop
# STRICT-NEXT: }
