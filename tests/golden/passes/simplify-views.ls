# Views of views, and takes whose positions are known.
# RUN: %lockstep show --after=simplify %s | FileCheck %s
# RUN: %lockstep show --after=simplify --numerics=strict %s | FileCheck %s
program @views(%x: f32[8,6], %s: f32[], %i: i32[], %v: f32[6]) {
  %t = transpose %x, perm=[1,0]
  %tt = transpose %t, perm=[1,0]
  %r = reshape %x : f32[48]
  %rr = reshape %r : f32[8,6]
  %all = slice %x, start=[0,0], limit=[8,6]
  %rev = reverse %x, dims=[0]
  %revrev = reverse %rev, dims=[0]
  %zero = constant 0 : f32[]
  %pad = pad %x, %zero, low=[0,0], high=[0,0]
  %one = concatenate %x, dim=1
  %upper = slice %x, start=[0,0], limit=[3,6]
  %lower = slice %x, start=[3,0], limit=[8,6]
  %joined = concatenate %upper, %lower, dim=0
  # composed
  %s1 = slice %x, start=[1,0], limit=[8,6], stride=[2,1]
  %s2 = slice %s1, start=[1,2], limit=[4,6], stride=[2,1]
  %b1 = broadcast %v, dims=[1] : f32[8,6]
  %b2 = broadcast %b1, dims=[1,2] : f32[3,8,6]
  %halo = concatenate %v, %v, dim=0
  %part = slice %halo, start=[7], limit=[9]
  %crop = pad %x, %zero, low=[-1,0], high=[0,-2]
  %scalar = broadcast %s, dims=[] : f32[8,6]
  %scaled = mul %x, %scalar
  # positions that are known
  %three = constant 3 : i32[]
  %taken = take %x, %three, dim=0
  %range = constant [2,3,4] : i32[3]
  %some = take %x, %range, dim=1
  %beyond = constant [9] : i32[1]
  %clamped = take %x, %beyond, dim=0
  %down = constant [5,3,1] : i32[3]
  %stepped = take %v, %down, dim=0
  %window = dynamic_slice %v, %three, sizes=[4]
  # not: no range, not adjacent, positions not known, a half that is not there
  %odd = constant [0,1,3] : i32[3]
  %not_range = take %v, %odd, dim=0
  %not_joined = concatenate %lower, %upper, dim=0
  %not_known = dynamic_slice %v, %i, sizes=[4]
  %not_part = slice %halo, start=[5], limit=[7]
  return %tt as r0, %rr as r1, %all as r2, %revrev as r3, %pad as r4, %one as r5, %joined as r6, %s2, %b2, %part, %crop, %scaled, %taken, %some, %clamped, %stepped, %window, %not_range, %not_joined, %not_known, %not_part
}

# CHECK: program @views
# CHECK-NEXT: %upper = slice %x, start=[0,0], limit=[3,6] : f32[3,6]
# CHECK-NEXT: %lower = slice %x, start=[3,0], limit=[8,6] : f32[5,6]
# CHECK-NEXT: %s2 = slice %x, start=[3,2], limit=[8,6], stride=[4,1] : f32[2,4]
# CHECK-NEXT: %b2 = broadcast %v, dims=[2] : f32[3,8,6]
# CHECK-NEXT: %halo = concatenate %v, %v, dim=0 : f32[12]
# CHECK-NEXT: %part = slice %v, start=[1], limit=[3] : f32[2]
# CHECK-NEXT: %crop = slice %x, start=[1,0], limit=[8,4] : f32[7,4]
# CHECK-NEXT: %scaled = mul %x, %s : f32[8,6]
# CHECK-NEXT: [[V0:%[0-9]+]] = slice %x, start=[3,0], limit=[4,6] : f32[1,6]
# CHECK-NEXT: %taken = reshape [[V0]] : f32[6]
# CHECK-NEXT: %some = slice %x, start=[0,2], limit=[8,5] : f32[8,3]
# CHECK-NEXT: %clamped = slice %x, start=[7,0], limit=[8,6] : f32[1,6]
# CHECK-NEXT: [[V1:%[0-9]+]] = slice %v, start=[1], limit=[6], stride=[2] : f32[3]
# CHECK-NEXT: %stepped = reverse [[V1]], dims=[0] : f32[3]
# CHECK-NEXT: %window = slice %v, start=[2], limit=[6] : f32[4]
# CHECK-NEXT: %odd = constant [0,1,3] : i32[3]
# CHECK-NEXT: %not_range = take %v, %odd, dim=0 : f32[3]
# CHECK-NEXT: %not_joined = concatenate %lower, %upper, dim=0 : f32[8,6]
# CHECK-NEXT: %not_known = dynamic_slice %v, %i, sizes=[4] : f32[4]
# CHECK-NEXT: %not_part = slice %halo, start=[5], limit=[7] : f32[2]
# CHECK-NEXT: return %x as r0, %x as r1, %x as r2, %x as r3, %x as r4, %x as r5, %x as r6, %s2, %b2, %part, %crop, %scaled, %taken, %some, %clamped, %stepped, %window, %not_range, %not_joined, %not_known, %not_part
# CHECK-NEXT: }
