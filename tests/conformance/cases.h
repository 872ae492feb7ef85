/* cases.h: reading AREA.cases; README.md describes the format. */
#ifndef LOCKSTEP_TESTS_CASES_H
#define LOCKSTEP_TESTS_CASES_H

#include <stdbool.h>
#include <stdio.h>

#include "ir/ir.h"

enum { CASE_ARRAYS = 64, CASE_SIZES = 16, CASE_WORDS = 16, CASE_SHAPE = 128 };

typedef struct CaseArray {
  char *name;
  DType dtype;
  int rank;
  int64_t shape[CASE_SHAPE];
  int64_t elements, filled;
  void *data;
  bool expected; /* an `out` line, else an `in` line */
} CaseArray;

typedef struct CaseSource {
  char *name, *source;
} CaseSource;

typedef struct Case {
  char *name;
  char *needs; /* ops, separated by blanks */
  char *program;
  size_t program_length;
  bool exact;
  double rtol, atol;
  int exit, line; /* exit 0: the program is right */
  int n_arrays, n_sizes, n_words, n_sources;
  CaseArray arrays[CASE_ARRAYS];
  SizeOverride sizes[CASE_SIZES];
  char *words[CASE_WORDS]; /* what the message must hold */
  CaseSource sources[CASE_ARRAYS];
} Case;

typedef struct CaseReader {
  FILE *file;
  int line;
  char *text; /* the line that was read last */
  size_t room;
  bool pending; /* ... and has not been used yet */
  char problem[160];
} CaseReader;

/* The next case, into *out; false at the end or, with a problem, on error. */
bool case_next(CaseReader *reader, Case *out);
void case_free(Case *c);

#endif
