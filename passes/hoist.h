/* hoist.h: what the files of the pass hoist share.  The essay is in hoist.c.
 *
 * While one scan is looked at, the loop that would stand for it is a list of
 * expressions (Expr), named by their index, each after those that it uses.
 * Expressions of equal meaning are one.  Nothing is made in the new program
 * until the scan is known to gain. */
#ifndef LOCKSTEP_PASSES_HOIST_H
#define LOCKSTEP_PASSES_HOIST_H

#include "pass.h"

enum {
  NONE = -1,       /* no expression */
  ONE = -2,        /* a coefficient that is 1 at every step */
  MOST_TERMS = 16, /* of one value */
  MOST_STEPS = 64, /* of one chain */
  MOST_CARRIES = 32
};

/* -- expressions (hoist_expr.c) ---------------------------------------- */

/* An op with its attributes, and the dtype and dims of its result. */
typedef struct Recipe {
  Op op;
  int n_attrs;
  const Attr *attrs;
  Type type;           /* its axes mean nothing */
  const void *literal; /* of a constant */
  bool splat;
  Place place;
} Recipe;

typedef enum ExprKind {
  EXPR_OUTER, /* a value from outside of the scan */
  EXPR_PARAM, /* a carry or an x of the new body */
  EXPR_NODE,  /* recipe of operands */
  EXPR_COPY,  /* an old node with bodies or several results, copied */
  EXPR_PART   /* another result of the copy that is operand 0 */
} ExprKind;

typedef struct Expr {
  ExprKind kind;
  Recipe recipe;
  Type type;
  const char *name;
  int level; /* the depth of the outermost block in which it can stand */
  int n_operands;
  const int *operands;
  const Value *old;    /* OUTER */
  const Node *copied;  /* COPY */
  Value *const *reads; /* COPY: the old values that the operands stand for */
  int index;           /* PART: which result */
  bool known;          /* all elements are `value` */
  Scalar value;
  int chained; /* the next in its bucket */

  int next;             /* PARAM of a carry: its next value; else NONE */
  bool needed, outside; /* outside: goes before the loop */
  Value *made;
} Expr;

/* -- separable values -------------------------------------------------- */

/* One op on the way from a term's root: linear in operand `hot`, which is the
 * step before (or the root); the other operands are shared by all devices. */
typedef struct Step {
  const struct Step *before;
  Recipe recipe;
  int length; /* of the chain that ends here */
  int hot, n_operands;
  int operands[];
} Step;

/* chain(root): the root varies and does not change in the loop. */
typedef struct Term {
  int root;
  const Step *chain;
} Term;

typedef struct Coef {
  int carry;
  Scalar factor;
} Coef;

/* Why a value is not separable: what stands in the way. */
typedef struct Blame {
  const Value *value;
  const char *why;
} Blame;

/* A value as a sum: what all devices share; what does not change in the loop;
 * terms; multiples of split carries; and a rest of which nothing is known. */
typedef struct Rep {
  int shared, own, rest;
  int n_terms, n_coefs;
  const Term *terms;
  const Coef *coefs;
  const Blame *blame; /* for the rest */
} Rep;

typedef struct Carry {
  bool constant;   /* its next value is itself */
  bool split;      /* is it p c0 + s? */
  bool based;      /* does its init vary, so that p is needed? */
  int init;        /* OUTER */
  int kept;        /* PARAM of the new body, where it is not split */
  int shared;      /* PARAM s, where it is */
  const char *why; /* it is not */
  double growth;   /* where that is why */
} Carry;

/* A collective of the body, and what became of it. */
typedef struct Fate {
  const Node *node;
  bool moved;
  const Blame *blame;
} Fate;

typedef struct Hoist Hoist;

/* One way to rewrite one scan. */
typedef struct Attempt {
  Hoist *hoist;
  const Node *scan;
  const Block *body;
  Program *arena; /* holds all that is made here, and the error */
  uint64_t axes;  /* whose devices are to be separated from time */
  bool merges;    /* may varying factors be multiplied together? */
  int depth;      /* of the body */
  int floor;      /* of the block that nothing leaves */

  Expr *exprs;
  int n_exprs, room;
  int *buckets, n_buckets;
  Carry *carries;
  Scalar *factor; /* [i * n + j]: of carry j in the next carry i */
  int *part;      /* likewise: of init j in carry i; NONE, ONE, or a PARAM */
  int *part_param;
  int *yields; /* of the body as it was: expressions */
  int *xs;     /* PARAMs, by index of the body's parameters */
  Fate *fates;
  int n_fates, n_moved;
  uint64_t moved; /* axes of the n_moved collectives */
  int n_standing; /* collectives that do not change in the loop */
  int *touched;   /* value ids with entries in the tables of hoist */
  int n_touched, touched_room;

  double setup, step; /* seconds of one run: before the loop, in the loop */
  double extra;       /* bytes made before the loop */
  double held;        /* bytes that the program made and the loop reads */
} Attempt;

struct Hoist {
  Copier copier;
  const Options *options;
  bool *used;       /* by value id: does anything use it? */
  int *direct;      /* by value id: the expression that computes it */
  const Rep **reps; /* by value id */
  int *stamp;       /* by value id: the last copy that read it */
  int n_stamps;
  bool plain; /* copying: look at no scan */
  bool fired, no_memory;
  uint64_t moved; /* axes of the collectives that left a scan by the rules */
  PassNote *note; /* NULL: no one asks */
  void *note_context;
  struct Name *names; /* of the program at hand, if someone asks */
};

static inline Expr *expr_at(const Attempt *a, int i) { return &a->exprs[i]; }
/* Does it not change in the loop? */
static inline bool expr_stays(const Attempt *a, int i) {
  return a->exprs[i].level < a->depth;
}
/* Does it differ between the devices? */
static inline bool expr_varies(const Attempt *a, int i) {
  return (a->exprs[i].type.axes & a->axes) != 0;
}
static inline bool attempt_failed(const Attempt *a) {
  return a->arena->error.failed;
}

/* hoist_expr.c.  After a failure (attempt_failed) they return 0, which is an
 * expression, too. */
bool hoist_exprs_begin(Attempt *a);
void hoist_exprs_end(Attempt *a);
int hoist_expr(Attempt *a, const Recipe *recipe, int n, const int *operands);
int hoist_outer(Attempt *a, const Value *value);
int hoist_param(Attempt *a, Type type, const char *name);
int hoist_copy(Attempt *a, const Node *node); /* of result 0 */
int hoist_part(Attempt *a, int copy, const Node *node, int index);
Recipe hoist_recipe(const Node *node);
int hoist_splat(Attempt *a, Type like, Scalar value, Place place);
int hoist_binary(Attempt *a, Op op, int x, int y, Place place);
int hoist_neg(Attempt *a, int x, Place place);
int hoist_add(Attempt *a, int x, int y, Place place); /* either may be NONE */
int hoist_scale(Attempt *a, Scalar factor, int x, Place place);
Scalar hoist_number(DType dtype, int64_t value);
bool hoist_is(DType dtype, Scalar value, int64_t number);

/* hoist_sum.c: a Rep under construction. */
typedef struct Sum {
  Attempt *a;
  Place place;
  Rep rep;
  Term terms[MOST_TERMS];
  Coef coefs[MOST_CARRIES];
} Sum;
void sum_begin(Sum *sum, Attempt *a, Place place);
void sum_shared(Sum *sum, int expr);
void sum_own(Sum *sum, int expr);
void sum_rest(Sum *sum, int expr, const Blame *blame);
void sum_term(Sum *sum, Term term);
void sum_coef(Sum *sum, int carry, Scalar factor);
/* A value that does not vary, or does not change, or neither. */
void sum_value(Sum *sum, int expr, const Blame *blame);
void sum_rep(Sum *sum, const Rep *rep, bool negative);
void sum_expanded(Sum *sum, const Rep *rep); /* the coefs written out */
const Rep *sum_finish(Sum *sum);
int hoist_apply(Attempt *a, Term term);
/* One op more on a term; false: the chain is too long. */
bool hoist_push(Attempt *a, Term *term, const Recipe *recipe, int n,
                const int *operands, int hot);

/* hoist_separate.c */
void hoist_separate(Attempt *a); /* the whole body, once */
void hoist_forget(Attempt *a);   /* its entries in the tables */
const Rep *hoist_rep(Attempt *a, const Value *value);
int hoist_direct(Attempt *a, const Value *value);
uint64_t hoist_axes(const Node *node); /* that it names, as a set */
const Blame *hoist_blame(Attempt *a, const Value *value, const char *why);

/* hoist_rules.c: what an op makes of separable operands.  false: it has no
 * rule for these. */
bool hoist_rule(Sum *sum, const Node *node);
bool hoist_collective(Sum *sum, const Node *node);
bool hoist_collects(const Node *node); /* does it have such a rule? */
bool hoist_dtype(const Attempt *a, DType dtype);
const char *hoist_dtype_reason(const Attempt *a, DType dtype);

/* hoist_merge.c: varying factors that are multiplied together, `hot` of them
 * at the end of a chain, as one root and one einsum.  false: cannot be. */
bool hoist_merge(Attempt *a, const Recipe *recipe, int n, const int *operands,
                 int hot, const Step *chain, Term *out);

/* hoist_carry.c */
bool hoist_carries_begin(Attempt *a);
void hoist_split(Attempt *a); /* separates until stable */

/* hoist_price.c: what is needed of the new loop, where it goes, its price. */
void hoist_price(Attempt *a);

/* hoist_emit.c: the new scan at the end of block `to`. */
void hoist_emit(Attempt *a, Block *to);

/* hoist_why.c: what was done, or not, as lines of text. */
void hoist_note(const Attempt *a, const Attempt *base, bool fired);

/* used[v]: is value v read in the block, or yielded by it? */
void hoist_note_uses(bool *used, const Block *block);

#endif
