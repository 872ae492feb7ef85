# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/ij->iq/ij->ii/' %s > %t/twice.ls
# RUN: not %lockstep show %t/twice.ls 2>&1 | FileCheck --check-prefix=TWICE %s
# RUN: sed 's/ij->iq/...j->j/' %s > %t/lacks.ls
# RUN: not %lockstep show %t/lacks.ls 2>&1 | FileCheck --check-prefix=LACKS %s
# RUN: sed 's/ij->iq/ij->...ij/' %s > %t/extra.ls
# RUN: not %lockstep show %t/extra.ls 2>&1 | FileCheck --check-prefix=EXTRA %s
# RUN: sed 's/ij->iq/ijk->i/' %s > %t/rank.ls
# RUN: not %lockstep show %t/rank.ls 2>&1 | FileCheck --check-prefix=RANK %s
# RUN: sed 's/ij->iq/ij,j->i/' %s > %t/terms.ls
# RUN: not %lockstep show %t/terms.ls 2>&1 | FileCheck --check-prefix=TERMS %s
# RUN: sed 's/ij->iq/i#->i/' %s > %t/sign.ls
# RUN: not %lockstep show %t/sign.ls 2>&1 | FileCheck --check-prefix=SIGN %s
# RUN: sed 's/ij->iq/i..j->i/' %s > %t/dots.ls
# RUN: not %lockstep show %t/dots.ls 2>&1 | FileCheck --check-prefix=DOTS %s
program @wrong(%A: f64[2,3]) {
  %y = einsum %A, spec="ij->iq"
  return %y
}
# CHECK: error: einsum: spec "ij->iq": label q of the output is in no term
# TWICE: error: einsum: spec "ij->ii": label i stands twice in the output
# LACKS: error: einsum: spec "...j->j": the output lacks the ellipsis
# EXTRA: error: einsum: spec "ij->...ij": the output has an ellipsis, no term has
# RANK: error: einsum: spec "ijk->i": term 1 has 3 labels, its operand f64[2,3] has rank 2
# TERMS: error: einsum: spec "ij,j->i": 2 terms for 1 operand
# SIGN: error: einsum: spec "i#->i": '#' is no label
# DOTS: error: einsum: spec "i..j->i": an ellipsis is three dots
