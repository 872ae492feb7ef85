# Functions, element by element: f64.
size n = 1000
size steps = 10

program @chain(%x0: f64[n]) {
  %half = constant 0.5 : f64[]
  %xn = scan length=steps, carry(%x = %x0) {
    %t = tanh %x
    %xx = mul %x, %x
    %down = neg %xx
    %bell = exp %down
    %tb = mul %t, %bell
    %s = sin %x
    %hs = mul %half, %s
    %next = add %tb, %hs
    yield carry(%next)
  }
  return %xn
}
