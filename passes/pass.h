/* pass.h: what the passes share. */
#ifndef LOCKSTEP_PASSES_PASS_H
#define LOCKSTEP_PASSES_PASS_H

#include "passes.h"

/* The passes, one file each. */
Program *pass_raise(const Program *program, const Options *options);
Program *pass_hoist(const Program *program, const Options *options);
Program *pass_lower_axes(const Program *program, const Options *options);
Program *pass_simplify(const Program *program, const Options *options);
Program *pass_contract(const Program *program, const Options *options);
Program *pass_interchange(const Program *program, const Options *options);
Program *pass_fuse(const Program *program, const Options *options);
Program *pass_schedule(const Program *program, const Options *options);
Program *pass_plan(const Program *program, const Options *options);
/* What plan does last: meetings of the team, where its places need them. */
Program *pass_meet(const Program *planned);

/* hoist, and over which axes it moved collectives out of scans by its rules
 * (those of what does not change apart). */
Program *pass_hoist_moving(const Program *program, const Options *options,
                           uint64_t *moved);

/* `to` stands for `from` now, and takes its name if it has none. */
void pass_replace(Copier *copier, const Value *from, Value *to);

#endif
