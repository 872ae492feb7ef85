# A square matrix times a wide one, and tanh, again and again: f64.
size m = 32
size n = 16
size steps = 10

program @gemm(%A: f64[m,m], %Y0: f64[m,n]) {
  %Yn = scan length=steps, carry(%Y = %Y0) {
    %AY = einsum %A, %Y, spec="ik,kj->ij"
    %next = tanh %AY
    yield carry(%next)
  }
  return %Yn
}
