# Heat on a ring that is cut into eight blocks; neighbours swap their ends.
axis blocks = 8
size n = 64
size steps = 10

program @ring(%u0: f64[n]{blocks}) {
  %k = constant 0.25 : f64[]
  %two = constant 2 : f64[]
  %un = scan length=steps, carry(%u = %u0) {
    %first = slice %u, start=[0], limit=[1]
    %last = slice %u, start=[n-1], limit=[n]
    %west = ppermute %last, axis=blocks, pairs=[[0,1],[1,2],[2,3],[3,4],[4,5],[5,6],[6,7],[7,0]]
    %east = ppermute %first, axis=blocks, pairs=[[0,7],[1,0],[2,1],[3,2],[4,3],[5,4],[6,5],[7,6]]
    %most = slice %u, start=[0], limit=[n-1]
    %rest = slice %u, start=[1], limit=[n]
    %left = concatenate %west, %most, dim=0
    %right = concatenate %rest, %east, dim=0
    %uu = mul %two, %u
    %l = sub %left, %uu
    %bend = add %l, %right
    %kb = mul %k, %bend
    %next = add %u, %kb
    yield carry(%next)
  }
  return %un
}
