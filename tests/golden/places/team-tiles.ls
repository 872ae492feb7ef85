# A team's tiles divide one dim.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @team(%x: f64[64,64]) {
  %a = kernel form=map, tile=[8,8], team=true, at=[result] {
    %a1 = neg %x
    yield %a1
  }
  return %a
}
# CHECK: team-tiles.ls:5:{{[0-9]+}}: error: kernel %a: a team shares results of one shape in tiles along one dim: `tile` has a number for each dim, one of them less than the dim
