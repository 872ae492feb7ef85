# Axes of types are looked up in the same way.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: axis-in-braces.ls:[[@LINE+5]]:24: error: neg: no axis is called rovs; did you mean rows? axes in scope: rows = 4
# CHECK-NEXT:{{^}}  %y = neg %x : f64[3]{rovs}{{$}}
# CHECK-NEXT:{{^}}                       ^{{$}}
axis rows = 4
program @p(%x: f64[3]{rows}) {
  %y = neg %x : f64[3]{rovs}
  return %y
}
