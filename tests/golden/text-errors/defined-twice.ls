# No name is defined twice in a block.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: defined-twice.ls:[[@LINE+5]]:3: error: %y is defined already, at line [[@LINE+4]]; a name may neither be defined twice nor shadow another
# CHECK-NEXT:{{^}}  %y = abs %x{{$}}
# CHECK-NEXT:{{^}}  ^{{$}}
program @p(%x: f64[3]) {
  %y = neg %x
  %y = abs %x
  return %y
}
