# A picture: a box a node, a cluster a body.
# RUN: %lockstep show %s --dot | FileCheck %s
axis a = 2
program @picture(%x: f64[3]{a}) {
  %y = scan length=3, carry(%c = %x) {
    %n = psum %c, axis=a
    yield carry(%n)
  }
  return %y as last
}
# CHECK: digraph "picture" {
# CHECK-NEXT: node [shape=box];
# CHECK-NEXT: v0 [shape=ellipse, label="%x: f64[3]{a}"];
# CHECK-NEXT: n1 [label="scan x 3\n%y: f64[3]{a}"];
# CHECK-NEXT: subgraph cluster_1 {
# CHECK-NEXT: label="scan x 3";
# CHECK-NEXT: v1 [shape=ellipse, label="%c: f64[3]{a}"];
# CHECK-NEXT: n0 [label="psum over a\n%n: f64[3]"];
# CHECK-NEXT: v1 -> n0;
# CHECK-NEXT: }
# CHECK-NEXT: v0 -> v1 [style=dashed];
# CHECK-NEXT: n0 -> n1 [style=dashed];
# CHECK-NEXT: r0 [shape=ellipse, style=bold, label="last"];
# CHECK-NEXT: n1 -> r0;
# CHECK-NEXT: }
