/* hoist_merge.c: varying factors that are multiplied together.
 *
 * A sum over devices can be taken of one varying factor only.  Where a value
 * that varies is multiplied with a chain on another one, as in
 *
 *   einsum(X, einsum(X, q, "rn,n->r"), "rm,r->m")
 *
 * the chain is written as one einsum; its factors that do not change in the
 * loop are multiplied before the loop, as far as the others need their dims:
 *
 *   w = einsum(X, X, "rm,rn->mn"), then einsum(w, q, "mn,n->m")
 *
 * Comes in: the product and the chain.  Goes out: w and the einsum, as a term;
 * or nothing, where a step of the chain is no product, transpose or sum. */
#include <string.h>

#include "hoist.h"

enum { MOST_FACTORS = 16, MOST_LABELS = 52, MOST_RANK = 16 };

typedef struct Factor {
  int expr;
  int rank;
  int8_t label[MOST_RANK];
} Factor;

/* The product of all factors, summed over all labels that are not in out. */
typedef struct Flat {
  Attempt *a;
  Factor factors[MOST_FACTORS];
  int n_factors;
  int n_labels;
  int64_t size[MOST_LABELS];
  bool given[MOST_LABELS]; /* in the letters of the step at hand */
  Factor out;              /* its labels; no expression */
  bool negative;
} Flat;

/* -- building it ------------------------------------------------------- */

static bool new_label(Flat *f, int64_t size, int8_t *label) {
  if (f->n_labels == MOST_LABELS) return false;
  f->size[f->n_labels] = size;
  *label = (int8_t)f->n_labels++;
  return true;
}

static bool new_factor(Flat *f, int expr, const int8_t *labels) {
  int rank = expr_at(f->a, expr)->type.rank;
  if (f->n_factors == MOST_FACTORS) return false;
  Factor *factor = &f->factors[f->n_factors++];
  *factor = (Factor){.expr = expr, .rank = rank};
  memcpy(factor->label, labels, (size_t)rank);
  return true;
}

static void rename_in(Factor *factor, int8_t from, int8_t to) {
  for (int d = 0; d < factor->rank; d++)
    if (factor->label[d] == from) factor->label[d] = to;
}

/* Two labels become one: a diagonal. */
static void unite(Flat *f, int8_t from, int8_t to) {
  for (int i = 0; i < f->n_factors; i++) rename_in(&f->factors[i], from, to);
  rename_in(&f->out, from, to);
}

/* The root, before any step. */
static bool start(Flat *f, int root) {
  Type type = expr_at(f->a, root)->type;
  if (type.rank > MOST_RANK) return false;
  f->out = (Factor){.rank = type.rank};
  for (int d = 0; d < type.rank; d++)
    if (!new_label(f, type.dims[d], &f->out.label[d])) return false;
  return new_factor(f, root, f->out.label);
}

/* -- steps ------------------------------------------------------------- */

/* Another factor of an elementwise product: a scalar, or of the same shape; or
 * the array that a scalar is spread over. */
static bool multiply(Flat *f, int expr) {
  Type type = expr_at(f->a, expr)->type;
  if (type.rank > MOST_RANK) return false;
  if (type.rank && f->out.rank == 0) {
    for (int d = 0; d < type.rank; d++)
      if (!new_label(f, type.dims[d], &f->out.label[d])) return false;
    f->out.rank = type.rank;
  }
  return new_factor(f, expr, f->out.label);
}

/* letters of a term of an einsum <-> labels; letter_label: by letter, or -1 */
static const char *read_term(const char *c, int rank, char *letters) {
  memcpy(letters, c, (size_t)rank);
  return c + rank + 1;
}

static bool bind_hot(Flat *f, const char *letters, int8_t *by_letter) {
  for (int d = 0; d < f->out.rank; d++) {
    int8_t *label = &by_letter[(int)letters[d]];
    if (*label < 0)
      *label = f->out.label[d];
    else if (*label != f->out.label[d])
      unite(f, f->out.label[d], *label);
  }
  return true;
}

static bool bind_other(Flat *f, int expr, const char *letters,
                       int8_t *by_letter) {
  Type type = expr_at(f->a, expr)->type;
  int8_t labels[MOST_RANK];
  for (int d = 0; d < type.rank; d++) {
    int8_t *label = &by_letter[(int)letters[d]];
    if (*label < 0 && !new_label(f, type.dims[d], label)) return false;
    labels[d] = *label;
  }
  return new_factor(f, expr, labels);
}

static const char *spec_of(const Recipe *recipe) {
  for (int i = 0; i < recipe->n_attrs; i++)
    if (recipe->attrs[i].key == ATTR_spec) return recipe->attrs[i].s;
  return NULL;
}

static bool contract(Flat *f, const Recipe *recipe, int n, const int *operands,
                     int hot) {
  char letters[MOST_FACTORS][MOST_RANK];
  int8_t by_letter[128];
  const char *c = spec_of(recipe);
  if (c == NULL || n > MOST_FACTORS) return false;
  memset(by_letter, -1, sizeof by_letter);
  for (int i = 0; i < n; i++) {
    int rank = i == hot ? f->out.rank : expr_at(f->a, operands[i])->type.rank;
    if (rank > MOST_RANK) return false;
    c = read_term(c, rank, letters[i]);
  }
  bind_hot(f, letters[hot], by_letter);
  for (int i = 0; i < n; i++)
    if (i != hot && !bind_other(f, operands[i], letters[i], by_letter))
      return false;
  f->out.rank = 0;
  for (c++; *c; c++) { /* read_term went past the '-' */
    if (f->out.rank == MOST_RANK) return false;
    f->out.label[f->out.rank++] = by_letter[(int)*c];
  }
  return true;
}

static IntList list_of(const Recipe *recipe, AttrKey key) {
  for (int i = 0; i < recipe->n_attrs; i++)
    if (recipe->attrs[i].key == key) return recipe->attrs[i].ints;
  return (IntList){0};
}

static bool rearrange(Flat *f, const Recipe *recipe) {
  Factor old = f->out;
  IntList perm = list_of(recipe, ATTR_perm), dims = list_of(recipe, ATTR_dims);
  if (recipe->op == OP_transpose) {
    for (int d = 0; d < perm.n; d++) f->out.label[d] = old.label[perm.v[d]];
    return true;
  }
  bool dropped[MOST_RANK] = {false};
  bool listed = false;
  for (int i = 0; i < recipe->n_attrs; i++)
    listed |= recipe->attrs[i].key == ATTR_dims;
  for (int i = 0; i < dims.n; i++) dropped[dims.v[i]] = true;
  f->out.rank = 0;
  for (int d = 0; listed && d < old.rank; d++)
    if (!dropped[d]) f->out.label[f->out.rank++] = old.label[d];
  return true;
}

/* New dims get labels that some later factor must have, too. */
static bool spread(Flat *f, const Recipe *recipe) {
  Factor old = f->out;
  IntList dims = list_of(recipe, ATTR_dims);
  Type type = recipe->type;
  if (type.rank > MOST_RANK) return false;
  f->out.rank = type.rank;
  for (int d = 0; d < type.rank; d++) {
    int from = 0;
    while (from < dims.n && dims.v[from] != d) from++;
    if (from == dims.n) {
      if (!new_label(f, type.dims[d], &f->out.label[d])) return false;
    } else if (f->size[old.label[from]] == type.dims[d]) {
      f->out.label[d] = old.label[from];
    } else {
      return false; /* a dim of size 1 stretched */
    }
  }
  return true;
}

static bool take_step(Flat *f, const Recipe *recipe, int n, const int *operands,
                      int hot) {
  switch (recipe->op) {
    case OP_neg:
      f->negative = !f->negative;
      return true;
    case OP_mul:
      return multiply(f, operands[1 - hot]);
    case OP_einsum:
      return contract(f, recipe, n, operands, hot);
    case OP_transpose:
    case OP_reduce_sum:
      return rearrange(f, recipe);
    case OP_broadcast:
      return spread(f, recipe);
    default:
      return false;
  }
}

static bool flatten(Flat *f, int root, const Step *chain) {
  const Step *steps[MOST_STEPS];
  int n = 0;
  for (const Step *s = chain; s; s = s->before) steps[n++] = s;
  if (!start(f, root)) return false;
  while (n > 0) {
    const Step *s = steps[--n];
    if (!take_step(f, &s->recipe, s->n_operands, s->operands, s->hot))
      return false;
  }
  return true;
}

/* -- taking it apart --------------------------------------------------- */

static uint64_t set_of(const Factor *factor) {
  uint64_t set = 0;
  for (int d = 0; d < factor->rank; d++) set |= UINT64_C(1) << factor->label[d];
  return set;
}

static char letter_of(int label) {
  return (char)(label < 26 ? 'a' + label : 'A' + label - 26);
}

static char *put_labels(char *to, const Factor *factor) {
  for (int d = 0; d < factor->rank; d++) *to++ = letter_of(factor->label[d]);
  return to;
}

/* The einsum of factors, with these labels left. */
static bool einsum_of(const Flat *f, const Factor *factors, int n,
                      const Factor *out, Place place, Recipe *recipe) {
  Attempt *a = f->a;
  char text[MOST_FACTORS * (MOST_RANK + 1) + MOST_RANK + 4], *to = text;
  Attr *attr = ir_alloc(a->arena, sizeof *attr);
  int64_t *dims = ir_alloc(a->arena, (size_t)out->rank * sizeof *dims + 1);
  if (attr == NULL || dims == NULL) return false;
  for (int i = 0; i < n; i++) {
    if (i) *to++ = ',';
    to = put_labels(to, &factors[i]);
  }
  *to++ = '-';
  *to++ = '>';
  *put_labels(to, out) = 0;
  for (int d = 0; d < out->rank; d++) dims[d] = f->size[out->label[d]];
  *attr = (Attr){.key = ATTR_spec, .s = ir_copy_string(a->arena, text)};
  *recipe = (Recipe){
      .op = OP_einsum,
      .n_attrs = 1,
      .attrs = attr,
      .type = {expr_at(a, factors[0].expr)->type.dtype, out->rank, dims, 0},
      .place = place};
  return attr->s != NULL;
}

/* The labels of the factors that stay that the others or the result need. */
static bool root_labels(const Flat *f, const Factor *staying, int n_staying,
                        uint64_t needed, Factor *root) {
  int64_t elements = 1;
  uint64_t seen = 0;
  *root = (Factor){.rank = 0};
  for (int i = 0; i < n_staying; i++)
    for (int d = 0; d < staying[i].rank; d++) {
      int8_t label = staying[i].label[d];
      if (seen >> label & 1 || !(needed >> label & 1)) continue;
      seen |= UINT64_C(1) << label;
      if (root->rank == MOST_RANK ||
          __builtin_mul_overflow(elements, f->size[label], &elements) ||
          elements > INT64_C(1) << 40)
        return false;
      root->label[root->rank++] = label;
    }
  return true;
}

static bool split(Flat *f, Place place, Term *out) {
  Attempt *a = f->a;
  Factor staying[MOST_FACTORS], moving[MOST_FACTORS + 1];
  int operands[MOST_FACTORS + 1], n_staying = 0, n_moving = 1;
  uint64_t needed = set_of(&f->out), all = 0;
  for (int i = 0; i < f->n_factors; i++) {
    const Factor *factor = &f->factors[i];
    all |= set_of(factor);
    if (expr_stays(a, factor->expr)) {
      operands[n_staying] = factor->expr;
      staying[n_staying++] = *factor;
    } else {
      if (n_moving == MOST_FACTORS) return false;
      needed |= set_of(factor);
      moving[n_moving++] = *factor;
    }
  }
  Recipe before, after;
  if (needed & ~all ||
      !root_labels(f, staying, n_staying, needed, &moving[0]) ||
      !einsum_of(f, staying, n_staying, &moving[0], place, &before))
    return false;
  int root = hoist_expr(a, &before, n_staying, operands);
  if (f->negative) root = hoist_neg(a, root, place);
  moving[0].expr = root;
  for (int i = 0; i < n_moving; i++) operands[i] = moving[i].expr;
  *out = (Term){.root = root};
  return einsum_of(f, moving, n_moving, &f->out, place, &after) &&
         hoist_push(a, out, &after, n_moving, operands, 0);
}

bool hoist_merge(Attempt *a, const Recipe *recipe, int n, const int *operands,
                 int hot, const Step *chain, Term *out) {
  Flat f = {.a = a};
  if (!a->merges) return false;
  if (hot == NONE) hot = 0;
  if (!flatten(&f, operands[hot], chain) ||
      !take_step(&f, recipe, n, operands, hot))
    return false;
  return split(&f, recipe->place, out);
}
