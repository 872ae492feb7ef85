# Constants of constants, with the bits that the machine would give.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
program @fold(%x: f64[4]) {
  %two = constant 2 : f64[]
  %three = constant 3 : f64[]
  %six = mul %two, %three
  %nan = constant nan : f64[2]
  %one = constant 1 : f64[2]
  %max = max %nan, %one
  %min8 = constant -128 : i8[]
  %minus = constant -1 : i8[]
  %wraps = div %min8, %minus
  %zero = constant 0 : i32[3]
  %seven = constant [7,8,9] : i32[3]
  %ones = div %seven, %zero
  %big = constant 300.7 : f64[]
  %cut = convert %big : i8[]
  %half = constant 1 : f32[]
  %bits = bitcast %half : u32[]
  # views
  %table = constant [[1,2,3],[4,5,6]] : i32[2,3]
  %turned = transpose %table, perm=[1,0]
  %row = slice %table, start=[1,0], limit=[2,3], stride=[1,2]
  %back = reverse %seven, dims=[0]
  %both = concatenate %seven, %back, dim=0
  %nil = constant 0 : i32[]
  %padded = pad %seven, %nil, low=[1], high=[0], interior=[1]
  # a splat is one value whatever its size
  %wide = constant 2 : f32[1000,1000]
  %roots = sqrt %wide
  # sums of integers and orders of anything
  %sum = reduce_sum %table, dims=[1]
  %most = reduce_max %table
  # a literal of equal elements
  %same = constant [5,5,5] : f32[3]
  # nothing has no elements
  %none = slice %x, start=[2], limit=[2]
  %nothing = neg %none
  # not: what is no constant, sums of floats, more than 4096 elements
  %terms = constant [0.1,0.2,0.3] : f64[3]
  %order = reduce_sum %terms
  %spread = broadcast %terms, dims=[0] : f64[3,2000]
  return %six, %max, %wraps, %ones, %cut, %bits, %turned, %row, %both, %padded, %roots, %sum, %most, %same, %nothing, %order, %spread
}

# CHECK: program @fold
# CHECK-NEXT: %six = constant 6 : f64[]
# CHECK-NEXT: %nan = constant nan : f64[2]
# CHECK-NEXT: %min8 = constant -128 : i8[]
# CHECK-NEXT: %ones = constant -1 : i32[3]
# CHECK-NEXT: %cut = constant 127 : i8[]
# CHECK-NEXT: %bits = constant 1065353216 : u32[]
# CHECK-NEXT: %turned = constant {{\[\[}}1,4],[2,5],[3,6]] : i32[3,2]
# CHECK-NEXT: %row = constant {{\[\[}}4,6]] : i32[1,2]
# CHECK-NEXT: %both = constant [7,8,9,9,8,7] : i32[6]
# CHECK-NEXT: %padded = constant [0,7,0,8,0,9] : i32[6]
# CHECK-NEXT: %roots = constant 1.4142135 : f32[1000,1000]
# CHECK-NEXT: %sum = constant [6,15] : i32[2]
# CHECK-NEXT: %most = constant 6 : i32[]
# CHECK-NEXT: %same = constant 5 : f32[3]
# CHECK-NEXT: %none = constant 0 : f64[0]
# CHECK-NEXT: %terms = constant [0.1,0.2,0.3] : f64[3]
# CHECK-NEXT: %order = reduce_sum %terms, dims=[0] : f64[]
# CHECK-NEXT: %spread = broadcast %terms, dims=[0] : f64[3,2000]
# CHECK-NEXT: return %six, %nan as max, %min8 as wraps, %ones, %cut, %bits, %turned, %row, %both, %padded, %roots, %sum, %most, %same, %none as nothing, %order, %spread
# CHECK-NEXT: }
