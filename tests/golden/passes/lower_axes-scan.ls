# Step dims move behind the axes; a carry that starts invariant is spread.
# RUN: %lockstep show --after=lower_axes %s | FileCheck %s
axis a = 3

program @steps(%xs: f64[5,2]{a}, %zero: f64[2]) {
  # CHECK: [[INIT:%[0-9]+]] = broadcast %zero, dims=[1] : f64[3,2]
  # CHECK: %c9, %ys = scan length=5, xs_dims=[1], ys_dims=[1], carry(%c = [[INIT]]), xs(%x = %xs) {
  %c9, %ys = scan carry(%c = %zero), xs(%x = %xs) {
    %n = add %c, %x
    yield carry(%n), ys(%n)
  }
  # CHECK: } : f64[3,2], f64[3,5,2]
  return %c9, %ys
}
