# Positions known at run time, reductions, cumulative ops, sorting.
# RUN: %mistakes %s
program @wrong(%x: f64[3,4], %s: f32[3], %i: i32[], %n: i32[5], %p: bool[3], %a: f64[], %e: f64[0,4]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: dynamic_slice %x, %i, sizes=[2,2]
# EXPECT: 8: dynamic_slice: 1 start index for 2 dims (operands %x: f64[3,4], %i: i32[])
# MISTAKE: dynamic_slice %x, %i, %a, sizes=[2,2]
# EXPECT: 8: dynamic_slice: a start is an integer scalar, not f64[] (operands %x: f64[3,4], %i: i32[], %a: f64[])
# MISTAKE: dynamic_slice %x, %i, %n, sizes=[2,2]
# EXPECT: 8: dynamic_slice: a start is an integer scalar, not i32[5] (operands %x: f64[3,4], %i: i32[], %n: i32[5])
# MISTAKE: dynamic_slice %x, %i, %i, sizes=[2]
# EXPECT: 8: dynamic_slice: sizes has 1 entry for rank 2 (operands %x: f64[3,4], %i: i32[], %i: i32[])
# MISTAKE: dynamic_slice %x, %i, %i, sizes=[4,2]
# EXPECT: 8: dynamic_slice: dim 0: a window of 4 does not fit 3 (operands %x: f64[3,4], %i: i32[], %i: i32[])
# MISTAKE: dynamic_slice %x, %i, %i, sizes=[-1,2]
# EXPECT: 8: dynamic_slice: dim 0: a window of -1 does not fit 3 (operands %x: f64[3,4], %i: i32[], %i: i32[])
# MISTAKE: dynamic_slice %x, %i, %i
# EXPECT: 8: dynamic_slice: needs sizes=... (operands %x: f64[3,4], %i: i32[], %i: i32[])
# MISTAKE: dynamic_slice %x, %i, sizes=[2], batch=1
# EXPECT: 8: dynamic_slice: a start is an integer scalar for each batch entry, not i32[] (operands %x: f64[3,4], %i: i32[])
# MISTAKE: dynamic_slice %x, %n, sizes=[2], batch=1
# EXPECT: 8: dynamic_slice: operand 2 lacks the 1 batch dim of f64[3,4] (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: dynamic_slice %x, %i, sizes=[2], batch=3
# EXPECT: 8: dynamic_slice: batch=3 is out of range for rank 2 (operands %x: f64[3,4], %i: i32[])
# MISTAKE: dynamic_update_slice %x, %s, %i, %i
# EXPECT: 8: dynamic_update_slice: operands 1 and 2 have dtypes f64 and f32; use convert (operands %x: f64[3,4], %s: f32[3], %i: i32[], %i: i32[])
# MISTAKE: dynamic_update_slice %x, %a, %i, %i
# EXPECT: 8: dynamic_update_slice: the update has rank 0, not 2 (operands %x: f64[3,4], %a: f64[], %i: i32[], %i: i32[])
# MISTAKE: dynamic_update_slice %e, %x, %i, %i
# EXPECT: 8: dynamic_update_slice: dim 0: an update of 3 does not fit 0 (operands %e: f64[0,4], %x: f64[3,4], %i: i32[], %i: i32[])
# MISTAKE: dynamic_update_slice %x, %x, %i
# EXPECT: 8: dynamic_update_slice: 1 start index for 2 dims (operands %x: f64[3,4], %x: f64[3,4], %i: i32[])
# MISTAKE: take %x, %a, dim=0
# EXPECT: 8: take: the index is an integer, not f64 (operands %x: f64[3,4], %a: f64[])
# MISTAKE: take %x, %p, dim=0
# EXPECT: 8: take: the index is an integer, not bool (operands %x: f64[3,4], %p: bool[3])
# MISTAKE: take %x, %n, dim=2
# EXPECT: 8: take: dim=2 is out of range for rank 2 (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: take %x, %n
# EXPECT: 8: take: needs dim=... (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: take %x, %n, dim=1, batch=1
# EXPECT: 8: take: operand 2 lacks the 1 batch dim of f64[3,4] (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: take %x, %n, dim=1, batch=5
# EXPECT: 8: take: batch=5 is out of range for rank 2 (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: take %x, %n, dim=0, batch=1
# EXPECT: 8: take: operand 2 lacks the 1 batch dim of f64[3,4] (operands %x: f64[3,4], %n: i32[5])
# MISTAKE: take %e, %n, dim=0
# EXPECT: 8: take: dim 0 has size 0: there is nothing to take (operands %e: f64[0,4], %n: i32[5])
# MISTAKE: reduce_sum %x, dims=[2]
# EXPECT: 8: reduce_sum: dims=2 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: reduce_sum %x, dims=[-3]
# EXPECT: 8: reduce_sum: dims=-3 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: reduce_max %x, dims=[0,-2]
# EXPECT: 8: reduce_max: dims names dim 0 twice (operand %x: f64[3,4])
# MISTAKE: reduce_prod %p
# EXPECT: 8: reduce_prod: wants numbers, not bool (operand %p: bool[3])
# MISTAKE: reduce_and %x
# EXPECT: 8: reduce_and: wants bool or integers, not f64 (operand %x: f64[3,4])
# MISTAKE: reduce_or %a
# EXPECT: 8: reduce_or: wants bool or integers, not f64 (operand %a: f64[])
# MISTAKE: reduce_sum %x, %x
# EXPECT: 8: reduce_sum: takes 1 operand, not 2 (operands %x: f64[3,4], %x: f64[3,4])
# MISTAKE: argmax %x
# EXPECT: 8: argmax: needs dim=... (operand %x: f64[3,4])
# MISTAKE: argmax %x, dim=4
# EXPECT: 8: argmax: dim=4 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: argmin %a, dim=0
# EXPECT: 8: argmin: a scalar has no dim to search (operand %a: f64[])
# MISTAKE: argmax %e, dim=0
# EXPECT: 8: argmax: dim 0 has size 0: there is nothing to find (operand %e: f64[0,4])
# MISTAKE: cumsum %p, dim=0
# EXPECT: 8: cumsum: wants numbers, not bool; use convert (operand %p: bool[3])
# MISTAKE: cummax %x, dim=3
# EXPECT: 8: cummax: dim=3 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: cumprod %x
# EXPECT: 8: cumprod: needs dim=... (operand %x: f64[3,4])
# MISTAKE: sort %x, dim=2
# EXPECT: 8: sort: dim=2 is out of range for rank 2 (operand %x: f64[3,4])
# MISTAKE: sort %x, %s, dim=0
# EXPECT: 8: sort: operand 2 is f32[3], but the keys are f64[3,4]: all have one shape (operands %x: f64[3,4], %s: f32[3])
# MISTAKE: sort %x
# EXPECT: 8: sort: needs dim=... (operand %x: f64[3,4])
# MISTAKE: sort dim=0
# EXPECT: 8: sort: takes at least 1 operand, not 0
# MISTAKE: scatter_add %x, %n, %x, dim=0
# EXPECT: 8: scatter_add: u is f64[3,4]; for this x, index and dim it must be f64[5,4] (operands %x: f64[3,4], %n: i32[5], %x: f64[3,4])
# MISTAKE: scatter_add %x, %n, %s, dim=0
# EXPECT: 8: scatter_add: x and u have dtypes f64 and f32; use convert (operands %x: f64[3,4], %n: i32[5], %s: f32[3])
# MISTAKE: scatter_add %x, %a, %x, dim=0
# EXPECT: 8: scatter_add: the index is an integer, not f64 (operands %x: f64[3,4], %a: f64[], %x: f64[3,4])
# MISTAKE: scatter_add %x, %n, %x, dim=7
# EXPECT: 8: scatter_add: dim=7 is out of range for rank 2 (operands %x: f64[3,4], %n: i32[5], %x: f64[3,4])
# MISTAKE: scatter_add %p, %i, %p, dim=0
# EXPECT: 8: scatter_add: wants numbers, not bool (operands %p: bool[3], %i: i32[], %p: bool[3])
# MISTAKE: scatter_add %x, %n, dim=0
# EXPECT: 8: scatter_add: takes 3 operands, not 2 (operands %x: f64[3,4], %n: i32[5])
