# A constant of 10^7 elements is one number in memory, in a dump, in LLVM IR; what
# is computed from it is not folded element by element.
# RUN: %lockstep run %s | FileCheck %s
# RUN: %lockstep show %s --after=plan > %t/dump.ls
# RUN: test $(wc -c < %t/dump.ls) -lt 10000
# RUN: %lockstep show %s --llvm > %t/code.ll
# RUN: test $(wc -c < %t/code.ll) -lt 200000
# RUN: timeout 100 %lockstep bench %s --repeat=1
program @p() {
  %c = constant 1.5 : f64[10000000]
  %n = iota dim=0 : f64[10000000]
  %e = exp2 %c
  %m = mul %n, %c
  %d = concatenate %c, %n, dim=0
  %r = reverse %m, dims=[0]
  %s = reduce_sum %c
  %t = reduce_max %r
  %u = reduce_min %d
  %v = reduce_max %e
  %f = slice %m, start=[9999990], limit=[9999993]
  %p = pad %c, %s, low=[1], high=[1]
  %q = reduce_max %p
  return %s, %t, %u, %v, %f, %q
}
# CHECK: s: f64[] = 15000000
# CHECK: t: f64[] = 14999998.5
# CHECK: u: f64[] = 0
# CHECK: v: f64[] = 2.82842712474619
# CHECK: f: f64[3] = [14999985, 14999986.5, 14999988]
# CHECK: q: f64[] = 15000000
