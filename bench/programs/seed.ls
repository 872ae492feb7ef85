# Eight devices, each with its own matrix, add one common increment to their
# own vectors.
size D = 8
size m = 64
size steps = 100
axis devices = D

program @seed(%J: f64[m,m]{devices}, %y0: f64[m,1]{devices}) {
  %eps = constant 1e-06 : f64[]
  %yn = scan length=steps, carry(%y = %y0) {
    %Jy = einsum %J, %y, spec="mn,ni->mi"
    %own = mul %eps, %Jy
    %all = psum %own, axis=devices
    %next = add %y, %all
    yield carry(%next)
  }
  return %yn
}
