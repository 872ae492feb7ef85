# A size that is set but not declared: usage.
# RUN: not %lockstep show %s --size q=3 2>&1 | FileCheck %s --strict-whitespace
# CHECK: size-from-outside.ls: error: no size is called q, so it cannot be set
size m = 3
program @p(%x: f64[m]) {
  return %x
}
