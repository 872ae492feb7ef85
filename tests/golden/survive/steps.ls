# Compile time does not depend on the scan's length: nothing but the length itself
# differs between 10 steps and 10^15, at any stage, machine code included.
# RUN: sed 's/length=10/length=1000000000000000/' %s > %t/long.ls
# RUN: %lockstep show %s --after=plan | sed 's/length=10,/length=N,/' > %t/a.txt
# RUN: timeout 100 %lockstep show %t/long.ls --after=plan | sed 's/length=1000000000000000,/length=N,/' > %t/b.txt
# RUN: cmp %t/a.txt %t/b.txt
# RUN: %lockstep show %s --asm | wc -l > %t/a.txt
# RUN: timeout 100 %lockstep show %t/long.ls --asm | wc -l > %t/b.txt
# RUN: test $(($(cat %t/b.txt) - $(cat %t/a.txt))) -lt 50
program @p(%x: f64[8], %y: f64[8]) {
  %half = constant 0.5 : f64[]
  %z = scan length=10, carry(%c = %x) {
    %d = mul %c, %half
    %n = add %d, %y
    %s = reduce_sum %n
    %e = sub %n, %s
    yield carry(%e)
  }
  return %z
}
