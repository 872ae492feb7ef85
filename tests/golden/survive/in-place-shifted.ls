# A carry written over itself, shifted: base [1,2,3,4], base[:3] at offset 1 is
# [1,1,2,3], never [1,1,1,1].  Both directions, 2-D, and behind a reshape.
# RUN: %lockstep run %s | FileCheck %s
# RUN: %lockstep check %s
# RUN: %lockstep check %s --numerics=strict
program @p() {
  %zero = constant 0 : i32[]
  %one = constant 1 : i32[]
  %row = iota dim=0 : f64[4]
  %grid = iota dim=0 : f64[4,2]
  %long = iota dim=0 : f64[8]
  %up, %down, %two, %folded = scan length=1, carry(%u = %row, %d = %row, %g = %grid, %f = %long) {
    %head = slice %u, start=[0], limit=[3]
    %un = dynamic_update_slice %u, %head, %one
    %tail = slice %d, start=[1], limit=[4]
    %dn = dynamic_update_slice %d, %tail, %zero
    %top = slice %g, start=[0,0], limit=[3,2]
    %gn = dynamic_update_slice %g, %top, %one, %zero
    %square = reshape %f : f64[4,2]
    %first = slice %square, start=[0,0], limit=[3,2]
    %moved = dynamic_update_slice %square, %first, %one, %zero
    %fn = reshape %moved : f64[8]
    yield carry(%un, %dn, %gn, %fn)
  }
  return %up, %down, %two, %folded
}
# CHECK: up: f64[4] = [0, 0, 1, 2]
# CHECK: down: f64[4] = [1, 2, 3, 3]
# CHECK: two: f64[4,2] =
# CHECK-NEXT: {{.*}}[0, 0],
# CHECK-NEXT: {{.*}}[0, 0],
# CHECK-NEXT: {{.*}}[1, 1],
# CHECK-NEXT: {{.*}}[2, 2]]
# CHECK: folded: f64[8] = [0, 1, 0, 1, 2, 3, 4, 5]
