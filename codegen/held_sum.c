/* held_sum.c: in a kernel of form=loop, sums in the order in which their terms
 * are ready (numerics `fast` only).
 *
 * A small step is bound by the chain of operations from the carries to their
 * next values.  For each value `ready` says how many cycles after the carries
 * it can be there; 0: it needs no carry, so that the machine has computed it
 * ahead.  A sum is taken apart into terms +- c * a * b, c being products of
 * what lies outside of the loop: the term that is ready last, and so holds all
 * others up, is replaced by its parts as long as that makes the sum ready
 * earlier: a sum by its terms, c * (a + b) by c * a + c * b, a product by its
 * factors.  Then the terms are added one to another, the earliest first, each
 * product as a multiply-add.
 *
 * Example, a filter: y = b0 * x + s, next = (b1 * x - a1 * y) + t, with carries
 * s and t and all of a, b from outside.  y waits for s, the product for y, the
 * sum for the product: 12 cycles.  Taken apart, next = b1 * x - (a1 * b0) * x
 * + t - a1 * s, and only one multiply-add comes after s.
 *
 * Carries are not ready at once either: in a second round each is as late as
 * its next value was in the first. */
#include "held.h"

#include <string.h>

enum { STEP = 4, DIVISION = 14, FUNCTION = 40, MOST_TERMS = 8 };

/* +- the product of the factors: first n_outside from outside, then at most two
 * that are not. */
typedef struct Term {
  bool minus;
  int n_outside;
  const Value *outside[2], *a, *b;
} Term;

struct Terms {
  int n;
  Term v[MOST_TERMS];
};

static int ready(const Gen *gen, const Value *value) {
  return gen->held[value->id].ready;
}

static int term_ready(const Gen *gen, const Term *term) {
  int a = ready(gen, term->a), b = term->b ? ready(gen, term->b) : 0;
  int factors = term->n_outside + (term->b ? 2 : 1);
  int all = a > b ? a : b;
  return all && factors > 2 ? all + STEP : all;
}

/* When the sum is there: the terms are in order. */
static int terms_ready(const Gen *gen, const Terms *terms) {
  int at = 0;
  for (int i = 0; i < terms->n; i++) {
    int own = term_ready(gen, &terms->v[i]);
    if (own > at) at = own;
    if (at) at += STEP;
  }
  return at;
}

static void sort_terms(const Gen *gen, Terms *terms) {
  for (int i = 1; i < terms->n; i++)
    for (int j = i; j > 0; j--) {
      Term *left = &terms->v[j - 1], *right = &terms->v[j], held = *left;
      if (term_ready(gen, left) <= term_ready(gen, right)) break;
      *left = *right;
      *right = held;
    }
}

/* -- taking apart ------------------------------------------------------ */

static bool is_outside(const Gen *gen, const Value *value) {
  Scalar element;
  return value->block->depth <= gen->kernel->body->depth ||
         ir_is_splat(value, &element);
}

/* A node of the loop whose elements stand where those of `shape` do. */
static const Node *here(const Gen *gen, const Value *value, Type shape) {
  if (is_outside(gen, value) || value->node == NULL) return NULL;
  return ir_shape_equal(value->type, shape) ? value->node : NULL;
}

/* term, one of a sum's, in place of its product. */
static bool split_product(const Gen *gen, Term *term, const Node *mul) {
  const Value *x = mul->operands[0], *y = mul->operands[1];
  if (is_outside(gen, y)) {
    const Value *other = x;
    x = y, y = other;
  }
  if (is_outside(gen, x)) {
    if (term->n_outside == 2) return false;
    term->outside[term->n_outside++] = x;
    term->a = y;
    return true;
  }
  if (term->n_outside > 0) return false;
  term->a = x;
  term->b = y;
  return true;
}

/* Replace term i, the last to be ready, by its parts; false: it has none. */
static bool split(const Gen *gen, Terms *terms, int i, Type shape) {
  Term *term = &terms->v[i];
  const Node *node = term->b ? NULL : here(gen, term->a, shape);
  if (node == NULL) return false;
  if (node->op == OP_neg) {
    term->minus = !term->minus;
    term->a = node->operands[0];
    return true;
  }
  if (node->op == OP_mul) return split_product(gen, term, node);
  if ((node->op != OP_add && node->op != OP_sub) || terms->n == MOST_TERMS)
    return false;
  Term second = *term;
  term->a = node->operands[0];
  second.a = node->operands[1];
  if (node->op == OP_sub) second.minus = !second.minus;
  terms->v[terms->n++] = second;
  return true;
}

/* Products among the terms, as far as they go without other changes. */
static void split_products(const Gen *gen, Terms *terms, Type shape) {
  for (int i = 0; i < terms->n; i++) {
    const Term *term = &terms->v[i];
    const Node *node = term->b ? NULL : here(gen, term->a, shape);
    if (node && node->op == OP_mul && term->n_outside == 0)
      split(gen, terms, i, shape);
  }
}

/* The terms of an add or sub. */
static Terms terms_of(const Gen *gen, const Node *node) {
  Type shape = node->results[0]->type;
  Terms best = {.n = 2};
  best.v[0].a = node->operands[0];
  best.v[1].a = node->operands[1];
  best.v[1].minus = node->op == OP_sub;
  split_products(gen, &best, shape);
  sort_terms(gen, &best);
  Terms now = best;
  for (int steps = 0; steps < 4 * MOST_TERMS; steps++) {
    if (!split(gen, &now, now.n - 1, shape)) break;
    split_products(gen, &now, shape);
    sort_terms(gen, &now);
    if (terms_ready(gen, &now) < terms_ready(gen, &best)) best = now;
  }
  return best;
}

/* -- when everything is ready ------------------------------------------ */

static int latency(const Node *node) {
  bool routine = ir_ops[node->op].flags & DEAR;
  switch (ir_ops[node->op].class) {
    case VIEW:
      return 1;
    case ELEMENTWISE:
      return routine                                     ? FUNCTION
             : node->op == OP_div || node->op == OP_sqrt ? DIVISION
                                                         : STEP;
    default:
      return 3 * STEP;
  }
}

static bool is_sum(const Gen *gen, const Node *node) {
  DType dtype = node->results[0]->type.dtype;
  return (node->op == OP_add || node->op == OP_sub) && gen->has_fma &&
         (dtype == DT_F64 || dtype == DT_F32);
}

static void order_node(Gen *gen, const Node *node) {
  int latest = 0;
  for (int o = 0; o < node->n_operands; o++)
    if (ready(gen, node->operands[o]) > latest)
      latest = ready(gen, node->operands[o]);
  if (latest) latest += latency(node);
  Held *held = &gen->held[node->results[0]->id];
  held->ready = latest;
  if (!is_sum(gen, node)) return;
  Terms terms = terms_of(gen, node);
  held->ready = terms_ready(gen, &terms);
  if (held->terms == NULL) held->terms = gen_alloc(gen, sizeof terms);
  if (held->terms) *held->terms = terms;
}

static void order_block(Gen *gen, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_constant) continue;
    if (node->op == OP_scan) held_order(gen, node);
    if (node->op != OP_scan) order_node(gen, node);
  }
}

void held_order(Gen *gen, const Node *scan) {
  const Block *body = scan->body;
  if (gen->strict) return;
  for (int i = 0; i < scan->n_operands; i++)
    gen->held[body->params[i]->id].ready = i < scan->n_carries;
  order_block(gen, body);
  for (int i = 0; i < scan->n_carries; i++)
    gen->held[body->params[i]->id].ready = 1 + ready(gen, body->yields[i]) / 2;
  order_block(gen, body);
  for (int i = 0; i < scan->n_results; i++)
    gen->held[scan->results[i]->id].ready = FUNCTION;
}

/* -- emission ---------------------------------------------------------- */

/* What lies outside is multiplied before the loop. */
static Ssa outside_factor(Gen *gen, const Term *term, DType dtype,
                          const Ix *ix) {
  Ssa first = emit_value(gen, term->outside[0], ix);
  if (term->n_outside < 2) return first;
  Ssa second = emit_value(gen, term->outside[1], ix);
  LLVMBasicBlockRef here = held_before_loop(gen);
  Ssa product = arithmetic(gen, OP_mul, dtype, first, second);
  LLVMPositionBuilderAtEnd(gen->b, here);
  return product;
}

/* x, or x * *y, is the term without its sign. */
static Ssa term_factors(Gen *gen, const Term *term, DType dtype, const Ix *ix,
                        Ssa *y) {
  Ssa x = emit_value(gen, term->a, ix);
  *y = NULL;
  if (term->b) *y = emit_value(gen, term->b, ix);
  if (term->n_outside == 0) return x;
  *y = outside_factor(gen, term, dtype, ix);
  return x;
}

Ssa held_sum(Gen *gen, const Node *node, const Ix *ix) {
  const Terms *terms = gen->held[node->results[0]->id].terms;
  DType dtype = node->results[0]->type.dtype;
  Ssa sum = NULL;
  for (int i = 0; i < terms->n; i++) {
    const Term *term = &terms->v[i];
    Ssa y, x = term_factors(gen, term, dtype, ix, &y);
    if (sum && y) {
      if (term->minus) x = LLVMBuildFNeg(gen->b, x, "");
      sum = multiply_add(gen, dtype, x, y, sum);
    } else if (sum) {
      sum = arithmetic(gen, term->minus ? OP_sub : OP_add, dtype, sum, x);
    } else {
      sum = y ? arithmetic(gen, OP_mul, dtype, x, y) : x;
      if (term->minus) sum = LLVMBuildFNeg(gen->b, sum, "");
    }
  }
  return sum;
}
