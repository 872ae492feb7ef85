# A square matrix times a wide one, and tanh, again and again: f32.
size m = 32
size n = 16
size steps = 10

program @gemm32(%A: f32[m,m], %Y0: f32[m,n]) {
  %Yn = scan length=steps, carry(%Y = %Y0) {
    %AY = einsum %A, %Y, spec="ik,kj->ij"
    %next = tanh %AY
    yield carry(%next)
  }
  return %Yn
}
