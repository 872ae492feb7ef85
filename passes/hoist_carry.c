/* hoist_carry.c: which carries are taken apart, and how.
 *
 * Every varying carry i is assumed to be sum over j of p_ij c0_j, plus s_i: the
 * c0_j are the inits, p_ij numbers, s_i what all devices share.  Its next value
 * must then be sum over k of a_ik c_k, with constant a_ik, plus something
 * shared; a carry for which this fails is given up, and the rest looked at
 * anew, until all hold.  Then p(t+1) = a p(t), which starts at the identity.
 *
 * Of p only what can be other than 0 is kept, and a column that stays as it
 * starts costs nothing.  Which those are depends on a, which depends on how the
 * body was taken apart: so that, too, is repeated until it is stable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hoist.h"

enum { MOST_SQUARINGS = 30 };

/* -- the start --------------------------------------------------------- */

static Type shared_type(const Attempt *a, Type type) {
  type.axes &= ~a->axes;
  return type;
}

static const char *with_suffix(Attempt *a, const char *name,
                               const char *suffix) {
  return name ? ir_format(a->arena, "%s_%s", name, suffix) : NULL;
}

static void begin_carry(Attempt *a, int i) {
  const Value *param = a->body->params[i], *next = a->body->yields[i];
  Carry *carry = &a->carries[i];
  carry->init = hoist_outer(a, a->scan->operands[i]);
  carry->kept = hoist_param(a, param->type, param->name);
  carry->shared = hoist_param(a, shared_type(a, param->type),
                              with_suffix(a, param->name, "shared"));
  carry->constant = next == param;
  carry->based = expr_varies(a, carry->init);
  carry->split = (param->type.axes & a->axes) && !carry->constant &&
                 a->scan->n_carries <= MOST_CARRIES;
  carry->why = hoist_dtype_reason(a, param->type.dtype);
  if (carry->why) carry->split = false;
  if (a->scan->n_carries > MOST_CARRIES)
    carry->why = "its scan has too many carries";
}

bool hoist_carries_begin(Attempt *a) {
  int n = a->scan->n_carries;
  size_t all = (size_t)n * (size_t)n;
  if (n > MOST_CARRIES) all = 0;
  a->carries = ir_alloc(a->arena, (size_t)n * sizeof *a->carries + 1);
  a->factor = ir_alloc(a->arena, all * sizeof *a->factor + 1);
  a->part = ir_alloc(a->arena, all * sizeof *a->part + 1);
  a->part_param = ir_alloc(a->arena, all * sizeof *a->part_param + 1);
  if (!a->carries || !a->factor || !a->part || !a->part_param) return false;
  for (int i = 0; i < n; i++) begin_carry(a, i);
  for (size_t i = 0; i < all; i++) a->part[i] = a->part_param[i] = NONE;
  for (int i = 0; i < n && all; i++)
    if (a->carries[i].based) a->part[i * n + i] = ONE;
  return !attempt_failed(a);
}

/* -- what the next values are ------------------------------------------ */

static bool give_up(Attempt *a, int i, const char *why) {
  a->carries[i].split = false;
  a->carries[i].why = why;
  return true;
}

/* Is carry i given up now? */
static bool check_form(Attempt *a, int i) {
  const Rep *rep = hoist_rep(a, a->body->yields[i]);
  int n = a->scan->n_carries;
  DType dtype = a->body->params[i]->type.dtype;
  for (int j = 0; j < n; j++) a->factor[i * n + j] = hoist_number(dtype, 0);
  if (rep->rest != NONE || rep->own != NONE || rep->n_terms)
    return give_up(a, i,
                   "its next value is not a sum of multiples of carries "
                   "and something that all devices share");
  for (int c = 0; c < rep->n_coefs; c++)
    a->factor[i * n + rep->coefs[c].carry] = rep->coefs[c].factor;
  return false;
}

/* -- growth ------------------------------------------------------------ */

/* The carries that carry i depends on, itself included; returns how many. */
static int depends_on(const Attempt *a, int i, int *list) {
  int n = a->scan->n_carries, count = 0;
  bool in[MOST_CARRIES] = {false};
  list[count++] = i;
  in[i] = true;
  for (int at = 0; at < count; at++)
    for (int j = 0; j < n; j++)
      if (!in[j] && a->carries[j].split && a->factor[list[at] * n + j].f != 0) {
        in[j] = true;
        list[count++] = j;
      }
  return count;
}

static double largest(const double *m, int n) {
  double most = 0;
  for (int i = 0; i < n * n; i++) most = fmax(most, fabs(m[i]));
  return most;
}

static void square(double *m, double *scratch, int n) {
  memset(scratch, 0, (size_t)(n * n) * sizeof *scratch);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        scratch[i * n + j] += m[i * n + k] * m[k * n + j];
  memcpy(m, scratch, (size_t)(n * n) * sizeof *m);
}

/* The size of the largest eigenvalue of m: the 2^30th root of the 2^30th
 * power, its size kept apart as a logarithm.  Equal eigenvalues make powers
 * grow like a polynomial; then the result is up to n 2e-8 too large. */
static double growth_of(double *m, double *scratch, int n) {
  double logarithm = 0, weight = 1;
  for (int i = 0; i <= MOST_SQUARINGS; i++) {
    double size = largest(m, n);
    if (size == 0) return 0;
    logarithm += log(size) * weight;
    for (int k = 0; k < n * n; k++) m[k] /= size;
    if (i < MOST_SQUARINGS) square(m, scratch, n);
    weight /= 2;
  }
  return exp(logarithm);
}

static double growth(const Attempt *a, int i, double *room) {
  int list[MOST_CARRIES], n = a->scan->n_carries;
  int count = depends_on(a, i, list);
  if (count == 1) return fabs(a->factor[i * n + i].f);
  double *m = room, *scratch = room + count * count;
  for (int r = 0; r < count; r++)
    for (int c = 0; c < count; c++)
      m[r * count + c] = a->factor[list[r] * n + list[c]].f;
  double size = growth_of(m, scratch, count);
  return size <= 1 + 3e-8 * count ? fmin(size, 1) : size;
}

/* Multiples of inits that grow would drown the inits in rounding; integers
 * have none. */
static bool check_growth(Attempt *a) {
  int n = a->scan->n_carries;
  bool changed = false;
  double *room = ir_alloc(a->arena, 2 * (size_t)(n * n) * sizeof *room + 1);
  if (room == NULL) return false;
  for (int i = 0; i < n; i++) {
    Carry *carry = &a->carries[i];
    if (!carry->split || !ir_is_float(a->body->params[i]->type.dtype)) continue;
    carry->growth = growth(a, i, room);
    if (carry->growth <= 1) continue;
    changed = give_up(a, i, "multiples of its init would grow");
  }
  return changed;
}

/* -- which parts there are --------------------------------------------- */

static bool is_zero(const Attempt *a, int i, int j) {
  int n = a->scan->n_carries;
  return hoist_is(a->body->params[i]->type.dtype, a->factor[i * n + j], 0);
}

/* Column j of p stays as it starts: 1 in its own row, else 0. */
static bool column_stays(const Attempt *a, int j) {
  int n = a->scan->n_carries;
  DType dtype = a->body->params[j]->type.dtype;
  for (int i = 0; i < n; i++) {
    if (!a->carries[i].split) continue;
    if (i == j ? !hoist_is(dtype, a->factor[i * n + j], 1) : !is_zero(a, i, j))
      return false;
  }
  return true;
}

static int part_param(Attempt *a, int i, int j) {
  int n = a->scan->n_carries;
  int *param = &a->part_param[i * n + j];
  const char *name = a->body->params[i]->name, *of = a->body->params[j]->name;
  if (*param != NONE) return *param;
  if (of) name = with_suffix(a, name, of);
  Type type = {.dtype = a->body->params[i]->type.dtype};
  *param = hoist_param(a, type, of ? name : NULL);
  return *param;
}

/* Column j anew. */
static void find_column(Attempt *a, int j, int *column) {
  int n = a->scan->n_carries;
  for (int i = 0; i < n; i++) column[i] = NONE;
  if (!a->carries[j].split || !a->carries[j].based) return;
  if (column_stays(a, j)) {
    column[j] = ONE;
    return;
  }
  bool grew = true;
  column[j] = part_param(a, j, j);
  while (grew) {
    grew = false;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n && column[i] == NONE && a->carries[i].split; k++)
        if (column[k] != NONE && a->carries[k].split && !is_zero(a, i, k)) {
          column[i] = part_param(a, i, j);
          grew = true;
        }
  }
}

/* All parts anew; did any change? */
static bool find_parts(Attempt *a) {
  int n = a->scan->n_carries, column[MOST_CARRIES];
  bool changed = false;
  for (int j = 0; j < n; j++) {
    find_column(a, j, column);
    for (int i = 0; i < n; i++) {
      changed |= a->part[i * n + j] != column[i];
      a->part[i * n + j] = column[i];
    }
  }
  return changed;
}

/* -- the new loop's carries -------------------------------------------- */

/* sum over k of a_ik v_k, v_k being s_k, or part j of carry k. */
static int combine(Attempt *a, int i, int j) {
  int n = a->scan->n_carries, sum = NONE;
  Place place = a->scan->place;
  for (int k = 0; k < n; k++) {
    int v = j == NONE ? a->carries[k].shared : a->part[k * n + j];
    if (!a->carries[k].split || v == NONE || is_zero(a, i, k)) continue;
    sum = hoist_add(a, sum, hoist_scale(a, a->factor[i * n + k], v, place),
                    place);
  }
  return sum;
}

static int or_zero(Attempt *a, int expr, Type type) {
  Scalar zero = hoist_number(type.dtype, 0);
  return expr != NONE ? expr : hoist_splat(a, type, zero, a->scan->place);
}

static void set_next(Attempt *a, int param, int next) {
  if (!attempt_failed(a)) expr_at(a, param)->next = next;
}

static void close_carry(Attempt *a, int i) {
  const Carry *carry = &a->carries[i];
  const Value *yield = a->body->yields[i];
  int n = a->scan->n_carries;
  a->yields[i] = carry->constant ? carry->kept : hoist_direct(a, yield);
  set_next(a, carry->kept, a->yields[i]);
  if (!carry->split) return;
  int shared = hoist_rep(a, yield)->shared;
  int next = hoist_add(a, combine(a, i, NONE), shared, a->scan->place);
  set_next(a, carry->shared, or_zero(a, next, yield->type));
  for (int j = 0; j < n; j++) {
    int part = a->part[i * n + j];
    if (part < 0) continue;
    Type type = {.dtype = yield->type.dtype};
    set_next(a, part, or_zero(a, combine(a, i, j), type));
  }
}

void hoist_split(Attempt *a) {
  int n = a->scan->n_carries;
  bool again = true;
  while (again && !attempt_failed(a)) {
    again = false;
    hoist_separate(a);
    for (int i = 0; i < n; i++)
      if (a->carries[i].split) again |= check_form(a, i);
    if (!again) again = check_growth(a);
    if (n <= MOST_CARRIES) again |= find_parts(a);
  }
  for (int i = 0; i < n; i++) close_carry(a, i);
  for (int i = n; i < a->body->n_yields; i++)
    a->yields[i] = hoist_direct(a, a->body->yields[i]);
  for (int i = 0; i < a->body->n_params; i++)
    a->xs[i] = i < n ? NONE : hoist_direct(a, a->body->params[i]);
}
