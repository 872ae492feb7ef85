/* hoist_rules.c: what an op makes of separable operands.
 *
 * One table says in what each op is linear.  `linear` ops act on every part of
 * an operand alike; products with a value that varies put it beside the root
 * (hoist_merge.c); sums over devices act on the roots alone. */
#include <string.h>

#include "hoist.h"

/* -- the table --------------------------------------------------------- */

typedef enum Linear {
  NOT_LINEAR,
  ADDITIVE, /* in all operands together: x + y, x - y, -x */
  FIRST,    /* in operand 0, the others being shared */
  EACH,     /* in each operand, the others being fixed */
  QUOTIENT, /* in operand 0; over a varying divisor as a product */
  DEVICES   /* a sum over devices, or a choice among them */
} Linear;

static const unsigned char linear[OP_COUNT] = {
    [OP_add] = ADDITIVE,       [OP_sub] = ADDITIVE,
    [OP_neg] = ADDITIVE,       [OP_mul] = EACH,
    [OP_einsum] = EACH,        [OP_div] = QUOTIENT,
    [OP_reduce_sum] = FIRST,   [OP_cumsum] = FIRST,
    [OP_transpose] = FIRST,    [OP_reshape] = FIRST,
    [OP_broadcast] = FIRST,    [OP_slice] = FIRST,
    [OP_reverse] = FIRST,      [OP_convert] = FIRST, /* see converts() */
    [OP_pad] = FIRST,                                /* with zeros */
    [OP_take] = FIRST,         [OP_dynamic_slice] = FIRST,
    [OP_psum] = DEVICES,       [OP_pmean] = DEVICES,
    [OP_pbroadcast] = DEVICES, [OP_all_gather] = DEVICES,
    [OP_unmap] = DEVICES,
};

/* -- dtypes ------------------------------------------------------------ */

const char *hoist_dtype_reason(const Attempt *a, DType dtype) {
  if (ir_is_int(dtype)) return NULL; /* exact, modulo 2^bits */
  if (dtype == DT_BOOL) return "sums of bool are none";
  if (a->hoist->options->numerics == NUMERICS_STRICT)
    return "strict numerics keep the order of sums of floats";
  if (dtype == DT_F16 || dtype == DT_BF16)
    return "the sum of what varies could leave the range of 16-bit floats";
  return NULL;
}

bool hoist_dtype(const Attempt *a, DType dtype) {
  return hoist_dtype_reason(a, dtype) == NULL;
}

/* Widening floats rounds nothing; narrowing integers is exact modulo 2^bits,
 * but what has wrapped is not what would be widened. */
static bool converts(const Attempt *a, DType from, DType to) {
  if (!hoist_dtype(a, from) || !hoist_dtype(a, to)) return false;
  if (ir_is_float(from) != ir_is_float(to)) return false;
  size_t before = ir_dtype_bytes(from), after = ir_dtype_bytes(to);
  return ir_is_float(from) ? after >= before : after <= before;
}

/* May sums be taken apart here at all? */
static bool admits(const Attempt *a, const Node *node) {
  DType to = node->results[0]->type.dtype;
  DType from = node->operands[0]->type.dtype;
  if (node->op == OP_convert) return converts(a, from, to);
  return from == to && hoist_dtype(a, to);
}

/* -- products ---------------------------------------------------------- */

static bool is_own(const Attempt *a, int expr) {
  return expr_varies(a, expr) && expr_stays(a, expr);
}

/* recipe(operands), operand `hot` being chain(root) if hot is not NONE: as a
 * term, or as what it is. */
static void add_product(Sum *sum, const Recipe *recipe, int n,
                        const int *operands, int hot, const Step *chain) {
  Attempt *a = sum->a;
  int owners = 0, owner = NONE;
  bool stays = chain == NULL;
  for (int i = 0; i < n; i++) {
    stays &= expr_stays(a, operands[i]);
    if (!is_own(a, operands[i]) || (i == hot && chain)) continue;
    owners++;
    owner = i;
  }
  Term term = {.root = hot == NONE ? NONE : operands[hot], .chain = chain};
  if (chain == NULL && owner != NONE) term.root = operands[owner];
  if (stays || (chain == NULL && owners == 0)) {
    sum_value(sum, hoist_expr(a, recipe, n, operands), NULL);
  } else if (owners + (chain != NULL) == 1
                 ? hoist_push(a, &term, recipe, n, operands,
                              chain ? hot : owner)
                 : hoist_merge(a, recipe, n, operands, hot, chain, &term)) {
    sum_term(sum, term);
  } else {
    int all[IR_MAX_RANK];
    memcpy(all, operands, (size_t)n * sizeof *all);
    if (chain) all[hot] = hoist_apply(a, (Term){operands[hot], chain});
    sum_rest(sum, hoist_expr(a, recipe, n, all), NULL);
  }
}

/* The same with operand `hot` being each part of rep in turn. */
static void distribute(Sum *sum, const Recipe *recipe, int n, int *operands,
                       int hot, const Rep *rep) {
  Attempt *a = sum->a;
  if (rep->shared != NONE) {
    operands[hot] = rep->shared;
    add_product(sum, recipe, n, operands, NONE, NULL);
  }
  if (rep->own != NONE) {
    operands[hot] = rep->own;
    add_product(sum, recipe, n, operands, NONE, NULL);
  }
  for (int i = 0; i < rep->n_terms; i++) {
    operands[hot] = rep->terms[i].root;
    add_product(sum, recipe, n, operands, hot, rep->terms[i].chain);
  }
  if (rep->rest != NONE) {
    operands[hot] = rep->rest;
    sum_rest(sum, hoist_expr(a, recipe, n, operands), rep->blame);
  }
}

/* rep without its coefs, which it gets back written out. */
static Rep expanded(Sum *scratch, Attempt *a, const Rep *rep, Place place) {
  sum_begin(scratch, a, place);
  sum_expanded(scratch, rep);
  Rep out = scratch->rep;
  out.terms = scratch->terms;
  out.coefs = scratch->coefs;
  return out;
}

/* A product with a number keeps multiples of carries what they are. */
static Rep scaled(Sum *sum, Sum *scratch, const Node *node, int hot, int number,
                  const Rep *rep) {
  Attempt *a = sum->a;
  DType dtype = node->results[0]->type.dtype;
  const Expr *factor = number == NONE ? NULL : expr_at(a, number);
  bool same = ir_shape_equal(node->operands[hot]->type, node->results[0]->type);
  if (!factor || !factor->known || !same || node->op == OP_einsum)
    return expanded(scratch, a, rep, node->place);
  Scalar value = factor->value;
  if (node->op == OP_div) {
    Scalar pair[2] = {hoist_number(dtype, 1), value};
    value = ir_scalar_apply(OP_div, WORD_NONE, dtype, pair);
  }
  for (int i = 0; i < rep->n_coefs; i++) {
    Scalar pair[2] = {rep->coefs[i].factor, value};
    sum_coef(sum, rep->coefs[i].carry,
             ir_scalar_apply(OP_mul, WORD_NONE, dtype, pair));
  }
  Rep out = *rep;
  out.n_coefs = 0;
  return out;
}

/* The value as one expression where it is shared or own; else NONE. */
static int simple(const Rep *rep) {
  if (rep->rest != NONE || rep->n_terms || rep->n_coefs) return NONE;
  if (rep->own == NONE) return rep->shared;
  return rep->shared == NONE ? rep->own : NONE;
}

static bool product_rule(Sum *sum, const Node *node, const Recipe *recipe) {
  Attempt *a = sum->a;
  int operands[IR_MAX_RANK], n = node->n_operands, hot = NONE;
  if (n > IR_MAX_RANK) return false;
  for (int i = 0; i < n; i++) {
    operands[i] = simple(hoist_rep(a, node->operands[i]));
    if (operands[i] != NONE) continue;
    if (hot != NONE) return false;
    hot = i;
  }
  if (hot == NONE) {
    add_product(sum, recipe, n, operands, NONE, NULL);
    return true;
  }
  Sum scratch;
  Rep rep = scaled(sum, &scratch, node, hot, n == 2 ? operands[1 - hot] : NONE,
                   hoist_rep(a, node->operands[hot]));
  distribute(sum, recipe, n, operands, hot, &rep);
  return true;
}

/* -- linear ops -------------------------------------------------------- */

static bool first_rule(Sum *sum, const Node *node, const Recipe *recipe) {
  Attempt *a = sum->a;
  int operands[IR_MAX_RANK + 1], n = node->n_operands;
  Sum scratch;
  if (n > IR_MAX_RANK) return false;
  for (int i = 1; i < n; i++) {
    operands[i] = hoist_direct(a, node->operands[i]);
    if (expr_varies(a, operands[i])) return false;
  }
  if (node->op == OP_pad) {
    const Expr *with = expr_at(a, operands[1]);
    if (!with->known || !hoist_is(with->type.dtype, with->value, 0))
      return false;
  }
  const Rep *given = hoist_rep(a, node->operands[0]);
  Rep rep = node->op == OP_div
                ? scaled(sum, &scratch, node, 0, operands[1], given)
                : expanded(&scratch, a, given, node->place);
  distribute(sum, recipe, n, operands, 0, &rep);
  return true;
}

/* x / y = x (1 / y), if y varies and does not change. */
static bool quotient_rule(Sum *sum, const Node *node, const Recipe *recipe) {
  Attempt *a = sum->a;
  int divisor = hoist_direct(a, node->operands[1]);
  if (!ir_is_float(recipe->type.dtype)) return false;
  if (!expr_varies(a, divisor)) return first_rule(sum, node, recipe);
  if (!expr_stays(a, divisor)) return false;
  Type scalar = {.dtype = recipe->type.dtype};
  int one = hoist_splat(a, scalar, hoist_number(scalar.dtype, 1), node->place);
  int operands[2] = {NONE, hoist_binary(a, OP_div, one, divisor, node->place)};
  Recipe product = {.op = OP_mul, .type = recipe->type, .place = recipe->place};
  Sum scratch;
  Rep rep = expanded(&scratch, a, hoist_rep(a, node->operands[0]), node->place);
  distribute(sum, &product, 2, operands, 0, &rep);
  return true;
}

/* A scalar operand of a sum of arrays is spread first. */
static void add_operand(Sum *sum, const Node *node, int i, bool negative) {
  Attempt *a = sum->a;
  const Value *operand = node->operands[i];
  const Rep *rep = hoist_rep(a, operand);
  Type type = node->results[0]->type;
  if (operand->type.rank == type.rank) {
    sum_rep(sum, rep, negative);
    return;
  }
  Sum scratch, wide;
  int value = NONE;
  static const Attr dims = {.key = ATTR_dims};
  Recipe spread = {.op = OP_broadcast,
                   .n_attrs = 1,
                   .attrs = &dims,
                   .type = type,
                   .place = node->place};
  Rep narrow = expanded(&scratch, a, rep, node->place);
  sum_begin(&wide, a, node->place);
  distribute(&wide, &spread, 1, &value, 0, &narrow);
  const Rep *done = sum_finish(&wide);
  if (done) sum_rep(sum, done, negative);
}

static bool additive_rule(Sum *sum, const Node *node) {
  for (int i = 0; i < node->n_operands; i++)
    add_operand(sum, node, i, node->op == OP_neg || (node->op == OP_sub && i));
  return true;
}

bool hoist_rule(Sum *sum, const Node *node) {
  Linear how = (Linear)linear[node->op];
  if (how == NOT_LINEAR || how == DEVICES || !admits(sum->a, node))
    return false;
  Recipe recipe = hoist_recipe(node);
  if (how == ADDITIVE) return additive_rule(sum, node);
  if (how == QUOTIENT) return quotient_rule(sum, node, &recipe);
  return how == FIRST ? first_rule(sum, node, &recipe)
                      : product_rule(sum, node, &recipe);
}

/* -- sums over devices ------------------------------------------------- */

bool hoist_collects(const Node *node) {
  return linear[node->op] == DEVICES && ir_attr(node, ATTR_groups) == NULL;
}

/* What sums over devices keeps a chain as it is.  What changes the shape goes
 * past factors of rank 0 only, which get the new shape. */
static bool past_chain(Attempt *a, const Node *node, const Term *term,
                       Term *out) {
  const Step *steps[MOST_STEPS];
  int n = 0;
  Type type = node->results[0]->type;
  bool keeps = ir_shape_equal(type, node->operands[0]->type);
  *out = (Term){.root = out->root};
  for (const Step *s = term->chain; s; s = s->before) steps[n++] = s;
  while (n > 0) {
    const Step *s = steps[--n];
    Recipe recipe = s->recipe;
    bool scales = s->recipe.op == OP_mul || s->recipe.op == OP_neg;
    for (int i = 0; i < s->n_operands; i++)
      if (i != s->hot) scales &= expr_at(a, s->operands[i])->type.rank == 0;
    if (!keeps && !scales) return false;
    if (!keeps) recipe.type = type;
    if (!hoist_push(a, out, &recipe, s->n_operands, s->operands, s->hot))
      return false;
  }
  return true;
}

static int collect(Attempt *a, const Node *node, int x) {
  Recipe recipe = hoist_recipe(node);
  return hoist_expr(a, &recipe, 1, &x);
}

/* A term: its root is collected before the loop.  Where nothing varies any
 * more, the chain makes a value that all devices share. */
static void collect_term(Sum *sum, const Node *node, Term term) {
  Attempt *a = sum->a;
  bool same_shape =
      ir_shape_equal(node->operands[0]->type, expr_at(a, term.root)->type);
  bool keeps = ir_shape_equal(node->results[0]->type, node->operands[0]->type);
  Recipe recipe = hoist_recipe(node);
  Term out = {0};
  if (keeps) recipe.type = expr_at(a, term.root)->type;
  if (keeps || same_shape) {
    out.root = hoist_expr(a, &recipe, 1, &term.root);
    if (past_chain(a, node, &term, &out)) {
      if (expr_varies(a, out.root))
        sum_term(sum, out);
      else
        sum_shared(sum, hoist_apply(a, out));
      return;
    }
  }
  sum_value(sum, collect(a, node, hoist_apply(a, term)), NULL);
}

bool hoist_collective(Sum *sum, const Node *node) {
  Attempt *a = sum->a;
  Sum scratch;
  if (!hoist_collects(node) || !admits(a, node)) return false;
  const Rep *given = hoist_rep(a, node->operands[0]);
  if (given->own == NONE && given->n_terms == 0 && given->n_coefs == 0)
    return false;
  IntList axes = ir_ints(node, ATTR_axis);
  for (int i = 0; i < axes.n; i++)
    if (!(a->axes >> axes.v[i] & 1)) return false;
  if (node->op == OP_pmean && !ir_is_float(node->results[0]->type.dtype))
    return false;
  Rep rep = expanded(&scratch, a, given, node->place);
  if (rep.shared != NONE) sum_value(sum, collect(a, node, rep.shared), NULL);
  if (rep.own != NONE) sum_value(sum, collect(a, node, rep.own), NULL);
  for (int i = 0; i < rep.n_terms; i++) collect_term(sum, node, rep.terms[i]);
  if (rep.rest != NONE) sum_value(sum, collect(a, node, rep.rest), rep.blame);
  return true;
}
