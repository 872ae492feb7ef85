# axis
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-declared-twice.ls:[[@LINE+4]]:6: error: axis devices is declared twice
# CHECK-NEXT:{{^}}axis devices = 4{{$}}
# CHECK-NEXT:{{^}}     ^{{$}}
axis devices = 4
axis devices = 4
program @p(%x: f64[3]) {
  return %x
}
