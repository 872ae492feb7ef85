# A carry written over itself, shifted: base [1,2,3,4], base[:3] at offset 1 is
# [1,1,2,3], never [1,1,1,1].  Both directions; rows and columns of a matrix;
# behind a reshape; overlapping by more than one.
# RUN: %lockstep run %s | FileCheck %s
# RUN: %lockstep run %s --without=simplify | FileCheck %s
# RUN: %lockstep check %s
# RUN: %lockstep check %s --numerics=strict
program @p() {
  %zero = constant 0 : i32[]
  %one = constant 1 : i32[]
  %base = constant [1,2,3,4] : f64[4]
  %grid = constant [[1,2,3],[4,5,6],[7,8,9],[10,11,12]] : f64[4,3]
  %long = constant [1,2,3,4,5,6,7,8] : f64[8]
  %right, %left, %down, %up, %east, %west, %fold, %open, %twice = scan length=1, carry(%a = %base, %b = %base, %c = %grid, %d = %grid, %e = %grid, %f = %grid, %g = %long, %h = %long, %i = %long) {
    %head = slice %a, start=[0], limit=[3]
    %an = dynamic_update_slice %a, %head, %one
    %tail = slice %b, start=[1], limit=[4]
    %bn = dynamic_update_slice %b, %tail, %zero
    %top = slice %c, start=[0,0], limit=[3,3]
    %cn = dynamic_update_slice %c, %top, %one, %zero
    %bottom = slice %d, start=[1,0], limit=[4,3]
    %dn = dynamic_update_slice %d, %bottom, %zero, %zero
    %first = slice %e, start=[0,0], limit=[4,2]
    %en = dynamic_update_slice %e, %first, %zero, %one
    %last = slice %f, start=[0,1], limit=[4,3]
    %fn = dynamic_update_slice %f, %last, %zero, %zero
    %square = reshape %g : f64[4,2]
    %rows = slice %square, start=[0,0], limit=[3,2]
    %moved = dynamic_update_slice %square, %rows, %one, %zero
    %gn = reshape %moved : f64[8]
    %back = reshape %h : f64[4,2]
    %rest = slice %back, start=[1,0], limit=[4,2]
    %drawn = dynamic_update_slice %back, %rest, %zero, %zero
    %hn = reshape %drawn : f64[8]
    %six = slice %i, start=[0], limit=[6]
    %in = dynamic_update_slice %i, %six, %one
    yield carry(%an, %bn, %cn, %dn, %en, %fn, %gn, %hn, %in)
  }
  return %right, %left, %down, %up, %east, %west, %fold, %open, %twice
}
# CHECK: right: f64[4] = [1, 1, 2, 3]
# CHECK: left: f64[4] = [2, 3, 4, 4]
# CHECK: down: f64[4,3] =
# CHECK-NEXT: {{.*}}[1, 2, 3],
# CHECK-NEXT: {{.*}}[1, 2, 3],
# CHECK-NEXT: {{.*}}[4, 5, 6],
# CHECK-NEXT: {{.*}}[7, 8, 9]]
# CHECK: up: f64[4,3] =
# CHECK-NEXT: {{.*}}[4, 5, 6],
# CHECK-NEXT: {{.*}}[7, 8, 9],
# CHECK-NEXT: {{.*}}[10, 11, 12],
# CHECK-NEXT: {{.*}}[10, 11, 12]]
# CHECK: east: f64[4,3] =
# CHECK-NEXT: {{.*}}[1, 1, 2],
# CHECK-NEXT: {{.*}}[4, 4, 5],
# CHECK-NEXT: {{.*}}[7, 7, 8],
# CHECK-NEXT: {{.*}}[10, 10, 11]]
# CHECK: west: f64[4,3] =
# CHECK-NEXT: {{.*}}[2, 3, 3],
# CHECK-NEXT: {{.*}}[5, 6, 6],
# CHECK-NEXT: {{.*}}[8, 9, 9],
# CHECK-NEXT: {{.*}}[11, 12, 12]]
# CHECK: fold: f64[8] = [1, 2, 1, 2, 3, 4, 5, 6]
# CHECK: open: f64[8] = [3, 4, 5, 6, 7, 8, 7, 8]
# CHECK: twice: f64[8] = [1, 1, 2, 3, 4, 5, 6, 8]
