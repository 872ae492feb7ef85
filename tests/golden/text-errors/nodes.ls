# Nodes as they are spelt: names, ops, items, attributes, written types.
# RUN: %mistakes %s
axis a = 2
program @p(%x: f64[3], %y: f64[3]{a}, %k: u32[2]) {
  MISTAKE
  return %r
}
# MISTAKE: r = neg %x
# EXPECT: 3: a value is written with a percent sign: %r
# MISTAKE: %r neg %x
# EXPECT: 6: expected = after the names of results, found neg
# MISTAKE: %r = %x
# EXPECT: 8: expected the name of an op, found %x
# MISTAKE: %r, = neg %x
# EXPECT: 7: expected a value (%name), found =
# MISTAKE: %r, q = neg %x
# EXPECT: 7: expected a value (%name), found q
# MISTAKE: neg %x
# EXPECT: 3: neg: has 1 result, but 0 names are given
# MISTAKE: %r = negg %x
# EXPECT: 8: no op is called negg; did you mean neg?
# MISTAKE: %r = matmul %x, %x
# EXPECT: 8: no op is called matmul; did you mean einsum?
# MISTAKE: %r = sum %x
# EXPECT: 8: no op is called sum; did you mean reduce_sum?
# MISTAKE: %r = reduce %x
# EXPECT: 8: no op is called reduce; did you mean reduce_sum?
# MISTAKE: %r = frobnicate %x
# EXPECT: 8: no op is called frobnicate
# MISTAKE: %r = neg %r
# EXPECT: 12: neg: %r is not defined here
# MISTAKE: %r = neg %z
# EXPECT: 12: neg: %z is not defined here
# MISTAKE: %r = neg %X
# EXPECT: 12: neg: %X is not defined here; did you mean %x?
# MISTAKE: %x = neg %x
# EXPECT: 3: %x is defined already, at line 2; a name may neither be defined twice nor shadow another
# MISTAKE: %r = neg %x ;;   %r = neg %x
# EXPECT: 2:3: %r is defined already, at line 3; a name may neither be defined twice nor shadow another
# MISTAKE: %r = neg %x : f64[4]
# EXPECT: 17: neg: the type is written f64[4] but inferred as f64[3] (operand %x: f64[3])
# MISTAKE: %r = neg %x : f32[3]
# EXPECT: 17: neg: the type is written f32[3] but inferred as f64[3] (operand %x: f64[3])
# MISTAKE: %r = neg %x : f64[3]{a}
# EXPECT: 17: neg: the type is written f64[3]{a} but inferred as f64[3] (operand %x: f64[3])
# MISTAKE: %r = neg %y : f64[3]
# EXPECT: 17: neg: the type is written f64[3] but inferred as f64[3]{a} (operand %y: f64[3]{a})
# MISTAKE: %r = psum %y, axis=a : f64[3]{a}
# EXPECT: 26: psum: the type is written f64[3]{a} but inferred as f64[3] (operand %y: f64[3]{a})
# MISTAKE: %r = neg %x : f64[3], f64[3]
# EXPECT: 8: neg: has 1 result, but 2 types are written
# MISTAKE: %r = neg %x :
# EXPECT: 2:3: neg: no dtype is called return (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: %r = neg %x,
# EXPECT: 2:3: neg: expected an operand (%name) or an attribute (name=...), found return
# MISTAKE: %r = neg %x; ;; return %x
# EXPECT: 14: neg: unexpected character ;
# MISTAKE: %r = neg(%x)
# EXPECT: 11: neg: expected an operand (%name) or an attribute (name=...), found (
# MISTAKE: %r = neg x
# EXPECT: 12: neg: a value is written with a percent sign: %x
# MISTAKE: %r = add %x, 1.0
# EXPECT: 16: add: expected an operand (%name) or an attribute (name=...), found 1.0
# MISTAKE: %r = add %x %x
# EXPECT: 15: add: a comma is missing before %x
# MISTAKE: %r = add %x, %x, dim=0
# EXPECT: 20: add: takes no dim (it takes no attributes)
# MISTAKE: %r = reduce_sum %x, dim=0
# EXPECT: 23: reduce_sum: takes no dim; did you mean dims? (it takes dims)
# MISTAKE: %r = reduce_sum %x, axis=0
# EXPECT: 23: reduce_sum: takes no axis; did you mean dims? (it takes dims)
# MISTAKE: %r = transpose %x, prem=[0]
# EXPECT: 22: transpose: takes no prem; did you mean perm? (it takes perm)
# MISTAKE: %r = slice %x, start=[0] limit=[2]
# EXPECT: 28: slice: a comma is missing before limit
# MISTAKE: %r = slice %x start=[0], limit=[2]
# EXPECT: 17: slice: a comma is missing before start
# MISTAKE: %r = slice %x, start=[0], end=[2]
# EXPECT: 29: slice: takes no end; did you mean limit? (it takes start limit stride)
# MISTAKE: %r = slice %x, start=[0], limit=[2
# EXPECT: 2:3: slice: limit: expected ] at the end of the list, found return
# MISTAKE: %r = slice %x, start=[0], limit=(2)
# EXPECT: 35: slice: limit: expected [ before a list of integers, found (
# MISTAKE: %r = slice %x, start=0, limit=3
# EXPECT: 24: slice: start: expected [ before a list of integers, found 0
# MISTAKE: %r = slice %x, start=[0], start=[0], limit=[2]
# EXPECT: 29: slice: start is given twice
# MISTAKE: %r = slice %x, start=[a], limit=[2]
# EXPECT: 25: slice: start: no size a is declared before this
# MISTAKE: %r = slice %x, start=[0], limit=[99999999999999999999]
# EXPECT: 36: slice: limit: 99999999999999999999 does not fit in 64 bits
# MISTAKE: %r = slice %x, start=[0], limit=[1+]
# EXPECT: 38: slice: limit: expected an integer, found ]
# MISTAKE: %r = slice %x, start=, limit=[2]
# EXPECT: 24: slice: start: expected [ before a list of integers, found ,
# MISTAKE: %r = compare %x, %x, op=less
# EXPECT: 27: compare: op: less is none of eq ne lt le gt ge; did you mean lt?
# MISTAKE: %r = compare %x, %x, op=lte
# EXPECT: 27: compare: op: lte is none of eq ne lt le gt ge; did you mean lt?
# MISTAKE: %r = compare %x, %x, op="lt"
# EXPECT: 27: compare: op: "lt" is none of eq ne lt le gt ge; did you mean lt?
# MISTAKE: %r = cumsum %x, dim=0, reverse=1
# EXPECT: 34: cumsum: reverse: expected true or false, found 1
# MISTAKE: %r = cumsum %x, dim=0, reverse=True
# EXPECT: 34: cumsum: reverse: expected true or false, found True; did you mean true?
# MISTAKE: %r = cumsum %x, dim=0, reverse=yes
# EXPECT: 34: cumsum: reverse: expected true or false, found yes; did you mean true?
# MISTAKE: %r = einsum %x, spec=i->
# EXPECT: 24: einsum: spec: expected "text", found i
# MISTAKE: %r = einsum %x, spec="i->
# EXPECT: 24: einsum: the string is not closed on its line
# MISTAKE: %r = einsum %x, spec="i->", accumulate=float
# EXPECT: 42: einsum: accumulate: no dtype is called float; did you mean f32? (bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64)
# MISTAKE: %r = einsum %x, spec="i->", accumulate=64
# EXPECT: 42: einsum: accumulate: expected a dtype, found 64
# MISTAKE: %r = einsum %x, equation="i->"
# EXPECT: 19: einsum: takes no equation; did you mean spec? (it takes spec accumulate)
# MISTAKE: %r = psum %y, axes=a
# EXPECT: 17: psum: takes no axes; did you mean axis? (it takes axis groups)
# MISTAKE: %r = psum %y, axis=a, groups=[0,1]
# EXPECT: 33: psum: groups: expected [ before a list of integers, found 0
# MISTAKE: %r = psum %y, axis=a, groups=0
# EXPECT: 32: psum: groups: expected [ before a list, found 0
# MISTAKE: %r = ppermute %y, axis=a, perm=[[0,1]]
# EXPECT: 29: ppermute: takes no perm; did you mean pairs? (it takes axis pairs)
# MISTAKE: %r = random_uniform %k, low=true : f64[4]
# EXPECT: 31: random_uniform: low: expected a number, found true
# MISTAKE: %r = random_uniform %k, lo=0 : f64[4]
# EXPECT: 27: random_uniform: takes no lo; did you mean low? (it takes low high batch)
# MISTAKE: %r = random_uniform %k, low="0" : f64[4]
# EXPECT: 31: random_uniform: low: expected a number, found "0"
# MISTAKE: %r = random_key seed=1.5
# EXPECT: 24: random_key: seed: expected an integer, found 1.5
# MISTAKE: %r = random_key seed=99999999999999999999
# EXPECT: 24: random_key: seed: 99999999999999999999 does not fit in 64 bits
# MISTAKE: %r = neg %x, carry(%c = %x)
# EXPECT: 16: neg: takes no carry(...)
# MISTAKE: %r = neg %x $
# EXPECT: 15: neg: unexpected character $
# MISTAKE: %r = neg % x
# EXPECT: 12: neg: a name must follow %
# MISTAKE: %r = neg %x : f64[3/1]
# EXPECT: 22: neg: unexpected character /
# MISTAKE: %r = call %x : f64[3]
# EXPECT: 8: call: needs symbol=... (operand %x: f64[3])
# MISTAKE: %r = call %x, symbol="frobnicate"
# EXPECT: 8: call: needs its result type to be written (operand %x: f64[3])
# MISTAKE: %r = call %x, symbol="frobnicate" : f64[3]
# EXPECT: 8: call: no function is registered as "frobnicate"; the program has no functions (operand %x: f64[3])
# MISTAKE: %r = kernel form=map { ;; yield %x ;; }
# EXPECT: 8: kernel: may not stand in a program at the named stage
