# argmax counts its dim behind the axes; keys that vary are batch dims.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
# RUN: %lockstep check %s x=random:3 --numerics=strict
axis a = 3
axis b = 2

program @lower(%x: f64[4,5]{a}) {
  # CHECK: %i = argmax %x, dim=1 : i32[3,5]
  %i = argmax %x, dim=0
  # CHECK: %j = argmin %moved, dim=2 : i32[2,3,5]
  %all = unmap %x, axis=a, dim=0
  %on = axis_index axis=b
  %step = convert %on : f64[]
  %moved = add %all, %step
  %j = argmin %moved, dim=-2
  %j0 = reduce_max %j, dims=[0]
  # CHECK: %z = random_normal {{%.+}}, batch=2 : f32[3,2,7]
  %k = random_key seed=1
  %on_a = axis_index axis=a
  %ka = random_fold_in %k, %on_a
  %kab = random_fold_in %ka, %on
  %z = random_normal %kab : f32[7]{a,b}
  # CHECK: %shared = random_normal %k : f64[2]
  %shared = random_normal %k : f64[2]
  return %i, %j0, %z, %shared
}
