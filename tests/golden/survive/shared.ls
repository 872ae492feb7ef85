# A value used by two consumers, 30 levels deep: each is computed once, not 2^30
# times; elementwise, through exp and sums, through views, through einsums.
# RUN: timeout 100 %lockstep run %s x=ones | FileCheck %s
# RUN: timeout 100 %lockstep check %s x=ones
# RUN: timeout 100 %lockstep check %s x=ones --numerics=strict --without=simplify
program @p(%x: f64[4]) {
  %half = constant 0.5 : f64[]
  %a0 = add %x, %x
  %b0 = mul %x, %half
  %c0 = add %x, %x
  %d0 = reshape %x : f64[2,2]
  %a1 = add %a0, %a0
  %e0 = exp %b0
  %s0 = reduce_sum %b0
  %r0 = div %b0, %s0
  %f0 = add %e0, %r0
  %b1 = div %f0, %e0
  %v0 = reverse %c0, dims=[0]
  %w0 = concatenate %c0, %v0, dim=0
  %u0 = slice %w0, start=[2], limit=[6]
  %c1 = sub %u0, %v0
  %g0 = einsum %d0, %d0, spec="ij,jk->ik"
  %d1 = mul %g0, %half
  %a2 = add %a1, %a1
  %e1 = exp %b1
  %s1 = reduce_sum %b1
  %r1 = div %b1, %s1
  %f1 = add %e1, %r1
  %b2 = div %f1, %e1
  %v1 = reverse %c1, dims=[0]
  %w1 = concatenate %c1, %v1, dim=0
  %u1 = slice %w1, start=[2], limit=[6]
  %c2 = sub %u1, %v1
  %g1 = einsum %d1, %d1, spec="ij,jk->ik"
  %d2 = mul %g1, %half
  %a3 = add %a2, %a2
  %e2 = exp %b2
  %s2 = reduce_sum %b2
  %r2 = div %b2, %s2
  %f2 = add %e2, %r2
  %b3 = div %f2, %e2
  %v2 = reverse %c2, dims=[0]
  %w2 = concatenate %c2, %v2, dim=0
  %u2 = slice %w2, start=[2], limit=[6]
  %c3 = sub %u2, %v2
  %g2 = einsum %d2, %d2, spec="ij,jk->ik"
  %d3 = mul %g2, %half
  %a4 = add %a3, %a3
  %e3 = exp %b3
  %s3 = reduce_sum %b3
  %r3 = div %b3, %s3
  %f3 = add %e3, %r3
  %b4 = div %f3, %e3
  %v3 = reverse %c3, dims=[0]
  %w3 = concatenate %c3, %v3, dim=0
  %u3 = slice %w3, start=[2], limit=[6]
  %c4 = sub %u3, %v3
  %g3 = einsum %d3, %d3, spec="ij,jk->ik"
  %d4 = mul %g3, %half
  %a5 = add %a4, %a4
  %e4 = exp %b4
  %s4 = reduce_sum %b4
  %r4 = div %b4, %s4
  %f4 = add %e4, %r4
  %b5 = div %f4, %e4
  %v4 = reverse %c4, dims=[0]
  %w4 = concatenate %c4, %v4, dim=0
  %u4 = slice %w4, start=[2], limit=[6]
  %c5 = sub %u4, %v4
  %g4 = einsum %d4, %d4, spec="ij,jk->ik"
  %d5 = mul %g4, %half
  %a6 = add %a5, %a5
  %e5 = exp %b5
  %s5 = reduce_sum %b5
  %r5 = div %b5, %s5
  %f5 = add %e5, %r5
  %b6 = div %f5, %e5
  %v5 = reverse %c5, dims=[0]
  %w5 = concatenate %c5, %v5, dim=0
  %u5 = slice %w5, start=[2], limit=[6]
  %c6 = sub %u5, %v5
  %g5 = einsum %d5, %d5, spec="ij,jk->ik"
  %d6 = mul %g5, %half
  %a7 = add %a6, %a6
  %e6 = exp %b6
  %s6 = reduce_sum %b6
  %r6 = div %b6, %s6
  %f6 = add %e6, %r6
  %b7 = div %f6, %e6
  %v6 = reverse %c6, dims=[0]
  %w6 = concatenate %c6, %v6, dim=0
  %u6 = slice %w6, start=[2], limit=[6]
  %c7 = sub %u6, %v6
  %g6 = einsum %d6, %d6, spec="ij,jk->ik"
  %d7 = mul %g6, %half
  %a8 = add %a7, %a7
  %e7 = exp %b7
  %s7 = reduce_sum %b7
  %r7 = div %b7, %s7
  %f7 = add %e7, %r7
  %b8 = div %f7, %e7
  %v7 = reverse %c7, dims=[0]
  %w7 = concatenate %c7, %v7, dim=0
  %u7 = slice %w7, start=[2], limit=[6]
  %c8 = sub %u7, %v7
  %g7 = einsum %d7, %d7, spec="ij,jk->ik"
  %d8 = mul %g7, %half
  %a9 = add %a8, %a8
  %e8 = exp %b8
  %s8 = reduce_sum %b8
  %r8 = div %b8, %s8
  %f8 = add %e8, %r8
  %b9 = div %f8, %e8
  %v8 = reverse %c8, dims=[0]
  %w8 = concatenate %c8, %v8, dim=0
  %u8 = slice %w8, start=[2], limit=[6]
  %c9 = sub %u8, %v8
  %g8 = einsum %d8, %d8, spec="ij,jk->ik"
  %d9 = mul %g8, %half
  %a10 = add %a9, %a9
  %e9 = exp %b9
  %s9 = reduce_sum %b9
  %r9 = div %b9, %s9
  %f9 = add %e9, %r9
  %b10 = div %f9, %e9
  %v9 = reverse %c9, dims=[0]
  %w9 = concatenate %c9, %v9, dim=0
  %u9 = slice %w9, start=[2], limit=[6]
  %c10 = sub %u9, %v9
  %g9 = einsum %d9, %d9, spec="ij,jk->ik"
  %d10 = mul %g9, %half
  %a11 = add %a10, %a10
  %e10 = exp %b10
  %s10 = reduce_sum %b10
  %r10 = div %b10, %s10
  %f10 = add %e10, %r10
  %b11 = div %f10, %e10
  %v10 = reverse %c10, dims=[0]
  %w10 = concatenate %c10, %v10, dim=0
  %u10 = slice %w10, start=[2], limit=[6]
  %c11 = sub %u10, %v10
  %g10 = einsum %d10, %d10, spec="ij,jk->ik"
  %d11 = mul %g10, %half
  %a12 = add %a11, %a11
  %e11 = exp %b11
  %s11 = reduce_sum %b11
  %r11 = div %b11, %s11
  %f11 = add %e11, %r11
  %b12 = div %f11, %e11
  %v11 = reverse %c11, dims=[0]
  %w11 = concatenate %c11, %v11, dim=0
  %u11 = slice %w11, start=[2], limit=[6]
  %c12 = sub %u11, %v11
  %g11 = einsum %d11, %d11, spec="ij,jk->ik"
  %d12 = mul %g11, %half
  %a13 = add %a12, %a12
  %e12 = exp %b12
  %s12 = reduce_sum %b12
  %r12 = div %b12, %s12
  %f12 = add %e12, %r12
  %b13 = div %f12, %e12
  %v12 = reverse %c12, dims=[0]
  %w12 = concatenate %c12, %v12, dim=0
  %u12 = slice %w12, start=[2], limit=[6]
  %c13 = sub %u12, %v12
  %g12 = einsum %d12, %d12, spec="ij,jk->ik"
  %d13 = mul %g12, %half
  %a14 = add %a13, %a13
  %e13 = exp %b13
  %s13 = reduce_sum %b13
  %r13 = div %b13, %s13
  %f13 = add %e13, %r13
  %b14 = div %f13, %e13
  %v13 = reverse %c13, dims=[0]
  %w13 = concatenate %c13, %v13, dim=0
  %u13 = slice %w13, start=[2], limit=[6]
  %c14 = sub %u13, %v13
  %g13 = einsum %d13, %d13, spec="ij,jk->ik"
  %d14 = mul %g13, %half
  %a15 = add %a14, %a14
  %e14 = exp %b14
  %s14 = reduce_sum %b14
  %r14 = div %b14, %s14
  %f14 = add %e14, %r14
  %b15 = div %f14, %e14
  %v14 = reverse %c14, dims=[0]
  %w14 = concatenate %c14, %v14, dim=0
  %u14 = slice %w14, start=[2], limit=[6]
  %c15 = sub %u14, %v14
  %g14 = einsum %d14, %d14, spec="ij,jk->ik"
  %d15 = mul %g14, %half
  %a16 = add %a15, %a15
  %e15 = exp %b15
  %s15 = reduce_sum %b15
  %r15 = div %b15, %s15
  %f15 = add %e15, %r15
  %b16 = div %f15, %e15
  %v15 = reverse %c15, dims=[0]
  %w15 = concatenate %c15, %v15, dim=0
  %u15 = slice %w15, start=[2], limit=[6]
  %c16 = sub %u15, %v15
  %g15 = einsum %d15, %d15, spec="ij,jk->ik"
  %d16 = mul %g15, %half
  %a17 = add %a16, %a16
  %e16 = exp %b16
  %s16 = reduce_sum %b16
  %r16 = div %b16, %s16
  %f16 = add %e16, %r16
  %b17 = div %f16, %e16
  %v16 = reverse %c16, dims=[0]
  %w16 = concatenate %c16, %v16, dim=0
  %u16 = slice %w16, start=[2], limit=[6]
  %c17 = sub %u16, %v16
  %g16 = einsum %d16, %d16, spec="ij,jk->ik"
  %d17 = mul %g16, %half
  %a18 = add %a17, %a17
  %e17 = exp %b17
  %s17 = reduce_sum %b17
  %r17 = div %b17, %s17
  %f17 = add %e17, %r17
  %b18 = div %f17, %e17
  %v17 = reverse %c17, dims=[0]
  %w17 = concatenate %c17, %v17, dim=0
  %u17 = slice %w17, start=[2], limit=[6]
  %c18 = sub %u17, %v17
  %g17 = einsum %d17, %d17, spec="ij,jk->ik"
  %d18 = mul %g17, %half
  %a19 = add %a18, %a18
  %e18 = exp %b18
  %s18 = reduce_sum %b18
  %r18 = div %b18, %s18
  %f18 = add %e18, %r18
  %b19 = div %f18, %e18
  %v18 = reverse %c18, dims=[0]
  %w18 = concatenate %c18, %v18, dim=0
  %u18 = slice %w18, start=[2], limit=[6]
  %c19 = sub %u18, %v18
  %g18 = einsum %d18, %d18, spec="ij,jk->ik"
  %d19 = mul %g18, %half
  %a20 = add %a19, %a19
  %e19 = exp %b19
  %s19 = reduce_sum %b19
  %r19 = div %b19, %s19
  %f19 = add %e19, %r19
  %b20 = div %f19, %e19
  %v19 = reverse %c19, dims=[0]
  %w19 = concatenate %c19, %v19, dim=0
  %u19 = slice %w19, start=[2], limit=[6]
  %c20 = sub %u19, %v19
  %g19 = einsum %d19, %d19, spec="ij,jk->ik"
  %d20 = mul %g19, %half
  %a21 = add %a20, %a20
  %e20 = exp %b20
  %s20 = reduce_sum %b20
  %r20 = div %b20, %s20
  %f20 = add %e20, %r20
  %b21 = div %f20, %e20
  %v20 = reverse %c20, dims=[0]
  %w20 = concatenate %c20, %v20, dim=0
  %u20 = slice %w20, start=[2], limit=[6]
  %c21 = sub %u20, %v20
  %g20 = einsum %d20, %d20, spec="ij,jk->ik"
  %d21 = mul %g20, %half
  %a22 = add %a21, %a21
  %e21 = exp %b21
  %s21 = reduce_sum %b21
  %r21 = div %b21, %s21
  %f21 = add %e21, %r21
  %b22 = div %f21, %e21
  %v21 = reverse %c21, dims=[0]
  %w21 = concatenate %c21, %v21, dim=0
  %u21 = slice %w21, start=[2], limit=[6]
  %c22 = sub %u21, %v21
  %g21 = einsum %d21, %d21, spec="ij,jk->ik"
  %d22 = mul %g21, %half
  %a23 = add %a22, %a22
  %e22 = exp %b22
  %s22 = reduce_sum %b22
  %r22 = div %b22, %s22
  %f22 = add %e22, %r22
  %b23 = div %f22, %e22
  %v22 = reverse %c22, dims=[0]
  %w22 = concatenate %c22, %v22, dim=0
  %u22 = slice %w22, start=[2], limit=[6]
  %c23 = sub %u22, %v22
  %g22 = einsum %d22, %d22, spec="ij,jk->ik"
  %d23 = mul %g22, %half
  %a24 = add %a23, %a23
  %e23 = exp %b23
  %s23 = reduce_sum %b23
  %r23 = div %b23, %s23
  %f23 = add %e23, %r23
  %b24 = div %f23, %e23
  %v23 = reverse %c23, dims=[0]
  %w23 = concatenate %c23, %v23, dim=0
  %u23 = slice %w23, start=[2], limit=[6]
  %c24 = sub %u23, %v23
  %g23 = einsum %d23, %d23, spec="ij,jk->ik"
  %d24 = mul %g23, %half
  %a25 = add %a24, %a24
  %e24 = exp %b24
  %s24 = reduce_sum %b24
  %r24 = div %b24, %s24
  %f24 = add %e24, %r24
  %b25 = div %f24, %e24
  %v24 = reverse %c24, dims=[0]
  %w24 = concatenate %c24, %v24, dim=0
  %u24 = slice %w24, start=[2], limit=[6]
  %c25 = sub %u24, %v24
  %g24 = einsum %d24, %d24, spec="ij,jk->ik"
  %d25 = mul %g24, %half
  %a26 = add %a25, %a25
  %e25 = exp %b25
  %s25 = reduce_sum %b25
  %r25 = div %b25, %s25
  %f25 = add %e25, %r25
  %b26 = div %f25, %e25
  %v25 = reverse %c25, dims=[0]
  %w25 = concatenate %c25, %v25, dim=0
  %u25 = slice %w25, start=[2], limit=[6]
  %c26 = sub %u25, %v25
  %g25 = einsum %d25, %d25, spec="ij,jk->ik"
  %d26 = mul %g25, %half
  %a27 = add %a26, %a26
  %e26 = exp %b26
  %s26 = reduce_sum %b26
  %r26 = div %b26, %s26
  %f26 = add %e26, %r26
  %b27 = div %f26, %e26
  %v26 = reverse %c26, dims=[0]
  %w26 = concatenate %c26, %v26, dim=0
  %u26 = slice %w26, start=[2], limit=[6]
  %c27 = sub %u26, %v26
  %g26 = einsum %d26, %d26, spec="ij,jk->ik"
  %d27 = mul %g26, %half
  %a28 = add %a27, %a27
  %e27 = exp %b27
  %s27 = reduce_sum %b27
  %r27 = div %b27, %s27
  %f27 = add %e27, %r27
  %b28 = div %f27, %e27
  %v27 = reverse %c27, dims=[0]
  %w27 = concatenate %c27, %v27, dim=0
  %u27 = slice %w27, start=[2], limit=[6]
  %c28 = sub %u27, %v27
  %g27 = einsum %d27, %d27, spec="ij,jk->ik"
  %d28 = mul %g27, %half
  %a29 = add %a28, %a28
  %e28 = exp %b28
  %s28 = reduce_sum %b28
  %r28 = div %b28, %s28
  %f28 = add %e28, %r28
  %b29 = div %f28, %e28
  %v28 = reverse %c28, dims=[0]
  %w28 = concatenate %c28, %v28, dim=0
  %u28 = slice %w28, start=[2], limit=[6]
  %c29 = sub %u28, %v28
  %g28 = einsum %d28, %d28, spec="ij,jk->ik"
  %d29 = mul %g28, %half
  %a30 = add %a29, %a29
  %e29 = exp %b29
  %s29 = reduce_sum %b29
  %r29 = div %b29, %s29
  %f29 = add %e29, %r29
  %b30 = div %f29, %e29
  %v29 = reverse %c29, dims=[0]
  %w29 = concatenate %c29, %v29, dim=0
  %u29 = slice %w29, start=[2], limit=[6]
  %c30 = sub %u29, %v29
  %g29 = einsum %d29, %d29, spec="ij,jk->ik"
  %d30 = mul %g29, %half
  return %a30, %b30, %c30, %d30
}
# CHECK: a30: f64[4] = [2147483648, 2147483648, 2147483648, 2147483648]
# CHECK: c30: f64[4] = [0, 0, 0, 0]
# CHECK: d30: f64[2,2] =
# CHECK-NEXT: {{.*}}[1, 1],
# CHECK-NEXT: {{.*}}[1, 1]]
