# A packed product in blocks that do not divide it, with tiles at every edge: its
# partial sums lie in the result that has the product's dtype, its epilogue runs
# behind the last block, and strict has the evaluator's bits.
# RUN: %lockstep check %s A=random:1 B=random:2 C=random:3 D=random:4 E=random:5
# RUN: %lockstep check %s --numerics=strict A=random:1 B=random:2 C=random:3 D=random:4 E=random:5
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: sed 's/pack=\[5,9,2\]/pack=[100,100,100]/' %s > %t/whole.ls
# RUN: %lockstep check %t/whole.ls --numerics=strict A=random:1 B=random:2 C=random:3 D=random:4 E=random:5
# RUN: sed 's/pack=\[5,9,2\]/pack=[9223372036854775807,9223372036854775807,9223372036854775807]/' %s > %t/huge.ls
# RUN: %lockstep check %t/huge.ls --numerics=strict A=random:1 B=random:2 C=random:3 D=random:4 E=random:5
# What has no blocks runs inline.
# RUN: sed 's/pack=\[5,9,2\], //; s/, pack=\[5,9,2\]//' %s > %t/none.ls
# RUN: %lockstep check %t/none.ls --numerics=strict A=random:1 B=random:2 C=random:3 D=random:4 E=random:5
stage kernels
program @packed(%A: f64[2,13,7], %B: f64[2,7,21], %C: f64[2,13,21], %D: f32[3,5,19], %E: f32[37,3,5]) {
  # CHECK: %P, %T = kernel form=contract, by=packed, pack=[5,9,2], at=[result,result] {
  %P, %T = kernel form=contract, by=packed, pack=[5,9,2] {
    %p = einsum %A, %B, spec="bmk,bkn->bmn" : f64[2,13,21]
    %s = add %p, %C : f64[2,13,21]
    %t = tanh %s : f64[2,13,21]
    yield %p, %t
  } : f64[2,13,21], f64[2,13,21]
  # Rows and columns change places, two dims are summed, an operand is made here.
  # CHECK: %Q = kernel form=contract, by=packed, pack=[5,9,2], at=[result] {
  %Q = kernel form=contract, by=packed, pack=[5,9,2] {
    %n = neg %D : f32[3,5,19]
    %q = einsum %n, %E, spec="kam,nka->mn" : f32[19,37]
    yield %q
  } : f32[19,37]
  return %P, %T, %Q
}
