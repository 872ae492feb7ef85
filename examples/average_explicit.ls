# average.ls with the device dim written out: no axis, a sum over dim 0.
size m = 64
size steps = 1000

program @average() {
  %seed = random_key seed=0 : u32[2]
  %keys = random_split %seed, count=8
  %noise = random_uniform %keys, low=-0.1, high=0.1, batch=1 : f64[8,m,m]
  %tenth = constant 0.1 : f64[]
  %small = mul %tenth, %noise
  %row = iota dim=0 : i32[m,m]
  %column = iota dim=1 : i32[m,m]
  %diagonal = compare %row, %column, op=eq
  %identity = convert %diagonal : f64[m,m]
  %J = add %small, %identity
  %y0 = random_uniform %keys, batch=1 : f64[8,m,1]

  %eps = constant 1e-06 : f64[]
  %y = scan length=steps, carry(%c = %y0) {
    %Jc = einsum %J, %c, spec="dmn,dni->dmi"
    %d = mul %eps, %Jc
    %u = reduce_sum %d, dims=[0]
    %n = add %c, %u
    yield carry(%n)
  }
  return %y
}
