# Halos on all four sides: those along the rows are concatenated, those along
# the columns padded.  Both loops are split; reversed reads stay vectors.
# RUN: %lockstep show --llvm %s | FileCheck %s
# RUN: %lockstep check %s c=random:1 edge=random:2
# RUN: %lockstep check %s c=random:1 edge=random:2 --numerics=strict
# CHECK-NOT: extractelement
# CHECK-NOT: select
# CHECK: store <{{[0-9]+}} x double>
# CHECK-NOT: extractelement
# CHECK-NOT: select
program @square(%c: f64[37,53], %edge: f64[]) {
  %top = slice %c, start=[36,0], limit=[37,53]
  %upper = slice %c, start=[0,0], limit=[36,53]
  %above = concatenate %top, %upper, dim=0
  %lower = slice %c, start=[1,0], limit=[37,53]
  %bottom = slice %c, start=[0,0], limit=[1,53]
  %below = concatenate %lower, %bottom, dim=0
  %left = pad %c, %edge, low=[0,1], high=[0,-1]
  %right = pad %c, %edge, low=[0,-1], high=[0,1]
  %mirror = reverse %right, dims=[1]
  %rows = add %above, %below
  %columns = add %left, %right
  %both = add %rows, %columns
  %next = add %both, %mirror
  return %next
}
