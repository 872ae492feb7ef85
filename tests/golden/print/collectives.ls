# Every collective; attributes that are equal to their defaults go.
# RUN: %lockstep show %s | FileCheck %s
# RUN: %lockstep show %s > %t/1.ls && %lockstep show %t/1.ls | diff %t/1.ls -
axis a = 4
axis b = 2
program @collectives(%x: f64[4,3]{a}, %p: bool[]{a}, %i: i8[8]{a,b}, %m: f64[2,3]) {
  %psum = psum %x, axis=a
  %both = psum %i, axis=[b,a]
  %groups = psum %x, axis=a, groups=[[0,1],[2,3]]
  %count = psum %p, axis=a
  %pmean = pmean %i, axis=a
  %pmax = pmax %x, axis=a
  %pmin = pmin %x, axis=a
  %gather = all_gather %x, axis=a
  %stacked = all_gather %x, axis=a, dim=-1
  %tiled = all_gather %x, axis=a, dim=0, tiled=true
  %untiled = all_gather %x, axis=a, tiled=false, groups=[[0,2],[3,1]]
  %scatter = psum_scatter %x, axis=a
  %chunks = psum_scatter %i, axis=a, dim=0, tiled=true
  %ring = ppermute %x, axis=a, pairs=[[0,1],[1,2],[2,3],[3,0]]
  %nowhere = ppermute %x, axis=a, pairs=[]
  %exchange = all_to_all %x, axis=a, split=0, concat=1
  %swap = all_to_all %i, axis=a, split=0, concat=0, tiled=true
  %one = pbroadcast %x, axis=a, source=2
  %index = axis_index axis=a
  %pair = axis_index axis=[a,b]
  %size = axis_size axis=b
  %mapped = map %m, axis=b, dim=0
  %back = unmap %mapped, axis=b, dim=-1
  return %psum, %both, %groups, %stacked, %ring, %pair, %back
}
# CHECK: axis a = 4
# CHECK-NEXT: axis b = 2
# CHECK-EMPTY:
# CHECK-NEXT: program @collectives(%x: f64[4,3]{a}, %p: bool[]{a}, %i: i8[8]{a,b}, %m: f64[2,3]) {
# CHECK-NEXT: %psum = psum %x, axis=a : f64[4,3]
# CHECK-NEXT: %both = psum %i, axis=[b,a] : i8[8]
# CHECK-NEXT: %groups = psum %x, axis=a, groups={{\[\[}}0,1],[2,3]] : f64[4,3]{a}
# CHECK-NEXT: %count = psum %p, axis=a : i32[]
# CHECK-NEXT: %pmean = pmean %i, axis=a : f32[8]{b}
# CHECK-NEXT: %pmax = pmax %x, axis=a : f64[4,3]
# CHECK-NEXT: %pmin = pmin %x, axis=a : f64[4,3]
# CHECK-NEXT: %gather = all_gather %x, axis=a : f64[4,4,3]
# CHECK-NEXT: %stacked = all_gather %x, axis=a, dim=2 : f64[4,3,4]
# CHECK-NEXT: %tiled = all_gather %x, axis=a, tiled=true : f64[16,3]
# CHECK-NEXT: %untiled = all_gather %x, axis=a, groups={{\[\[}}0,2],[3,1]] : f64[2,4,3]{a}
# CHECK-NEXT: %scatter = psum_scatter %x, axis=a : f64[3]{a}
# CHECK-NEXT: %chunks = psum_scatter %i, axis=a, tiled=true : i8[2]{a,b}
# CHECK-NEXT: %ring = ppermute %x, axis=a, pairs={{\[\[}}0,1],[1,2],[2,3],[3,0]] : f64[4,3]{a}
# CHECK-NEXT: %nowhere = ppermute %x, axis=a, pairs=[] : f64[4,3]{a}
# CHECK-NEXT: %exchange = all_to_all %x, axis=a, split=0, concat=1 : f64[3,4]{a}
# CHECK-NEXT: %swap = all_to_all %i, axis=a, split=0, concat=0, tiled=true : i8[8]{a,b}
# CHECK-NEXT: %one = pbroadcast %x, axis=a, source=2 : f64[4,3]
# CHECK-NEXT: %index = axis_index axis=a : i32[]{a}
# CHECK-NEXT: %pair = axis_index axis=[a,b] : i32[]{a,b}
# CHECK-NEXT: %size = axis_size axis=b : i32[]
# CHECK-NEXT: %mapped = map %m, axis=b : f64[3]{b}
# CHECK-NEXT: %back = unmap %mapped, axis=b, dim=1 : f64[3,2]
# CHECK-NEXT: return %psum, %both, %groups, %stacked, %ring, %pair, %back
# CHECK-NEXT: }
