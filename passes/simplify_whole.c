/* simplify_whole.c: rules of ops from whole arrays to whole arrays.  All are
 * exact. */
#include "simplify.h"

/* Along a dim of one element every running total is that element. */
Value *cumulative_rules(Simplify *s, const Node *node) {
  (void)s;
  Type type = result_type(node);
  return type.dims[ir_int(node, ATTR_dim)] == 1 ? node->operands[0] : NULL;
}

/* Nothing to add. */
Value *scatter_add_rules(Simplify *s, const Node *node) {
  (void)s;
  return type_is_empty(node->operands[2]->type) ? node->operands[0] : NULL;
}

/* -- sort -------------------------------------------------------------- */

/* Keys that are all equal, or one a line, or none: everything stays. */
static bool sorts_nothing(const Value *keys, int64_t dim) {
  Scalar element;
  return ir_is_splat(keys, &element) || type_is_empty(keys->type) ||
         keys->type.dims[dim] == 1;
}

/* One operand of the new sort for each value that is asked for. */
typedef struct Sort {
  Value **operands;
  int *result; /* of the new sort, by result of the old; -1: none */
  int n;
} Sort;

static int operand_number(Sort *sort, Value *value) {
  for (int i = 0; i < sort->n; i++)
    if (sort->operands[i] == value) return i;
  sort->operands[sort->n] = value;
  return sort->n++;
}

static void build(Simplify *s, const Node *node, Sort *sort, Block *block) {
  Attr dim = IR_INT(dim, ir_int(node, ATTR_dim));
  Node *made = ir_node(block, &(NodeSpec){.op = OP_sort,
                                          .n_operands = sort->n,
                                          .operands = sort->operands,
                                          .n_attrs = 1,
                                          .attrs = &dim,
                                          .place = node->place});
  for (int i = 0; made && i < node->n_results; i++)
    if (sort->result[i] >= 0)
      simplify_map(s, node->results[i], made->results[sort->result[i]]);
}

/* The keys come first and stay; of the rest what is live, once. */
void sort_build(Simplify *s, const Node *node) {
  size_t n = (size_t)node->n_operands;
  Sort sort = {0};
  sort.operands = ir_alloc(s->copier.to, n * sizeof *sort.operands);
  sort.result = ir_alloc(s->copier.to, n * sizeof *sort.result);
  if (sort.operands == NULL || sort.result == NULL) return;
  Value *keys = ir_mapped(&s->copier, node->operands[0]);
  if (keys == NULL) return;
  bool nothing = sorts_nothing(keys, ir_int(node, ATTR_dim));
  operand_number(&sort, keys);
  for (int i = 0; i < node->n_operands; i++) {
    Value *operand = ir_mapped(&s->copier, node->operands[i]);
    bool live = s->live[node->results[i]->id];
    sort.result[i] = live && !nothing ? operand_number(&sort, operand) : -1;
    if (live && nothing) simplify_map(s, node->results[i], operand);
  }
  if (!nothing) build(s, node, &sort, s->open[s->target[node->id]]);
}
