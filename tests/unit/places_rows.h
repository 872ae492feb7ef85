/* places_rows.h: rows of the tests of the places verifier.
 *
 * Each row takes a planned program as text, replaces one piece of it by
 * another, and says what the verifier must answer. */
#ifndef LOCKSTEP_TESTS_PLACES_ROWS_H
#define LOCKSTEP_TESTS_PLACES_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

typedef struct Row {
  const char *base, *piece, *by;
  const char *message; /* part of it; NULL: accepted */
} Row;

static char *edited(const Row *row) {
  const char *where = strstr(row->base, row->piece);
  if (where == NULL) fail_msg("'%s' is not in the program", row->piece);
  size_t before = (size_t)(where - row->base);
  char *text = malloc(strlen(row->base) + strlen(row->by) + 1);
  assert_non_null(text);
  memcpy(text, row->base, before);
  strcpy(text + before, row->by);
  strcat(text, where + strlen(row->piece));
  return text;
}

/* What is wrong with the answer goes to stderr; false. */
static bool check_row(const Row *row) {
  char *text = edited(row);
  Program *program = ir_parse(text, strlen(text), "test.ls", NULL, 0);
  assert_non_null(program);
  bool fine = ir_verify(program) == !program->error.failed;
  const char *message = program->error.failed ? program->error.message : "";
  if (row->message)
    fine &= strstr(message, row->message) != NULL;
  else
    fine &= !program->error.failed;
  if (!fine)
    print_error("'%s' -> '%s': answered '%s'\n", row->piece, row->by, message);
  ir_program_destroy(program);
  free(text);
  return fine;
}

static void check_rows(const Row *rows, size_t n) {
  int failures = 0;
  for (size_t i = 0; i < n; i++) failures += !check_row(&rows[i]);
  assert_int_equal(failures, 0);
}

#endif
