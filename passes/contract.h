/* contract.h: what contract.c and contract_order.c share. */
#ifndef LOCKSTEP_PASSES_CONTRACT_H
#define LOCKSTEP_PASSES_CONTRACT_H

#include "pass.h"

enum { MOST_TERMS = 52, WHILE_TRIPS = 8 /* nobody knows */ };

/* An operand or an intermediate: its labels in the order of its dims, and as
 * a set. */
typedef struct Term {
  Value *value;
  int rank;
  int8_t label[IR_MAX_RANK];
  uint64_t set;
} Term;

typedef struct Contract {
  Copier *copier;
  Block *to;
  const Node *node;
  bool fast; /* may sums be reordered? */
  Einsum e;
  uint64_t out; /* the set of labels of the result */
  int n;
  Term terms[MOST_TERMS];
  double trips[IR_MAX_NESTING]; /* how often a body at this depth runs */
} Contract;

static inline uint64_t bit(int label) { return UINT64_C(1) << label; }

/* The labels that the result and the terms other than i and j need. */
uint64_t contract_others(const Contract *c, int i, int j);
/* The product of the sizes of a set of labels. */
double contract_product(const Contract *c, uint64_t set);
/* Terms i < j become one, in the place of i; those after j move up. */
void contract_join(Contract *c, int i, int j);
/* Pairs in a good order, until one term is left.  False: no memory. */
bool contract_in_order(Contract *c);

#endif
