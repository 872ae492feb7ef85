/* fuzz.h: random programs, what they must satisfy, and how they shrink.
 *
 * generate.c makes a program from a seed, as text; values.c its inputs;
 * judge.c says how closely fast results must agree; rebuild.c copies a program
 * with one edit; shrink.c makes a failing program small; fuzz.c drives. */
#ifndef LOCKSTEP_TESTS_FUZZ_H
#define LOCKSTEP_TESTS_FUZZ_H

#include "tests/harness/harness.h"

/* -- random numbers (values.c) ----------------------------------------- */

typedef struct Random {
  uint64_t state;
} Random;

uint64_t random_next(Random *random);
int random_below(Random *random, int n); /* 0 .. n - 1; 0 if n < 1 */
bool random_chance(Random *random, int percent);
/* An element, special ones among them if `special`. */
Scalar random_scalar(Random *random, DType dtype, bool special);
void random_fill(Random *random, DType dtype, void *data, int64_t n,
                 bool special);

/* Inputs for a program: they depend on the seed and the parameters' names. */
bool values_inputs(const Program *program, uint64_t seed, Buffers *inputs);

/* -- making programs (generate*.c) ------------------------------------- */

enum { POOL_ROOM = 512, USED_ROOM = 8192, MAX_DEPTH = 4 };

/* The values that the next node may use, newest last. */
typedef struct Generator {
  Random random;
  Program *program;
  Block *block;
  Value *pool[POOL_ROOM];
  int n_pool;
  int n_params;
  bool used[USED_ROOM]; /* by value id: an operand of something? */
  bool smooth;     /* only ops whose results move little with their operands */
  int64_t room;    /* most elements of a new shape */
  uint64_t closed; /* axes over which nothing may cross here */
  Value *sure[2 * IR_MAX_NESTING]; /* true for each device that runs here */
  int n_sure;
} Generator;

/* Which dtypes an operand may have. */
typedef enum Kind { ANY, NUMERIC, FLOATING, INTEGER, LOGICAL, BOOLEAN } Kind;

/* Malloc'd text; NULL: the generator made something that is refused, and
 * *reason (malloc'd) says what. */
char *generate(uint64_t seed, char **reason);
void generate_node(Generator *g); /* one more node, any op */
void generate_scan(Generator *g);
void generate_while(Generator *g);
void generate_cond(Generator *g);
bool generate_covers(Op op); /* is there a maker for it? */

/* Operands. */
Value *pick(Generator *g, Kind kind);
Value *pick_like(Generator *g, Type type); /* same dtype and shape */
/* A result of a node in this block that nothing takes yet, so that little of
 * a program is dead. like may be NULL. */
Value *pick_unused(Generator *g, const Type *like);
void use(Generator *g, const Value *value);
Value *pick_scalar(Generator *g, DType dtype);
Value *new_input(Generator *g, DType dtype, int rank, const int64_t *dims,
                 uint64_t axes);
DType random_dtype(Generator *g, Kind kind);
int random_shape(Generator *g, int64_t *dims);
uint64_t random_axes(Generator *g);
void keep(Generator *g, Node *node);
/* The next value of carry i of the body: swapped, shifted, something else. */
Value *next_carry(Generator *g, Block *body, int n_carries, int i);
/* Out of a body: forget what it made since the pool had `visible` values. */
void leave_body(Generator *g, Block *outer, int visible);
/* Emit one node and put its results into the pool. */
Value *emit(Generator *g, Op op, int n, Value *const *operands, int n_attrs,
            const Attr *attrs, const Type *type);

/* -- how closely (judge.c) --------------------------------------------- */

/* Fill rules, one a result, for a comparison of fast against the evaluator. */
bool judge(const Program *program, const Buffers *inputs, Rule *rules);

/* -- copies with one edit (rebuild.c) ---------------------------------- */

typedef struct Edit {
  const Value *replaced; /* its uses take `by`, or zeros if that is NULL */
  const Value *by;
  int dropped;         /* index of a result to leave out; -1: none */
  bool expose;         /* every float value becomes a result (or ys, ...) too */
  const Node *inlined; /* instead of it the nodes of one of its bodies, once */
  int body;
} Edit;

/* A copy without dead code. NULL: the edit makes no right program. */
Program *rebuild(const Program *program, const Edit *edit);

/* -- shrinking (shrink.c) ---------------------------------------------- */

/* What became of one program. kind "": nothing wrong. */
typedef struct Outcome {
  char kind[KIND_ROOM];
  char *message;
} Outcome;
typedef Outcome Trial(const char *text, uint64_t seed);

/* A smaller text that fails in the same way; malloc'd. */
char *shrink(const char *text, uint64_t seed, const char *kind, Trial *trial);

#endif
