# Where a program is too large in some way: rank, devices, sizes, labels, depth.
# RUN: %mistakes %s
# RUN: awk 'BEGIN { print "program @deep(%x: f64[]) {"; for (i = 0; i < 70; i++) \
# RUN:   print "%c" i " = scan length=1, carry(%x" i " = %x) {" }' > %t/deep.ls
# RUN: not %lockstep show %t/deep.ls 2>&1 | FileCheck %s --check-prefix=DEEP
# DEEP: deep.ls:65:8: error: scan: bodies are nested more than 64 deep
# RUN: awk 'BEGIN { printf "program @p() {\n  %%c = constant [0"; for (i = 1; i <= 65536; i++) \
# RUN:   printf ",%d", i; print "] : i32[65537]\n  return %c\n}" }' > %t/long.ls
# RUN: not %lockstep show %t/long.ls 2>&1 | FileCheck %s --check-prefix=LONG
# LONG: error: constant: a literal has at most 65536 elements, unless they are all the same; make it an input
# RUN: awk 'BEGIN { for (i = 1; i < 26; i++) d = d "1,"; d = "f64[" d "1]"; \
# RUN:   print "axis a = 2\nprogram @p(%x: " d "{a}, %y: " d ") {"; \
# RUN:   print "  %z = einsum %x, %y, spec=\"abcdefghijklmnopqrstuvwxyz,ABCDEFGHIJKLMNOPQRSTUVWXYZ->\""; \
# RUN:   print "  return %z\n}" }' > %t/labels.ls
# RUN: not %lockstep show %t/labels.ls --after=lower_axes 2>&1 | FileCheck %s --check-prefix=LABELS
# LABELS: labels.ls:3:8: error: einsum: more than 52 labels, with one for each axis
# MISTAKE: program @p(%x: f64[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]) { ;; %y = einsum %x, spec="...->..." ;; return %y ;; }
# EXPECT: 2:6: einsum: spec "...->...": more than 52 labels, those of the ellipsis counted (operand %x: f64[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])
# DETAIL:   ...->...
# DETAIL:   ^
# MISTAKE: program @p(%x: f64[]) { ;; %y = einsum %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, ;; %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, spec="->" ;; return %y ;; }
# EXPECT: 2:6: einsum: 53 operands; the most is 52
# MISTAKE: axis a = 4611686018427387904 ;; axis b = 4 ;; program @p(%x: f64[]) { ;; %y = psum %x, axis=[a,b] ;; return %y ;; }
# EXPECT: 4:6: psum: the axes have more than 2^63 devices together (operand %x: f64[]); axes in scope: a = 4611686018427387904, b = 4
# MISTAKE: axis a = 4 ;; program @p(%x: i8[4611686018427387904]) { ;; %y = all_gather %x, axis=a, tiled=true ;; return %y ;; }
# EXPECT: 3:6: all_gather: the gathered size passes 2^63 (operand %x: i8[4611686018427387904]); axes in scope: a = 4
# MISTAKE: axis a = 3000000000 ;; program @p() { ;; %y = axis_index axis=a ;; return %y ;; }
# EXPECT: 3:6: axis_index: 3000000000 devices do not fit i32; axes in scope: a = 3000000000
# MISTAKE: program @p(%x: f64[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]) { ;; %y = scan length=1 { ;; yield ys(%x) ;; } ;; return %y ;; }
# EXPECT: 2:6: scan: a stacked y passes rank 64
# MISTAKE: program @p(%x: i8[4611686018427387904]) { ;; %y = concatenate %x, %x, dim=0 ;; return %y ;; }
# EXPECT: 2:6: concatenate: the sizes along dim 0 add up past 2^63 (operands %x: i8[4611686018427387904], %x: i8[4611686018427387904])
# MISTAKE: program @p(%x: u32[3,2], %i: i32[3]) { ;; %y = take %x, %i, dim=0, batch=1 ;; return %y ;; }
# EXPECT: 2:6: take: dim=0 is a batch dim (batch=1) (operands %x: u32[3,2], %i: i32[3])
# MISTAKE: program @p(%x: f64[2,2], %i: i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]) { ;; %y = take %x, %i, dim=0 ;; return %y ;; }
# EXPECT: 2:6: take: the result's rank 65 passes 64 (operands %x: f64[2,2], %i: i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])
# MISTAKE: program @p(%x: f64[1000000000000]) { ;; %y = einsum %x, %x, spec="i,j->ij" ;; return %y ;; }
# EXPECT: 2:6: einsum: f64[1000000000000,1000000000000] does not fit in 2^63 bytes: it takes 8000000000000000000000000 bytes
# MISTAKE: axis a = 4000000000 ;; program @p(%x: f64[4000000000]) { ;; %y = unmap %x, axis=a ;; return %y ;; }
# EXPECT: 3:6: unmap: f64[4000000000,4000000000] does not fit in 2^63 bytes: it takes 128000000000000000000 bytes
# MISTAKE: axis a1 = 1 ;; axis a2 = 1 ;; axis a3 = 1 ;; axis a4 = 1 ;; axis a5 = 1 ;; axis a6 = 1 ;; axis a7 = 1 ;; axis a8 = 1 ;; axis a9 = 1 ;; axis a10 = 1 ;; axis a11 = 1 ;; axis a12 = 1 ;; axis a13 = 1 ;; axis a14 = 1 ;; axis a15 = 1 ;; axis a16 = 1 ;; axis a17 = 1 ;; axis a18 = 1 ;; axis a19 = 1 ;; axis a20 = 1 ;; axis a21 = 1 ;; axis a22 = 1 ;; axis a23 = 1 ;; axis a24 = 1 ;; axis a25 = 1 ;; axis a26 = 1 ;; axis a27 = 1 ;; axis a28 = 1 ;; axis a29 = 1 ;; axis a30 = 1 ;; axis a31 = 1 ;; axis a32 = 1 ;; axis a33 = 1 ;; axis a34 = 1 ;; axis a35 = 1 ;; axis a36 = 1 ;; axis a37 = 1 ;; axis a38 = 1 ;; axis a39 = 1 ;; axis a40 = 1 ;; axis a41 = 1 ;; axis a42 = 1 ;; axis a43 = 1 ;; axis a44 = 1 ;; axis a45 = 1 ;; axis a46 = 1 ;; axis a47 = 1 ;; axis a48 = 1 ;; axis a49 = 1 ;; axis a50 = 1 ;; axis a51 = 1 ;; axis a52 = 1 ;; axis a53 = 1 ;; axis a54 = 1 ;; axis a55 = 1 ;; axis a56 = 1 ;; axis a57 = 1 ;; axis a58 = 1 ;; axis a59 = 1 ;; axis a60 = 1 ;; axis a61 = 1 ;; axis a62 = 1 ;; axis a63 = 1 ;; axis a64 = 1 ;; axis a65 = 1 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 65:6: axis a65: a program has at most 64 axes
# MISTAKE: program @p() { ;; %y = constant [1,2
# EXPECT: 2:15: constant: the list is not closed
# MISTAKE: stage kernels ;; program @p(%x: f64[]) { ;; %y = kernel form=map, at=[result] { ;; %c = scan length=1, carry(%a = %x), at=[result] { ;; yield carry(%a) ;; } : f64[] ;; yield %c ;; } : f64[] ;; return %y ;; }
# EXPECT: 4:6: scan may not stand in a kernel
