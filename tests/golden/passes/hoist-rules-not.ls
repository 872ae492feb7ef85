# What each rule asks for, missing: nothing leaves.
# RUN: %lockstep show %s >%t/before.ls
# RUN: %lockstep show --after=hoist %s | diff %t/before.ls -
# RUN: %lockstep explain --why-not=hoist %s | FileCheck %s
axis devices = 8

program @rules(%J: f64[16,16]{devices}, %H: f64[16]{devices},
               %y0: f64[16]{devices}, %i: i32[]{devices},
               %f0: f32[16]{devices}, %k0: i32[16]{devices}) {
  %eps = constant 1e-04 : f64[]
  %one = constant 1 : f64[]
  # div by what changes
  # CHECK: %u0 = p{{[a-z]+}} stays in %r0 = scan
  %r0 = scan length=400, carry(%c = %y0) {
    %w = div %H, %c
    %u0 = psum %w, axis=devices
    %e = mul %u0, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # a product of what changes
  # CHECK: %u1 = p{{[a-z]+}} stays in %r1 = scan
  %r1 = scan length=400, carry(%c = %y0) {
    %w = mul %c, %c
    %u1 = psum %w, axis=devices
    %e = mul %u1, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # pad with a one
  # CHECK: %u2 = p{{[a-z]+}} stays in %r2 = scan
  %r2 = scan length=400, carry(%c = %y0) {
    %a = slice %c, start=[1], limit=[16]
    %w = pad %a, %one, low=[0], high=[1]
    %u2 = psum %w, axis=devices
    %e = mul %u2, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # take at varying places
  # CHECK: %u3 = p{{[a-z]+}} stays in %r3 = scan
  %r3 = scan length=400, carry(%c = %y0) {
    %j = broadcast %i, dims=[] : i32[16]
    %w = take %c, %j, dim=0
    %u3 = psum %w, axis=devices
    %e = mul %u3, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # dynamic_slice at a varying place
  # CHECK: %u4 = p{{[a-z]+}} stays in %r4 = scan
  %r4 = scan length=400, carry(%c = %y0) {
    %a = dynamic_slice %c, %i, sizes=[4]
    %w = broadcast %a, dims=[1] : f64[4,4]
    %v = reshape %w : f64[16]
    %u4 = psum %v, axis=devices
    %e = mul %u4, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # narrowing rounds
  # CHECK: %u5 = p{{[a-z]+}} stays in %r5 = scan
  %r5 = scan length=400, carry(%c = %y0) {
    %a = convert %c : f32[16]
    %w = convert %a : f64[16]
    %u5 = psum %w, axis=devices
    %e = mul %u5, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  # integers that are widened
  # CHECK: %u6 = p{{[a-z]+}} stays in %r6 = scan
  %r6 = scan length=400, carry(%c = %k0) {
    %a = mul %c, %k0
    %w = convert %a : i64[16]
    %u6 = psum %w, axis=devices
    %e = convert %u6 : i32[16]
    %n = sub %c, %e
    yield carry(%n)
  }
  # integers to floats
  # CHECK: %u7 = p{{[a-z]+}} stays in %r7 = scan
  %r7 = scan length=400, carry(%c = %k0) {
    %w = convert %c : f64[16]
    %u7 = psum %w, axis=devices
    %e = convert %u7 : i32[16]
    %n = sub %c, %e
    yield carry(%n)
  }
  # the smallest
  # CHECK: %u8 = p{{[a-z]+}} stays in %r8 = scan
  %r8 = scan length=400, carry(%c = %y0) {
    %w = mul %c, %H
    %u8 = pmin %w, axis=devices
    %n = sub %c, %u8
    yield carry(%n)
  }
  # cummax
  # CHECK: %u9 = p{{[a-z]+}} stays in %r9 = scan
  %r9 = scan length=400, carry(%c = %y0) {
    %w = cummax %c, dim=0
    %u9 = psum %w, axis=devices
    %e = mul %u9, %eps
    %n = sub %c, %e
    yield carry(%n)
  }
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9
}
