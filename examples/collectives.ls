# The collectives over 0..11: on 4 devices, then on 2 hosts of 3 cores each.
axis devices = 4
axis hosts = 2
axis cores = 3

program @collectives() {
  %x = iota dim=0 : f64[12]

  %rows = reshape %x : f64[4,3]
  %shard = map %rows, axis=devices, dim=0
  %local = reduce_sum %shard
  %three = constant 3 : f64[]
  %own = div %local, %three
  %top = reduce_max %shard
  %bottom = reduce_min %shard
  %sum = psum %local, axis=devices : f64[]
  %mean = pmean %own, axis=devices : f64[]
  %max = pmax %top, axis=devices : f64[]
  %min = pmin %bottom, axis=devices : f64[]
  %gathered = all_gather %shard, axis=devices, tiled=true : f64[12]

  %grid = reshape %x : f64[2,3,2]
  %host = map %grid, axis=hosts, dim=0
  %core = map %host, axis=cores, dim=0
  %pair = reduce_sum %core
  %by_host = psum %pair, axis=cores : f64[]{hosts}
  %all = psum %pair, axis=[hosts,cores] : f64[]
  return %sum as psum, %mean as pmean, %max as pmax, %min as pmin, %gathered as all_gather, %by_host, %all
}
