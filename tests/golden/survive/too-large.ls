# An outer product of 4 TiB: an error with the bytes, never a small allocation.
# Dims that multiply past 2^63: the same when it is read.
# RUN: not %lockstep run %s x=ones y=ones 2>&1 | FileCheck %s
# RUN: not %lockstep bench %s 2>&1 | FileCheck %s
# RUN: not %lockstep check %s x=ones y=ones 2>&1 | FileCheck %s
# RUN: sed 's/524288/9000000000000/; s/1048576/1048577/' %s > %t/past.ls
# RUN: not %lockstep run %t/past.ls x=ones y=ones 2>&1 | FileCheck %s --check-prefix=PAST
program @p(%x: f64[1048576], %y: f64[524288]) {
  %z = einsum %x, %y, spec="i,j->ij"
  return %z
}
# CHECK: inputs, results and arena take 4398059094016 bytes
# PAST: past.ls:9:8: error: einsum: f64[1048577,9000000000000] does not fit in 2^63 bytes: it takes 75497544000000000000 bytes
