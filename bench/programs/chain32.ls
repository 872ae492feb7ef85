# Functions, element by element: f32.
size n = 1000
size steps = 10

program @chain32(%x0: f32[n]) {
  %half = constant 0.5 : f32[]
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
