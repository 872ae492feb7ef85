# argmax and argmin are no sums: what they give is an index.  Views that keep
# their dim whole move behind them; equal elements give 0.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
# RUN: %lockstep check %s x=random:1,-1,1 w=iota --numerics=strict
# RUN: %lockstep run %s x=random:1,-1,1 w=iota | FileCheck --check-prefix=VALUES %s
program @arg(%x: f64[4,6,5], %w: f64[6]) {
  # CHECK: [[MOVED:%[0-9]+]] = argmax %x, dim=1 : i32[4,5]
  # CHECK: %moved = transpose [[MOVED]], perm=[1,0] : i32[5,4]
  %turned = transpose %x, perm=[2,1,0]
  %moved = argmax %turned, dim=1
  # CHECK: [[SPLIT:%[0-9]+]] = argmin %x, dim=1 : i32[4,5]
  # CHECK: %split = reshape [[SPLIT]] : i32[2,2,1,5]
  %parts = reshape %x : f64[2,2,6,1,5]
  %split = argmin %parts, dim=2
  # The dim is not whole in the operand.
  # CHECK: %rows = reshape %x : f64[4,30]
  # CHECK: %row = argmax %rows, dim=1 : i32[4]
  %rows = reshape %x : f64[4,30]
  %row = argmax %rows, dim=1
  # CHECK: [[ONCE:%[0-9]+]] = argmax %w, dim=0 : i32[]
  # CHECK: %once = broadcast [[ONCE]], dims=[] : i32[3]
  %wide = broadcast %w, dims=[1] : f64[3,6]
  %once = argmax %wide, dim=1
  # An index is not an element: no reduction of both dims, no product.
  # CHECK: %first = argmax %x, dim=0 : i32[6,5]
  # CHECK: %second = argmax %first, dim=0 : i32[5]
  %first = argmax %x, dim=0
  %second = argmax %first, dim=0
  # CHECK: %same = constant 0 : i32[6]
  # CHECK: %shaped = constant 0 : i32[4,1,5]
  # CHECK-NOT: arg{{max|min}}
  %same = argmin %wide, dim=0
  %slice = slice %x, start=[0,2,0], limit=[4,3,5]
  %only = argmax %slice, dim=1
  %shaped = reshape %only : i32[4,1,5]
  # CHECK: %folded = constant [2,1] : i32[2]
  # CHECK: %low = constant [1,1,0] : i32[3]
  %c = constant [[0,-0,nan],[1,3,3]] : f64[2,3]
  %folded = argmax %c, dim=1
  %d = constant [[0,5,2],[-1,3,2]] : i8[2,3]
  %low = argmin %d, dim=0
  return %moved, %split, %row, %once, %second, %same, %shaped, %folded, %low
}
# VALUES: once: i32[3] = [5, 5, 5]
# VALUES: same: i32[6] = [0, 0, 0, 0, 0, 0]
# VALUES: folded: i32[2] = [2, 1]
# VALUES: low: i32[3] = [1, 1, 0]
