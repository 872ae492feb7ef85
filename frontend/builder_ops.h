/* builder_ops.h: what the op calls of the builder share. */
#ifndef LOCKSTEP_BUILDER_OPS_H
#define LOCKSTEP_BUILDER_OPS_H

#include "frontend.h"

/* An op on handles.  type (TYPED ops): dtype DT_COUNT is that of operand 0, a
 * rank below 0 its shape. */
typedef struct Emit {
  Op op;
  ls_values operands;
  int n_attrs;
  const Attr *attrs;
  const Type *type;
} Emit;

ls_value front_emit(const Call *call, const Emit *emit);
/* The same for an op with any number of results.  NULL after an error. */
const Node *front_emit_node(const Call *call, const Emit *emit);
/* front_begin for a call that names its op. */
bool front_begin_op(Call *call, ls_place here, ls_builder *builder,
                    const char *name, Op *op);

#endif
