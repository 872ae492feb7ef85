/* blocks.h: `blocks`: its body runs for one part of a dim after another.
 *
 * Types inside are those of the whole arrays, so that taking the wrapper away
 * changes nothing but the order of the work.  What a block holds of a value
 * follows from the dim classes (dims.h) of the body: of a value that has a dim
 * in the class of the results' dim, one part; of any other, all. */
#ifndef LOCKSTEP_IR_BLOCKS_H
#define LOCKSTEP_IR_BLOCKS_H

#include "dims.h"

/* Which dim of result i is cut. */
int ir_blocks_dim(const Node *blocks, int i);
/* The size of that dim, and of the parts: the last may be shorter. */
int64_t ir_blocks_extent(const Node *blocks);
int64_t ir_blocks_size(const Node *blocks);
/* The classes of the body, and the number of the one that is cut.  NULL: no
 * memory, or no such class: the verifier refuses such a node. */
Dims *ir_blocks_classes(const Node *blocks, int *cut);
/* The blocks node in whose body `block` is; NULL: none. */
const Node *ir_blocks_around(const Block *block);

/* How a value inside of a body is cut, by value id; NULL tables: there are no
 * blocks in the program. */
typedef struct Extents {
  int *dim;      /* -1: not cut */
  int64_t *size; /* of a part */
} Extents;
bool ir_extents(const Program *program, Extents *extents); /* false: memory */
void ir_extents_free(Extents *extents);
/* Bytes that are held of a value where it is defined. */
int64_t ir_extent_bytes(const Extents *extents, const Value *value);

/* narrow.c.  The body as a program of its own, for a part of `extent` elements
 * along the cut dim.  Its parameters stand for captures[], values of the
 * program around; a parameter of a value that is cut has the part's type.
 * With inner=true the cut dim is the last of every value that has it: what
 * lies outside is then read and written with its dims turned likewise. */
typedef struct Narrowed {
  Program *program;
  const Value **captures; /* in program's arena: for each parameter */
  int *dim;               /* which dim of each capture is cut; -1: none */
} Narrowed;
/* Look at narrowed->program's error; NULL: no memory. */
void ir_narrow(const Node *blocks, int64_t extent, Narrowed *narrowed);
/* May the cut dim become the last everywhere?  Where an op has its batch dims
 * first it may not. */
bool ir_may_turn(const Block *body, Dims *dims, int cut);

#endif
