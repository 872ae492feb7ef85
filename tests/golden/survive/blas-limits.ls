# BLAS takes 32-bit integers: m, n, k up to 2^31 - 1 go to it, above they are
# refused, never cut off.
# RUN: %lockstep show %s --after=plan --gemm=blas | FileCheck %s --check-prefix=FITS
# RUN: %lockstep show %s --after=plan --gemm=blas --size m=2147483648 | FileCheck %s --check-prefix=PAST
# RUN: %lockstep show %s --after=plan --gemm=blas --size n=2147483648 | FileCheck %s --check-prefix=PAST
# RUN: %lockstep show %s --after=plan --gemm=blas --size k=2147483648 | FileCheck %s --check-prefix=PAST
# RUN: %lockstep show %s --after=plan --gemm=blas --size m=4294967298 | FileCheck %s --check-prefix=PAST
# RUN: %lockstep show %s --after=plan --gemm=blas --size n=4294967298 | FileCheck %s --check-prefix=PAST
# RUN: %lockstep show %s --after=plan --gemm=blas --size k=4294967298 | FileCheck %s --check-prefix=PAST
# RUN: sed 's/size m = 4/size m = 2147483647/' %s > %t/m.ls
# RUN: %lockstep show %t/m.ls --after=plan --gemm=blas | FileCheck %s --check-prefix=FITS
# RUN: sed 's/size k = 4/size k = 2147483647/' %s > %t/k.ls
# RUN: %lockstep show %t/k.ls --after=plan --gemm=blas | FileCheck %s --check-prefix=FITS
# RUN: %lockstep explain %s --gemm=blas --size k=2147483648 | FileCheck %s --check-prefix=WHY
size m = 4
size n = 4
size k = 4
program @p(%a: f32[m,k], %b: f32[k,n]) {
  %c = einsum %a, %b, spec="mk,kn->mn"
  return %c
}
# FITS: by=blas
# PAST-NOT: by=blas
# PAST: by=inline
# PAST-NOT: by=blas
# WHY: a size passes what BLAS's 32-bit integers hold
