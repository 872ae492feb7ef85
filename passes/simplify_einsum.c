/* simplify_einsum.c: rules that change an einsum's spec.
 *
 * Transposes, and reshapes and broadcasts that only add or drop dims, go into
 * the spec; scalars come out; what is no contraction becomes the view or the
 * sum that it is.  In strict, floats are left alone but where no sum and no
 * rounding changes: an operand's labels may be permuted as long as the
 * contracted ones keep their order. */
#include <string.h>

#include "simplify.h"

static Value *operand(const Node *node, int i) { return node->operands[i]; }

/* An einsum under change. */
typedef struct Change {
  const Node *node;
  Einsum e;
  Value *operands[52];
} Change;

static void read(Change *c, const Node *einsum) {
  c->node = einsum;
  ir_einsum_read(einsum, &c->e);
  memcpy(c->operands, einsum->operands,
         (size_t)einsum->n_operands * sizeof *c->operands);
}

static Value *write(Simplify *s, const Change *c, const Node *like) {
  const Attr *accumulate = ir_attr(c->node, ATTR_accumulate);
  Attr attrs[2] = {IR_STRING(spec, ir_einsum_spec(s->copier.to, &c->e))};
  if (attrs[0].s == NULL) return NULL;
  if (accumulate) attrs[1] = *accumulate;
  return simplify_make(s, like, OP_einsum, c->e.n_terms, c->operands,
                       accumulate ? 2 : 1, attrs, NULL);
}

static bool widens(const Node *einsum) {
  return ir_attr(einsum, ATTR_accumulate) != NULL;
}

static int count_in(const Einsum *e, int term, int label) {
  int n = 0;
  for (int d = 0; d < e->rank[term]; d++) n += e->term[term][d] == label;
  return n;
}

static bool in_other_term(const Einsum *e, int term, int label) {
  for (int t = 0; t < e->n_terms; t++)
    if (t != term && count_in(e, t, label) > 0) return true;
  return false;
}

/* -- strict order ------------------------------------------------------ */

/* The contracted labels of more than one step, in the order of their loops. */
static int contracted(const Einsum *e, int8_t *order) {
  bool seen[52] = {false};
  int n = 0;
  for (int t = 0; t < e->n_terms; t++)
    for (int d = 0; d < e->rank[t]; d++) {
      int8_t label = e->term[t][d];
      if (seen[label] || e->in_out[label] || e->size[label] == 1) continue;
      seen[label] = true;
      order[n++] = label;
    }
  return n;
}

/* May the spec of a node become this one?  Labels of `to` are those of `from`,
 * or new ones of size 1. */
static bool may_become(const Simplify *s, const Node *node, const Einsum *to) {
  int8_t a[52], b[52];
  Einsum from;
  if (may_reorder(s, result_type(node).dtype)) return true;
  if (to->n_terms != 2) return false;
  ir_einsum_read(node, &from);
  int n = contracted(&from, a), m = contracted(to, b);
  return n == m && memcmp(a, b, (size_t)n) == 0;
}

/* -- operands ---------------------------------------------------------- */

static bool through_transpose(Change *c, int t) {
  const Node *view = made_by(c->operands[t], OP_transpose);
  int8_t old[IR_MAX_RANK];
  if (view == NULL) return false;
  IntList perm = ir_ints(view, ATTR_perm);
  memcpy(old, c->e.term[t], sizeof old);
  for (int d = 0; d < perm.n; d++) c->e.term[t][perm.v[d]] = old[d];
  c->operands[t] = operand(view, 0);
  return true;
}

/* May the term lose this label without a change of the result's shape? */
static bool may_lose(const Einsum *e, int term, int label) {
  bool alone = !in_other_term(e, term, label);
  if (count_in(e, term, label) > 1) return false;
  return !alone || (e->size[label] == 1 && !e->in_out[label]);
}

/* dims[i]: where dim i of what the view shows went.  The other dims of the
 * view bear labels that the term can lose. */
static bool lose_labels(Change *c, int t, const int64_t *dims, int n) {
  Einsum *e = &c->e;
  bool stays[IR_MAX_RANK] = {false};
  for (int i = 0; i < n; i++) stays[dims[i]] = true;
  for (int d = 0; d < e->rank[t]; d++)
    if (!stays[d] && !may_lose(e, t, e->term[t][d])) return false;
  for (int i = 0; i < n; i++) e->term[t][i] = e->term[t][dims[i]];
  e->rank[t] = n;
  return true;
}

static bool through_broadcast(Change *c, int t) {
  const Node *view = made_by(c->operands[t], OP_broadcast);
  if (view == NULL) return false;
  Type from = operand(view, 0)->type, to = result_type(view);
  IntList dims = ir_ints(view, ATTR_dims);
  for (int d = 0; d < from.rank; d++)
    if (from.dims[d] != to.dims[dims.v[d]]) return false;
  if (!lose_labels(c, t, dims.v, dims.n)) return false;
  c->operands[t] = operand(view, 0);
  return true;
}

/* A splat is a broadcast scalar.  That is made when the change is sure. */
static bool through_splat(Change *c, int t) {
  Scalar element;
  return !is_scalar(c->operands[t]) && ir_is_splat(c->operands[t], &element) &&
         lose_labels(c, t, NULL, 0);
}

static void make_scalar(Simplify *s, Change *c, int t) {
  Scalar element;
  Value *x = c->operands[t];
  Type type = {x->type.dtype, 0, NULL, 0};
  if (c->e.rank[t] == 0 && !is_scalar(x) && ir_is_splat(x, &element))
    c->operands[t] = simplify_splat(s, c->node, type, element);
}

/* The dims of `small` among those of `large`, the others being of size 1. */
static bool matches(Type small, Type large, int64_t *dims) {
  int n = 0;
  for (int d = 0; d < large.rank; d++) {
    if (n < small.rank && small.dims[n] == large.dims[d])
      dims[n++] = d;
    else if (large.dims[d] != 1)
      return false;
  }
  return n == small.rank;
}

static int8_t new_label(Einsum *e) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (e->n_labels == 52) return -1;
  for (const char *c = letters; *c; c++)
    if (memchr(e->letter, *c, (size_t)e->n_labels) == NULL) {
      e->letter[e->n_labels] = *c;
      e->size[e->n_labels] = 1;
      return (int8_t)e->n_labels++;
    }
  return -1;
}

/* A reshape that dropped dims of size 1: they get labels of their own. */
static bool gain_labels(Change *c, int t, Type from, const int64_t *dims) {
  Einsum *e = &c->e;
  int8_t term[IR_MAX_RANK];
  memset(term, -1, sizeof term);
  for (int i = 0; i < e->rank[t]; i++) term[dims[i]] = e->term[t][i];
  if (e->n_labels + from.rank - e->rank[t] > 52) return false;
  for (int d = 0; d < from.rank; d++)
    if (term[d] < 0) term[d] = new_label(e);
  memcpy(e->term[t], term, sizeof term);
  e->rank[t] = from.rank;
  return true;
}

static bool through_reshape(Change *c, int t) {
  const Node *view = made_by(c->operands[t], OP_reshape);
  int64_t dims[IR_MAX_RANK];
  if (view == NULL) return false;
  Type from = operand(view, 0)->type, to = result_type(view);
  bool done =
      from.rank < to.rank
          ? matches(from, to, dims) && lose_labels(c, t, dims, from.rank)
          : matches(to, from, dims) && gain_labels(c, t, from, dims);
  if (done) c->operands[t] = operand(view, 0);
  return done;
}

/* The views that operands are go into the spec. */
Value *einsum_operands(Simplify *s, const Node *node) {
  Change c, before;
  bool changed = false;
  read(&c, node);
  for (int t = 0; t < node->n_operands; t++) {
    before = c;
    bool through = through_transpose(&c, t) || through_broadcast(&c, t) ||
                   through_reshape(&c, t) || through_splat(&c, t);
    if (!through || !may_become(s, node, &c.e)) {
      c = before;
      continue;
    }
    changed = true;
    make_scalar(s, &c, t);
  }
  return changed ? write(s, &c, node) : NULL;
}

/* -- the result -------------------------------------------------------- */

Value *transpose_einsum(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  const Node *einsum = made_by(x, OP_einsum);
  Change c;
  if (einsum == NULL || !used_once(s, x)) return NULL;
  read(&c, einsum);
  IntList perm = ir_ints(node, ATTR_perm);
  int8_t old[52];
  memcpy(old, c.e.out, sizeof old);
  for (int d = 0; d < perm.n; d++) c.e.out[d] = old[perm.v[d]];
  return write(s, &c, node);
}

/* A reshape that drops dims of size 1 from an einsum of several operands:
 * their labels are contracted, over one term. */
Value *reshape_einsum(Simplify *s, const Node *node) {
  Value *x = operand(node, 0);
  const Node *einsum = made_by(x, OP_einsum);
  int64_t dims[IR_MAX_RANK];
  Change c;
  if (einsum == NULL || einsum->n_operands < 2 || !used_once(s, x) ||
      result_type(node).rank >= x->type.rank ||
      !matches(result_type(node), x->type, dims))
    return NULL;
  if (einsum->n_operands > 2 && !may_reorder(s, x->type.dtype)) return NULL;
  read(&c, einsum);
  c.e.out_rank = result_type(node).rank;
  for (int i = 0; i < c.e.out_rank; i++) c.e.out[i] = c.e.out[dims[i]];
  return write(s, &c, node);
}

/* -- scalars ----------------------------------------------------------- */

static bool may_scale(const Simplify *s, const Node *einsum) {
  DType dtype = result_type(einsum).dtype;
  for (int i = 0; i < einsum->n_operands; i++)
    if (type_is_empty(operand(einsum, i)->type)) return false;
  return dtype == DT_BOOL || may_distribute(s, dtype);
}

static void drop_term(Change *c, int term) {
  Einsum *e = &c->e;
  int after = e->n_terms - term - 1;
  size_t n = (size_t)after;
  memmove(&c->operands[term], &c->operands[term + 1], n * sizeof(Value *));
  memmove(&e->rank[term], &e->rank[term + 1], n * sizeof e->rank[0]);
  memmove(&e->term[term], &e->term[term + 1], n * sizeof e->term[0]);
  e->n_terms--;
}

static int smallest(const Change *c) {
  int best = 0;
  for (int t = 1; t < c->e.n_terms; t++)
    if (ir_type_elements(c->operands[t]->type) <
        ir_type_elements(c->operands[best]->type))
      best = t;
  return best;
}

/* A sum over nothing is 0, whatever the other operands hold: but in strict a
 * pair that sums nothing may meet a NaN in the next pair. */
Value *einsum_nothing(Simplify *s, const Node *node) {
  if (node->n_operands > 2 && !may_reorder(s, result_type(node).dtype))
    return NULL;
  for (int t = 0; t < node->n_operands; t++)
    if (type_is_empty(operand(node, t)->type))
      return simplify_splat(s, node, result_type(node), (Scalar){0});
  return NULL;
}

/* An operand of rank 0 multiplies the result, or the smallest of the other
 * operands if that is less. */
Value *einsum_scalar(Simplify *s, const Node *node) {
  Change c;
  Type type = result_type(node);
  int term = -1;
  if (node->n_operands < 2 || !may_scale(s, node)) return NULL;
  for (int t = 0; t < node->n_operands && term < 0; t++)
    if (is_scalar(operand(node, t))) term = t;
  if (term < 0) return NULL;
  read(&c, node);
  Value *scalar = c.operands[term];
  Op op = type.dtype == DT_BOOL ? OP_and : OP_mul;
  drop_term(&c, term);
  int other = smallest(&c);
  int64_t least = ir_type_elements(c.operands[other]->type);
  if (!widens(node) && least < ir_type_elements(type)) {
    c.operands[other] = simplify_make(
        s, node, op, IR_VALUES(scalar, c.operands[other]), 0, NULL, NULL);
    return write(s, &c, node);
  }
  scalar = simplify_convert(s, node, scalar, type.dtype);
  Value *rest = write(s, &c, node);
  return simplify_make(s, node, op, IR_VALUES(scalar, rest), 0, NULL, NULL);
}

/* A scalar factor of a large operand multiplies the result instead.  Not one
 * that was multiplied outside of the loop that the einsum is in. */
Value *einsum_factor(Simplify *s, const Node *node) {
  Change c;
  Factor factor;
  int64_t result = ir_type_elements(result_type(node));
  if (widens(node) || !may_scale(s, node)) return NULL;
  for (int t = 0; t < node->n_operands; t++) {
    Value *x = operand(node, t);
    if (!factor_of(s, x, &factor) || x->block != node->block ||
        !used_once(s, x) || ir_type_elements(x->type) < result)
      continue;
    read(&c, node);
    c.operands[t] = factor.rest;
    return factor_apply(s, node, &factor, write(s, &c, node));
  }
  return NULL;
}

/* -- one operand ------------------------------------------------------- */

static Value *summed(Simplify *s, const Node *node, Value *x, uint64_t set) {
  DType dtype = x->type.dtype;
  if (dtype == DT_BOOL) return simplify_reduce(s, node, OP_reduce_or, x, set);
  return simplify_reduce(s, node, OP_reduce_sum, x, set);
}

/* The operand's elements, permuted, and perhaps summed over some dims. */
Value *einsum_single(Simplify *s, const Node *node) {
  Einsum e;
  DType dtype = result_type(node).dtype;
  if (node->n_operands != 1) return NULL;
  ir_einsum_read(node, &e);
  if (e.n_labels != e.rank[0]) return NULL; /* a diagonal */
  bool sums = e.out_rank < e.n_labels;
  /* An einsum of floats starts from +0, a reduce_sum from -0. */
  if (sums && ir_is_float(dtype)) return NULL;
  uint64_t set = 0;
  int64_t perm[IR_MAX_RANK];
  for (int l = 0; l < e.n_labels; l++)
    if (!e.in_out[l]) set |= UINT64_C(1) << l;
  for (int o = 0; o < e.out_rank; o++) {
    uint64_t before = (UINT64_C(1) << e.out[o]) - 1;
    perm[o] = e.out[o] - __builtin_popcountll(set & before);
  }
  Value *x = simplify_convert(s, node, operand(node, 0), dtype);
  if (x && sums) x = summed(s, node, x, set);
  return simplify_transpose(s, node, x, perm);
}
