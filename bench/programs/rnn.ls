# A recurrent cell over a batch of sequences.
size T = 8
size B = 4
size H = 16

program @rnn(%xs: f32[T,B,H], %W: f32[H,H], %U: f32[H,H], %bias: f32[H],
             %h0: f32[B,H]) {
  %h_T = scan carry(%h = %h0), xs(%x = %xs) {
    %in = einsum %x, %W, spec="bi,ih->bh"
    %back = einsum %h, %U, spec="bi,ih->bh"
    %both = add %in, %back
    %a = add %both, %bias
    %n = tanh %a
    yield carry(%n)
  }
  return %h_T
}
