# %b starts inside %a, which is read once more.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @chain(%x: f64[4,4]) {
  %a = kernel form=map, at=[0] {
    %a1 = neg %x
    yield %a1
  }
  %b = kernel form=map, at=[64] {
    %b1 = mul %x, %x
    yield %b1
  }
  %c = kernel form=map, at=[result] {
    %c1 = add %a, %b
    yield %c1
  }
  return %c
}
# CHECK: overlap.ls:9:{{[0-9]+}}: error: kernel %b: writes %b at arena [64,192) over %a at arena [0,128) (of kernel %a), which kernel %c reads later
