# A second-order filter in transposed direct form.
size T = 100

program @iir(%signal: f64[T]) {
  %rest = constant 0 : f64[]
  %g0 = constant 0.2 : f64[]
  %g1 = constant 0.3 : f64[]
  %f1 = constant 1.2 : f64[]
  %f2 = constant 0.5 : f64[]
  %u_T, %v_T, %filtered = scan carry(%u = %rest, %v = %rest), xs(%x = %signal) {
    %now = mul %g0, %x
    %out = add %now, %u
    %first = mul %g1, %x
    %back1 = mul %f1, %out
    %sum = add %first, %back1
    %un = add %sum, %v
    %back2 = mul %f2, %out
    %vn = sub %now, %back2
    yield carry(%un, %vn), ys(%out)
  }
  return %filtered
}
