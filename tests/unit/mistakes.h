/* mistakes.h: a builder to make one mistake with, and what it says of it. */
#ifndef LOCKSTEP_TESTS_MISTAKES_H
#define LOCKSTEP_TESTS_MISTAKES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lockstep.h"

/* -- helpers ----------------------------------------------------------- */

/* What every mistake starts from: axes rows = 4 and cols = 2, some inputs. */
static ls_builder *b, *other;
static ls_value x, f, n, p, v, k, a;

static ls_value input(const char *name, ls_type type) {
  return ls_input_at((ls_place){"start", 1}, b, name, type);
}

static void start(void) {
  b = ls_builder_create("wrong");
  other = ls_builder_create("other");
  ls_axis_declare_at((ls_place){"start", 1}, b, "rows", 4);
  ls_axis_declare_at((ls_place){"start", 1}, b, "cols", 2);
  x = input("x", ls_type_of(LS_F64, 3, 4));
  f = input("f", ls_type_of(LS_F32, 3));
  n = input("n", ls_type_of(LS_I8, 5));
  p = input("p", ls_type_of(LS_BOOL));
  v = input("v", ls_varying(ls_type_of(LS_F64, 4), "rows"));
  k = input("k", ls_type_of(LS_U32, 2));
  a = input("a", ls_type_of(LS_F64));
}

/* "FILE:N" for this file and a line in it; test_builder looks at the lines. */
static void without_places(const char *text, const char *file, char *to,
                           size_t room) {
  size_t length = strlen(file), used = 0;
  while (*text && used + 16 < room) {
    if (strncmp(text, file, length) != 0 || text[length] != ':') {
      to[used++] = *text++;
      continue;
    }
    used += (size_t)snprintf(to + used, room - used, "FILE:N");
    text += length + 1;
    text += strspn(text, "0123456789");
  }
  to[used] = 0;
}

static void said(const char *file, const char *expected) {
  char text[2048];
  (void)ls_builder_finish(b);
  without_places(ls_builder_error(b), file, text, sizeof text);
  if (getenv("SHOW_MESSAGES"))
    printf("@@%s@@\n", text);
  else
    assert_string_equal(text, expected);
  ls_builder_destroy(b);
  ls_builder_destroy(other);
}

/* The statements make one mistake; the builder then says the text. */
#define MISTAKE(text, ...) \
  do {                     \
    start();               \
    __VA_ARGS__;           \
    said(__FILE__, text);  \
  } while (0)

#define AT "FILE:N: error: "

#endif
