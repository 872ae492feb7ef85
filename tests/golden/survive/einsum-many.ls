# 10 small operands are planned in milliseconds; so are 20 (they have 34 million
# orders, and 8 * 10^21).
# RUN: timeout 60 %lockstep check %s a=random:1 b=random:2
# RUN: timeout 60 %lockstep show %s --after=contract | FileCheck %s
program @p(%a: f64[2,3], %b: f64[3,2]) {
  %x = einsum %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, spec="ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak"
  %y = einsum %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, spec="ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm,mn,no,op,pq,qr,rs,st,tu->au"
  %z = einsum %a, %b, %a, %b, %a, %b, %a, %b, %a, %b, spec="ab,bc,cb,ba,ab,bc,cb,ba,ab,ba->"
  return %x, %y, %z
}
# CHECK: %x = einsum %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, spec=
# CHECK-NOT: einsum %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %
