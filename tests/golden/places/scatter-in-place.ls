# scatter_add adds to the carry where it lies: one place is enough.
# RUN: %lockstep show %s --after=plan | FileCheck %s
# RUN: %lockstep check %s x0=random:1 is=iota us=random:2
stage kernels
program @counts(%x0: f64[8], %is: i32[5,3], %us: f64[5,3]) {
  %x9 = scan carry(%x = %x0), xs(%i = %is, %u = %us), at=[result] {
    %n = kernel form=call, at=[carry] {
      %n1 = scatter_add %x, %i, %u, dim=0
      yield %n1
    }
    yield carry(%n)
  }
  return %x9
}
# CHECK: %x9 = scan length=5, carry(%x = %x0), xs(%i = %is, %u = %us), at=[result] {
# CHECK: %n = kernel form=call, at=[carry] {
