# Axes become leading dims; each collective its rule.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
axis a = 3
axis b = 2

program @lower(%x: f64[4]{a}, %y: f64[4]{b}, %s: f64[], %k: i8[6]{a,b}) {
  # CHECK: program @lower(%x: f64[3,4], %y: f64[2,4], %s: f64[], %k: i8[3,2,6]) {
  # CHECK-NOT: axis
  # Both operands get the dims of the union, a scalar that is invariant none.
  # CHECK: [[XB:%[0-9]+]] = broadcast %x, dims=[0,2] : f64[3,2,4]
  # CHECK: [[YB:%[0-9]+]] = broadcast %y, dims=[1,2] : f64[3,2,4]
  # CHECK: %sum = add [[XB]], [[YB]] : f64[3,2,4]
  # CHECK: %scaled = mul %sum, %s : f64[3,2,4]
  %sum = add %x, %y
  %scaled = mul %sum, %s
  # CHECK: %all = reduce_sum %scaled, dims=[0] : f64[2,4]
  %all = psum %scaled, axis=a
  # An axis over which the value does not vary: a product.
  # CHECK: %copies = mul %x, {{%[0-9]+}} : f64[3,4]
  %copies = psum %x, axis=b
  # CHECK: reduce_sum {{%[0-9]+}}, dims=[0,1] : i64[6]
  # CHECK: %mean = div {{%[0-9]+}}, {{%[0-9]+}} : f32[6]
  %mean = pmean %k, axis=[a,b]
  # CHECK: %tiled = reshape {{%.+}} : f64[12]
  %tiled = all_gather %x, axis=a, tiled=true
  # CHECK: slice %x, start=[2,0], limit=[3,4]
  # CHECK: slice %x, start=[0,0], limit=[2,4]
  # CHECK: %ring = concatenate
  %ring = ppermute %x, axis=a, pairs=[[0,1],[1,2],[2,0]]
  # A target that no one sends to: the row of zeros behind the others.
  # CHECK: pad %x, {{%[0-9]+}}, low=[0,0], high=[1,0] : f64[4,4]
  # CHECK: constant [3,0,3] : i64[3]
  # CHECK: %part = take
  %part = ppermute %x, axis=a, pairs=[[0,1]]
  # CHECK: %index = iota dim=0 : i32[3]
  %index = axis_index axis=a
  # CHECK: reshape {{%[0-9]+}} : i8[2,3,2,3]
  # CHECK: %dealt = transpose {{%[0-9]+}}, perm=[1,0,2] : i8[3,2,6]
  %dealt = all_to_all %k, axis=b, split=0, concat=0, tiled=true
  # Groups of several sizes: the members group by group, cut.
  # CHECK: constant [0,2,1] : i64[3]
  # CHECK: take {{%.+}}, dim=0 : f64[3,4]
  # CHECK: slice {{%.+}}, start=[0,0], limit=[2,4]
  # CHECK: slice {{%.+}}, start=[2,0], limit=[3,4]
  # CHECK: %grouped = take
  %grouped = psum %x, axis=a, groups=[[0,2],[1]]
  # CHECK: %out = transpose %x, perm=[1,0] : f64[4,3]
  %out = unmap %x, axis=a, dim=1
  # CHECK: return %all
  return %all, %copies, %mean, %tiled, %ring, %part, %index, %dealt, %grouped, %out
}
