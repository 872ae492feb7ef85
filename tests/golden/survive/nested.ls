# Scans nested 12 deep: no exponential tracing, whatever a carry turns out to vary
# over; 64 deep is the most.  Two steps each: 4096 additions in the innermost.
# RUN: timeout 100 %lockstep run %s x=ones y=ones | FileCheck %s
# RUN: timeout 100 %lockstep check %s x=ones y=ones
axis a = 2
axis b = 3
program @p(%x: f64[2], %y: f64[2]{a,b}) {
  %r0 = scan length=2, carry(%c0 = %x) {
    %r1 = scan length=2, carry(%c1 = %c0) {
      %r2 = scan length=2, carry(%c2 = %c1) {
        %r3 = scan length=2, carry(%c3 = %c2) {
          %r4 = scan length=2, carry(%c4 = %c3) {
            %r5 = scan length=2, carry(%c5 = %c4) {
              %r6 = scan length=2, carry(%c6 = %c5) {
                %r7 = scan length=2, carry(%c7 = %c6) {
                  %r8 = scan length=2, carry(%c8 = %c7) {
                    %r9 = scan length=2, carry(%c9 = %c8) {
                      %r10 = scan length=2, carry(%c10 = %c9) {
                        %r11 = scan length=2, carry(%c11 = %c10) {
                          %s = psum %y, axis=a
                          %n = add %c11, %s
                          yield carry(%n)
                        }
                        yield carry(%r11)
                      }
                      yield carry(%r10)
                    }
                    yield carry(%r9)
                  }
                  yield carry(%r8)
                }
                yield carry(%r7)
              }
              yield carry(%r6)
            }
            yield carry(%r5)
          }
          yield carry(%r4)
        }
        yield carry(%r3)
      }
      yield carry(%r2)
    }
    yield carry(%r1)
  }
  return %r0
}
# CHECK: r0: f64[{{2|3,2}}]
# CHECK-NEXT: {{.*}}[8193, 8193],
# CHECK-NEXT: {{.*}}[8193, 8193],
