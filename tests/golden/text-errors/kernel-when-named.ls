# A kernel stands at the kernels stage only.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: kernel-when-named.ls:[[@LINE+4]]:8: error: kernel: may not stand in a program at the named stage
# CHECK-NEXT:{{^}}  %y = kernel form=map {{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p(%x: f64[3]) {
  %y = kernel form=map {
    %z = neg %x
    yield %z
  }
  return %y
}
