# The spec, with a caret under the label or term, and the sizes.
# RUN: %mistakes %s
program @wrong(%A: f64[2,3], %B: f64[4,5], %s: f32[3], %n: i32[2], %p: bool[2], %d: f64[5,7], %l: f64[1,3], %h: f16[2], %t: f64[2,3,4]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: einsum %A, spec="ij->iq"
# EXPECT: 8: einsum: spec "ij->iq": label q of the output is in no term; the terms have ij (operand %A: f64[2,3])
# DETAIL:   ij->iq
# DETAIL:        ^
# MISTAKE: einsum %A, spec="ij->ii"
# EXPECT: 8: einsum: spec "ij->ii": label i stands twice in the output (operand %A: f64[2,3])
# DETAIL:   ij->ii
# DETAIL:        ^
# MISTAKE: einsum %A, spec="...j->j"
# EXPECT: 8: einsum: spec "...j->j": the output lacks the ellipsis (operand %A: f64[2,3])
# DETAIL:   ...j->j
# DETAIL:         ^
# MISTAKE: einsum %t, spec="...i->i"
# EXPECT: 8: einsum: spec "...i->i": the output lacks the ellipsis (operand %t: f64[2,3,4])
# DETAIL:   ...i->i
# DETAIL:         ^
# MISTAKE: einsum %A, spec="ij->...ij"
# EXPECT: 8: einsum: spec "ij->...ij": the output has an ellipsis, no term has (operand %A: f64[2,3])
# DETAIL:   ij->...ij
# DETAIL:       ^
# MISTAKE: einsum %A, spec="ijk->i"
# EXPECT: 8: einsum: spec "ijk->i": term 1 has 3 labels, its operand f64[2,3] has rank 2 (operand %A: f64[2,3])
# DETAIL:   ijk->i
# DETAIL:   ^
# MISTAKE: einsum %A, spec="i->i"
# EXPECT: 8: einsum: spec "i->i": term 1 has 1 label, its operand f64[2,3] has rank 2 (operand %A: f64[2,3])
# DETAIL:   i->i
# DETAIL:   ^
# MISTAKE: einsum %h, spec="...ij->..."
# EXPECT: 8: einsum: spec "...ij->...": term 1 has 2 labels, its operand f16[2] has rank 1 (operand %h: f16[2])
# DETAIL:   ...ij->...
# DETAIL:   ^
# MISTAKE: einsum %A, spec="ij,j->i"
# EXPECT: 8: einsum: spec "ij,j->i": 2 terms for 1 operand (operand %A: f64[2,3])
# DETAIL:   ij,j->i
# DETAIL:   ^
# MISTAKE: einsum %A, %B, spec="ij->i"
# EXPECT: 8: einsum: spec "ij->i": 1 term for 2 operands (operands %A: f64[2,3], %B: f64[4,5])
# DETAIL:   ij->i
# DETAIL:   ^
# MISTAKE: einsum %A, %B, spec="ij,jk->ik"
# EXPECT: 8: einsum: spec "ij,jk->ik": label j has sizes 3 and 4 (operands %A: f64[2,3], %B: f64[4,5])
# DETAIL:   ij,jk->ik
# DETAIL:      ^
# MISTAKE: einsum %A, %B, spec=" i j , j k -> i k"
# EXPECT: 8: einsum: spec " i j , j k -> i k": label j has sizes 3 and 4 (operands %A: f64[2,3], %B: f64[4,5])
# DETAIL:    i j , j k -> i k
# DETAIL:          ^
# MISTAKE: einsum %A, %l, spec="ij,ij->ij"
# EXPECT: 8: einsum: spec "ij,ij->ij": label i has sizes 2 and 1 (operands %A: f64[2,3], %l: f64[1,3])
# DETAIL:   ij,ij->ij
# DETAIL:      ^
# MISTAKE: einsum %l, %A, spec="ki,ki->"
# EXPECT: 8: einsum: spec "ki,ki->": label k has sizes 1 and 2 (operands %l: f64[1,3], %A: f64[2,3])
# DETAIL:   ki,ki->
# DETAIL:      ^
# MISTAKE: einsum %d, spec="ii->i"
# EXPECT: 8: einsum: spec "ii->i": label i has sizes 5 and 7 (operand %d: f64[5,7])
# DETAIL:   ii->i
# DETAIL:    ^
# MISTAKE: einsum %d, spec="ii"
# EXPECT: 8: einsum: spec "ii": label i has sizes 5 and 7 (operand %d: f64[5,7])
# DETAIL:   ii
# DETAIL:    ^
# MISTAKE: einsum %A, %B, spec="...,...->..."
# EXPECT: 8: einsum: spec "...,...->...": dims under the ellipsis have sizes 2 and 4 (operands %A: f64[2,3], %B: f64[4,5])
# DETAIL:   ...,...->...
# DETAIL:       ^
# MISTAKE: einsum %A, %B, spec="i...,j...->ij..."
# EXPECT: 8: einsum: spec "i...,j...->ij...": dims under the ellipsis have sizes 3 and 5 (operands %A: f64[2,3], %B: f64[4,5])
# DETAIL:   i...,j...->ij...
# DETAIL:         ^
# MISTAKE: einsum %A, spec="...i...->..."
# EXPECT: 8: einsum: spec "...i...->...": a term has at most one ellipsis (operand %A: f64[2,3])
# DETAIL:   ...i...->...
# DETAIL:       ^
# MISTAKE: einsum %A, spec="ij->...i..."
# EXPECT: 8: einsum: spec "ij->...i...": a term has at most one ellipsis (operand %A: f64[2,3])
# DETAIL:   ij->...i...
# DETAIL:           ^
# MISTAKE: einsum %A, spec="i#->i"
# EXPECT: 8: einsum: spec "i#->i": '#' is no label (operand %A: f64[2,3])
# DETAIL:   i#->i
# DETAIL:    ^
# MISTAKE: einsum %A, spec="i1->i"
# EXPECT: 8: einsum: spec "i1->i": '1' is no label (operand %A: f64[2,3])
# DETAIL:   i1->i
# DETAIL:    ^
# MISTAKE: einsum %A, spec="i..j->i"
# EXPECT: 8: einsum: spec "i..j->i": an ellipsis is three dots (operand %A: f64[2,3])
# DETAIL:   i..j->i
# DETAIL:    ^
# MISTAKE: einsum %A, spec="ij->i->j"
# EXPECT: 8: einsum: spec "ij->i->j": one "->" stands between the terms and the output (operand %A: f64[2,3])
# DETAIL:   ij->i->j
# DETAIL:        ^
# MISTAKE: einsum %A, spec="ij-i"
# EXPECT: 8: einsum: spec "ij-i": one "->" stands between the terms and the output (operand %A: f64[2,3])
# DETAIL:   ij-i
# DETAIL:     ^
# MISTAKE: einsum %A, spec="ij>i"
# EXPECT: 8: einsum: spec "ij>i": one "->" stands between the terms and the output (operand %A: f64[2,3])
# DETAIL:   ij>i
# DETAIL:     ^
# MISTAKE: einsum %A, spec="éj->j"
# EXPECT: 8: einsum: spec "éj->j": labels are the letters a-z and A-Z (operand %A: f64[2,3])
# DETAIL:   éj->j
# DETAIL:   ^
# MISTAKE: einsum %A, spec=""
# EXPECT: 8: einsum: spec "": term 1 has 0 labels, its operand f64[2,3] has rank 2 (operand %A: f64[2,3])
# DETAIL:   
# DETAIL:   ^
# MISTAKE: einsum %A, spec=","
# EXPECT: 8: einsum: spec ",": 2 terms for 1 operand (operand %A: f64[2,3])
# DETAIL:   ,
# DETAIL:   ^
# MISTAKE: einsum %A, %s, spec="ij,j->i"
# EXPECT: 8: einsum: operands have dtypes f64 and f32; use convert (operands %A: f64[2,3], %s: f32[3])
# MISTAKE: einsum %A, %A, %A, %s, spec="ij,ij,ij,j->i"
# EXPECT: 8: einsum: operands 1 and 4 have dtypes f64 and f32; use convert (operands %A: f64[2,3], %A: f64[2,3], %A: f64[2,3], %s: f32[3])
# MISTAKE: einsum %A
# EXPECT: 8: einsum: needs spec=... (operand %A: f64[2,3])
# MISTAKE: einsum spec="->"
# EXPECT: 8: einsum: takes at least 1 operand, not 0
# MISTAKE: einsum %n, spec="i->", accumulate=f64
# EXPECT: 8: einsum: accumulate=f64 is not a wider dtype of the kind of i32 (operand %n: i32[2])
# MISTAKE: einsum %n, spec="i->", accumulate=i16
# EXPECT: 8: einsum: accumulate=i16 is not a wider dtype of the kind of i32 (operand %n: i32[2])
# MISTAKE: einsum %p, spec="i->", accumulate=i32
# EXPECT: 8: einsum: accumulate=i32 is not a wider dtype of the kind of bool (operand %p: bool[2])
# MISTAKE: einsum %h, spec="i->", accumulate=bf16
# EXPECT: 8: einsum: accumulate=bf16 is not a wider dtype of the kind of f16 (operand %h: f16[2])
# MISTAKE: einsum %A, spec="ij->Ji"
# EXPECT: 8: einsum: spec "ij->Ji": label J of the output is in no term; did you mean j? (operand %A: f64[2,3])
# DETAIL:   ij->Ji
# DETAIL:       ^
# MISTAKE: einsum %t, spec="...->i"
# EXPECT: 8: einsum: spec "...->i": the output lacks the ellipsis (operand %t: f64[2,3,4])
# DETAIL:   ...->i
# DETAIL:        ^
