# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/slice .*/transpose %x, perm=[0,0]/' %s > %t/perm.ls
# RUN: not %lockstep show %t/perm.ls 2>&1 | FileCheck --check-prefix=PERM %s
# RUN: sed 's/slice .*/reshape %x : f64[5]/' %s > %t/reshape.ls
# RUN: not %lockstep show %t/reshape.ls 2>&1 | FileCheck --check-prefix=RESHAPE %s
# RUN: sed 's/slice .*/pad %x, %v, low=[-4,0], high=[0,0]/' %s > %t/pad.ls
# RUN: not %lockstep show %t/pad.ls 2>&1 | FileCheck --check-prefix=PAD %s
# RUN: sed 's/slice .*/concatenate %x, %v, dim=0/' %s > %t/join.ls
# RUN: not %lockstep show %t/join.ls 2>&1 | FileCheck --check-prefix=JOIN %s
# RUN: sed 's/slice .*/broadcast %x, dims=[0,1] : f64[3,3]/' %s > %t/stretch.ls
# RUN: not %lockstep show %t/stretch.ls 2>&1 | FileCheck --check-prefix=STRETCH %s
# RUN: sed 's/slice .*/reverse %x, dims=[2]/' %s > %t/reverse.ls
# RUN: not %lockstep show %t/reverse.ls 2>&1 | FileCheck --check-prefix=REVERSE %s
# RUN: sed 's/slice .*/reduce_sum %x, dims=[1,-1]/' %s > %t/reduce.ls
# RUN: not %lockstep show %t/reduce.ls 2>&1 | FileCheck --check-prefix=REDUCE %s
# RUN: sed 's/slice .*/take %x, %v, dim=0/' %s > %t/take.ls
# RUN: not %lockstep show %t/take.ls 2>&1 | FileCheck --check-prefix=TAKE %s
# RUN: sed 's/slice .*/dynamic_slice %x, %i, sizes=[1,1]/' %s > %t/starts.ls
# RUN: not %lockstep show %t/starts.ls 2>&1 | FileCheck --check-prefix=STARTS %s
# RUN: sed 's/slice .*/dynamic_update_slice %x, %x, %v, %i/' %s > %t/update.ls
# RUN: not %lockstep show %t/update.ls 2>&1 | FileCheck --check-prefix=UPDATE %s
program @wrong(%x: f64[3,2], %v: f64[], %i: i32[]) {
  %y = slice %x, start=[0,1], limit=[4,2]
  return %y
}
# CHECK: error: slice: dim 0: [0, 4) is not within [0, 3)
# PERM: error: transpose: perm names dim 0 twice
# RESHAPE: error: reshape: 6 elements do not fill f64[5], which has 5
# PAD: error: pad: dim 0: size 3, low -4, high 0 leave the negative size -1
# JOIN: error: concatenate: shapes may differ in dim 0 only: f64[3,2] and f64[]
# STRETCH: error: broadcast: dim 1 of size 2 does not stretch to 3 of f64[3,3]
# REVERSE: error: reverse: dims=2 is out of range for rank 2
# REDUCE: error: reduce_sum: dims names dim 1 twice
# TAKE: error: take: the index is an integer, not f64
# STARTS: error: dynamic_slice: 1 start index for 2 dims
# UPDATE: error: dynamic_update_slice: a start is an integer scalar, not f64[]
