/* fuse_sweep.c: sums of one value become one unit, so that it is never stored.
 *
 * Comes in: a node whose users are placed.  Goes out: where these are sums in
 * several units, one unit in place of them; the node can join it then, and is
 * computed once for all of them.
 *
 *   J = random_uniform k        J: [8,m,m]
 *   p = reduce_sum J            one unit, output p[m,m]
 *   u = mul eps, einsum J, y    another one, output u[m]
 *
 * J would be stored, for two readers.  p and einsum can share a nest of loops
 * (sweep.c), and neither unit reads what the other makes: they become one unit
 * of two outputs, and J is a number in a register. */
#include "fuse.h"

/* The units that sum it. */
typedef struct Sharers {
  int units[SWEEP_SUMS], n;
  const Node *sums[SWEEP_SUMS];
  int n_sums, n_members, n_outputs;
} Sharers;

static bool add_sum(Sharers *s, const Node *sum) {
  if (s->n_sums == SWEEP_SUMS) return false;
  s->sums[s->n_sums++] = sum;
  return true;
}

/* A unit with one more user. */
static bool add_unit(const Fuse *fuse, Sharers *s, int number,
                     const Node *node) {
  Index at;
  for (int i = 0; i < s->n; i++)
    if (s->units[i] == number) return true;
  if (number < 0 || s->n == SWEEP_SUMS) return false;
  const Unit *unit = &fuse->units[number];
  if (unit->heavy == NULL || !fuse_computable(fuse, node, number, &at) ||
      at.id != 2 + unit->heavy->id)
    return false;
  s->units[s->n++] = number;
  s->n_members += unit->n_members;
  s->n_outputs += unit->n_outputs;
  if (unit->n_swept == 0) return add_sum(s, unit->heavy);
  for (int i = 0; i < unit->n_swept; i++)
    if (!add_sum(s, unit->swept[i])) return false;
  return true;
}

static bool find_sharers(const Fuse *fuse, const Node *node, Sharers *s) {
  enum { MOST_USES = 64 };
  int uses = 0;
  for (int use = fuse->first_use[node->results[0]->id]; use >= 0;
       use = fuse->uses[use].next)
    if (++uses > MOST_USES ||
        !add_unit(fuse, s, fuse->unit_of[fuse->uses[use].user->id], node))
      return false;
  return s->n > 1 && s->n_members < MOST_MEMBERS &&
         s->n_outputs <= MOST_OUTPUTS;
}

static bool independent(Fuse *fuse, const Block *block, const Sharers *s) {
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      if (i != j && fuse_reaches(fuse, block, s->units[i], s->units[j]))
        return false;
  return true;
}

/* What `from` has becomes that of `to`. */
static void take_over(Fuse *fuse, int to, int from) {
  Unit *t = &fuse->units[to], *f = &fuse->units[from];
  int old = 2 + f->heavy->id, own = 2 + t->heavy->id;
  const Node *member = f->last;
  while (member) {
    const Node *before = fuse->fellow[member->id];
    fuse->unit_of[member->id] = to;
    if (fuse->index[member->id].id == old) fuse->index[member->id].id = own;
    fuse->fellow[member->id] = t->last;
    t->last = member;
    member = before;
  }
  t->n_members += f->n_members;
  for (int o = 0; o < f->n_outputs; o++)
    fuse_add_output(fuse, to, f->outputs[o].value, f->outputs[o].slot);
  f->n_outputs = f->n_members = 0;
  f->last = NULL;
  f->gone = true;
}

void fuse_share(Fuse *fuse, const Block *block, const Node *node) {
  Sharers s = {0};
  Sweep sweep;
  OpClass class = ir_ops[node->op].class;
  if (fuse->strict || (class != ELEMENTWISE && class != RANDOM)) return;
  if (!find_sharers(fuse, node, &s) ||
      !sweep_of(s.sums, s.n_sums, node->results[0], &sweep) ||
      !independent(fuse, block, &s))
    return;
  for (int i = 1; i < s.n; i++) take_over(fuse, s.units[0], s.units[i]);
  Unit *unit = &fuse->units[s.units[0]];
  for (int i = 0; i < s.n_sums; i++) unit->swept[i] = s.sums[i];
  unit->n_swept = s.n_sums;
}
