# reduce_max([NaN, 1]) is NaN, rows of -inf stay -inf, -0 comes before +0: folded
# and run, in every position, over rows and over columns.
# RUN: %lockstep run %s z=zeros | FileCheck %s
# RUN: %lockstep check %s z=zeros
# RUN: %lockstep check %s z=zeros --numerics=strict
program @p(%z: f64[]) {
  %rows = constant [[nan,1,2],[1,nan,2],[1,2,nan],[-inf,-inf,-inf],[-0,0,-0],[0,-0,0]] : f64[6,3]
  %run = add %rows, %z
  %signs = constant [[1,1,1],[1,1,1],[1,1,1],[1,1,1],[-1,1,-1],[1,-1,1]] : f64[6,3]
  %size = abs %run
  %zeros = mul %size, %signs
  %most = reduce_max %rows, dims=[1]
  %most_run = reduce_max %zeros, dims=[1]
  %low = constant -inf : f64[3]
  %low_run = add %low, %z
  %still = reduce_max %low_run
  %least = reduce_min %rows, dims=[1]
  %least_run = reduce_min %zeros, dims=[1]
  %columns = transpose %zeros, perm=[1,0]
  %down = reduce_max %columns, dims=[0]
  %at = argmax %run, dim=1
  %running = cummax %run, dim=1
  return %most, %most_run, %still, %least, %least_run, %down, %at, %running
}
# CHECK: most: f64[6] = [nan, nan, nan, -inf, 0, 0]
# CHECK: most_run: f64[6] = [nan, nan, nan, inf, 0, 0]
# CHECK: still: f64[] = -inf
# CHECK: least: f64[6] = [nan, nan, nan, -inf, -0, -0]
# CHECK: least_run: f64[6] = [nan, nan, nan, inf, -0, -0]
# CHECK: down: f64[6] = [nan, nan, nan, inf, 0, 0]
# CHECK: at: i32[6] = [0, 1, 2, 0, 0, 0]
# CHECK: running: f64[6,3] =
# CHECK-NEXT: {{.*}}[nan, nan, nan],
# CHECK-NEXT: {{.*}}[1, nan, nan],
# CHECK-NEXT: {{.*}}[1, 2, nan],
# CHECK-NEXT: {{.*}}[-inf, -inf, -inf],
