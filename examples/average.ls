# 1000 steps of y += psum(1e-6 * J y), as each of 8 devices sees it.
# --size m=1024 makes it large.
size m = 64
size steps = 1000
axis devices = 8

program @average() {
  # every device draws its own J = 0.1 * uniform(-0.1, 0.1) + I, and its own y
  %seed = random_key seed=0 : u32[2]
  %keys = random_split %seed, count=8
  %key = map %keys, axis=devices, dim=0
  %noise = random_uniform %key, low=-0.1, high=0.1 : f64[m,m]
  %tenth = constant 0.1 : f64[]
  %small = mul %tenth, %noise
  %row = iota dim=0 : i32[m,m]
  %column = iota dim=1 : i32[m,m]
  %diagonal = compare %row, %column, op=eq
  %identity = convert %diagonal : f64[m,m]
  %J = add %small, %identity
  %y0 = random_uniform %key : f64[m,1]

  %eps = constant 1e-06 : f64[]
  %y = scan length=steps, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="mn,ni->mi"
    %d = mul %eps, %Jc
    %u = psum %d, axis=devices
    %n = add %c, %u
    yield carry(%n)
  }
  return %y
}
