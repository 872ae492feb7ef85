# Places: a carry over itself where the step allows it, in turns where not;
# ys and results where they end; space is used again.
# RUN: %lockstep show --after=plan %s | FileCheck %s
program @places(%A: f64[64,64], %x0: f64[64], %c0: f64[64]) {
  # Elementwise in the carry: one place.  Read by a product: two, turned so
  # that the last of 5 steps (number 0) ends in the result.
  # CHECK: scan length=5, carry({{.*}}), at=[{{(result|\[result,[0-9]+\])}},{{(result|\[result,[0-9]+\])}},result] {
  %x9, %c9, %ys = scan length=5, carry(%x = %x0, %c = %c0) {
    # CHECK: kernel form={{.*}}at=[carry{{.*}}]
    %n = einsum %A, %x, spec="ij,j->i"
    %d = add %c, %n
    yield carry(%n, %d), ys(%c)
  }
  # CHECK: yield carry
  return %x9, %c9, %ys
}
