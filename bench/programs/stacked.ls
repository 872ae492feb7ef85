# A small linear recurrence; all states are kept.
size steps = 100

program @stacked(%A: f64[3,3], %x0: f64[3]) {
  %last, %states = scan length=steps, carry(%x = %x0) {
    %n = einsum %A, %x, spec="ij,j->i"
    yield carry(%n), ys(%n)
  }
  return %last, %states
}
