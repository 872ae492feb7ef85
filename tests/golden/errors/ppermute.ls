# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/pairs=.*/pairs=[[0,9]]/' %s > %t/range.ls
# RUN: not %lockstep show %t/range.ls 2>&1 | FileCheck --check-prefix=RANGE %s
# RUN: sed 's/pairs=.*/pairs=[[0,1,2]]/' %s > %t/three.ls
# RUN: not %lockstep show %t/three.ls 2>&1 | FileCheck --check-prefix=THREE %s
axis a = 4
program @wrong(%x: f64[3]{a}) {
  %y = ppermute %x, axis=a, pairs=[[0,1],[2,1]]
  return %y
}
# CHECK: error: ppermute: device 1 is the target of two pairs (axis a)
# RANGE: error: ppermute: target 9 is not a device of axis a = 4
# THREE: error: ppermute: pairs has an entry of 3 numbers; each is [source,target]
