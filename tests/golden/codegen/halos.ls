# The step of a ring: the loop over the lanes is split where left and right
# change their source, and reads the carry as vectors, once for each of three
# offsets.  Nothing is gathered, and the loop has no choice in it.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s c=random:1
# RUN: %lockstep check %s c=random:1 --numerics=strict
program @ring(%c: f64[4,301]) {
  # CHECK-NOT: extractelement
  # CHECK: load <[[N:[0-9]+]] x double>
  # CHECK-NOT: select
  # CHECK: load <[[N]] x double>
  # CHECK-NOT: select
  # CHECK: load <[[N]] x double>
  # CHECK-NOT: load <
  # CHECK-NOT: select
  # CHECK: store <[[N]] x double>
  # CHECK-NOT: load <
  # CHECK-NOT: extractelement
  %first = slice %c, start=[0,0], limit=[4,1]
  %last = slice %c, start=[0,300], limit=[4,301]
  %d3 = slice %last, start=[3,0], limit=[4,1]
  %d0 = slice %last, start=[0,0], limit=[3,1]
  %before = concatenate %d3, %d0, dim=0
  %f1 = slice %first, start=[1,0], limit=[4,1]
  %f0 = slice %first, start=[0,0], limit=[1,1]
  %after = concatenate %f1, %f0, dim=0
  %front = slice %c, start=[0,0], limit=[4,300]
  %rest = slice %c, start=[0,1], limit=[4,301]
  %left = concatenate %before, %front, dim=1
  %right = concatenate %rest, %after, dim=1
  %sum = add %left, %right
  %next = add %sum, %c
  return %next
}
