# RUN: %lockstep show --after=plan %s | FileCheck %s
# Written over itself: every read is at the written index.
# Then: a shifted read wants two places.
program @carries(%x0: f64[256], %y0: f64[256]) {
  # CHECK: %x9 = scan length=4, carry(%x = %x0), at=[result] {
  %x9 = scan length=4, carry(%x = %x0) {
    %n = mul %x, %x
    yield carry(%n)
  }
  # CHECK: %y9 = scan length=4, carry(%y = %y0), at=[{{\[[0-9]+,result\]}}] {
  %y9 = scan length=4, carry(%y = %y0) {
    %f = slice %y, start=[0], limit=[1]
    %s = slice %y, start=[0], limit=[255]
    %m = concatenate %f, %s, dim=0
    yield carry(%m)
  }
  return %x9, %y9
}
