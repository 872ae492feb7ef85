# A scatter_add or a running sum of a carry is written over it; a sort needs two
# places. Scratch of the sort lies behind the arena: 2 * 16 * 16 bytes.
# RUN: %lockstep show --after=plan %s | FileCheck %s
# RUN: %lockstep explain %s | FileCheck %s --check-prefix=COST
# COST: arena 1536 bytes
# COST: call of scatter_add
# COST-NEXT: 100 runs, each 7 flop, 140 bytes
program @carries(%i: i32[100,7], %h0: f64[16], %c0: f64[8,16]) {
  %one = constant 1 : f64[7]
  # CHECK: %h = scan length=100, {{.*}}, at=[result] {
  %h = scan carry(%h = %h0), xs(%at = %i) {
    # CHECK: kernel form=call, at=[carry]
    %n = scatter_add %h, %at, %one, dim=0
    yield carry(%n)
  }
  # CHECK: %c = scan length=3, {{.*}}, at=[result] {
  %c = scan length=3, carry(%c = %c0) {
    %s = cumsum %c, dim=0
    yield carry(%s)
  }
  # CHECK: %k = scan length=3, {{.*}}, at=[{{\[}}result,0]] {
  %k = scan length=3, carry(%k = %c0) {
    %s = sort %k, dim=1
    yield carry(%s)
  }
  return %h, %c, %k
}
