/* whole.h: what whole.c and whole_loops.c share. */
#ifndef LOCKSTEP_CODEGEN_WHOLE_H
#define LOCKSTEP_CODEGEN_WHOLE_H

#include "emit.h"

/* A kernel of form=call, its node, and where the kernel's results lie. */
typedef struct Whole {
  const Node *kernel, *node;
  const Buffer *outputs;
} Whole;

typedef void WholeEmitter(Gen *gen, const Whole *whole);
WholeEmitter emit_cumulative, emit_scatter_add;

/* The first of the kernel's results that is this one of the node; -1: none. */
int whole_output(const Whole *whole, int result);

#endif
