# One hidden layer trained on eight devices: each has its own samples, the
# gradients are averaged, momentum moves the weights.
size T = 10
size D = 8
size B = 16
size I = 8
size H = 16
axis devices = D

program @sgd(%X: f32[T,D,B,I], %t: f32[T,D,B], %W0: f32[I,H], %b0: f32[H],
             %w0: f32[H]) {
  %samples = map %X, axis=devices, dim=1
  %targets = map %t, axis=devices, dim=1
  %one = constant 1 : f32[]
  %half = constant 0.5 : f32[]
  %momentum = constant 0.9 : f32[]
  %rate = constant 0.05 : f32[]
  %count = constant B : f32[]
  %VW0 = constant 0 : f32[I,H]
  %Vb0 = constant 0 : f32[H]
  %Vw0 = constant 0 : f32[H]
  %WT, %bT, %wT, %VWT, %VbT, %VwT, %losses = scan
      carry(%W = %W0, %b = %b0, %w = %w0, %VW = %VW0, %Vb = %Vb0, %Vw = %Vw0),
      xs(%x = %samples, %y = %targets) {
    %xW = einsum %x, %W, spec="si,ih->sh"
    %a = add %xW, %b
    %h = tanh %a
    %guess = einsum %h, %w, spec="sh,h->s"
    %off = sub %guess, %y
    %off2 = mul %off, %off
    %total = reduce_sum %off2, dims=[0]
    %average = div %total, %count
    %mine = mul %half, %average
    %loss = pmean %mine, axis=devices
    %e = div %off, %count
    %gw = einsum %h, %e, spec="sh,s->h"
    %ew = einsum %e, %w, spec="s,h->sh"
    %h2 = mul %h, %h
    %slope = sub %one, %h2
    %back = mul %ew, %slope
    %gW = einsum %x, %back, spec="si,sh->ih"
    %gb = reduce_sum %back, dims=[0]
    %GW = pmean %gW, axis=devices
    %Gb = pmean %gb, axis=devices
    %Gw = pmean %gw, axis=devices
    %VW1 = mul %momentum, %VW
    %Vb1 = mul %momentum, %Vb
    %Vw1 = mul %momentum, %Vw
    %VWn = add %VW1, %GW
    %Vbn = add %Vb1, %Gb
    %Vwn = add %Vw1, %Gw
    %SW = mul %rate, %VWn
    %Sb = mul %rate, %Vbn
    %Sw = mul %rate, %Vwn
    %Wn = sub %W, %SW
    %bn = sub %b, %Sb
    %wn = sub %w, %Sw
    yield carry(%Wn, %bn, %wn, %VWn, %Vbn, %Vwn), ys(%loss)
  }
  return %WT, %bT, %wT, %losses
}
