# Random draws: keys, data, dtypes, batch dims.
# RUN: %mistakes %s
program @wrong(%k: u32[2], %q: u32[3,2], %i: i32[], %n: i32[5], %a: f64[], %w: u32[3]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: random_key
# EXPECT: 8: random_key: needs seed=...
# MISTAKE: random_key %k, seed=0
# EXPECT: 8: random_key: takes 0 operands, not 1 (operand %k: u32[2])
# MISTAKE: random_key seed=1 : u32[3]
# EXPECT: 28: random_key: the type is written u32[3] but inferred as u32[2]
# MISTAKE: random_split %k
# EXPECT: 8: random_split: needs count=... (operand %k: u32[2])
# MISTAKE: random_split %k, count=-1
# EXPECT: 8: random_split: count=-1 is negative (operand %k: u32[2])
# MISTAKE: random_split %n, count=2
# EXPECT: 8: random_split: a key is u32[2], not i32[5] (operand %n: i32[5])
# MISTAKE: random_split %q, count=2
# EXPECT: 8: random_split: a key is u32[2], not u32[3,2] (operand %q: u32[3,2])
# MISTAKE: random_split %q, count=2, batch=3
# EXPECT: 8: random_split: batch=3 is out of range for rank 2 (operand %q: u32[3,2])
# MISTAKE: random_fold_in %k, %a
# EXPECT: 8: random_fold_in: the data is u32 or i32, not f64 (operands %k: u32[2], %a: f64[])
# MISTAKE: random_fold_in %k, %n
# EXPECT: 8: random_fold_in: the data is a scalar, not i32[5] (operands %k: u32[2], %n: i32[5])
# MISTAKE: random_fold_in %q, %i, batch=1
# EXPECT: 8: random_fold_in: the data is a scalar for each key, not i32[] (operands %q: u32[3,2], %i: i32[])
# MISTAKE: random_fold_in %n, %i
# EXPECT: 8: random_fold_in: a key is u32[2], not i32[5] (operands %n: i32[5], %i: i32[])
# MISTAKE: random_fold_in %k
# EXPECT: 8: random_fold_in: takes 2 operands, not 1 (operand %k: u32[2])
# MISTAKE: random_bits %k
# EXPECT: 8: random_bits: needs its result type to be written (operand %k: u32[2])
# MISTAKE: random_bits %k : i32[4]
# EXPECT: 8: random_bits: draws u8, u16, u32 or u64, not i32 (operand %k: u32[2])
# MISTAKE: random_bits %k : bool[4]
# EXPECT: 8: random_bits: draws u8, u16, u32 or u64, not bool (operand %k: u32[2])
# MISTAKE: random_bits %w : u32[4]
# EXPECT: 8: random_bits: a key is u32[2], not u32[3] (operand %w: u32[3])
# MISTAKE: random_uniform %k : u32[4]
# EXPECT: 8: random_uniform: draws floats, not u32 (operand %k: u32[2])
# MISTAKE: random_uniform %n : f64[4]
# EXPECT: 8: random_uniform: a key is u32[2], not i32[5] (operand %n: i32[5])
# MISTAKE: random_uniform %k, batch=2 : f64[4]
# EXPECT: 8: random_uniform: batch=2 is out of range for rank 1 (operand %k: u32[2])
# MISTAKE: random_uniform %k, batch=-1 : f64[4]
# EXPECT: 8: random_uniform: batch=-1 is out of range for rank 1 (operand %k: u32[2])
# MISTAKE: random_uniform %q, batch=1 : f64[4]
# EXPECT: 8: random_uniform: the result's first 1 dims are those of the keys, not f64[4] (operand %q: u32[3,2])
# MISTAKE: random_uniform %k
# EXPECT: 8: random_uniform: needs its result type to be written (operand %k: u32[2])
# MISTAKE: random_normal %k : i32[3]
# EXPECT: 8: random_normal: draws floats, not i32 (operand %k: u32[2])
# MISTAKE: random_normal %k
# EXPECT: 8: random_normal: needs its result type to be written (operand %k: u32[2])
# MISTAKE: random_normal %w : f64[3]
# EXPECT: 8: random_normal: a key is u32[2], not u32[3] (operand %w: u32[3])
