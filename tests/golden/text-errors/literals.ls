# Literals: what the dtype can hold, the brackets, the type behind them.
# RUN: %mistakes %s
size big = 300
axis a = 2
program @p() {
  %y = constant MISTAKE
  return %y
}
# MISTAKE: 300 : i8[]
# EXPECT: 17: constant: 300 is out of range for i8
# MISTAKE: -129 : i8[]
# EXPECT: 18: constant: -129 is out of range for i8
# MISTAKE: -1 : u8[]
# EXPECT: 18: constant: -1 is out of range for u8
# MISTAKE: 18446744073709551616 : u64[]
# EXPECT: 17: constant: 18446744073709551616 is out of range for u64
# MISTAKE: big : u8[]
# EXPECT: 17: constant: 300 is out of range for u8
# MISTAKE: 1.5 : i32[]
# EXPECT: 17: constant: 1.5 is no value of i32
# MISTAKE: 1 : bool[]
# EXPECT: 17: constant: expected true or false for a bool, found 1
# MISTAKE: True : bool[]
# EXPECT: 17: constant: expected true or false for a bool, found True; did you mean true?
# MISTAKE: -true : bool[]
# EXPECT: 18: constant: expected true or false for a bool, found -true
# MISTAKE: true : f64[]
# EXPECT: 17: constant: true is no value of f64
# MISTAKE: nan : i32[]
# EXPECT: 17: constant: nan is no value of i32
# MISTAKE: -nan : f64[]
# EXPECT: 18: constant: -nan is no value of f64; did you mean nan?
# MISTAKE: inff : f32[]
# EXPECT: 17: constant: inff is no value of f32; did you mean inf?
# MISTAKE: n : f32[]
# EXPECT: 17: constant: n is no value of f32
# MISTAKE: [1,2] : i32[3]
# EXPECT: 21: constant: the literal has 2 elements along dim 0, i32[3] has 3
# MISTAKE: [[1,2],[3]] : i32[2,2]
# EXPECT: 26: constant: the literal has 1 element along dim 1, i32[2,2] has 2
# MISTAKE: [[1,2],[3,4]] : i32[4]
# EXPECT: 18: constant: the literal's brackets do not fit i32[4], which has 1 dim
# MISTAKE: [1,2] : i32[]
# EXPECT: 17: constant: the literal's brackets do not fit i32[], which has 0 dims
# MISTAKE: [[]] : i32[0]
# EXPECT: 18: constant: the literal's brackets do not fit i32[0], which has 1 dim
# MISTAKE: 1.2.3 : f64[]
# EXPECT: 20: constant: expected : after the literal, found .3
# MISTAKE: 1 2 : i32[2]
# EXPECT: 19: constant: expected : after the literal, found 2
# MISTAKE: [1 2] : i32[2]
# EXPECT: 20: constant: expected ] in a list of literals, found 2
# MISTAKE: [1,2 : i32[2]
# EXPECT: 22: constant: expected a literal, found :
# MISTAKE: [1,2
# EXPECT: 2:10: constant: expected a literal, found %y
# MISTAKE: [1,,2] : i32[3]
# EXPECT: 20: constant: , is no value of i32
# MISTAKE: [1,2]] : i32[2]
# EXPECT: 22: constant: expected : after the literal, found ]
# MISTAKE: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1 : i32[1]
# EXPECT: 81: constant: brackets are nested more than 64 deep
# MISTAKE: 1
# EXPECT: 8: constant: needs its result type to be written
# MISTAKE: : i32[]
# EXPECT: 17: constant: expected a literal, found :
# MISTAKE: "a" : i32[]
# EXPECT: 17: constant: expected a literal, found "a"
# MISTAKE: 1 : int[]
# EXPECT: 21: constant: no dtype is called int; did you mean i32? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: 1 : i32[]{a}
# EXPECT: 21: constant: the type is written i32[]{a} but inferred as i32[]
# MISTAKE: 1 : i32[]{b}
# EXPECT: 27: constant: no axis is called b; axes in scope: a = 2
# MISTAKE: 1 : i32
# EXPECT: 2:3: constant: expected [ before a list of integers, found return
