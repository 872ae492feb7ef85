# Five operations a number: bound by memory unless the loops are interchanged.
size n = 1000
size steps = 10

program @cheap(%x0: f64[n]) {
  %a = constant 1.0001 : f64[]
  %b = constant 0.3 : f64[]
  %c = constant 0.2 : f64[]
  %xn = scan length=steps, carry(%x = %x0) {
    %ax = mul %a, %x
    %axb = add %ax, %b
    %xc = sub %x, %c
    %p = mul %axb, %xc
    %next = sub %p, %x
    yield carry(%next)
  }
  return %xn
}
