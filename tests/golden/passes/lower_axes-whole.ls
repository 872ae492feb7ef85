# Ops on whole arrays get their axes as leading dims; an index that varies makes
# them batch dims.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
axis a = 2
axis b = 3

program @whole(%x: f32[4,5]{b}, %k: i32[4,5]{a}, %i: i8[6]{a}, %j: i8[6], %u: f32[6,5]) {
  # CHECK: %sum = cumsum %x, dim=2, reverse=true : f32[3,4,5]
  %sum = cumsum %x, dim=1, reverse=true
  # CHECK: [[K:%[0-9]+]] = broadcast %k, dims=[0,2,3] : i32[2,3,4,5]
  # CHECK: [[X:%[0-9]+]] = broadcast %x, dims=[1,2,3] : f32[2,3,4,5]
  # CHECK: %keys, %values = sort [[K]], [[X]], dim=2 : i32[2,3,4,5], f32[2,3,4,5]
  %keys, %values = sort %k, %x, dim=0
  # CHECK: [[U:%[0-9]+]] = broadcast %u, dims=[1,2] : f32[3,6,5]
  # CHECK: %same = scatter_add %x, %j, [[U]], dim=1 : f32[3,4,5]
  %same = scatter_add %x, %j, %u, dim=0
  # CHECK: [[I:%[0-9]+]] = broadcast %i, dims=[0,2] : i8[2,3,6]
  # CHECK: %own = scatter_add {{%[0-9]+}}, [[I]], {{%[0-9]+}}, dim=2, batch=2 : f32[2,3,4,5]
  %own = scatter_add %x, %i, %u, dim=0
  return %sum, %keys, %values, %same, %own
}
