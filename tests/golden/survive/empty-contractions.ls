# K = 0 gives zeros; M = 0 or N = 0 never reaches BLAS.
# RUN: %lockstep run %s a=zeros b=zeros c=zeros d=zeros --gemm=blas | FileCheck %s
# RUN: %lockstep check %s a=zeros b=zeros c=zeros d=zeros --gemm=blas
# RUN: %lockstep check %s a=zeros b=zeros c=zeros d=zeros --gemm=inline
program @p(%a: f64[2,0], %b: f64[0,3], %c: f64[0,200], %d: f64[200,300]) {
  %k = einsum %a, %b, spec="mk,kn->mn"
  %m = einsum %c, %d, spec="mk,kn->mn"
  return %k, %m
}
# CHECK: k: f64[2,3] =
# CHECK-NEXT: {{.*}}[0, 0, 0],
# CHECK-NEXT: {{.*}}[0, 0, 0]]
# CHECK: m: f64[0,300]
