# The arrays that seed.ls and seed_by_hand.c start from.
size m = 64
program @inputs() {
  %seed = random_key seed=0 : u32[2]
  %J = random_uniform %seed, low=-0.01, high=0.01 : f64[8,m,m]
  %y0 = random_uniform %seed : f64[8,m,1]
  return %J, %y0
}
