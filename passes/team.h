/* team.h: which kernels are dealt to the threads of the team, tile by tile. */
#ifndef LOCKSTEP_PASSES_TEAM_H
#define LOCKSTEP_PASSES_TEAM_H

#include "passes.h"

/* The choice for a whole program. */
typedef struct TeamPlan {
  ProgramCost cost;
  const KernelCost **cost_of; /* by node id; NULL: no kernel */
  bool pays;                  /* for the program at all */
} TeamPlan;
bool team_plan_begin(TeamPlan *plan, const Program *program,
                     const Options *options); /* false: memory */
void team_plan_end(TeamPlan *plan);
/* Do the threads share these blocks? */
bool team_blocks(const TeamPlan *plan, const Node *blocks,
                 const Options *options);

/* The tile, one number for each dim of the kernel's results; NULL, or why the
 * kernel is thread 0's alone: a phrase for people. */
const char *team_tile(const TeamPlan *plan, const Node *kernel, Word by,
                      const Options *options, int64_t *tile);

#endif
