# What blocks may not say, and bodies that are not independent along the dim.
# RUN: sed 's/dim=0, size=2/dim=0, size=0/' %s >%t/size.ls
# RUN: not %lockstep show --after=plan %t/size.ls 2>&1 | FileCheck --check-prefix=SIZE %s
# RUN: sed 's/dim=0, size=2/dim=0, size=2, dims=[0]/' %s >%t/dims.ls
# RUN: not %lockstep show --after=plan %t/dims.ls 2>&1 | FileCheck --check-prefix=DIMS %s
# RUN: sed 's/dim=0, size=2/dim=0, size=2, dims=[0,1]/' %s >%t/sizes.ls
# RUN: not %lockstep show --after=plan %t/sizes.ls 2>&1 | FileCheck --check-prefix=SIZES %s
# RUN: sed 's/%d = add/%d = reverse %b, dims=[0]  #/' %s >%t/mixed.ls
# RUN: not %lockstep show --after=plan %t/mixed.ls 2>&1 | FileCheck --check-prefix=MIXED %s
# RUN: sed 's/%d = add/%d = einsum %b, %b, spec="ij,kj->ik"  #/; s/f64\[8,3\], f64\[8,3\]$/f64[8,3], f64[8,8]/' %s >%t/twice.ls
# RUN: not %lockstep show --after=plan %t/twice.ls 2>&1 | FileCheck --check-prefix=TWICE %s
# RUN: sed 's/dim=0, size=2/dim=0, size=2, inner=true/; s/%d = add/%d = take %b, %i, dim=1  #/' %s >%t/inner.ls
# RUN: not %lockstep show --after=plan %t/inner.ls 2>&1 | FileCheck --check-prefix=INNER %s
# RUN: sed 's/yield %b, %d/yield/; s/%p, %q = //; s/} : f64\[8,3\], f64\[8,3\]/}/; s/return .*/return %x/' %s >%t/none.ls
# RUN: not %lockstep show --after=plan %t/none.ls 2>&1 | FileCheck --check-prefix=NONE %s
# RUN: sed 's/%d = add.*/%d = blocks dim=0, size=1 { yield %b } : f64[8,3]/' %s >%t/nested.ls
# RUN: not %lockstep show --after=plan %t/nested.ls 2>&1 | FileCheck --check-prefix=NESTED %s
# RUN: sed 's/%d = add.*/%d = kernel form=map, team=true { yield %b } : f64[8,3]/' %s >%t/team.ls
# RUN: not %lockstep show --after=plan %t/team.ls 2>&1 | FileCheck --check-prefix=TEAM %s
# RUN: %lockstep show --after=plan %s | FileCheck %s
# SIZE: blocks: size=0 is not positive
# DIMS: blocks: dims has 1 entry for 2 results
# SIZES: blocks: dim 1 of result 1 has 3 elements, but dim 0 of result 0 has 8
# MIXED: error: blocks: the body is not independent along dim 0: reverse turns it round (operand %b: f64[8,3])
# TWICE: blocks: the body is not independent along dim 0: a value of type f64[8,8] has that dim twice
# INNER: blocks: inner=true: an op of the body has batch dims or positions that cannot be turned
# NONE: blocks: yields nothing
# NESTED: blocks: blocks may not stand in it
# TEAM: blocks: a kernel in it has team or sync: a block is run by one thread
stage kernels
program @wrong(%x: f64[8,3], %i: i32[3]) {
  # CHECK: blocks dim=0, size=2, at=[result,result]
  %p, %q = blocks dim=0, size=2 {
    %b = add %x, %x : f64[8,3]
    %d = add %b, %x : f64[8,3]
    yield %b, %d
  } : f64[8,3], f64[8,3]
  return %p, %q
}
