/* whole.h: the memory that a kernel of form=call, or by=packed, needs besides
 * its operands and results, for the cost of a plan and for code generation.
 *
 * A workspace is the arena of the plan and, behind it, this scratch: as much as
 * the kernel that needs most.  One kernel runs at a time, so all share it; each
 * run has a workspace of its own.
 *   sort   two lists of (key, index) for one line
 *   packed a block of each operand, packed (product.h)
 *   call   row-major copies of what does not lie so: the function reads and
 *          writes arrays that are contiguous */
#ifndef LOCKSTEP_PASSES_WHOLE_H
#define LOCKSTEP_PASSES_WHOLE_H

#include "../ir/ir.h"

enum { WHOLE_ALIGN = 64, SORT_ENTRY = 16 };

/* Scratch of one kernel; INT64_MAX where it passes 2^63 bytes. */
int64_t whole_scratch(const Node *kernel);
/* Where in the scratch operand i (result: i = n_operands) of a call is copied
 * to; -1: it lies contiguous. */
int64_t whole_copy_at(const Node *kernel, int i);
/* Where the scratch of a planned program starts: the end of its arena. */
int64_t whole_scratch_start(const Program *planned);
/* Where all of it ends; what threads beyond the first have of their own
 * (pass_thread_bytes) lies behind. */
int64_t whole_end(const Program *planned);

#endif
