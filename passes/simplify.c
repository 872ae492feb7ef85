/* simplify.c: folding, algebra, common subexpressions, dead code, and
 * loop-invariant motion, until nothing changes.
 *
 * Comes in: a batched program.  Goes out: a batched program with the same
 * inputs and results.  Here are the table of rules and the rounds (simplify.h
 * says what a round is); the rules are in fold.c and simplify_*.c. */
#include "simplify.h"

#include <stdlib.h>
#include <string.h>

/* Rounds end when one changes nothing, most often the third.  Rules make less
 * of what they are given, so there is an end; this many are never needed by
 * what people write. */
enum { MOST_ROUNDS = 100, DEEPEST_RULE = 24, MOST_RULES = 8 };

/* -- the rules, all of them -------------------------------------------- */

/* By class, before those by op.  (Of sort, which has several results, there are
 * none: see sort_build.) */
static Rule *const class_rules[][MOST_RULES] = {
    [LEAF] = {fold_constant},
    [ELEMENTWISE] = {fold_empty, fold_elementwise, elementwise_scalars},
    [VIEW] = {fold_empty, fold_view},
    [INDEXED] = {fold_empty, fold_splat_gather},
    [REDUCE] = {fold_empty},
    [EINSUM] = {fold_empty, einsum_nothing, einsum_operands, einsum_scalar,
                einsum_factor, einsum_single},
    [WHOLE] = {fold_empty},
    [RANDOM] = {fold_empty},
    [WRAPPER] = {NULL},
};

/* Of all reductions but argmax and argmin, whose results are no elements. */
#define REDUCTION \
  fold_reduce, reduce_trivial, reduce_reduce, reduce_transpose, reduce_broadcast

static Rule *const op_rules[OP_COUNT][MOST_RULES] = {
    [OP_iota] = {fold_empty, fold_iota},
    [OP_neg] = {neg_rules},
    [OP_abs] = {unary_twice, abs_rules},
    [OP_sign] = {unary_twice},
    [OP_floor] = {rounding_rules},
    [OP_ceil] = {rounding_rules},
    [OP_round] = {rounding_rules},
    [OP_not] = {not_rules},
    [OP_add] = {add_rules},
    [OP_sub] = {sub_rules},
    [OP_mul] = {mul_rules},
    [OP_div] = {div_rules},
    [OP_rem] = {rem_rules},
    [OP_max] = {extreme_rules},
    [OP_min] = {extreme_rules},
    [OP_and] = {and_rules},
    [OP_or] = {or_rules},
    [OP_xor] = {xor_rules},
    [OP_shift_left] = {shift_rules},
    [OP_shift_right_logical] = {shift_rules},
    [OP_shift_right_arithmetic] = {shift_rules},
    [OP_compare] = {compare_rules},
    [OP_select] = {select_rules},
    [OP_clamp] = {clamp_rules},
    [OP_convert] = {convert_rules},
    [OP_bitcast] = {bitcast_rules},
    [OP_broadcast] = {broadcast_rules},
    [OP_reshape] = {reshape_rules, reshape_einsum},
    [OP_transpose] = {transpose_rules, transpose_einsum},
    [OP_slice] = {slice_rules},
    [OP_concatenate] = {fold_concatenate, concatenate_rules},
    [OP_pad] = {fold_pad, pad_rules},
    [OP_reverse] = {reverse_rules},
    [OP_take] = {take_rules},
    [OP_scatter_add] = {scatter_add_rules},
    [OP_cumsum] = {cumulative_rules},
    [OP_cumprod] = {cumulative_rules},
    [OP_cummax] = {cumulative_rules},
    [OP_cummin] = {cumulative_rules},
    [OP_dynamic_slice] = {dynamic_slice_rules},
    [OP_dynamic_update_slice] = {dynamic_update_slice_rules},
    [OP_reduce_sum] = {REDUCTION, reduce_factor, reduce_einsum},
    [OP_reduce_prod] = {REDUCTION},
    [OP_reduce_max] = {REDUCTION},
    [OP_reduce_min] = {REDUCTION},
    [OP_reduce_and] = {REDUCTION},
    [OP_reduce_or] = {REDUCTION, reduce_einsum},
    [OP_argmax] = {fold_arg, arg_rules},
    [OP_argmin] = {fold_arg, arg_rules},
};

static Value *try_rules(Simplify *s, const Node *node, Rule *const *rules) {
  Value *value = NULL;
  for (int i = 0; value == NULL && i < MOST_RULES && rules[i]; i++)
    value = rules[i](s, node);
  return value;
}

/* -- makers ------------------------------------------------------------ */

bool simplify_sees(const Block *from, const Block *block) {
  while (from && from->depth > block->depth) from = from->parent;
  return from == block;
}

/* What stands for a node that was just made.  Rules make nodes in turn; past
 * some depth the next round goes on. */
static Value *settle(Simplify *s, Node *node) {
  if (node == NULL) return NULL;
  Value *value = NULL;
  if (node->body == NULL && s->nesting < DEEPEST_RULE) {
    s->nesting++;
    value = try_rules(s, node, class_rules[ir_ops[node->op].class]);
    if (value == NULL) value = try_rules(s, node, op_rules[node->op]);
    s->nesting--;
  }
  return value ? value : cse_find(s, node);
}

Value *simplify_node(Simplify *s, Block *block, const NodeSpec *spec) {
  return settle(s, ir_node(block, spec));
}

Value *simplify_make(Simplify *s, const Node *like, Op op, int n_operands,
                     Value *const *operands, int n_attrs, const Attr *attrs,
                     const Type *type) {
  return simplify_node(s, like->block,
                       &(NodeSpec){.op = op,
                                   .n_operands = n_operands,
                                   .operands = operands,
                                   .n_attrs = n_attrs,
                                   .attrs = attrs,
                                   .type = type,
                                   .place = like->place});
}

/* -- a round ----------------------------------------------------------- */

/* Rules ask how often a new value is used: what stands for old values is used
 * where they are. */
static void note_uses(Simplify *s, const Value *from, const Value *to) {
  if (to->id >= s->new_room) {
    int room = to->id + to->id / 2 + 64;
    int *grown = realloc(s->new_uses, (size_t)room * sizeof *grown);
    if (grown == NULL) return;
    memset(grown + s->new_room, 0,
           (size_t)(room - s->new_room) * sizeof *grown);
    s->new_uses = grown;
    s->new_room = room;
  }
  s->new_uses[to->id] += s->uses[from->id];
}

void simplify_map(Simplify *s, const Value *from, Value *to) {
  pass_replace(&s->copier, from, to);
  if (to) note_uses(s, from, to);
}

/* Make the node anew where it goes, of what its operands became. */
static void copy_node(Simplify *s, const Node *node) {
  Value *few[8], **operands = few;
  if (node->op == OP_sort) {
    sort_build(s, node);
    return;
  }
  if (node->n_operands > 8) {
    operands =
        ir_alloc(s->copier.to, (size_t)node->n_operands * sizeof(Value *));
    if (operands == NULL) return;
  }
  for (int i = 0; i < node->n_operands; i++)
    operands[i] = ir_mapped(&s->copier, node->operands[i]);
  Node *copy = ir_clone(s->open[s->target[node->id]], node, operands, NULL);
  if (copy == NULL) return;
  if (copy->n_results == 1) {
    simplify_map(s, node->results[0], settle(s, copy));
    return;
  }
  for (int i = 0; i < copy->n_results; i++)
    simplify_map(s, node->results[i], copy->results[i]);
}

void simplify_block(Simplify *s, const Block *block) {
  for (int i = 0; i < block->n_nodes && !s->copier.to->error.failed; i++) {
    const Node *node = block->nodes[i];
    if (dead_node(s, node)) continue;
    if (node->op == OP_scan)
      scan_build(s, node);
    else if (node->op == OP_while)
      while_build(s, node);
    else if (node->op == OP_cond)
      cond_build(s, node);
    else
      copy_node(s, node);
  }
}

static void yield_results(Simplify *s) {
  const Block *body = s->copier.from->body;
  size_t size = (size_t)body->n_yields * sizeof(Value *) + 1;
  Value **yields = ir_alloc(s->copier.to, size);
  if (yields == NULL) return;
  for (int i = 0; i < body->n_yields; i++)
    yields[i] = ir_mapped(&s->copier, body->yields[i]);
  ir_block_yield(s->copier.to->body, yields, body->n_yields);
}

static bool start(Simplify *s) {
  const Program *from = s->copier.from;
  size_t values = (size_t)from->n_values + 1;
  s->live = calloc(values, sizeof *s->live);
  s->constant_carry = calloc(values, sizeof *s->constant_carry);
  s->uses = calloc(values, sizeof *s->uses);
  s->level = calloc(values, sizeof *s->level);
  s->target = calloc((size_t)from->n_nodes + 1, sizeof *s->target);
  if (!s->live || !s->constant_carry || !s->uses || !s->level || !s->target)
    return false;
  if (!scan_constant_carries(s, from->body) || !dead_mark(s)) return false;
  motion_plan(s);
  return ir_copy_begin(&s->copier, from->stage);
}

static void stop(Simplify *s) {
  free(s->live);
  free(s->constant_carry);
  free(s->uses);
  free(s->level);
  free(s->target);
  free(s->new_uses);
  cse_free(s);
}

static Program *round_of(const Program *from, const Options *options) {
  Simplify s = {.copier = {.from = from},
                .fast = options->numerics == NUMERICS_FAST};
  bool started = start(&s);
  if (started) {
    const Block *body = from->body;
    for (int i = 0; i < body->n_params; i++)
      simplify_map(&s, body->params[i], ir_mapped(&s.copier, body->params[i]));
    s.open[0] = s.copier.to->body;
    simplify_block(&s, body);
    yield_results(&s);
  }
  Program *to = ir_copy_end(&s.copier);
  stop(&s);
  if (started) return to;
  ir_program_destroy(to);
  return NULL;
}

Program *pass_simplify(const Program *program, const Options *options) {
  Program *current = NULL;
  for (int i = 0; i < MOST_ROUNDS; i++) {
    const Program *from = current ? current : program;
    Program *next = round_of(from, options);
    if (next == NULL || next->error.failed) {
      ir_program_destroy(current);
      return next;
    }
    bool same = ir_equal(from, next);
    ir_program_destroy(current);
    current = next;
    if (same) break;
  }
  return current;
}
