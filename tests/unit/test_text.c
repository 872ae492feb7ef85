/* test_text.c: the text form where golden files do not reach: files cut at any
 * byte, bytes at random, every number of the small floats, depth and length,
 * the host's locale, suggestions, how a diagnostic looks. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ir/text.h"

static const char sample[] =
    "size m = 3   # a size\n"
    "axis a = 2\n"
    "program @sample(%x: f64[m]{a}, %k: u32[2]) {\n"
    "  %one = constant [1, -inf, 0.5] : f64[3]\n"
    "  %u = random_uniform %k, low=-0.5, high=1e3 : f64[3]\n"
    "  %y, %ys = scan length=2*m-1, carry(%c = %x) {\n"
    "    %s = psum %c, axis=[a], groups=[[0],[1]] : f64[3]{a}\n"
    "    %n = einsum %s, %one, spec=\"i,i->i\"\n"
    "    yield carry(%n), ys(%s)\n"
    "  } : f64[3]{a}, f64[5,3]{a}\n"
    "  return %y, %ys as all, %u\n"
    "}\n";

static Program *parse(const char *text, size_t length) {
  /* A copy of the exact size, so that reading past it is found. */
  char *copy = malloc(length ? length : 1);
  assert_non_null(copy);
  memcpy(copy, text, length);
  Program *program = ir_parse(copy, length, "file.ls", NULL, 0);
  assert_non_null(program);
  free(copy);
  return program;
}

/* Right, and then it prints what prints the same again; or an error that has
 * a place. */
static bool reads(const char *text, size_t length) {
  Program *program = parse(text, length);
  bool right = !program->error.failed;
  if (right) {
    char *printed = ir_print(program, 0);
    Program *again = parse(printed, strlen(printed));
    assert_false(again->error.failed);
    char *twice = ir_print(again, 0);
    assert_string_equal(printed, twice);
    free(printed);
    free(twice);
    ir_program_destroy(again);
  } else {
    char *shown = ir_error_text(&program->error, text, length);
    assert_true(program->error.place.line > 0);
    assert_null(strchr(program->error.message, '\n'));
    assert_ptr_equal(strstr(shown, "file.ls:"), shown);
    free(shown);
  }
  ir_program_destroy(program);
  return right;
}

static void cut_anywhere(void **state) {
  (void)state;
  size_t length = sizeof sample - 1;
  assert_true(reads(sample, length));
  assert_true(reads(sample, length - 1));
  for (size_t cut = 0; cut < length - 1; cut++)
    assert_false(reads(sample, cut));
}

static unsigned next(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void any_byte_anywhere(void **state) {
  (void)state;
  char text[sizeof sample];
  for (unsigned seed = 1, round = 0; round < 20000; round++) {
    memcpy(text, sample, sizeof text);
    for (unsigned n = next(&seed) % 3 + 1; n > 0; n--)
      text[next(&seed) % (sizeof text - 1)] = (char)next(&seed);
    reads(text, sizeof text - 1);
  }
}

static void nothing_but_noise(void **state) {
  (void)state;
  char text[300];
  for (unsigned seed = 7, round = 0; round < 2000; round++) {
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)next(&seed);
    assert_false(reads(text, sizeof text));
  }
}

/* -- numbers ----------------------------------------------------------- */

static void check_number(DType dtype, double value) {
  Buffer out = {0};
  ir_put_number(&out, dtype, (Scalar){.f = value});
  char *text = ir_buffer_take(&out);
  double back = ir_read_float(dtype, text);
  assert_true(isnan(value) ? isnan(back)
                           : back == value && signbit(back) == signbit(value));
  free(text);
}

static void every_small_float_reads_back(void **state) {
  (void)state;
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    check_number(DT_F16, ir_f64_from_f16((uint16_t)bits));
    check_number(DT_BF16, ir_f64_from_bf16((uint16_t)bits));
  }
}

static void floats_read_back(void **state) {
  (void)state;
  for (unsigned seed = 3, round = 0; round < 20000; round++) {
    uint64_t bits =
        (uint64_t)next(&seed) << 40 ^ (uint64_t)next(&seed) << 20 ^ next(&seed);
    double value;
    memcpy(&value, &bits, sizeof value);
    check_number(DT_F64, value);
    check_number(DT_F32, (double)(float)value);
  }
}

/* A locale with a decimal comma, if the machine has one. */
static void locale_does_not_matter(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",
                                      "fr_FR.UTF-8", "nl_NL.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (setlocale(LC_NUMERIC, names[i])) break;
  Program *program = parse(sample, sizeof sample - 1);
  char *text = ir_print(program, 0);
  assert_non_null(strstr(text, "constant [1,-inf,0.5] : f64[3]"));
  assert_non_null(strstr(text, "low=-0.5, high=1e+03"));
  free(text);
  ir_program_destroy(program);
  setlocale(LC_NUMERIC, "C");
}

/* -- depth and length -------------------------------------------------- */

static void put_scans(Buffer *text, int depth) {
  char line[120];
  ir_put_text(text, "program @deep(%c0: f64[]) {\n");
  for (int i = 1; i <= depth; i++) {
    snprintf(line, sizeof line,
             "%%s%d = scan length=2, carry(%%c%d = %%c%d) {\n", i, i, i - 1);
    ir_put_text(text, line);
  }
  for (int i = depth; i >= 1; i--) {
    snprintf(line, sizeof line, "yield carry(%%%c%d) }\n",
             i == depth ? 'c' : 's', i == depth ? i : i + 1);
    ir_put_text(text, line);
  }
  ir_put_text(text, "return %s1 }\n");
}

static void nesting_is_bounded(void **state) {
  (void)state;
  static const int depths[] = {1, 40, IR_MAX_NESTING - 1, IR_MAX_NESTING, 3000};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    Buffer text = {0};
    put_scans(&text, depths[i]);
    assert_int_equal(reads(text.text, text.length), depths[i] < IR_MAX_NESTING);
    free(text.text);
  }
}

static void brackets_are_bounded(void **state) {
  (void)state;
  static const char *const starts[] = {
      "program @p() { %x = constant ",
      "program @p(%x: f64[3]) { %y = psum %x, groups=",
      "program @p(%x: f64[3]) { %y = transpose %x, perm="};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    Buffer text = {0};
    ir_put_text(&text, starts[i]);
    for (int n = 0; n < 100000; n++) ir_put(&text, "[", 1);
    assert_false(reads(text.text, text.length));
    free(text.text);
  }
}

static void *read_long_chain(void *unused) {
  (void)unused;
  Buffer text = {0};
  char line[80];
  ir_put_text(&text, "program @chain(%v0: f64[4]) {\n");
  for (int i = 1; i <= 100000; i++) {
    snprintf(line, sizeof line, "  %%v%d = add %%v%d, %%v0\n", i, i - 1);
    ir_put_text(&text, line);
  }
  ir_put_text(&text, "  return %v100000\n}\n");
  Program *program = ir_parse(text.text, text.length, "file.ls", NULL, 0);
  bool right = !program->error.failed && program->n_nodes == 100000;
  char *printed = ir_print(program, 0), *picture = ir_dot(program);
  right = right && printed && picture;
  free(printed);
  free(picture);
  free(text.text);
  ir_program_destroy(program);
  static int fine;
  return right ? &fine : NULL;
}

static void long_chain_in_a_small_stack(void **state) {
  (void)state;
  pthread_attr_t attributes;
  pthread_t thread;
  void *right;
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  assert_int_equal(pthread_create(&thread, &attributes, read_long_chain, NULL),
                   0);
  pthread_join(thread, &right);
  pthread_attr_destroy(&attributes);
  assert_non_null(right);
}

/* -- literals, sizes, messages ----------------------------------------- */

static bool reads_literal(int n, bool same) {
  Buffer text = {0};
  ir_put_text(&text, "program @p() { %x = constant [");
  for (int i = 0; i < n; i++) {
    if (i) ir_put(&text, ",", 1);
    ir_put_int(&text, same ? 7 : i);
  }
  ir_put_text(&text, "] : i32[");
  ir_put_int(&text, n);
  ir_put_text(&text, "]\n return %x }");
  bool right = reads(text.text, text.length);
  free(text.text);
  return right;
}

static void literals_have_a_limit(void **state) {
  (void)state;
  assert_true(reads_literal(65536, false));
  assert_false(reads_literal(65537, false));
  assert_true(reads_literal(200000, true));
}

static void sizes_from_outside(void **state) {
  (void)state;
  SizeOverride sizes[] = {{"m", 5}, {"q", 1}};
  Program *program = ir_parse(sample, sizeof sample - 1, "file.ls", sizes, 2);
  assert_true(program->error.failed && program->error.usage);
  ir_program_destroy(program);
  static const char text[] =
      "size m = 2 size n = m+1\n"
      "program @p(%x: i8[m,n]) { return %x }";
  program = ir_parse(text, sizeof text - 1, "file.ls", sizes, 1);
  assert_false(program->error.failed);
  assert_int_equal(program->body->params[0]->type.dims[0], 5);
  assert_int_equal(program->body->params[0]->type.dims[1], 6);
  ir_program_destroy(program);
}

static void closest_word(void **state) {
  (void)state;
  static const char *const words[] = {"einsum", "all_gather", "reduce_sum",
                                      "psum", "neg"};
#define CLOSEST(word) ir_closest(word, sizeof(word) - 1, words, 5)
  assert_string_equal(CLOSEST("enisum"), "einsum");
  assert_string_equal(CLOSEST("allgather"), "all_gather");
  assert_string_equal(CLOSEST("reduce_sums"), "reduce_sum");
  assert_string_equal(CLOSEST("PSUM"), "psum");
  assert_null(CLOSEST("convolution"));
  assert_null(CLOSEST("x"));
  assert_null(CLOSEST(""));
#undef CLOSEST
}

static void how_an_error_looks(void **state) {
  (void)state;
  static const char text[] = "one\r\n\ttwo \xc3\xa9 bad\r\n";
  Diagnostic error = {.failed = true,
                      .place = {"f.ls", 2, 9},
                      .message = "wrong",
                      .detail = "more"};
  char *shown = ir_error_text(&error, text, sizeof text - 1);
  assert_string_equal(shown,
                      "f.ls:2:9: error: wrong\n"
                      "\ttwo \xc3\xa9 bad\n"
                      "\t      ^\n"
                      "more\n");
  free(shown);
  error.detail = NULL;
  error.place = (Place){"f.c", 7, 0};
  shown = ir_error_text(&error, NULL, 0);
  assert_string_equal(shown, "f.c:7: error: wrong\n");
  free(shown);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cut_anywhere),
      cmocka_unit_test(any_byte_anywhere),
      cmocka_unit_test(nothing_but_noise),
      cmocka_unit_test(every_small_float_reads_back),
      cmocka_unit_test(floats_read_back),
      cmocka_unit_test(locale_does_not_matter),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(brackets_are_bounded),
      cmocka_unit_test(long_chain_in_a_small_stack),
      cmocka_unit_test(literals_have_a_limit),
      cmocka_unit_test(sizes_from_outside),
      cmocka_unit_test(closest_word),
      cmocka_unit_test(how_an_error_looks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
