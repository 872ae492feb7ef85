/* builder_collectives.c: the calls that name an axis.
 *
 * Axis names become numbers here, groups and pairs become lists; the rest is
 * inference. */
#include <string.h>

#include "builder_ops.h"

/* -- groups ------------------------------------------------------------ */

static int64_t devices_of(const Program *draft, const int64_t *axes, int n) {
  int64_t devices = 1;
  for (int i = 0; i < n; i++)
    if (__builtin_mul_overflow(devices, draft->axes[axes[i]].size, &devices))
      return INT64_MAX;
  return devices;
}

static bool group_sizes_fine(const Call *call, const ls_collective *options,
                             int64_t devices) {
  int n = options->n_groups;
  if (n < 0 || options->groups == NULL)
    return front_misuse(
        call,
        n < 0 ? "n_groups=%d is negative" : "groups is NULL, but n_groups=%d",
        n);
  if (options->group_sizes == NULL && devices % n != 0)
    return front_wrong(call,
                       "%d groups of one size do not divide the %lld "
                       "devices of axis %s; %s",
                       n, (long long)devices, options->axis,
                       ir_scope_text(call->builder->draft));
  int64_t listed = 0;
  for (int g = 0; options->group_sizes && g < n; g++) {
    int64_t size = options->group_sizes[g];
    if (size < 0 || __builtin_add_overflow(listed, size, &listed) ||
        listed > devices)
      return front_wrong(call,
                         "group_sizes pass the %lld devices of axis %s; %s",
                         (long long)devices, options->axis,
                         ir_scope_text(call->builder->draft));
  }
  return true;
}

static bool read_groups(const Call *call, const ls_collective *options,
                        int64_t devices, IntLists *groups) {
  int n = options->n_groups;
  *groups = (IntLists){0};
  if (n == 0) return true;
  if (!group_sizes_fine(call, options, devices)) return false;
  IntList *lists = ir_alloc(call->builder->draft, (size_t)n * sizeof *lists);
  if (lists == NULL) {
    front_out_of_memory(call);
    return false;
  }
  const int64_t *member = options->groups;
  for (int g = 0; g < n; g++) {
    int64_t size = options->group_sizes ? options->group_sizes[g] : devices / n;
    lists[g] = (IntList){member, (int)size};
    member += size;
  }
  *groups = (IntLists){lists, n};
  return true;
}

/* -- collectives ------------------------------------------------------- */

/* Options at their default are left out unless the op wants them written. */
static int collective_attrs(Op op, const ls_collective *options,
                            IntLists groups, Attr *attrs) {
  const Attr all[] = {IR_INT(dim, options->dim), IR_INT(tiled, options->tiled),
                      IR_INT(split, options->split),
                      IR_INT(concat, options->concat)};
  int n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].i != 0 || ir_ops[op].required >> all[i].key & 1)
      attrs[n++] = all[i];
  if (groups.n > 0) attrs[n++] = (Attr){.key = ATTR_groups, .lists = groups};
  return n;
}

ls_value ls_collective_at(ls_place here, ls_builder *b, const char *name,
                          ls_value x, ls_collective options) {
  Call call;
  Op op;
  int64_t axes[IR_MAX_AXES];
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  int n = front_axes(&call, options.axis, axes);
  IntLists groups;
  if (n < 0 ||
      !read_groups(&call, &options, devices_of(b->draft, axes, n), &groups))
    return (ls_value){0};
  Attr attrs[8] = {IR_INTS(axis, axes, n)};
  int n_attrs = 1 + collective_attrs(op, &options, groups, attrs + 1);
  return front_emit(&call, &(Emit){.op = op,
                                   .operands = LS_VALUES(x),
                                   .n_attrs = n_attrs,
                                   .attrs = attrs});
}

ls_value ls_ppermute_at(ls_place here, ls_builder *b, ls_value x,
                        const char *axis, int n_pairs, const int64_t *pairs) {
  Call call;
  int64_t axes[IR_MAX_AXES];
  if (!front_begin(&call, here, b, "ppermute")) return (ls_value){0};
  if (n_pairs < 0 || (n_pairs > 0 && pairs == NULL)) {
    front_misuse(&call,
                 n_pairs < 0 ? "n_pairs=%d is negative"
                             : "pairs is NULL, but n_pairs=%d",
                 n_pairs);
    return (ls_value){0};
  }
  int n = front_axes(&call, axis, axes);
  if (n < 0) return (ls_value){0};
  IntList *lists = ir_alloc(b->draft, (size_t)n_pairs * sizeof *lists + 1);
  if (lists == NULL) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  for (int i = 0; i < n_pairs; i++) lists[i] = (IntList){pairs + 2 * i, 2};
  Attr attrs[] = {IR_INTS(axis, axes, n),
                  {.key = ATTR_pairs, .lists = {lists, n_pairs}}};
  return front_emit(&call, &(Emit){.op = OP_ppermute,
                                   .operands = LS_VALUES(x),
                                   .n_attrs = 2,
                                   .attrs = attrs});
}

/* number is a dim (map, unmap) or a source device (pbroadcast). */
ls_value ls_axis_at(ls_place here, ls_builder *b, const char *name, ls_value x,
                    const char *axis, int64_t number) {
  Call call;
  Op op;
  int64_t axes[IR_MAX_AXES];
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  int n = front_axes(&call, axis, axes);
  if (n < 0) return (ls_value){0};
  Attr attrs[] = {IR_INTS(axis, axes, n), IR_INT(dim, number)};
  if (op == OP_pbroadcast) attrs[1].key = ATTR_source;
  return front_emit(
      &call,
      &(Emit){
          .op = op, .operands = LS_VALUES(x), .n_attrs = 2, .attrs = attrs});
}

ls_value ls_axis_query_at(ls_place here, ls_builder *b, const char *name,
                          const char *axis) {
  Call call;
  Op op;
  int64_t axes[IR_MAX_AXES];
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  int n = front_axes(&call, axis, axes);
  if (n < 0) return (ls_value){0};
  Attr attr = IR_INTS(axis, axes, n);
  return front_emit(&call, &(Emit){.op = op, .n_attrs = 1, .attrs = &attr});
}
