/* packed.h: a product while its packed kernel is emitted; shared by packed.c,
 * packed_tile.c and packed_panels.c. */
#ifndef LOCKSTEP_CODEGEN_PACKED_H
#define LOCKSTEP_CODEGEN_PACKED_H

#include "../passes/product.h"
#include "emit.h"

/* Indices [from, to) of a label. */
typedef struct Range {
  Ssa from, to;
} Range;

typedef struct Packed {
  Gen *gen;
  const Node *kernel, *einsum;
  const Buffer *outputs;
  PackedPart part;
  Product p;
  Blocks blocks; /* whole tiles of rows and columns */
  int rows;      /* of a tile */
  int vectors;   /* of columns in a tile */
  int panel;     /* columns in a tile */
  int64_t depth; /* of a packed block: the stride between panels, a column */
  Ssa left, right;
  Ssa tile;     /* rows x panel elements on the stack */
  Ix at[52];    /* where the loops are, by label */
  Range column; /* the block that is packed */
  Range row;
  Range sum; /* of the first sum */
} Packed;

/* A loop whose ends may be known at run time only; at least one trip. */
typedef struct Walk {
  Ssa index, limit;
  int64_t step;
  LLVMBasicBlockRef before, body;
  bool single;
} Walk;
void walk_begin(Gen *gen, Walk *walk, Ssa from, Ssa limit, int64_t step);
Ssa walk_phi(Gen *gen, Walk *walk, Ssa init);
void walk_end(Gen *gen, Walk *walk, Ssa *phis, Ssa *next, int n);
/* Two ways that meet again. */
typedef struct Fork {
  LLVMBasicBlockRef no, after;
} Fork;
void fork_begin(Gen *gen, Fork *fork, Ssa condition);
void fork_else(Gen *gen, Fork *fork);
void fork_end(Gen *gen, Fork *fork);

Ssa plus(Gen *gen, Ssa a, Ssa b);
Ssa minus(Gen *gen, Ssa a, Ssa b);
Ssa times(Gen *gen, Ssa a, int64_t b);
Ssa packed_at(Packed *packed, Ssa base, Ssa offset); /* in elements */

LLVMTypeRef packed_vector(Packed *packed); /* of one row */

Ssa packed_load(Packed *packed, LLVMTypeRef type, Ssa from);
void packed_store(Packed *packed, Ssa value, Ssa to);

/* Loops over all sums of the block; line: which line of a panel they are at. */
typedef struct Sums {
  Walk walks[52];
  Ssa line;
} Sums;
void sums_begin(Packed *packed, Sums *sums);
void sums_end(Packed *packed, Sums *sums);

/* Are the sums cut, so that a tile adds up in memory? */
static inline bool packed_in_blocks(const Packed *packed) {
  return packed->blocks.depth < packed->p.e.size[packed->p.sums[0]];
}

/* packed_tile.c */
void packed_tile(Packed *packed, Ssa row, Ssa column);

/* packed_panels.c */
void pack_right(Packed *packed);
void pack_left(Packed *packed);

#endif
