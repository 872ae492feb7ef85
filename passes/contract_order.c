/* contract_order.c: the order in which the terms of an einsum become pairs.
 *
 * Of up to EXACT_TERMS terms every way is priced, subset by subset; of more,
 * the cheapest pair is made until so many are left.  A price is the number of
 * multiplications, those of a pair in a loop as often as the loop runs, and
 * then the elements of what the pairs leave. */
#include "contract.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT_TERMS = 10 };

double contract_product(const Contract *c, uint64_t set) {
  return pass_extent(set, c->e.size);
}

uint64_t contract_others(const Contract *c, int i, int j) {
  uint64_t set = c->out;
  for (int t = 0; t < c->n; t++)
    if (t != i && t != j) set |= c->terms[t].set;
  return set;
}

static int depth_of(const Term *term) {
  return term->value ? term->value->block->depth : 0;
}

/* -- the best order: every subset of the terms ------------------------- */

typedef struct Plan {
  double flops, memory;
  uint64_t set;    /* labels of what the subset leaves */
  int depth, left; /* the loop it is in; one half of the subset */
} Plan;

static bool cheaper(double flops, double memory, const Plan *than) {
  if (flops != than->flops) return flops < than->flops;
  return memory < than->memory;
}

static void start_plans(const Contract *c, Plan *plans) {
  for (int subset = 1; subset < 1 << c->n; subset++) {
    uint64_t inside = 0, outside = c->out;
    int depth = 0;
    for (int t = 0; t < c->n; t++) {
      if (!(subset >> t & 1)) {
        outside |= c->terms[t].set;
        continue;
      }
      inside |= c->terms[t].set;
      if (depth_of(&c->terms[t]) > depth) depth = depth_of(&c->terms[t]);
    }
    bool single = (subset & (subset - 1)) == 0;
    plans[subset] = (Plan){.flops = single ? 0 : INFINITY,
                           .memory = single ? 0 : INFINITY,
                           .set = single ? inside : inside & outside,
                           .depth = depth};
  }
}

/* Subsets come after all of their own. */
static void fill_plans(const Contract *c, Plan *plans) {
  for (int subset = 1; subset < 1 << c->n; subset++) {
    Plan *plan = &plans[subset];
    double memory = contract_product(c, plan->set);
    for (int left = (subset - 1) & subset; left; left = (left - 1) & subset) {
      const Plan *a = &plans[left], *b = &plans[subset ^ left];
      if (left < (subset ^ left)) continue;
      double flops =
          a->flops + b->flops +
          c->trips[plan->depth] * contract_product(c, a->set | b->set);
      double held = a->memory + b->memory + memory;
      if (!cheaper(flops, held, plan)) continue;
      plan->flops = flops;
      plan->memory = held;
      plan->left = left;
    }
  }
}

/* Where the terms of a subset are now: in that of its lowest. */
static void follow(Contract *c, const Plan *plans, int subset, int *place) {
  if ((subset & (subset - 1)) == 0) return;
  int left = plans[subset].left, right = subset ^ left;
  follow(c, plans, left, place);
  follow(c, plans, right, place);
  int i = __builtin_ctz((unsigned)left), j = __builtin_ctz((unsigned)right);
  if (i > j) {
    int t = i;
    i = j;
    j = t;
  }
  contract_join(c, place[i], place[j]);
  for (int t = j + 1; t < MOST_TERMS; t++) place[t]--;
}

static bool best_order(Contract *c) {
  int place[MOST_TERMS], all = (1 << c->n) - 1;
  Plan *plans = malloc(((size_t)all + 1) * sizeof *plans);
  if (plans == NULL) return false;
  for (int t = 0; t < MOST_TERMS; t++) place[t] = t;
  start_plans(c, plans);
  fill_plans(c, plans);
  follow(c, plans, all, place);
  free(plans);
  return true;
}

/* -- above: the cheapest pair first ------------------------------------ */

static void greedy_step(Contract *c) {
  Plan best = {.flops = INFINITY, .memory = INFINITY};
  int first = 0, second = 1;
  for (int i = 0; i < c->n; i++)
    for (int j = i + 1; j < c->n; j++) {
      uint64_t set = c->terms[i].set | c->terms[j].set;
      int depth = depth_of(&c->terms[i]);
      if (depth_of(&c->terms[j]) > depth) depth = depth_of(&c->terms[j]);
      double flops = c->trips[depth] * contract_product(c, set);
      /* What grows is put off. */
      double memory = contract_product(c, set & contract_others(c, i, j)) -
                      contract_product(c, c->terms[i].set) -
                      contract_product(c, c->terms[j].set);
      if (!cheaper(flops, memory, &best)) continue;
      best.flops = flops;
      best.memory = memory;
      first = i;
      second = j;
    }
  contract_join(c, first, second);
}

bool contract_in_order(Contract *c) {
  while (c->n > EXACT_TERMS) greedy_step(c);
  return c->n == 1 || best_order(c);
}
