# Places inside of blocks are for one block; what is yielded lies where the
# blocks' results do.
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: %lockstep explain %s | FileCheck --check-prefix=ARENA %s
# RUN: sed 's/at=\[0\] {/at=[result] {/' %s >%t/elsewhere.ls
# RUN: not %lockstep show --after=plan %t/elsewhere.ls 2>&1 | FileCheck --check-prefix=ELSEWHERE %s
# RUN: sed 's/at=\[result\] { # d/at=[64] {/' %s >%t/yield.ls
# RUN: not %lockstep show --after=plan %t/yield.ls 2>&1 | FileCheck --check-prefix=YIELD %s
# RUN: sed 's/at=\[64\]/at=[0]/' %s >%t/overlap.ls
# RUN: not %lockstep show --after=plan %t/overlap.ls 2>&1 | FileCheck --check-prefix=OVERLAP %s
# CHECK: blocks dim=0, size=2, at=[result]
# ARENA: arena 112 bytes
# ELSEWHERE: kernel: %b has the place `result`, but the blocks do not yield it
# YIELD: %d is yield 0 of the blocks: it must be written by a kernel or a cond in the same block, with the place `result`
# OVERLAP: kernel %c: writes %c at arena [0,48) over %b at arena [0,48) (of kernel %b), which kernel %d reads later
stage kernels
program @parts(%x: f64[800,3]) {
  %p = blocks dim=0, size=2, at=[result] {
    %b = kernel form=map, at=[0] {
      %b1 = add %x, %x
      yield %b1
    }
    %c = kernel form=map, at=[64] {
      %c1 = reverse %b, dims=[1]
      yield %c1
    }
    %d = kernel form=map, at=[result] { # d
      %d1 = add %b, %c
      yield %d1
    }
    yield %d
  }
  return %p
}
