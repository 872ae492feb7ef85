# A tile of %b reads what other tiles of %a wrote.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @team(%x: f64[64,64]) {
  %a = kernel form=map, tile=[8,64], team=true, at=[0] {
    %a1 = neg %x
    yield %a1
  }
  %b = kernel form=map, tile=[8,64], team=true, at=[result] {
    %b1 = transpose %a, perm=[1,0]
    yield %b1
  }
  return %b
}
# CHECK: missing-sync.ls:9:{{[0-9]+}}: error: kernel %b: reads %a across tiles, so that its team has to meet first: sync=true is missing
