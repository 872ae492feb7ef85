# Types, as parameters have them.
# RUN: %mistakes %s
axis rows = 4
axis cols = 2
program @p(%x: MISTAKE) {
  return %x
}
# MISTAKE: f64
# EXPECT: 19: %x: expected [ before a list of integers, found )
# MISTAKE: f64[
# EXPECT: 20: %x: expected an integer, found )
# MISTAKE: f64[3 4]
# EXPECT: 22: %x: expected ] at the end of the list, found 4
# MISTAKE: f64[3,]
# EXPECT: 22: %x: expected an integer, found ]
# MISTAKE: f64[-3]
# EXPECT: 16: %x: dim 0 has the negative size -3
# MISTAKE: f64[2,3.0]
# EXPECT: 22: %x: expected an integer, found 3.0
# MISTAKE: f64[3]{}
# EXPECT: 23: %x: expected the name of an axis, found }; axes in scope: rows = 4, cols = 2
# MISTAKE: f64[3]{a}
# EXPECT: 23: %x: no axis is called a; axes in scope: rows = 4, cols = 2
# MISTAKE: f64[3]{row}
# EXPECT: 23: %x: no axis is called row; did you mean rows? axes in scope: rows = 4, cols = 2
# MISTAKE: f64[3]{rows,rows}
# EXPECT: 28: %x: axis rows stands twice in the braces; axes in scope: rows = 4, cols = 2
# MISTAKE: f64[3]{rows cols}
# EXPECT: 28: %x: expected } after the axes of a type, found cols
# MISTAKE: f64[3]{2}
# EXPECT: 23: %x: expected the name of an axis, found 2; axes in scope: rows = 4, cols = 2
# MISTAKE: F32[3]
# EXPECT: 16: %x: no dtype is called F32; did you mean f32? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: double[3]
# EXPECT: 16: %x: no dtype is called double; did you mean f64? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: float64[3]
# EXPECT: 16: %x: no dtype is called float64; did you mean f64? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: f65[3]
# EXPECT: 16: %x: no dtype is called f65; did you mean f64? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: int[3]
# EXPECT: 16: %x: no dtype is called int; did you mean i32? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: complex[3]
# EXPECT: 16: %x: no dtype is called complex (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: 3[f64]
# EXPECT: 16: %x: expected a dtype, found 3
# MISTAKE: [3]
# EXPECT: 16: %x: expected a dtype, found [
# MISTAKE: f64[99999999999999999999]
# EXPECT: 20: %x: 99999999999999999999 does not fit in 64 bits
# MISTAKE: f64[4000000000,4000000000]
# EXPECT: 16: %x: f64[4000000000,4000000000] does not fit in 2^63 bytes: it takes 128000000000000000000 bytes
# MISTAKE: f64[4000000000*4000000000*4000000000]
# EXPECT: 20: %x: the number does not fit in 64 bits
# MISTAKE: f64[1000000000000000000]{rows,cols}
# EXPECT: 16: %x: f64[1000000000000000000]{rows,cols} does not fit in 2^63 bytes: it takes 64000000000000000000 bytes
# MISTAKE: f64[n]
# EXPECT: 20: %x: no size n is declared before this
# MISTAKE: f64[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]
# EXPECT: 16: %x has rank 65; the most is 64
