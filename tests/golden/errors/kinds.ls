# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/add .*/sqrt %i/' %s > %t/sqrt.ls
# RUN: not %lockstep show %t/sqrt.ls 2>&1 | FileCheck --check-prefix=SQRT %s
# RUN: sed 's/add .*/popcount %x/' %s > %t/pop.ls
# RUN: not %lockstep show %t/pop.ls 2>&1 | FileCheck --check-prefix=POP %s
# RUN: sed 's/add .*/not %x/' %s > %t/not.ls
# RUN: not %lockstep show %t/not.ls 2>&1 | FileCheck --check-prefix=NOT %s
# RUN: sed 's/add .*/select %i, %x, %x/' %s > %t/select.ls
# RUN: not %lockstep show %t/select.ls 2>&1 | FileCheck --check-prefix=SELECT %s
# RUN: sed 's/add .*/bitcast %x : i32[3]/' %s > %t/bits.ls
# RUN: not %lockstep show %t/bits.ls 2>&1 | FileCheck --check-prefix=BITS %s
# RUN: sed 's/add .*/random_uniform %x : f64[2]/' %s > %t/key.ls
# RUN: not %lockstep show %t/key.ls 2>&1 | FileCheck --check-prefix=KEY %s
# RUN: sed 's/add .*/einsum %i, spec="i->", accumulate=f64/' %s > %t/sums.ls
# RUN: not %lockstep show %t/sums.ls 2>&1 | FileCheck --check-prefix=SUMS %s
# RUN: sed 's/add .*/add %x/' %s > %t/arity.ls
# RUN: not %lockstep show %t/arity.ls 2>&1 | FileCheck --check-prefix=ARITY %s
program @wrong(%p: bool[3], %i: i32[3], %x: f64[3]) {
  %y = add %p, %p
  return %y
}
# CHECK: error: add: wants numbers, not bool
# SQRT: error: sqrt: wants floats, not i32
# POP: error: popcount: wants integers, not f64
# NOT: error: not: wants bool or integers, not f64
# SELECT: error: select: the first operand is bool, not i32
# BITS: error: bitcast: f64 and i32 do not have the same width
# KEY: error: random_uniform: a key is u32[2]
# SUMS: error: einsum: accumulate=f64 is not a wider dtype of the kind of i32
# ARITY: error: add: takes 2 operands, not 1
