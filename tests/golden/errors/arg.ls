# RUN: not %lockstep show %s 2>&1 | FileCheck %s
# RUN: sed 's/argmax .*/argmax %x/' %s > %t/needs.ls
# RUN: not %lockstep show %t/needs.ls 2>&1 | FileCheck --check-prefix=NEEDS %s
# RUN: sed 's/argmax .*/argmin %x, dim=2/' %s > %t/range.ls
# RUN: not %lockstep show %t/range.ls 2>&1 | FileCheck --check-prefix=RANGE %s
# RUN: sed 's/argmax .*/argmin %rank0, dim=0/' %s > %t/scalar.ls
# RUN: not %lockstep show %t/scalar.ls 2>&1 | FileCheck --check-prefix=SCALAR %s
# RUN: sed 's/argmax .*/argmax %long, dim=0/' %s > %t/long.ls
# RUN: not %lockstep show %t/long.ls 2>&1 | FileCheck --check-prefix=LONG %s
# RUN: sed 's/argmax .*/argmax %x, dims=[0]/' %s > %t/dims.ls
# RUN: not %lockstep show %t/dims.ls 2>&1 | FileCheck --check-prefix=DIMS %s
# RUN: sed 's/argmax .*/argmax %x, dim=1 : f64[0]/' %s > %t/type.ls
# RUN: not %lockstep show %t/type.ls 2>&1 | FileCheck --check-prefix=TYPE %s
# RUN: sed 's/argmax .*/random_normal %k : i32[2]/' %s > %t/ints.ls
# RUN: not %lockstep show %t/ints.ls 2>&1 | FileCheck --check-prefix=INTS %s
# RUN: sed 's/argmax .*/random_normal %k/' %s > %t/typed.ls
# RUN: not %lockstep show %t/typed.ls 2>&1 | FileCheck --check-prefix=TYPED %s
# RUN: sed 's/argmax .*/random_normal %k, low=1 : f64[]/' %s > %t/low.ls
# RUN: not %lockstep show %t/low.ls 2>&1 | FileCheck --check-prefix=LOW %s
program @wrong(%x: f64[0,2], %rank0: f64[], %long: bool[2147483648], %k: u32[2]) {
  %y = argmax %x, dim=0
  return %y as y
}
# CHECK: error: argmax: dim 0 has size 0: there is nothing to find (operand %x: f64[0,2])
# NEEDS: error: argmax: needs dim=... (operand %x: f64[0,2])
# RANGE: error: argmin: dim=2 is out of range for rank 2 (operand %x: f64[0,2])
# SCALAR: error: argmin: a scalar has no dim to search (operand %rank0: f64[])
# LONG: error: argmax: dim 0 of size 2147483648: its indices pass i32
# DIMS: error: argmax: takes no dims; did you mean dim?
# TYPE: error: argmax: the type is written f64[0] but inferred as i32[0]
# INTS: error: random_normal: draws floats, not i32 (operand %k: u32[2])
# TYPED: error: random_normal: needs its result type to be written
# LOW: error: random_normal: takes no low
