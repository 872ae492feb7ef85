# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/groups=.*/groups=[[0,1],[1,3]]/' %s > %t/twice.ls
# RUN: not %lockstep show %t/twice.ls 2>&1 | FileCheck --check-prefix=TWICE %s
# RUN: sed 's/groups=.*/groups=[[0,1],[3]]/' %s > %t/missing.ls
# RUN: not %lockstep show %t/missing.ls 2>&1 | FileCheck --check-prefix=MISSING %s
# RUN: sed 's/psum %x, axis=a, groups=.*/all_gather %x, axis=a, groups=[[0,1,2],[3]]/' %s > %t/unequal.ls
# RUN: not %lockstep show %t/unequal.ls 2>&1 | FileCheck --check-prefix=UNEQUAL %s
axis a = 4
program @wrong(%x: f64[3]{a}) {
  %y = psum %x, axis=a, groups=[[0,1],[2,17]]
  return %y
}
# CHECK: error: psum: groups name device 17; axis a has 4 (operand %x: f64[3]{a})
# TWICE: error: psum: groups name device 1 twice (axis a)
# MISSING: error: psum: groups leave out device 2 of axis a = 4
# UNEQUAL: error: all_gather: groups of 3 and of 1 devices; they must be of one size (axis a) (operand %x: f64[3]{a}); axes in scope: a = 4
