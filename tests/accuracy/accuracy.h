/* accuracy.h: how far the functions of ops.def are from the exact values.
 *
 * Comes in: a Subject (an op) and a Format (a float dtype).  Goes out: a Cell,
 * the worst distance in units of the last place over many inputs, computed by
 * compiled code and judged by MPFR; and how often the evaluator, strict code
 * or a folded constant had other bits. */
#ifndef LOCKSTEP_TESTS_ACCURACY_H
#define LOCKSTEP_TESTS_ACCURACY_H

#include <mpfr.h>
#include <stdint.h>

#include "frontend/lockstep.h"

/* -- formats (formats.c) ----------------------------------------------- */

typedef struct Format {
  ls_dtype dtype;
  const char *name;
  int bytes;
  int digits; /* of the significand, in bits */
  int least;  /* the smallest denormal is 2^least */
  int most;   /* 2^most overflows */
} Format;

enum { N_FORMATS = 4 };
extern const Format formats[N_FORMATS];

double format_load(const Format *format, const void *element);
/* Rounds; returns what it stored. */
double format_store(const Format *format, void *element, double value);
/* The element whose bits are these, lowest first. */
double format_of_bits(const Format *format, uint64_t bits);
/* The same bits, or both NaN? */
bool format_same(const Format *format, const void *a, const void *b);

/* -- subjects (subjects.c) --------------------------------------------- */

/* How inputs are chosen; see samples.c. */
typedef enum Domain { PLAIN, TURNS, PAIRS, POWERS, DRAWS } Domain;

/* result = the function of x[0], x[1], correctly rounded to its precision. */
typedef void Exact(mpfr_t result, mpfr_t *x);

typedef struct Subject {
  const char *op;
  Domain domain;
  double low, high;  /* where the function is neither trivial nor out of range,
                        in f64 */
  double bound;      /* in units of the last place; 0: correctly rounded */
  double half_bound; /* of f16 and bf16 */
  Exact *exact;
} Subject;

extern const Subject subjects[];
extern const int n_subjects;

int subject_operands(const Subject *subject); /* of exact: 1 or 2 */

/* -- samples (samples.c) ----------------------------------------------- */

typedef struct Random {
  uint64_t state;
} Random;
uint64_t random_bits(Random *random);

/* Sample number i.  The first ones are special values, all pairs of them for
 * two operands; f16 and bf16 of one operand take all their values in order. */
void sample(Random *random, const Subject *subject, const Format *format,
            int64_t i, double x[2]);
/* How many come before the random ones. */
int64_t sample_fixed(const Subject *subject, const Format *format);

/* -- the judge (judge.c) ----------------------------------------------- */

typedef struct Judge {
  const Subject *subject;
  const Format *format;
  mpfr_t x[2], exact, nearest, got;
} Judge;

typedef struct Verdict {
  double ulps;  /* from the exact value; infinite where NaN, an infinity, a
                   zero or a sign is wrong */
  bool nearest; /* is it the correctly rounded value? */
} Verdict;

void judge_open(Judge *judge, const Subject *subject, const Format *format);
Verdict judge_value(Judge *judge, const double x[2], double got);
void judge_close(Judge *judge);

/* -- code under test (code.c) ------------------------------------------ */

enum { BATCH = 4096 }; /* elements of one run; no more are ever folded */

/* Operands and result of one run: x[] of a DRAWS subject is what was drawn. */
typedef struct Batch {
  uint32_t key[2];
  char x[2][BATCH * 8], y[BATCH * 8];
} Batch;

typedef struct Code {
  const Subject *subject;
  const Format *format;
  ls_program *program;
  ls_executable *fast, *strict;
} Code;

typedef enum Way { FAST, STRICT, EVALUATED, FOLDED } Way;

/* False: *error says why. */
bool code_create(Code *code, const Subject *subject, const Format *format,
                 ls_error *error);
bool code_run(const Code *code, Way way, Batch *batch, ls_error *error);
void code_destroy(Code *code);

/* -- measuring (measure.c) --------------------------------------------- */

typedef struct Cell {
  bool broken; /* nothing was measured: error says why */
  ls_error error;
  int64_t count, misrounded; /* results; those not correctly rounded */
  Verdict worst;
  double x[2], got; /* where the worst is */
  int64_t apart;    /* results whose bits another Way does not give */
  Way apart_way;
  double apart_x[2];
} Cell;

/* count: samples, besides the fixed ones. */
void measure(const Subject *subject, const Format *format, int64_t count,
             uint64_t seed, Cell *cell);

#endif
