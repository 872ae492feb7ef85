# Groups of one size are one further dim: no more nodes for more groups.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
axis a = 6

program @groups(%x: f64[4]{a}) {
  # CHECK: constant [0,3,1,4,2,5] : i64[6]
  # CHECK: [[MEMBERS:%[0-9]+]] = take %x, {{%[0-9]+}}, dim=0 : f64[6,4]
  # CHECK: [[SPLIT:%[0-9]+]] = reshape [[MEMBERS]] : f64[3,2,4]
  # CHECK: [[ROWS:%[0-9]+]] = transpose [[SPLIT]], perm=[1,0,2] : f64[2,3,4]
  # CHECK: reduce_sum [[ROWS]], dims=[0] : f64[3,4]
  # CHECK-NOT: reduce_sum
  # CHECK: %y = take {{%[0-9]+}}, {{%[0-9]+}}, dim=0 : f64[6,4]
  %y = psum %x, axis=a, groups=[[0,3],[1,4],[2,5]]
  return %y
}
