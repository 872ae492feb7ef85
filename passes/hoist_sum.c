/* hoist_sum.c: a value as a sum, under construction.
 *
 * Comes in: parts, one by one.  Goes out: a Rep.  Parts of a kind are added up
 * where they arise, the rest apart from terms, which stay a list; what a list
 * has no room for goes to the rest. */
#include <string.h>

#include "hoist.h"

void sum_begin(Sum *sum, Attempt *a, Place place) {
  sum->a = a;
  sum->place = place;
  sum->rep = (Rep){.shared = NONE, .own = NONE, .rest = NONE};
}

/* -- chains ------------------------------------------------------------ */

bool hoist_push(Attempt *a, Term *term, const Recipe *recipe, int n,
                const int *operands, int hot) {
  int length = term->chain ? term->chain->length + 1 : 1;
  if (length > MOST_STEPS) return false;
  Step *step =
      ir_alloc(a->arena, sizeof *step + (size_t)n * sizeof *step->operands);
  if (step == NULL) return false;
  step->before = term->chain;
  step->recipe = *recipe;
  step->length = length;
  step->hot = hot;
  step->n_operands = n;
  memcpy(step->operands, operands, (size_t)n * sizeof *operands);
  term->chain = step;
  return true;
}

static int apply_step(Attempt *a, const Step *step, int value) {
  int few[8], *operands = few;
  if (step->n_operands > 8)
    operands = ir_alloc(a->arena, (size_t)step->n_operands * sizeof *operands);
  if (operands == NULL) return 0;
  memcpy(operands, step->operands, (size_t)step->n_operands * sizeof *operands);
  operands[step->hot] = value;
  return hoist_expr(a, &step->recipe, step->n_operands, operands);
}

int hoist_apply(Attempt *a, Term term) {
  const Step *steps[MOST_STEPS];
  int n = 0, value = term.root;
  for (const Step *s = term.chain; s; s = s->before) steps[n++] = s;
  while (n > 0) value = apply_step(a, steps[--n], value);
  return value;
}

/* -- parts ------------------------------------------------------------- */

void sum_shared(Sum *sum, int expr) {
  sum->rep.shared = hoist_add(sum->a, sum->rep.shared, expr, sum->place);
}

void sum_own(Sum *sum, int expr) {
  sum->rep.own = hoist_add(sum->a, sum->rep.own, expr, sum->place);
}

void sum_rest(Sum *sum, int expr, const Blame *blame) {
  sum->rep.rest = hoist_add(sum->a, sum->rep.rest, expr, sum->place);
  if (sum->rep.blame == NULL) sum->rep.blame = blame;
}

void sum_value(Sum *sum, int expr, const Blame *blame) {
  if (!expr_varies(sum->a, expr))
    sum_shared(sum, expr);
  else if (expr_stays(sum->a, expr))
    sum_own(sum, expr);
  else
    sum_rest(sum, expr, blame);
}

void sum_term(Sum *sum, Term term) {
  if (term.chain == NULL || sum->rep.n_terms == MOST_TERMS)
    sum_value(sum, hoist_apply(sum->a, term), NULL);
  else
    sum->terms[sum->rep.n_terms++] = term;
}

static DType dtype_of(const Attempt *a, int carry) {
  return expr_at(a, a->carries[carry].init)->type.dtype;
}

void sum_coef(Sum *sum, int carry, Scalar factor) {
  DType dtype = dtype_of(sum->a, carry);
  int i = 0;
  while (i < sum->rep.n_coefs && sum->coefs[i].carry != carry) i++;
  if (i == sum->rep.n_coefs) {
    sum->coefs[sum->rep.n_coefs++] = (Coef){carry, factor};
    return;
  }
  Scalar both[2] = {sum->coefs[i].factor, factor};
  sum->coefs[i].factor = ir_scalar_apply(OP_add, WORD_NONE, dtype, both);
}

static Scalar negated(DType dtype, Scalar value) {
  return ir_scalar_apply(OP_neg, WORD_NONE, dtype, &value);
}

static int minus(Sum *sum, int x, int y) {
  if (y == NONE) return x;
  if (x == NONE) return hoist_neg(sum->a, y, sum->place);
  return hoist_binary(sum->a, OP_sub, x, y, sum->place);
}

static void subtract(Sum *sum, const Rep *rep) {
  Attempt *a = sum->a;
  sum->rep.shared = minus(sum, sum->rep.shared, rep->shared);
  sum->rep.own = minus(sum, sum->rep.own, rep->own);
  sum->rep.rest = minus(sum, sum->rep.rest, rep->rest);
  if (sum->rep.blame == NULL) sum->rep.blame = rep->blame;
  for (int i = 0; i < rep->n_coefs; i++)
    sum_coef(sum, rep->coefs[i].carry,
             negated(dtype_of(a, rep->coefs[i].carry), rep->coefs[i].factor));
  for (int i = 0; i < rep->n_terms; i++) {
    Term term = rep->terms[i];
    int whole = hoist_apply(a, term);
    Recipe recipe = {
        .op = OP_neg, .type = expr_at(a, whole)->type, .place = sum->place};
    if (hoist_push(a, &term, &recipe, 1, &term.root, 0))
      sum_term(sum, term);
    else
      sum_rest(sum, hoist_neg(a, whole, sum->place), NULL);
  }
}

void sum_rep(Sum *sum, const Rep *rep, bool negative) {
  if (negative) {
    subtract(sum, rep);
    return;
  }
  if (rep->shared != NONE) sum_shared(sum, rep->shared);
  if (rep->own != NONE) sum_own(sum, rep->own);
  if (rep->rest != NONE) sum_rest(sum, rep->rest, rep->blame);
  for (int i = 0; i < rep->n_terms; i++) sum_term(sum, rep->terms[i]);
  for (int i = 0; i < rep->n_coefs; i++)
    sum_coef(sum, rep->coefs[i].carry, rep->coefs[i].factor);
}

/* -- split carries, written out ---------------------------------------- */

/* factor * part * init, where part is a rank-0 carry. */
static void expand_part(Sum *sum, Scalar factor, int part, int init) {
  Attempt *a = sum->a;
  if (part == NONE) return;
  if (part == ONE) {
    sum_own(sum, hoist_scale(a, factor, init, sum->place));
    return;
  }
  Term term = {.root = init};
  int scalar = hoist_scale(a, factor, part, sum->place);
  Recipe recipe = {
      .op = OP_mul, .type = expr_at(a, init)->type, .place = sum->place};
  hoist_push(a, &term, &recipe, 2, (int[]){scalar, init}, 1);
  sum_term(sum, term);
}

void sum_expanded(Sum *sum, const Rep *rep) {
  Attempt *a = sum->a;
  int n = a->scan->n_carries;
  Rep plain = *rep;
  plain.n_coefs = 0;
  sum_rep(sum, &plain, false);
  for (int i = 0; i < rep->n_coefs; i++) {
    int k = rep->coefs[i].carry;
    Scalar factor = rep->coefs[i].factor;
    for (int j = 0; j < n; j++)
      expand_part(sum, factor, a->part[k * n + j], a->carries[j].init);
    sum_shared(sum, hoist_scale(a, factor, a->carries[k].shared, sum->place));
  }
}

const Rep *sum_finish(Sum *sum) {
  Attempt *a = sum->a;
  Rep *rep = ir_alloc(a->arena, sizeof *rep);
  size_t terms = (size_t)sum->rep.n_terms * sizeof(Term);
  size_t coefs = (size_t)sum->rep.n_coefs * sizeof(Coef);
  Term *term_list = ir_alloc(a->arena, terms + 1);
  Coef *coef_list = ir_alloc(a->arena, coefs + 1);
  if (!rep || !term_list || !coef_list) return NULL;
  memcpy(term_list, sum->terms, terms);
  memcpy(coef_list, sum->coefs, coefs);
  *rep = sum->rep;
  rep->terms = term_list;
  rep->coefs = coef_list;
  return rep;
}
