# Axes, groups, pairs, divisibility: op, operand, sizes, the axes in scope.
# RUN: %mistakes %s
axis rows = 4
axis cols = 2
size m = 64
program @wrong(%x: f64[3,4], %v: f64[4]{rows}, %a: f64[], %y: f64[8,3]{rows,cols}, %c: f64[2]{cols}) {
  %r = MISTAKE
  return %r
}
# MISTAKE: psum %v, axis=row
# EXPECT: 22: psum: axis: no axis is called row; did you mean rows? axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=Rows
# EXPECT: 22: psum: axis: no axis is called Rows; did you mean rows? axes in scope: rows = 4, cols = 2
# MISTAKE: pmean %v, axis=depth
# EXPECT: 23: pmean: axis: no axis is called depth; axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=m
# EXPECT: 22: psum: axis: m is a size, not an axis; axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v
# EXPECT: 8: psum: needs axis=... (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=[]
# EXPECT: 23: psum: axis: expected the name of an axis, found ]; axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=3
# EXPECT: 22: psum: axis: expected the name of an axis, found 3; axes in scope: rows = 4, cols = 2
# MISTAKE: pmax %v, axis="rows"
# EXPECT: 22: pmax: axis: expected the name of an axis, found "rows"; axes in scope: rows = 4, cols = 2
# MISTAKE: pmin %v, axis=[rows,cols,rows]
# EXPECT: 33: pmin: axis: axis rows is given twice; axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %v, axis=[rows,clos]
# EXPECT: 34: all_gather: axis: no axis is called clos; did you mean cols? axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[[0,1],[1,2]]
# EXPECT: 8: psum: groups name device 1 twice (axis rows) (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[[0,1],[3]]
# EXPECT: 8: psum: groups leave out device 2 of axis rows = 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=[rows,cols], groups=[[0,1,2,3],[4,5,6]]
# EXPECT: 8: psum: groups leave out device 7 of axis rows,cols = 8 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[[0,1],[]]
# EXPECT: 8: psum: groups have an empty group (axis rows) (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[]
# EXPECT: 8: psum: groups leave out device 0 of axis rows = 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[[0,1],[2,9]]
# EXPECT: 8: psum: groups name device 9; axis rows has 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, axis=rows, groups=[[0,1],[2,-1]]
# EXPECT: 8: psum: groups name device -1; axis rows has 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum %v, %v, axis=rows
# EXPECT: 8: psum: takes 1 operand, not 2 (operands %v: f64[4]{rows}, %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum axis=rows
# EXPECT: 8: psum: takes 1 operand, not 0; axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %v, axis=rows, dim=2
# EXPECT: 8: all_gather: dim=2 is out of range for rank 2 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %v, axis=rows, dim=-3
# EXPECT: 8: all_gather: dim=-3 is out of range for rank 2 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %v, axis=rows, dim=1, tiled=true
# EXPECT: 8: all_gather: dim=1 is out of range for rank 1 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %a, axis=rows, tiled=true
# EXPECT: 8: all_gather: a scalar has no dim 0 (operand %a: f64[]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_gather %v, axis=rows, groups=[[0,1,2],[3]]
# EXPECT: 8: all_gather: groups of 3 and of 1 devices; they must be of one size (axis rows) (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %x, axis=rows
# EXPECT: 8: psum_scatter: dim 0 has size 3; axis rows has 4 devices (tiled=true takes multiples) (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %y, axis=rows, dim=1
# EXPECT: 8: psum_scatter: dim 1 has size 3; axis rows has 4 devices (tiled=true takes multiples) (operand %y: f64[8,3]{rows,cols}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %x, axis=cols, tiled=true
# EXPECT: 8: psum_scatter: dim 0 of size 3 is not a multiple of the 2 devices of axis cols (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %y, axis=[rows,cols], dim=1, tiled=true
# EXPECT: 8: psum_scatter: dim 1 of size 3 is not a multiple of the 8 devices of axis rows,cols (operand %y: f64[8,3]{rows,cols}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %a, axis=cols
# EXPECT: 8: psum_scatter: a scalar has no dim 0 (operand %a: f64[]); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %v, axis=rows, dim=1
# EXPECT: 8: psum_scatter: dim=1 is out of range for rank 1 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: psum_scatter %y, axis=rows, tiled=true, groups=[[0],[1,2,3]]
# EXPECT: 8: psum_scatter: groups of 1 and of 3 devices; they must be of one size (axis rows) (operand %y: f64[8,3]{rows,cols}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows, pairs=[[0,1],[0,2]]
# EXPECT: 8: ppermute: device 0 is the source of two pairs (axis rows) (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows, pairs=[[0,1],[2,1]]
# EXPECT: 8: ppermute: device 1 is the target of two pairs (axis rows) (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows, pairs=[[0,4]]
# EXPECT: 8: ppermute: target 4 is not a device of axis rows = 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows, pairs=[[-1,0]]
# EXPECT: 8: ppermute: source -1 is not a device of axis rows = 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows, pairs=[[0,1,2]]
# EXPECT: 8: ppermute: pairs has an entry of 3 numbers; each is [source,target] (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: ppermute %v, axis=rows
# EXPECT: 8: ppermute: needs pairs=... (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %x, axis=cols, split=0, concat=0
# EXPECT: 8: all_to_all: dim 0 has size 3; axis cols has 2 devices (tiled=true takes multiples) (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %x, axis=cols, split=0, concat=0, tiled=true
# EXPECT: 8: all_to_all: dim 0 of size 3 is not a multiple of the 2 devices of axis cols (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %x, axis=cols, split=5, concat=0
# EXPECT: 8: all_to_all: split=5 is out of range for rank 2 (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %x, axis=rows, split=1, concat=2
# EXPECT: 8: all_to_all: concat=2 is out of range for rank 2 (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %x, axis=rows, split=1
# EXPECT: 8: all_to_all: needs concat=... (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: all_to_all %c, axis=cols, split=0, concat=0, groups=[[0],[1],[0]]
# EXPECT: 8: all_to_all: groups name device 0 twice (axis cols) (operand %c: f64[2]{cols}); axes in scope: rows = 4, cols = 2
# MISTAKE: pbroadcast %v, axis=rows, source=4
# EXPECT: 8: pbroadcast: source 4 is not a device of axis rows = 4 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: pbroadcast %v, axis=[rows,cols], source=8
# EXPECT: 8: pbroadcast: source 8 is not a device of axis rows,cols = 8 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: pbroadcast %v, axis=rows
# EXPECT: 8: pbroadcast: needs source=... (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: axis_index axis=row
# EXPECT: 24: axis_index: axis: no axis is called row; did you mean rows? axes in scope: rows = 4, cols = 2
# MISTAKE: axis_index %v, axis=rows
# EXPECT: 8: axis_index: takes 0 operands, not 1 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: axis_index
# EXPECT: 8: axis_index: needs axis=...; axes in scope: rows = 4, cols = 2
# MISTAKE: axis_size axis=rowz
# EXPECT: 23: axis_size: axis: no axis is called rowz; did you mean rows? axes in scope: rows = 4, cols = 2
# MISTAKE: map %x, axis=rows, dim=0
# EXPECT: 8: map: dim 0 has size 3; axis rows has 4 devices (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: map %x, axis=rows, dim=7
# EXPECT: 8: map: dim=7 is out of range for rank 2 (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: map %v, axis=rows, dim=0
# EXPECT: 8: map: the operand already varies over axis rows (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: map %x, axis=[rows,cols], dim=0
# EXPECT: 8: map: takes one axis, not 2 (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: map %a, axis=rows, dim=0
# EXPECT: 8: map: a scalar has no dim 0 (operand %a: f64[]); axes in scope: rows = 4, cols = 2
# MISTAKE: map %x
# EXPECT: 8: map: needs axis=... (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2
# MISTAKE: unmap %v, axis=rows, dim=4
# EXPECT: 8: unmap: dim=4 is out of range for rank 2 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
# MISTAKE: unmap %v, axis=[rows,cols]
# EXPECT: 8: unmap: takes one axis, not 2 (operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2
