/* dims.h: dim classes: which dims of which values run together.
 *
 * Owns: the classes of (value, dim) in a region of a program, and whether one
 * is independent.  Comes in: nodes.  Goes out: classes, and what mixes them.
 *
 * Two dims are in one class if element i along one is made from element i along
 * the other: the dims of what an add joins, the batch label of an einsum, a
 * carry from step to step.  A class is *mixed* if somewhere an element is made
 * from others along the dim, or knows its own position: a sum, a slice, a
 * reverse, an iota.  Where a class is not mixed and no value has two dims in
 * it, the region may run for one part of the dim after another.
 *
 * Example: in  d = einsum(A, x), "ij,bj->bi";  y = add(d, c)  the class of b is
 * {x.0, d.0, c.0, y.0}, not mixed; i is {A.0, d.1, c.1, y.1}; j is {A.1, x.1},
 * mixed by the einsum.  If y is carried to x, i and j are one class, mixed, and
 * A has two dims in it.
 *
 * Rules are in dims_rules.c, one small function a kind of op. */
#ifndef LOCKSTEP_IR_DIMS_H
#define LOCKSTEP_IR_DIMS_H

#include "ir.h"

typedef struct Dims Dims;

/* What mixes a class; why: "sums over it". */
typedef struct DimMixer {
  const Node *node; /* NULL: nothing does */
  const char *why;
} DimMixer;

Dims *ir_dims_create(void); /* NULL: no memory */
void ir_dims_destroy(Dims *dims);
/* Take in a node with its bodies, or all nodes of a block. */
void ir_dims_add_node(Dims *dims, const Node *node);
void ir_dims_add_block(Dims *dims, const Block *block);
bool ir_dims_failed(const Dims *dims); /* memory ran out */

/* The class of a dim, a number; numbers change as nodes and joins come in. */
int ir_dims_class(Dims *dims, const Value *value, int dim);
DimMixer ir_dims_mixer(Dims *dims, int number);
/* The dim of value that is in the class; -1: none, or it is not known. */
int ir_dims_of(Dims *dims, const Value *value, int number);
/* A value that has two dims in the class; NULL: none. */
const Value *ir_dims_twice(Dims *dims, int number);
/* All values that came in, in order. */
int ir_dims_count(const Dims *dims);
const Value *ir_dims_value(const Dims *dims, int i);

/* For rules: dims i and k are one class; dim is mixed by node. */
void ir_dims_join(Dims *dims, const Value *a, int i, const Value *b, int k);
void ir_dims_mix(Dims *dims, const Value *value, int dim, const Node *node,
                 const char *why);
/* dims_rules.c: what a node joins and mixes, its bodies apart. */
void ir_dims_rule(Dims *dims, const Node *node);

#endif
