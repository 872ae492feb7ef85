/* harness.h: what the conformance runner and the fuzzer share.
 *
 * Comes in: a program and its input arrays.  Goes out: a Report, one Failure
 * for each promise that the compiler broke on that program: texts read back,
 * stages evaluate alike, passes are idempotent, compiled code agrees with the
 * evaluator, and nothing writes outside its buffers. */
#ifndef LOCKSTEP_TESTS_HARNESS_H
#define LOCKSTEP_TESTS_HARNESS_H

#include "codegen/codegen.h"
#include "ir/ir.h"
#include "passes/passes.h"
#include "runtime/runtime.h"

/* -- reports (report.c) ------------------------------------------------ */

enum { KIND_ROOM = 80, REPORT_ROOM = 16 };

typedef struct Failure {
  char kind[KIND_ROOM]; /* which promise; stays the same while shrinking */
  char *message;
} Failure;

typedef struct Report {
  Failure list[REPORT_ROOM];
  int n; /* may exceed REPORT_ROOM: further ones are only counted */
} Report;

void report_add(Report *report, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_free(Report *report);

/* -- arrays (arrays.c) ------------------------------------------------- */

/* One guarded buffer a parameter or result.  Each lies between two guards and
 * is aligned to its element only, unless skew is 0. */
typedef struct Buffers {
  int n;
  void **data;
  size_t *bytes;
  unsigned char **blocks;
} Buffers;

/* Elements of a value at the program's edge: axes and dims together. */
int64_t edge_elements(const Program *program, Type type);
/* Its shape there; returns the rank. */
int edge_shape(const Program *program, Type type,
               int64_t shape[IR_MAX_AXES + IR_MAX_RANK]);
bool buffers_create(Buffers *buffers, const Program *program,
                    Value *const *values, int n, unsigned skew);
bool buffers_intact(const Buffers *buffers); /* are the guards untouched? */
void buffers_free(Buffers *buffers);

/* How two arrays must agree. exact: the same bits, any NaN equal to any NaN;
 * else |got - want| <= atol + rtol |want|, integers and bools exactly. */
typedef struct Rule {
  bool exact;
  double rtol, atol;
  bool skip; /* not comparable at all */
} Rule;

/* NULL when they agree, else a malloc'd line as the shared runner prints:
 * "y[2] is 1, expected 3, off by 2; 3 of 4 differ (exact)". */
char *array_compare(const Program *program, const Value *value,
                    const char *name, const void *got, const void *want,
                    Rule rule);

/* -- the checks (check.c) ---------------------------------------------- */

typedef struct Check {
  const Program *program;
  const Buffers *inputs;
  Options options;       /* numerics is set by the checks */
  const Rule *rules;     /* one a result: how fast results must agree */
  void *const *expected; /* what to agree with; NULL: the evaluator */
  bool deep;             /* compile every dump, not just those that differ */
} Check;

/* Adds to report whatever is wrong. */
void check_program(const Check *check, Report *report);

/* Evaluate into buffers made here.  False: *message (malloc'd) says why. */
bool evaluate(const Program *program, const Buffers *inputs, Buffers *results,
              char **message);

/* What the `call`s of a text may name (callees.c). */
enum { HARNESS_CALLEES = 3 };
extern const Callee harness_callees[HARNESS_CALLEES];

/* A text as a program: NULL and *message on error. */
Program *parse_text(const char *text, char **message);

#endif
