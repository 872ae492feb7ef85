# One step dim an x.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: xs-dims-count.ls:[[@LINE+4]]:8: error: scan: xs_dims has 2 dims for 1 xs
# CHECK-NEXT:{{^}}  %y = scan xs(%x = %v), xs_dims=[0,1] {{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p(%v: f64[3,3]) {
  %y = scan xs(%x = %v), xs_dims=[0,1] {
    yield ys(%x)
  }
  return %y
}
