/* meet.h: what the threads of a team touch between two meetings; shared by
 * meet.c and meet_regions.c. */
#ifndef LOCKSTEP_PASSES_MEET_H
#define LOCKSTEP_PASSES_MEET_H

#include "pass.h"

/* A carry in a step: what the step reads, or what it makes for the next. */
typedef enum Turn { NO_TURN, NOW, NEXT } Turn;

/* Memory: the arena is space 0, result i of the program space 1 + i.  carry:
 * the loop's result whose places take turns. */
typedef struct Region {
  int space;
  int64_t start, end;
  Turn turn;
  const Value *carry;
} Region;

/* Whose a part of an array is.  TILES: of `outer` pieces of `extent` bytes each
 * is dealt in tiles of `tile` bytes. */
typedef enum Who { THREAD_0, ANYONE, TILES } Who;
typedef struct Share {
  Who who;
  int64_t outer, extent, tile;
} Share;

typedef struct Access {
  const Node *node; /* that does it */
  Region region;
  Share share;
  bool writes;
} Access;

/* One walk over a program. */
typedef struct Meet {
  const Program *program;
  int *slot;   /* by value id: which yield of its block it is; -1: none */
  int *dealt;  /* by value id: the dim of it that is dealt, in a kernel */
  bool *sync;  /* by node id */
  Access *log; /* all accesses, in order */
  int n, room; /* of the log */
  int since;   /* in the log: where the last meeting was */
  int *heads;  /* of the loops around: where the first meeting of a step was,
                  or -1 */
  int n_heads;
  bool failed; /* out of memory */
} Meet;

enum { REGIONS = 4 * IR_MAX_NESTING };
/* Where the value may lie; how many regions.  None: it is an input or a
 * constant, which no one writes. */
int meet_regions(const Meet *meet, const Value *value, Region *regions);
/* Fill dealt[] for what a team's kernel reads: DEALT_NOT where it does not read
 * the value, DEALT_ALL where a tile reads more than its own part. */
enum { DEALT_NOT = -2, DEALT_ALL = -1 };
void meet_find_dealt(Meet *meet, const Node *kernel, int dim);
void meet_clear_dealt(Meet *meet, const Node *kernel);

#endif
