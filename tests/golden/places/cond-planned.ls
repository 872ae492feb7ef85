# A planned cond: the branches write the carry in place, the y where it is
# stacked, and %s in the arena.  One of them leaves the carry as it is.
# RUN: %lockstep show %s --after=plan | FileCheck %s
# RUN: %lockstep check %s x0=random:1,-1,1
stage kernels
program @branch(%x0: f64[8]) {
  %half = constant 0.5 : f64[]
  %x9, %ys, %ws = scan length=7, carry(%x = %x0), at=[result,result,result] {
    %q = kernel form=reduce, at=[0] {
      %q1 = reduce_sum %x
      %q2 = compare %q1, %half, op=lt
      yield %q2
    }
    %b = kernel form=map, at=[64] {
      %b1 = reverse %x, dims=[0]
      yield %b1
    }
    %xn, %y, %s = cond %q, at=[carry,ys,64] then {
      %xt, %yt = kernel form=map, at=[carry,ys] {
        %xt1 = add %x, %half
        yield %xt1, %b
      }
      %st = kernel form=map, at=[64] {
        %st1 = mul %b, %half
        yield %st1
      }
      yield %xt, %yt, %st
    } else {
      %xe = kernel form=map, at=[carry] {
        yield %x
      }
      %ye = kernel form=map, at=[ys] {
        %ye1 = mul %b, %half
        yield %ye1
      }
      %se = kernel form=map, at=[64] {
        %se1 = sub %b, %half
        yield %se1
      }
      yield %xe, %ye, %se
    }
    %w = kernel form=map, at=[ys] {
      %w1 = mul %s, %half
      yield %w1
    }
    yield carry(%xn), ys(%y, %w)
  }
  return %x9, %ys, %ws
}
# CHECK: %xn, %y, %s = cond %q, at=[carry,ys,64] then {
# CHECK: %xt, %yt = kernel form=map, at=[carry,ys] {
# CHECK: } else {
# CHECK: %xe = kernel form=map, at=[carry] {
