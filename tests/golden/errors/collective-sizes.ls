# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/tiled=false/tiled=true/' %s > %t/tiled.ls
# RUN: not %lockstep show %t/tiled.ls 2>&1 | FileCheck --check-prefix=TILED %s
axis a = 4
program @wrong(%x: f64[6]{a}) {
  %y = psum_scatter %x, axis=a, tiled=false
  return %y
}
# CHECK: error: psum_scatter: dim 0 has size 6; axis a has 4 devices (tiled=true takes multiples)
# TILED: error: psum_scatter: dim 0 of size 6 is not a multiple of the 4 devices of axis a
