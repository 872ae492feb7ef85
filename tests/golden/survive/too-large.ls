# An outer product of 8 TB: an error with the bytes, never a small allocation.
# RUN: not %lockstep run %s x=ones 2>&1 | FileCheck %s
program @p(%x: f64[1000000]) {
  %y = einsum %x, %x, spec="i,j->ij"
  return %y
}
# CHECK: take 8000008000000 bytes
