# A dim that no size line names.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-size.ls:[[@LINE+4]]:22: error: %x: no size widht is declared before this; did you mean width?
# CHECK-NEXT:{{^}}program @p(%x: f64[2,widht]) {{{$}}
# CHECK-NEXT:{{^}}                     ^{{$}}
size width = 3
program @p(%x: f64[2,widht]) {
  return %x
}
