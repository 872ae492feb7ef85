/* raise.h: what the files of the pass raise share.  The essay is in raise.c. */
#ifndef LOCKSTEP_PASSES_RAISE_H
#define LOCKSTEP_PASSES_RAISE_H

#include "dims.h"
#include "pass.h"

/* A class of dims of a loop that is to become an axis. */
typedef struct Lift {
  Copier copier;
  const Options *options;
  DimClasses *classes;
  const Node *loop;
  const bool *used; /* by value id: is it used at all? */
  int class;
  int axis;
  bool refused; /* a value has two dims of the class */

  Block *outside; /* where the loop is made; NULL: not in it */
  Value **kept;   /* by value id: an outer value with its dim as an axis */
  int *kept_dim;
} Lift;

/* raise_lift.c: a copy of classes->program, with axes found anew, in which the
 * dims of the class are an axis inside of the loop.  axis: one of the program,
 * or n_axes: a new one is declared, of that name.  NULL: cannot be, or no
 * memory (*no_memory). */
Program *raise_lift(Lift *lift, const char *name, bool *no_memory);

/* raise_attrs.c: attributes and type of a node for operands and results that
 * lack dims.  dropped[i]: of operand i, then of result 0; -1: none. */
int raise_attrs(Program *arena, const Node *node, const int *dropped,
                Attr *attrs);
Type raise_type(Program *arena, Type type, int dropped);

#endif
