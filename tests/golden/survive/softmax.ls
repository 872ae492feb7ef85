# exp fused behind a max: the max that is subtracted is the max that was taken, so
# the largest of each row is exp(0) = 1 to the bit, and none is above.  What it is
# taken of is a multiply and an add, which a compiler may contract, or not.
# RUN: %lockstep run %s a=random:1 b=random:2 c=random:3 | FileCheck %s
# RUN: %lockstep run %s a=random:1 b=random:2 c=random:3 --numerics=strict | FileCheck %s
# RUN: %lockstep run %s a=random:1 b=random:2 c=random:3 --without=simplify | FileCheck %s
# RUN: %lockstep check %s a=random:1 b=random:2 c=random:3
# RUN: sed 's/f64/f32/g' %s > %t/f32.ls
# RUN: %lockstep run %t/f32.ls a=random:1 b=random:2 c=random:3 | FileCheck %s
# RUN: sed 's/f64/f16/g' %s > %t/f16.ls
# RUN: %lockstep run %t/f16.ls a=random:1 b=random:2 c=random:3 | FileCheck %s
program @p(%a: f64[200,67], %b: f64[200,67], %c: f64[200,67]) {
  %one = constant 1 : f64[]
  %zero = constant 0 : f64[]
  %ab = mul %a, %b
  %x = sub %ab, %c
  %m = reduce_max %x, dims=[1]
  %ms = broadcast %m, dims=[0] : f64[200,67]
  %d = sub %x, %ms
  %e = exp %d
  %top = reduce_max %e, dims=[1]
  %exact = compare %top, %one, op=eq
  %all = reduce_and %exact
  %above = compare %d, %zero, op=gt
  %any = reduce_or %above
  return %all, %any
}
# CHECK: all: bool[] = true
# CHECK: any: bool[] = false
