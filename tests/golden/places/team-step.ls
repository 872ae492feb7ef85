# A step reads all of what the step before wrote in tiles.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @team(%x: f64[64,64]) {
  %y = scan length=10, carry(%c = %x), at=[[0,result]] {
    %a = kernel form=map, tile=[8,64], team=true, at=[carry] {
      %a1 = transpose %c, perm=[1,0]
      yield %a1
    }
    yield carry(%a)
  }
  return %y
}
# CHECK: team-step.ls:6:{{[0-9]+}}: error: kernel %a: reads %c across tiles, so that its team has to meet first: sync=true is missing
