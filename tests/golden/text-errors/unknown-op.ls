# An op that does not exist gets a suggestion.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: unknown-op.ls:[[@LINE+4]]:8: error: no op is called enisum; did you mean einsum?
# CHECK-NEXT:{{^}}  %y = enisum %x, spec="ij->i"{{$}}
# CHECK-NEXT:{{^}}       ^{{$}}
program @p(%x: f64[3,3]) {
  %y = enisum %x, spec="ij->i"
  return %y
}
