# Indices and keys that vary make the axes batch dims; invariant ones do not.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
axis a = 3

program @look(%x: f64[5,2]{a}, %i: i32[]{a}, %j: i32[], %key: u32[2]{a}) {
  # CHECK: %same = take %x, %j, dim=1 : f64[3,2]
  %same = take %x, %j, dim=0
  # CHECK: %own = take %x, %i, dim=1, batch=1 : f64[3,2]
  %own = take %x, %i, dim=0
  # CHECK: %window = dynamic_slice %x, {{%[0-9]+}}, %j, %j, sizes=[3,2,2] : f64[3,2,2]
  %window = dynamic_slice %x, %j, %j, sizes=[2,2]
  # CHECK: [[J:%[0-9]+]] = broadcast %j, dims=[] : i32[3]
  # CHECK: dynamic_slice %x, %i, [[J]], sizes=[2,2], batch=1 : f64[3,2,2]
  %moved = dynamic_slice %x, %i, %j, sizes=[2,2]
  # CHECK: random_uniform %key, batch=1 : f32[3,7]
  %draws = random_uniform %key : f32[7]
  return %same, %own, %window, %moved, %draws
}
