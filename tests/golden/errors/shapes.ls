# Broadcasting, and the ops that move elements: lists, sizes, dims.
# RUN: %mistakes %s
axis rows = 4
program @wrong(%x: f64[3,4], %y: f64[3], %s: f32[3], %i: i32[], %v: f64[4]{rows}, %a: f64[], %e: f64[0,4]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: add %x, %y
# EXPECT: 8: add: shapes do not agree: f64[3,4] and f64[3] (operands %x: f64[3,4], %y: f64[3])
# MISTAKE: mul %v, %y
# EXPECT: 8: mul: shapes do not agree: f64[4]{rows} and f64[3] (operands %v: f64[4]{rows}, %y: f64[3])
# MISTAKE: max %x, %e
# EXPECT: 8: max: shapes do not agree: f64[3,4] and f64[0,4] (operands %x: f64[3,4], %e: f64[0,4])
# MISTAKE: compare %x, %y, op=lt
# EXPECT: 8: compare: shapes do not agree: f64[3,4] and f64[3] (operands %x: f64[3,4], %y: f64[3])
# MISTAKE: clamp %y, %x, %a
# EXPECT: 8: clamp: shapes do not agree: f64[3] and f64[3,4] (operands %y: f64[3], %x: f64[3,4], %a: f64[])
# MISTAKE: broadcast %s, dims=[0,1] : f32[3,4]
# EXPECT: 8: broadcast: dims has 2 entries for rank 1 (operand %s: f32[3])
# MISTAKE: broadcast %x, dims=[1] : f64[3,4]
# EXPECT: 8: broadcast: dims has 1 entry for rank 2 (operand %x: f64[3,4])
# MISTAKE: broadcast %s, dims=[1] : f32[3,4]
# EXPECT: 8: broadcast: dim 0 of size 3 does not stretch to 4 of f32[3,4] (operand %s: f32[3])
# MISTAKE: broadcast %s, dims=[2] : f32[3,4]
# EXPECT: 8: broadcast: dims=2 is out of range for rank 2 (operand %s: f32[3])
# MISTAKE: broadcast %s, dims=[0] : f64[3,4]
# EXPECT: 8: broadcast: keeps the dtype; its type is written f64[3,4] (operand %s: f32[3])
# MISTAKE: broadcast %x, dims=[0,0] : f64[3,4]
# EXPECT: 8: broadcast: dims names dim 0 twice (operand %x: f64[3,4])
# MISTAKE: broadcast %s : f32[3,4]
# EXPECT: 8: broadcast: needs dims=... (operand %s: f32[3])
# MISTAKE: broadcast %s, dims=[0]
# EXPECT: 8: broadcast: needs its result type to be written (operand %s: f32[3])
# MISTAKE: reshape %x : f64[5,2]
# EXPECT: 8: reshape: 12 elements do not fill f64[5,2], which has 10 (operand %x: f64[3,4])
# MISTAKE: reshape %v : f64[4,4]
# EXPECT: 8: reshape: 4 elements do not fill f64[4,4], which has 16 (operand %v: f64[4]{rows})
# MISTAKE: reshape %x : f32[12]
# EXPECT: 8: reshape: keeps the dtype; its type is written f32[12] (operand %x: f64[3,4])
# MISTAKE: reshape %x
# EXPECT: 8: reshape: needs its result type to be written (operand %x: f64[3,4])
# MISTAKE: reshape %x : f64[4294967296,4294967296]
# EXPECT: 21: reshape: f64[4294967296,4294967296] does not fit in 2^63 bytes: it takes 147573952589676412928 bytes
# MISTAKE: reshape %e : f64[1]
# EXPECT: 8: reshape: 0 elements do not fill f64[1], which has 1 (operand %e: f64[0,4])
# MISTAKE: transpose %x, perm=[0]
# EXPECT: 8: transpose: perm has 1 entry for rank 2 (operand %x: f64[3,4])
# MISTAKE: transpose %x, perm=[0,0]
# EXPECT: 8: transpose: perm names dim 0 twice (operand %x: f64[3,4])
# MISTAKE: transpose %x, perm=[0,2]
# EXPECT: 8: transpose: perm=2 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: transpose %x
# EXPECT: 8: transpose: needs perm=... (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0], limit=[3]
# EXPECT: 8: slice: start has 1 entry for rank 2 (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0,0], limit=[3]
# EXPECT: 8: slice: limit has 1 entry for rank 2 (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[2,0], limit=[1,4]
# EXPECT: 8: slice: dim 0: [2, 1) is not within [0, 3) (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0,0], limit=[4,4]
# EXPECT: 8: slice: dim 0: [0, 4) is not within [0, 3) (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[-1,0], limit=[3,4]
# EXPECT: 8: slice: dim 0: [-1, 3) is not within [0, 3) (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0,0], limit=[3,4], stride=[0,1]
# EXPECT: 8: slice: dim 0: the stride 0 is not positive (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0,0], limit=[3,4], stride=[1]
# EXPECT: 8: slice: stride has 1 entry for rank 2 (operand %x: f64[3,4])
# MISTAKE: slice %x, start=[0,0]
# EXPECT: 8: slice: needs limit=... (operand %x: f64[3,4])
# MISTAKE: concatenate %x, %s, dim=0
# EXPECT: 8: concatenate: operands have dtypes f64 and f32; use convert (operands %x: f64[3,4], %s: f32[3])
# MISTAKE: concatenate %x, %v, dim=0
# EXPECT: 8: concatenate: shapes may differ in dim 0 only: f64[3,4] and f64[4]{rows} (operands %x: f64[3,4], %v: f64[4]{rows})
# MISTAKE: concatenate %x, %x, %x, %s, dim=0
# EXPECT: 8: concatenate: operands 1 and 4 have dtypes f64 and f32; use convert (operands %x: f64[3,4], %x: f64[3,4], %x: f64[3,4], %s: f32[3])
# MISTAKE: concatenate %x, %x, dim=2
# EXPECT: 8: concatenate: dim=2 is out of range for rank 2 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: concatenate %x, %x
# EXPECT: 8: concatenate: needs dim=... (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: concatenate %a, %a, dim=0
# EXPECT: 8: concatenate: scalars have no dim to join on (operands %a: f64[], %a: f64[])
# MISTAKE: concatenate dim=0
# EXPECT: 8: concatenate: takes at least 1 operand, not 0
# MISTAKE: pad %x, %s, low=[0,0], high=[0,0]
# EXPECT: 8: pad: operands have dtypes f64 and f32; use convert (operands %x: f64[3,4], %s: f32[3])
# MISTAKE: pad %x, %y, low=[0,0], high=[0,0]
# EXPECT: 8: pad: the padding is a scalar, not f64[3] (operands %x: f64[3,4], %y: f64[3])
# MISTAKE: pad %x, %a, low=[0], high=[0,0]
# EXPECT: 8: pad: low has 1 entry for rank 2 (operands %x: f64[3,4], %a: f64[])
# MISTAKE: pad %x, %a, low=[0,0], high=[0,0,0]
# EXPECT: 8: pad: high has 3 entries for rank 2 (operands %x: f64[3,4], %a: f64[])
# MISTAKE: pad %x, %a, low=[-3,0], high=[-1,0]
# EXPECT: 8: pad: dim 0: size 3, low -3, high -1 leave the negative size -1 (operands %x: f64[3,4], %a: f64[])
# MISTAKE: pad %x, %a, low=[0,0], high=[0,0], interior=[-1,0]
# EXPECT: 8: pad: dim 0: interior -1 is negative (operands %x: f64[3,4], %a: f64[])
# MISTAKE: pad %x, %a, low=[9223372036854775807,0], high=[1,0]
# EXPECT: 8: pad: dim 0: the padded size passes 2^63 (operands %x: f64[3,4], %a: f64[])
# MISTAKE: pad %x, %a, low=[0,0]
# EXPECT: 8: pad: needs high=... (operands %x: f64[3,4], %a: f64[])
# MISTAKE: reverse %x, dims=[0,0]
# EXPECT: 8: reverse: dims names dim 0 twice (operand %x: f64[3,4])
# MISTAKE: reverse %x, dims=[3]
# EXPECT: 8: reverse: dims=3 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: reverse %x
# EXPECT: 8: reverse: needs dims=... (operand %x: f64[3,4])
