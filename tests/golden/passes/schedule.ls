# Large matrix products and those whose operands lie badly are packed; small ones,
# matrix-vector products and what is no matrix product stay inline; BLAS takes
# large ones that cannot be packed.
# RUN: %lockstep show --machine=modest --after=schedule %s | FileCheck %s
# RUN: %lockstep show --machine=modest --after=schedule --numerics=strict %s | FileCheck --check-prefix=STRICT %s
# RUN: %lockstep show --machine=modest --after=schedule --gemm=inline %s | FileCheck --check-prefix=INLINE %s
# RUN: %lockstep show --machine=modest --after=schedule --gemm=packed %s | FileCheck --check-prefix=PACKED %s
# RUN: %lockstep show --machine=modest --after=schedule --gemm=blas %s | FileCheck --check-prefix=BLAS %s
# RUN: %lockstep explain --machine=modest %s | FileCheck --check-prefix=WHY %s
# INLINE-NOT: by=blas
# INLINE-NOT: by=packed
program @products(%A: f64[200,200], %B: f64[200,200], %x: f64[200], %S: f64[4,4], %I: i32[96,96],
    %L: f64[32,32], %M: f64[32,32], %H: f64[64,64], %D: f64[64,8,4], %T: f32[3,512,100]) {
  # CHECK: %C = kernel form=contract, by=packed, {{(tile=[^ ]+ )?}}pack=[{{[0-9]+}},{{[0-9]+}},{{[0-9]+}}]{{(, team=true)?}} {
  # STRICT: %C = kernel form=contract, by=packed
  # PACKED: %C = kernel form=contract, by=packed
  # BLAS: %C = kernel form=contract, by=blas{{(, tile=[^ ]+, team=true)?}} {
  # WHY: %C : f64[200,200]
  # WHY: by packed: packing its operands pays
  %C = einsum %A, %B, spec="ij,jk->ik"
  # CHECK: %y = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # PACKED: %y = kernel form=contract, by=packed, {{(tile=[^ ]+ )?}}pack=[1,200,{{[0-9]+}}]{{(, team=true)?}} {
  # BLAS: %y = kernel form=contract, by=blas{{(, tile=[^ ]+, team=true)?}} {
  # WHY: by inline: it is as good as a matrix-vector product
  %y = einsum %x, %A, spec="j,jk->k"
  # CHECK: %U = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # PACKED: %U = kernel form=contract, by=packed, {{(tile=[^ ]+ )?}}pack=[4,4,4]{{(, team=true)?}} {
  # BLAS: %U = kernel form=contract, by=blas{{(, tile=[^ ]+, team=true)?}} {
  # WHY: by inline: it is as good as a matrix-vector product
  %U = einsum %S, %S, spec="ij,jk->ik"
  # CHECK: %J = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # PACKED: %J = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # BLAS: %J = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # WHY: by inline: it is no f32 or f64 matrix product
  %J = einsum %I, %I, spec="ij,jk->ik"
  # CHECK: %N = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # WHY: by inline: it is small, and its operands lie well
  %N = einsum %L, %M, spec="ij,jk->ik"
  # Lanes would have to gather.
  # CHECK: %G = kernel form=contract, by=packed, {{(tile=[^ ]+ )?}}pack=[32,32,32]{{(, team=true)?}} {
  # STRICT: %G = kernel form=contract, by=packed
  # WHY: by packed: packing its operands pays
  %G = einsum %L, %M, spec="ji,kj->ik"
  # Columns are two dims, the last of them short.
  # CHECK: %W = kernel form=contract, by=blas{{(, tile=[^ ]+, team=true)?}} {
  # STRICT: %W = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  # WHY: by blas: it is a large matrix product
  %W = einsum %H, %D, spec="ij,jkl->ikl"
  # Two sums.
  # CHECK: %V = kernel form=contract, by=packed
  %V = einsum %T, %T, spec="dbi,dbh->ih"
  # PACKED: %K = kernel form=contract, by=inline{{(, tile=[^ ]+, team=true)?}} {
  %K = einsum %T, %T, spec="dbi,dbi->d"
  return %C, %y, %U, %J, %N, %G, %W, %V, %K
}
