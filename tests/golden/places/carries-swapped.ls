# (a, b) -> (b, a), a kernel each: the second reads what the first wrote over.
# RUN: not %lockstep show %s --after=plan 2>&1 | FileCheck %s
stage kernels
program @swap(%a0: f64[8], %b0: f64[8]) {
  %a9, %b9 = scan length=5, carry(%a = %a0, %b = %b0), at=[result,result] {
    %an = kernel form=map, at=[carry] {
      yield %b
    }
    %bn = kernel form=map, at=[carry] {
      yield %a
    }
    yield carry(%an, %bn)
  }
  return %a9, %b9
}
# CHECK: carries-swapped.ls:6:{{[0-9]+}}: error: kernel %an: writes %an at result a9 [0,64) over %a at result a9 [0,64) (of scan %a9), which kernel %bn reads later
