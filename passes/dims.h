/* dims.h: which dims run together.
 *
 * Owns two questions that several passes ask.  Of one node: which dims of its
 * operands and results are walked by one index (dims_labels.c)?  Of a loop:
 * which dims of all its values belong to one class, and does anything in the
 * loop work across them (dims.c)?  Comes in: a program before the kernels
 * stage.  Nothing is made. */
#ifndef LOCKSTEP_PASSES_DIMS_H
#define LOCKSTEP_PASSES_DIMS_H

#include "../ir/ir.h"

/* What a node does along the dims that carry one label. */
typedef enum DimRole {
  DIM_PARALLEL, /* the same index in, the same index out */
  DIM_SUMMED,   /* gone from the result, by a sum: reduce_sum, einsum */
  DIM_REDUCED,  /* gone from the result otherwise: reduce_max, argmin */
  DIM_MIXED     /* elements move or depend on their neighbours */
} DimRole;

/* A port is an operand, or a result: those follow the operands.  Dims of one
 * label have one size. */
typedef struct DimLabels {
  int n_ports, n_labels, n_dims;
  int *first;          /* by port: of its dims in `label` */
  int *label;          /* by dim of a port */
  unsigned char *role; /* by label: a DimRole */
  int port_room, dim_room;
} DimLabels;

/* Any node without bodies; the lists are reused from call to call.  False: no
 * memory. */
bool pass_dim_labels(DimLabels *labels, const Node *node);
void pass_dim_labels_free(DimLabels *labels);

/* Of a scan or while, with all that is inside of it.  Values from outside are
 * looked at use by use: each use has dims of its own. */
typedef struct DimClasses {
  const Program *program;
  const Node *loop;
  int n, room;
  int *parent;          /* union-find over (value, dim) and (use, dim) */
  int64_t *size;        /* of the dim */
  unsigned char *roles; /* by root: bit r, if a node plays role r along it */
  int *values;          /* by value id: its first dim; -1: from outside */
  int *uses;            /* by node id: the first dim of operand 0 */
  int *yields;          /* by node id and number of the body */
  DimLabels labels;
} DimClasses;

bool pass_dims_begin(DimClasses *classes, const Node *loop);
void pass_dims_end(DimClasses *classes);

/* The class of a dim, as a number below classes->n. */
int pass_dims_class(DimClasses *classes, int dim);
/* The first dim of a value (-1: from outside), of an operand, of a yield of
 * body b of node; the others follow. */
int pass_dims_value(const DimClasses *classes, const Value *value);
int pass_dims_use(const DimClasses *classes, const Node *node, int operand);
int pass_dims_yield(const DimClasses *classes, const Node *node, int b, int i);
static inline bool pass_dims_plays(DimClasses *classes, int dim, DimRole role) {
  return classes->roles[pass_dims_class(classes, dim)] >> role & 1;
}

/* The dim d of n from `first` on that is of a class; -1: none, -2: several. */
int pass_dims_within(DimClasses *classes, int first, int n, int class);

#endif
