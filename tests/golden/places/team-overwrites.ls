# %c is written where other tiles of %b may still read %a.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @team(%x: f64[64,64]) {
  %a = kernel form=map, tile=[8,64], team=true, at=[0] {
    %a1 = neg %x
    yield %a1
  }
  %b = kernel form=map, tile=[8,64], team=true, sync=true, at=[32768] {
    %b1 = transpose %a, perm=[1,0]
    yield %b1
  }
  %c = kernel form=map, tile=[8,64], team=true, at=[0] {
    %c1 = add %b, %x
    yield %c1
  }
  %d = kernel form=map, tile=[8,64], team=true, at=[result] {
    %d1 = add %b, %c
    yield %d1
  }
  return %d
}
# CHECK: team-overwrites.ls:13:{{[0-9]+}}: error: kernel %c: writes %c over %a, which another thread may still read: sync=true is missing
