# The seed program over inputs: 1000 steps of y_d += sum over d of 1e-6 J_d y_d.
size m = 64
size steps = 1000
axis devices = 8

program @seed(%J: f64[m,m]{devices}, %y0: f64[m,1]{devices}) {
  %eps = constant 1e-06 : f64[]
  %y = scan length=steps, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,ni->mi"
    %d = mul %eps, %Jc
    %u = psum %d, axis=devices
    %n = add %c, %u
    yield carry(%n)
  }
  return %y
}
