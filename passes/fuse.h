/* fuse.h: units, the analysis behind the fuse pass (fuse_units.c), and the
 * copy that follows it (fuse.c). */
#ifndef LOCKSTEP_PASSES_FUSE_H
#define LOCKSTEP_PASSES_FUSE_H

#include "pass.h"
#include "sweep.h"

enum { MOST_MEMBERS = 128, MOST_OUTPUTS = 64 }; /* of a unit */

/* A value that leaves its unit.  slot: which yield of the block it is for; -1:
 * it is read by other units only. */
typedef struct Output {
  const Value *value;
  int slot;
} Output;

/* A kernel in the making; or a node that stands alone (a scan, a kernel that
 * was there). */
typedef struct Unit {
  const Node *fixed; /* the node that stands alone, or NULL */
  const Node *whole; /* its only member, of class WHOLE; or NULL */
  Type shape;        /* of all outputs */
  const Node *heavy; /* its one reduction or contraction, or NULL; or the
                        first of several that are swept together: */
  const Node *swept[SWEEP_SUMS];
  int n_swept; /* 0, or 2 and more */
  int n_members;
  const Node *last; /* the member that joined last */
  Output *outputs;
  int n_outputs, output_room;
  int seen;  /* stamp of the last walk that came here */
  bool gone; /* another unit has taken all that it had */
} Unit;

typedef struct Use {
  const Node *user; /* in the block that defines the value */
  int next;
} Use;

/* Where in a kernel a member is evaluated. */
typedef struct Index {
  int id;         /* 0: at the kernel's own index */
  int evals;      /* how many different indices */
  bool expanding; /* more often than it has elements */
  int views;      /* how many views lead from the kernel's index here */
} Index;

typedef struct Fuse {
  const Program *program;
  Copier *copier;
  /* by value id */
  int *first_use; /* in uses; -1: none */
  bool *escapes;  /* read by a control node or a yield */
  /* by node id */
  int *unit_of;        /* -1: none (constants) */
  const Node **fellow; /* the member that joined before it; NULL: none */
  Index *index;
  Use *uses;
  int n_uses, use_room;
  Unit *units;
  int n_units, unit_room;
  bool strict; /* numerics: sums keep their order */
  int walk;    /* the stamp of the current walk */
  bool failed; /* out of memory */
} Fuse;

/* fuse_sweep.c: make one unit of those that sum what `node` makes, if they can
 * be swept together (sweep.h). */
void fuse_share(Fuse *fuse, const Block *block, const Node *node);

/* fuse_loop.c: shall the scan become a kernel of form=loop? */
bool fuse_is_loop(const Node *node);

/* Put every node of block into a unit; a yield that needs storage of its own
 * becomes an output with its slot. */
void fuse_block_units(Fuse *fuse, const Block *block);

void fuse_add_output(Fuse *fuse, int unit, const Value *value, int slot);
/* Does what unit `from` makes reach unit `to`?  Gives up, saying yes, after a
 * bounded walk. */
bool fuse_reaches(Fuse *fuse, const Block *block, int from, int to);
/* Can `node` be computed inside `unit`, where all of its users there want it?
 * Then *at is the index. */
bool fuse_computable(const Fuse *fuse, const Node *node, int unit, Index *at);

static inline bool fuse_is_heavy(const Node *node) {
  OpClass class = ir_ops[node->op].class;
  return class == REDUCE || class == EINSUM;
}
static inline bool fuse_is_alone(const Node *node) {
  OpClass class = ir_ops[node->op].class;
  return class == CONTROL || class == WRAPPER;
}

#endif
