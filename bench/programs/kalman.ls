# A Kalman filter of four states and two measurements.
size T = 100

program @kalman(%zs: f64[T,2], %F: f64[4,4], %H: f64[2,4], %Q: f64[4,4],
                %R: f64[2,2], %x0: f64[4], %P0: f64[4,4]) {
  %x_T, %P_T, %states = scan carry(%x = %x0, %P = %P0), xs(%z = %zs) {
    # where the state is expected, and how surely
    %xe = einsum %F, %x, spec="ij,j->i"
    %FP = einsum %F, %P, spec="ij,jk->ik"
    %FPF = einsum %FP, %F, spec="ij,kj->ik"
    %Pe = add %FPF, %Q
    # the surprise's covariance S, inverted by hand
    %PH = einsum %Pe, %H, spec="ij,kj->ik"
    %HPH = einsum %H, %PH, spec="ij,jk->ik"
    %S = add %HPH, %R
    %s00 = slice %S, start=[0,0], limit=[1,1]
    %s01 = slice %S, start=[0,1], limit=[1,2]
    %s10 = slice %S, start=[1,0], limit=[2,1]
    %s11 = slice %S, start=[1,1], limit=[2,2]
    %n01 = neg %s01
    %n10 = neg %s10
    %row0 = concatenate %s11, %n01, dim=1
    %row1 = concatenate %n10, %s00, dim=1
    %cofactors = concatenate %row0, %row1, dim=0
    %main = mul %s00, %s11
    %other = mul %s01, %s10
    %det = sub %main, %other
    %inverse = div %cofactors, %det
    # what was measured moves the state
    %K = einsum %PH, %inverse, spec="ij,jk->ik"
    %Hx = einsum %H, %xe, spec="ij,j->i"
    %surprise = sub %z, %Hx
    %move = einsum %K, %surprise, spec="ij,j->i"
    %xn = add %xe, %move
    %known = einsum %K, %PH, spec="ij,kj->ik"
    %Pn = sub %Pe, %known
    yield carry(%xn, %Pn), ys(%xn)
  }
  return %P_T, %states
}
