/* places.h: what the files of the places verifier share.
 *
 * places.c         walks the program with the set of live ranges
 * places_uses.c    which node reads a value last
 * places_names.c   how messages call things
 * places_form.c    what an `at` may say, and which yields it has to serve
 * places_kernel.c  what may happen inside one kernel
 * places_team.c    where the threads of a team have to meet */
#ifndef LOCKSTEP_IR_PLACES_H
#define LOCKSTEP_IR_PLACES_H

#include "blocks.h"
#include "text.h"

/* Memory comes in spaces: the arena, and one for the buffer of each result of
 * the program.  A range is [start, end) in one of them. */
enum { ARENA_SPACE = 0, FIRST_RESULT_SPACE = 1, PLACE_ALIGN = 64 };
typedef struct Range {
  int space;
  int64_t start, end;
} Range;

/* A value, or the number of a carry, that lies somewhere. */
typedef struct Live {
  Range range;
  const Value *value;
  bool held; /* in the set */
} Live;

typedef struct Places {
  Program *program;
  int n_planned; /* nodes with an `at` */
  /* By value id. */
  int *slot;       /* which yield of its block it is; -1: none */
  int *last;       /* index in its block of the node that reads it last;
                      n_nodes: it is yielded; -1: never read */
  int *first_live; /* its entries in lives */
  int *n_live;
  int *next_dying; /* the next value that dies after the same node */
  unsigned *mark;  /* for ir_reads_where_written and ir_places_sync */
  /* By node id. */
  int *index; /* in its block */
  int *dying; /* the first value that dies after it; -1: none */

  Extents extents; /* of values in blocks */
  Live *lives;
  int n_lives;
  void *set;   /* tree of the lives that are held (search.h) */
  void *uses;  /* tree of the last uses in branches */
  Live **gone; /* what the branches being walked have written over */
  int n_gone, gone_room;
  unsigned stamp;
  const Value **values; /* by id */
  Name *names;          /* made for the first message */
} Places;

/* How messages call a value, a node, a range. In the program's arena. */
const char *ir_places_value(Places *p, const Value *value);
const char *ir_places_node(Places *p, const Node *node);
const char *ir_places_range(Places *p, Range range);

/* Record that memory ran out. Always returns false. */
bool ir_places_no_memory(Places *p);

/* Fill last, index, dying, next_dying and values. */
void ir_places_find_uses(Places *p);
void ir_places_forget_uses(Places *p);
/* Which node of block, the value's own or a branch inside of it, reads value
 * last: as last[] has it. */
int ir_places_last(const Places *p, const Block *block, const Value *value);

/* Is block a branch of a cond? */
static inline bool ir_is_branch(const Block *block) {
  return block->owner && block->owner->op == OP_cond;
}
/* Is it the body of blocks? */
static inline bool ir_is_part(const Block *block) {
  return block->owner && block->owner->op == OP_blocks;
}
/* The scan or while one step of which block is; NULL: none. */
static inline const Node *ir_step_of(const Block *block) {
  const Node *owner = block->owner;
  if (owner == NULL) return NULL;
  if (owner->op == OP_while && block == owner->bodies[WHILE_STEP]) return owner;
  return owner->op == OP_scan ? owner : NULL;
}

/* The number of a scan's carry list that holds the final value. */
int ir_places_final(const Node *scan, IntList places);

/* Are all entries of all `at` well formed, and do they serve all yields?
 * Fills slot and n_planned; what has no place anywhere passes. */
bool ir_places_form(Places *p);

/* Does the kernel read value only at the index that it writes? */
bool ir_reads_where_written(Places *p, const Node *kernel, const Value *value);
/* Is nothing dear computed twice in the kernel? */
bool ir_places_fused(Places *p, const Node *kernel);
/* Does the team meet wherever one thread reads what another one wrote, or
 * writes what another one may still read? */
bool ir_places_sync(Places *p);

#endif
