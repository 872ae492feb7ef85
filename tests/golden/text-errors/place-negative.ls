# A place is an offset, or a word.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: place-negative.ls:[[@LINE+5]]:29: error: kernel: at: a place in the arena is not negative
# CHECK-NEXT:{{^}}  %y = kernel form=map, at=[-64] {{{$}}
# CHECK-NEXT:{{^}}                            ^{{$}}
stage kernels
program @p(%x: f64[3]) {
  %y = kernel form=map, at=[-64] {
    %z = neg %x
    yield %z
  }
  return %y
}
