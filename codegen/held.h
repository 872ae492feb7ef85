/* held.h: kernels of form=loop; shared by held.c, held_loop.c and
 * held_layout.c. */
#ifndef LOCKSTEP_CODEGEN_HELD_H
#define LOCKSTEP_CODEGEN_HELD_H

#include "emit.h"

typedef struct Fetched Fetched;
typedef struct Terms Terms;

/* How a value is held: vectors of `width` elements along lane_dim, or (-1)
 * single elements; parts are numbered row-major.  An array from outside has no
 * parts, but what was loaded of it. */
struct Held {
  int lane_dim, width;
  Ssa *parts;
  Fetched *fetched;
  const Node *kernel; /* that fetched it */
  int ready;          /* cycles after the carries; 0: it needs none */
  Terms *terms;       /* of a sum, in fast numerics */
};

/* held_layout.c: how each value of a scan is held. */
void held_choose(Gen *gen, const Node *scan);
void held_layout(Gen *gen, Type type, int lane_dim, Held *held);
/* held_sum.c: the terms of all sums of a scan; one element of such a sum. */
void held_order(Gen *gen, const Node *scan);
Ssa held_sum(Gen *gen, const Node *node, const Ix *ix);

/* The index of a part; read it with gen->lanes = held->width. */
void held_index(Gen *gen, const Held *held, Type type, int64_t part, Ix *ix);
/* Fill held->parts with a value's, however that is held. */
bool held_parts(Gen *gen, const Value *value, Held *held);
void held_store(Gen *gen, const Held *held, Type type, Buffer to);
/* What follows is emitted before the loop; back by going to the end of the
 * block that is returned. */
LLVMBasicBlockRef held_before_loop(Gen *gen);
Buffer held_memory(Gen *gen, Type type); /* in the stack */
/* Emit the parts of a node, laid out as gen->held has it. */
void held_node(Gen *gen, const Node *node);

#endif
