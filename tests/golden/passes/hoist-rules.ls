# Each rule of hoist_rules.c takes the sum out of its loop.
# RUN: %lockstep show --after=hoist %s | FileCheck %s
# RUN: %lockstep show --after=hoist %s >%t/once.ls
# RUN: %lockstep show --after=hoist %t/once.ls | diff %t/once.ls -
# RUN: %lockstep check %s J=random:1,-1,1 F=random:2,-1,1 H=random:3,-1,1 \
# RUN:   y0=random:4 x0=random:5 i=iota k0=iota
axis devices = 8
axis rows = 2

program @rules(%J: f64[16,16]{devices}, %F: f32[16,16]{devices},
               %H: f64[16]{devices}, %y0: f64[16]{devices}, %x0: f64[16],
               %i: i32[], %k0: i32[16]{devices}) {
  %eps = constant 1e-04 : f64[]
  %zero = constant 0 : f64[]
  # mul
  # CHECK: scan length=400, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r0 = scan length=400, carry(%c = %y0) {
    %w = mul %c, %H
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # div by what varies
  # CHECK: scan length=401, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r1 = scan length=401, carry(%c = %y0) {
    %w = div %c, %H
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # div by a number
  # CHECK: scan length=402, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r2 = scan length=402, carry(%c = %y0) {
    %two = constant 2 : f64[]
    %w0 = mul %c, %H
    %w = div %w0, %two
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # einsum of three
  # CHECK: scan length=403, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r3 = scan length=403, carry(%c = %y0) {
    %w = einsum %J, %c, %H, spec="mn,n,m->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # transpose, reduce_sum
  # CHECK: scan length=404, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r4 = scan length=404, carry(%c = %y0) {
    %a = mul %J, %eps
    %b = einsum %a, %c, spec="mn,n->mn"
    %t = transpose %b, perm=[1,0]
    %w = reduce_sum %t, dims=[1]
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # reshape, reverse
  # CHECK: scan length=405, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r5 = scan length=405, carry(%c = %y0) {
    %a = mul %c, %H
    %b = reshape %a : f64[4,4]
    %d = reverse %b, dims=[0]
    %w = reshape %d : f64[16]
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # slice, pad with zeros
  # CHECK: scan length=406, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r6 = scan length=406, carry(%c = %y0) {
    %a = slice %c, start=[1], limit=[16]
    %b = pad %a, %zero, low=[0], high=[1]
    %w = mul %b, %H
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # broadcast
  # CHECK: scan length=407, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r7 = scan length=407, carry(%c = %y0) {
    %a = broadcast %c, dims=[1] : f64[16,16]
    %b = mul %a, %J
    %w = reduce_sum %b, dims=[1]
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # convert, widening
  # CHECK: scan length=408, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r8 = scan length=408, carry(%c = %y0) {
    %a = convert %F : f64[16,16]
    %w = einsum %a, %c, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # cumsum
  # CHECK: scan length=409, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r9 = scan length=409, carry(%c = %y0) {
    %a = mul %c, %H
    %w = cumsum %a, dim=0
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # take and dynamic_slice, at shared places
  # CHECK: scan length=410, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r10 = scan length=410, carry(%c = %y0) {
    %p = iota dim=0 : i32[16]
    %a = take %c, %p, dim=0
    %b = dynamic_slice %a, %i, sizes=[16]
    %w = mul %b, %H
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # neg, sub
  # CHECK: scan length=411, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r11 = scan length=411, carry(%c = %y0) {
    %a = neg %c
    %b = mul %a, %H
    %w = sub %b, %H
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # an own factor on either side: they are multiplied first
  # CHECK: scan length=412, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r12 = scan length=412, carry(%c = %y0) {
    %a = mul %c, %H
    %w = einsum %J, %a, spec="mn,n->m"
    %u = psum %w, axis=devices
    %e = mul %u, %eps
    %n = add %c, %e
    yield carry(%n)
  }
  # all_gather of what does not change
  # CHECK: scan length=413, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r13 = scan length=413, carry(%c = %x0) {
    %g = all_gather %H, axis=devices
    %v = einsum %g, %c, spec="dm,m->m"
    %e = mul %v, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # pbroadcast
  # CHECK: scan length=414, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r14 = scan length=414, carry(%c = %y0) {
    %w = mul %c, %H
    %u = pbroadcast %w, axis=devices, source=3
    %e = mul %u, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # integers
  # CHECK: scan length=415, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r15 = scan length=415, carry(%c = %k0) {
    %w = mul %c, %k0
    %u = psum %w, axis=devices
    %n = add %c, %u
    yield carry(%n)
  }
  # a scan in a scan
  # CHECK: scan length=416, 
  # CHECK-NOT: psum
  # CHECK-NOT: all_gather
  # CHECK: yield carry(
  %r16 = scan length=416, carry(%c = %y0) {
    %m = scan length=7, carry(%x = %c) {
      %w = einsum %J, %x, spec="mn,n->m"
      %u = psum %w, axis=devices
      %e = mul %u, %eps
      %n2 = add %x, %e
      yield carry(%n2)
    }
    %n = sub %m, %eps
    yield carry(%n)
  }
  # CHECK: return
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16
}
