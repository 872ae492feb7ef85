/* builder_whole.c: the calls that record ops on whole arrays: running sums and
 * the like, sort, scatter_add, functions of the user's own. */
#include "builder_ops.h"

ls_value ls_scatter_add_at(ls_place here, ls_builder *b, ls_value x,
                           ls_value index, ls_value u, int dim) {
  Call call;
  if (!front_begin(&call, here, b, "scatter_add")) return (ls_value){0};
  Attr attr = IR_INT(dim, dim);
  return front_emit(&call, &(Emit){.op = OP_scatter_add,
                                   .operands = LS_VALUES(x, index, u),
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

ls_value ls_cumulative_at(ls_place here, ls_builder *b, const char *name,
                          ls_value x, int dim, bool reverse) {
  Call call;
  Op op;
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  Attr attrs[] = {IR_INT(dim, dim), IR_INT(backward, reverse)};
  return front_emit(
      &call,
      &(Emit){
          .op = op, .operands = LS_VALUES(x), .n_attrs = 2, .attrs = attrs});
}

void ls_sort_at(ls_place here, ls_builder *b, int dim, ls_value *results,
                ls_values operands) {
  Call call;
  const Node *node = NULL;
  bool begun = front_begin(&call, here, b, "sort");
  if (begun && results == NULL) {
    front_misuse(&call, "the results are NULL");
    return;
  }
  Attr attr = IR_INT(dim, dim);
  if (begun)
    node = front_emit_node(
        &call,
        &(Emit){
            .op = OP_sort, .operands = operands, .n_attrs = 1, .attrs = &attr});
  for (int i = 0; results && i < operands.count; i++)
    results[i] = node ? front_handle(&call, node->results[i]) : (ls_value){0};
}

ls_value ls_call_at(ls_place here, ls_builder *b, const char *name,
                    ls_call_function *function, void *user, ls_type type,
                    ls_values operands) {
  Call call;
  Type inner;
  if (!front_begin(&call, here, b, "call")) return (ls_value){0};
  if (!front_is_name(name) || function == NULL) {
    if (function == NULL)
      front_misuse(&call, "the function %s is NULL", name ? name : "");
    else
      front_misuse(&call, "a name is letters, digits and _, not '%s'",
                   name ? name : "NULL");
    return (ls_value){0};
  }
  if (!front_plain_type(&call, &type, &inner)) return (ls_value){0};
  if (!ir_register(b->draft, (Callee){name, function, user}, call.place)) {
    front_take_error(&call);
    return (ls_value){0};
  }
  Attr attr = IR_STRING(symbol, name);
  return front_emit(&call, &(Emit){.op = OP_call,
                                   .operands = operands,
                                   .n_attrs = 1,
                                   .attrs = &attr,
                                   .type = &inner});
}
