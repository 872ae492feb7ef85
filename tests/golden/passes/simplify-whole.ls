# Ops on whole arrays that change nothing go; sort keeps what is asked for.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
program @whole(%x: f32[4,1], %k: i32[9], %v: f32[9], %w: i8[9], %i: i32[0], %u: f32[0,1]) {
  # CHECK-NOT: cumsum
  # CHECK-NOT: scatter_add
  %sum = cumsum %x, dim=1
  %most = cummax %sum, dim=1, reverse=true
  %none = scatter_add %most, %i, %u, dim=0
  %one = sort %none, dim=1

  # CHECK: %again, %values = sort %k, %v, dim=0 : i32[9], f32[9]
  %keys, %bytes, %values, %again = sort %k, %w, %v, %k, dim=0

  # Equal keys: everything stays.
  # CHECK-NOT: sort
  %all = constant 7 : i32[9]
  %same, %stays = sort %all, %v, dim=0
  # CHECK: return %x as one, %values, %again, %v as stays
  return %one, %values, %again, %stays
}
