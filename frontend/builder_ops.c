/* builder_ops.c: the calls that record one op on values.
 *
 * Comes in: an op by name, handles, attributes.  Goes out: one node at the end
 * of the open block, through ir_emit, which checks and infers.  What is left
 * to do here is the C side: handles, and C scalars that take the dtype of the
 * array beside them. */
#include <stdio.h>
#include <string.h>

#include "builder_ops.h"

/* -- operands ---------------------------------------------------------- */

static const char *operand_name(int i) {
  static const char *const names[] = {"operand 1", "operand 2", "operand 3",
                                      "operand 4", "operand 5", "operand 6"};
  return i < 6 ? names[i] : "an operand";
}

/* How a C scalar gets its dtype there: from its neighbours of that role; as an
 * index (i32 unless it has its own); or from nobody. */
typedef enum Role { BESIDE, INDEX, ALONE } Role;

static Role role_of(Op op, int i) {
  switch (op) {
    case OP_select:
      return i == 0 ? ALONE : BESIDE;
    case OP_scatter_add:
      return i == 1 ? INDEX : BESIDE;
    case OP_sort:
    case OP_call:
      return ALONE;
    case OP_take:
    case OP_random_fold_in:
    case OP_dynamic_slice:
      return i == 0 ? BESIDE : INDEX;
    case OP_dynamic_update_slice:
      return i < 2 ? BESIDE : INDEX;
    default:
      return BESIDE;
  }
}

/* The first array's dtype, else that of the first C scalar that has one. */
static DType dtype_beside(Op op, Entry *const *entries, int n) {
  DType own = DT_COUNT;
  for (int i = 0; i < n; i++) {
    if (role_of(op, i) != BESIDE) continue;
    if (entries[i]->value) return entries[i]->value->type.dtype;
    if (own == DT_COUNT) own = entries[i]->literal->dtype;
  }
  return own;
}

static DType literal_dtype(Op op, int i, const Number *literal, DType beside,
                           bool mixed) {
  switch (role_of(op, i)) {
    case INDEX:
      return literal->dtype == DT_COUNT ? DT_I32 : literal->dtype;
    case ALONE:
      return literal->dtype;
    default:
      return mixed || literal->dtype == DT_COUNT ? beside : literal->dtype;
  }
}

/* Two C scalars of different dtypes stay different: only an array, or a dtype
 * of its own where the other has none, decides. */
static bool array_beside(Op op, Entry *const *entries, int n) {
  for (int i = 0; i < n; i++)
    if (role_of(op, i) == BESIDE && entries[i]->value) return true;
  return false;
}

static bool find_entries(const Call *call, const ls_value *handles, int n,
                         Entry **entries) {
  for (int i = 0; i < n; i++) {
    entries[i] = front_entry(call, handles[i], operand_name(i));
    if (entries[i] == NULL) return false;
  }
  return true;
}

static bool find_operands(const Call *call, Op op, const ls_value *handles,
                          int n, Entry **entries, Value **operands) {
  if (!find_entries(call, handles, n, entries)) return false;
  DType beside = dtype_beside(op, entries, n);
  bool array = array_beside(op, entries, n);
  Block *block = call->builder->block;
  for (int i = 0; i < n; i++) {
    Number *literal = entries[i]->literal;
    operands[i] =
        literal
            ? front_literal(call, literal,
                            literal_dtype(op, i, literal, beside, array), block)
            : front_value(call, handles[i], operand_name(i), block);
    if (operands[i] == NULL) return false;
  }
  return true;
}

/* -- one node ---------------------------------------------------------- */

enum { FEW = 8 };

static const Node *emit_node(const Call *call, const Emit *emit,
                             Value *const *operands) {
  Type type;
  if (emit->type) {
    type = *emit->type;
    if (type.dtype == DT_COUNT) type.dtype = operands[0]->type.dtype;
    if (type.rank < 0) {
      type.rank = operands[0]->type.rank;
      type.dims = operands[0]->type.dims;
    }
  }
  Node *node = ir_emit(call->builder->block,
                       &(NodeSpec){.op = emit->op,
                                   .n_operands = emit->operands.count,
                                   .operands = operands,
                                   .n_attrs = emit->n_attrs,
                                   .attrs = emit->attrs,
                                   .type = emit->type ? &type : NULL,
                                   .place = call->place});
  if (node == NULL) front_take_error(call);
  return node;
}

const Node *front_emit_node(const Call *call, const Emit *emit) {
  Entry *few_entries[FEW], **entries = few_entries;
  Value *few_operands[FEW], **operands = few_operands;
  int n = emit->operands.count;
  if (n < 0 || (n > 0 && emit->operands.at == NULL)) {
    front_misuse(call, "the list of operands is NULL");
    return NULL;
  }
  if (n > FEW) {
    Program *draft = call->builder->draft;
    entries = ir_alloc(draft, (size_t)n * sizeof *entries);
    operands = ir_alloc(draft, (size_t)n * sizeof *operands);
    if (entries == NULL || operands == NULL) {
      front_out_of_memory(call);
      return NULL;
    }
  }
  if (!find_operands(call, emit->op, emit->operands.at, n, entries, operands))
    return NULL;
  return emit_node(call, emit, operands);
}

ls_value front_emit(const Call *call, const Emit *emit) {
  const Node *node = front_emit_node(call, emit);
  return node ? front_handle(call, node->results[0]) : (ls_value){0};
}

static bool no_such_op(const Call *call, const char *name) {
  const char *names[OP_COUNT], *close = NULL;
  int n = 0;
  for (int op = 0; op < OP_COUNT; op++)
    if (ir_ops[op].class != CONTROL && ir_ops[op].class != WRAPPER)
      names[n++] = ir_ops[op].name;
  if (name) close = ir_closest(name, strlen(name), names, n);
  return front_misuse(call, "there is no such op%s%s%s",
                      close ? "; did you mean " : "", close ? close : "",
                      close ? "?" : "");
}

bool front_begin_op(Call *call, ls_place here, ls_builder *b, const char *name,
                    Op *op) {
  if (!front_begin(call, here, b, name ? name : "NULL")) return false;
  if (name && strcmp(ir_ops[b->last_op].name, name) == 0) {
    *op = b->last_op;
    return true;
  }
  if (name == NULL || !ir_op_find(name, strlen(name), op) ||
      ir_ops[*op].class == CONTROL || ir_ops[*op].class == WRAPPER)
    return no_such_op(call, name);
  b->last_op = *op;
  return true;
}

/* -- elementwise ------------------------------------------------------- */

static ls_value emit_plain(ls_place here, ls_builder *b, const char *name,
                           ls_values operands) {
  Call call;
  Op op;
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  return front_emit(&call, &(Emit){.op = op, .operands = operands});
}

ls_value ls_unary_at(ls_place here, ls_builder *b, const char *op, ls_value x) {
  return emit_plain(here, b, op, (ls_values){1, &x});
}

ls_value ls_binary_at(ls_place here, ls_builder *b, const char *op, ls_value x,
                      ls_value y) {
  return emit_plain(here, b, op, LS_VALUES(x, y));
}

ls_value ls_ternary_at(ls_place here, ls_builder *b, const char *op, ls_value x,
                       ls_value y, ls_value z) {
  return emit_plain(here, b, op, LS_VALUES(x, y, z));
}

ls_value ls_compare_at(ls_place here, ls_builder *b, const char *relation,
                       ls_value x, ls_value y) {
  Call call;
  if (!front_begin(&call, here, b, "compare")) return (ls_value){0};
  int word = WORD_ge;
  while (word >= WORD_eq &&
         (relation == NULL || strcmp(ir_words[word], relation) != 0))
    word--;
  if (word < WORD_eq) {
    const char *close =
        relation ? ir_closest(relation, strlen(relation), &ir_words[WORD_eq], 6)
                 : NULL;
    front_misuse(&call,
                 "the relation is one of eq ne lt le gt ge, not %s%s%s%s",
                 relation ? relation : "NULL", close ? "; did you mean " : "",
                 close ? close : "", close ? "?" : "");
    return (ls_value){0};
  }
  Attr attr = IR_INT(relation, word);
  return front_emit(&call, &(Emit){.op = OP_compare,
                                   .operands = LS_VALUES(x, y),
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

ls_value ls_convert_at(ls_place here, ls_builder *b, const char *name,
                       ls_value x, ls_dtype dtype) {
  Call call;
  Op op;
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  if (dtype < LS_BOOL || dtype > LS_F64) {
    front_misuse(&call, "%d is no dtype", (int)dtype);
    return (ls_value){0};
  }
  Type type = {(DType)dtype, -1, NULL, 0};
  return front_emit(&call,
                    &(Emit){.op = op, .operands = LS_VALUES(x), .type = &type});
}

/* -- moving elements --------------------------------------------------- */

#define LIST(name, list)                                   \
  (Attr) {                                                 \
    .key = ATTR_##name, .ints = {(list).at, (list).count } \
  }

ls_value ls_broadcast_at(ls_place here, ls_builder *b, ls_value x,
                         ls_ints shape, ls_ints dims) {
  Call call;
  if (!front_begin(&call, here, b, "broadcast") ||
      !front_ints(&call, &shape, "the shape") ||
      !front_ints(&call, &dims, "dims"))
    return (ls_value){0};
  Type type = {DT_COUNT, shape.count, shape.at, 0};
  Attr attr = LIST(dims, dims);
  return front_emit(&call, &(Emit){.op = OP_broadcast,
                                   .operands = LS_VALUES(x),
                                   .n_attrs = 1,
                                   .attrs = &attr,
                                   .type = &type});
}

/* The list is a shape, a permutation, or dims: as the op has it. */
ls_value ls_dims_at(ls_place here, ls_builder *b, const char *name, ls_value x,
                    ls_ints list) {
  Call call;
  Op op;
  if (!front_begin_op(&call, here, b, name, &op) ||
      !front_ints(&call, &list, op == OP_reshape ? "the shape" : "the list"))
    return (ls_value){0};
  Type type = {DT_COUNT, list.count, list.at, 0};
  bool typed = ir_ops[op].flags & TYPED;
  bool all = ir_ops[op].class == REDUCE && list.count == 0;
  Attr attr = op == OP_transpose ? LIST(perm, list) : LIST(dims, list);
  return front_emit(&call, &(Emit){.op = op,
                                   .operands = LS_VALUES(x),
                                   .n_attrs = typed || all ? 0 : 1,
                                   .attrs = &attr,
                                   .type = typed ? &type : NULL});
}

ls_value ls_slice_at(ls_place here, ls_builder *b, ls_value x, ls_ints start,
                     ls_ints limit, ls_ints stride) {
  Call call;
  if (!front_begin(&call, here, b, "slice") ||
      !front_ints(&call, &start, "start") ||
      !front_ints(&call, &limit, "limit") ||
      !front_ints(&call, &stride, "stride"))
    return (ls_value){0};
  Attr attrs[] = {LIST(start, start), LIST(limit, limit), LIST(stride, stride)};
  return front_emit(&call, &(Emit){.op = OP_slice,
                                   .operands = LS_VALUES(x),
                                   .n_attrs = stride.count > 0 ? 3 : 2,
                                   .attrs = attrs});
}

ls_value ls_pad_at(ls_place here, ls_builder *b, ls_value x, ls_value value,
                   ls_ints low, ls_ints high, ls_ints interior) {
  Call call;
  if (!front_begin(&call, here, b, "pad") || !front_ints(&call, &low, "low") ||
      !front_ints(&call, &high, "high") ||
      !front_ints(&call, &interior, "interior"))
    return (ls_value){0};
  Attr attrs[] = {LIST(low, low), LIST(high, high), LIST(interior, interior)};
  return front_emit(&call, &(Emit){.op = OP_pad,
                                   .operands = LS_VALUES(x, value),
                                   .n_attrs = interior.count > 0 ? 3 : 2,
                                   .attrs = attrs});
}

ls_value ls_concatenate_at(ls_place here, ls_builder *b, int dim,
                           ls_values values) {
  Call call;
  if (!front_begin(&call, here, b, "concatenate")) return (ls_value){0};
  Attr attr = IR_INT(dim, dim);
  return front_emit(&call, &(Emit){.op = OP_concatenate,
                                   .operands = values,
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

/* first, second (if any), then starts: one list in the draft's arena. */
static bool join_values(const Call *call, ls_values first, ls_values starts,
                        ls_values *all) {
  if (starts.count < 0 || (starts.count > 0 && starts.at == NULL))
    return front_misuse(call, "the list of starts is NULL");
  size_t n = (size_t)first.count + (size_t)starts.count;
  ls_value *list = ir_alloc(call->builder->draft, n * sizeof *list);
  if (list == NULL) {
    front_out_of_memory(call);
    return false;
  }
  memcpy(list, first.at, (size_t)first.count * sizeof *list);
  if (starts.count)
    memcpy(list + first.count, starts.at, (size_t)starts.count * sizeof *list);
  *all = (ls_values){(int)n, list};
  return true;
}

ls_value ls_dynamic_slice_at(ls_place here, ls_builder *b, ls_value x,
                             ls_ints sizes, ls_values starts) {
  Call call;
  ls_values all;
  if (!front_begin(&call, here, b, "dynamic_slice") ||
      !front_ints(&call, &sizes, "sizes") ||
      !join_values(&call, LS_VALUES(x), starts, &all))
    return (ls_value){0};
  Attr attr = LIST(sizes, sizes);
  return front_emit(&call, &(Emit){.op = OP_dynamic_slice,
                                   .operands = all,
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

ls_value ls_dynamic_update_slice_at(ls_place here, ls_builder *b, ls_value x,
                                    ls_value update, ls_values starts) {
  Call call;
  ls_values all;
  if (!front_begin(&call, here, b, "dynamic_update_slice") ||
      !join_values(&call, LS_VALUES(x, update), starts, &all))
    return (ls_value){0};
  return front_emit(&call,
                    &(Emit){.op = OP_dynamic_update_slice, .operands = all});
}

ls_value ls_take_at(ls_place here, ls_builder *b, ls_value x, ls_value index,
                    int dim) {
  Call call;
  if (!front_begin(&call, here, b, "take")) return (ls_value){0};
  Attr attr = IR_INT(dim, dim);
  return front_emit(&call, &(Emit){.op = OP_take,
                                   .operands = LS_VALUES(x, index),
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

/* -- argmax, argmin ---------------------------------------------------- */

ls_value ls_arg_at(ls_place here, ls_builder *b, const char *name, ls_value x,
                   int dim) {
  Call call;
  Op op;
  if (!front_begin_op(&call, here, b, name, &op)) return (ls_value){0};
  Attr attr = IR_INT(dim, dim);
  return front_emit(
      &call,
      &(Emit){
          .op = op, .operands = LS_VALUES(x), .n_attrs = 1, .attrs = &attr});
}

/* -- einsum ------------------------------------------------------------ */

ls_value ls_einsum_at(ls_place here, ls_builder *b, ls_dtype accumulate,
                      const char *spec, ls_values operands) {
  Call call;
  if (!front_begin(&call, here, b, "einsum")) return (ls_value){0};
  if (spec == NULL || accumulate < LS_NO_DTYPE || accumulate > LS_F64) {
    front_misuse(&call, spec ? "accumulate is no dtype" : "the spec is NULL");
    return (ls_value){0};
  }
  Attr attrs[] = {IR_STRING(spec, spec), IR_INT(accumulate, accumulate)};
  return front_emit(&call, &(Emit){.op = OP_einsum,
                                   .operands = operands,
                                   .n_attrs = accumulate == LS_NO_DTYPE ? 1 : 2,
                                   .attrs = attrs});
}

/* -- random numbers ---------------------------------------------------- */

ls_value ls_random_key_at(ls_place here, ls_builder *b, int64_t seed) {
  Call call;
  if (!front_begin(&call, here, b, "random_key")) return (ls_value){0};
  Attr attr = IR_INT(seed, seed);
  return front_emit(&call,
                    &(Emit){.op = OP_random_key, .n_attrs = 1, .attrs = &attr});
}

ls_value ls_random_split_at(ls_place here, ls_builder *b, ls_value key,
                            int64_t count) {
  Call call;
  if (!front_begin(&call, here, b, "random_split")) return (ls_value){0};
  Attr attr = IR_INT(count, count);
  return front_emit(&call, &(Emit){.op = OP_random_split,
                                   .operands = LS_VALUES(key),
                                   .n_attrs = 1,
                                   .attrs = &attr});
}

ls_value ls_random_at(ls_place here, ls_builder *b, const char *name,
                      ls_value key, ls_type type, double low, double high) {
  Call call;
  Op op;
  Type inner;
  if (!front_begin_op(&call, here, b, name, &op) ||
      !front_plain_type(&call, &type, &inner))
    return (ls_value){0};
  Attr attrs[] = {IR_NUMBER(minimum, low), IR_NUMBER(maximum, high)};
  bool ranged = ir_ops[op].optional >> ATTR_minimum & 1;
  return front_emit(&call, &(Emit){.op = op,
                                   .operands = LS_VALUES(key),
                                   .n_attrs = ranged ? 2 : 0,
                                   .attrs = attrs,
                                   .type = &inner});
}
