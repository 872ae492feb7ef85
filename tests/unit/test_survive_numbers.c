/* test_survive_numbers: denormals after BLAS and on every thread; integers that
 * other systems trap on, folded, in vector bodies and in tails; a donor that
 * its own update is written over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "lockstep.h"

/* -- helpers ----------------------------------------------------------- */

static ls_error error;

static ls_program *parsed(const char *text) {
  ls_program *program =
      ls_program_parse(text, strlen(text), "numbers.ls", NULL, 0, &error);
  if (program == NULL) fail_msg("%s\n%s", error.text, text);
  return program;
}

static ls_executable *compiled(const ls_program *program,
                               const ls_options *options) {
  ls_executable *executable = ls_compile(program, options, &error);
  if (executable == NULL) fail_msg("%s", error.text);
  return executable;
}

/* -- denormals --------------------------------------------------------- */

enum { SIDE = 160, LONG_ROW = 67 };

/* The product comes first: what is added to x is made of it, and is 0. */
static const char denormal_text[] =
    "program @p(%x: f64[67], %f: f32[67], %A: f64[160,160]) {\n"
    "  %big = constant 1e100 : f64[]\n"
    "  %large = constant 1e20 : f32[]\n"
    "  %none = constant 0 : f64[]\n"
    "  %B = einsum %A, %A, spec=\"ij,jk->ik\"\n"
    "  %sum = reduce_sum %B\n"
    "  %zero = mul %sum, %none\n"
    "  %x1 = add %x, %zero\n"
    "  %y = mul %x1, %big\n"
    "  %g = mul %f, %large\n"
    "  %h = convert %x1 : f32[67]\n"
    "  return %y, %g, %x1, %B\n}\n";

typedef struct Denormals {
  double x[LONG_ROW], y[LONG_ROW], kept[LONG_ROW];
  float f[LONG_ROW], g[LONG_ROW];
  double A[SIDE * SIDE], B[SIDE * SIDE];
} Denormals;

static void *denormals(void *user) {
  Denormals *d = calloc(1, sizeof *d);
  bool fine = d != NULL;
  for (int i = 0; fine && i < LONG_ROW; i++) d->x[i] = 1e-310, d->f[i] = 1e-40f;
  for (int i = 0; fine && i < SIDE * SIDE; i++) d->A[i] = i % 7;
  for (int round = 0; fine && round < 5; round++) {
    ls_array in[] = {ls_array_of(d->x, LS_F64, LONG_ROW),
                     ls_array_of(d->f, LS_F32, LONG_ROW),
                     ls_array_of(d->A, LS_F64, SIDE, SIDE)};
    ls_array out[] = {ls_array_of(d->y, LS_F64, LONG_ROW),
                      ls_array_of(d->g, LS_F32, LONG_ROW),
                      ls_array_of(d->kept, LS_F64, LONG_ROW),
                      ls_array_of(d->B, LS_F64, SIDE, SIDE)};
    fine = ls_run(user, in, 3, out, 4, NULL, NULL) == LS_OK;
    for (int i = 0; fine && i < LONG_ROW; i++)
      fine = d->y[i] == 1e-310 * 1e100 && d->kept[i] == 1e-310 &&
             d->g[i] == 1e-40f * 1e20f;
  }
  free(d);
  return fine ? user : NULL;
}

/* 1e-310 * 1e100 = 1e-210, on every thread, also after a BLAS call. */
static void test_denormals(void **state) {
  (void)state;
  ls_program *program = parsed(denormal_text);
  const ls_options ways[] = {{0},
                             {.gemm = LS_GEMM_BLAS},
                             {.gemm = LS_GEMM_BLAS, .threads = 4},
                             {.numerics = LS_STRICT, .threads = 4}};
  char *plan = ls_program_print(program, "plan", &ways[1], false, &error);
  assert_non_null(plan);
  assert_non_null(strstr(plan, "by=blas"));
  ls_free(plan);
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
    ls_executable *run = compiled(program, &ways[way]);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, denormals, run), 0);
    for (int i = 0; i < 8; i++) {
      void *fine = NULL;
      pthread_join(threads[i], &fine);
      assert_non_null(fine);
    }
    assert_non_null(denormals(run));
    ls_executable_destroy(run);
  }
  ls_program_destroy(program);
}

/* -- integers ---------------------------------------------------------- */

enum { OPS = 5, PAIRS = 12, ROW = 67 };

typedef struct Kind {
  const char *name;
  ls_dtype dtype;
  int bits;
  bool is_signed;
} Kind;

static const Kind kinds[] = {
    {"i8", LS_I8, 8, true},     {"i16", LS_I16, 16, true},
    {"i32", LS_I32, 32, true},  {"i64", LS_I64, 64, true},
    {"u8", LS_U8, 8, false},    {"u16", LS_U16, 16, false},
    {"u32", LS_U32, 32, false}, {"u64", LS_U64, 64, false}};

static uint64_t mask(const Kind *kind) {
  return UINT64_MAX >> (64 - kind->bits);
}

static int64_t extended(const Kind *kind, uint64_t bits) {
  int shift = 64 - kind->bits;
  return (int64_t)(bits << shift) >> shift;
}

/* The pairs that others trap on, or leave undefined. */
static void pair(const Kind *kind, int which, uint64_t *a, uint64_t *b) {
  uint64_t least = kind->is_signed ? UINT64_C(1) << (kind->bits - 1) : 0;
  uint64_t most = kind->is_signed ? least - 1 : mask(kind);
  uint64_t minus = mask(kind), width = (uint64_t)kind->bits;
  const uint64_t pairs[PAIRS][2] = {{least, minus},
                                    {least, 0},
                                    {7, 0},
                                    {most, width},
                                    {minus, width},
                                    {most, width - 1},
                                    {minus - 4, minus},
                                    {least, width + 1},
                                    {most, most},
                                    {minus, least},
                                    {0, 0},
                                    {minus - 6, 2}};
  *a = pairs[which][0] & mask(kind);
  *b = pairs[which][1] & mask(kind);
}

static uint64_t divided(const Kind *kind, uint64_t a, uint64_t b, bool rest) {
  if (b == 0) return rest ? a : mask(kind);
  if (!kind->is_signed) return rest ? a % b : a / b;
  int64_t x = extended(kind, a), y = extended(kind, b);
  if (y == -1) return rest ? 0 : -a & mask(kind);
  return (uint64_t)(rest ? x % y : x / y) & mask(kind);
}

static uint64_t expected(const Kind *kind, int op, uint64_t a, uint64_t b) {
  bool past = b >= (uint64_t)kind->bits; /* or negative */
  switch (op) {
    case 0:
      return divided(kind, a, b, false);
    case 1:
      return divided(kind, a, b, true);
    case 2:
      return past ? 0 : a << b & mask(kind);
    case 3:
      return past ? 0 : a >> b;
    default:
      return (uint64_t)(extended(kind, a) >> (past ? kind->bits - 1 : (int)b)) &
             mask(kind);
  }
}

static const char *const op_names[OPS] = {"div", "rem", "shift_left",
                                          "shift_right_logical",
                                          "shift_right_arithmetic"};

static uint64_t element(const Kind *kind, const void *data, int i) {
  uint64_t bits = 0;
  size_t bytes = (size_t)kind->bits / 8;
  memcpy(&bits, (const char *)data + (size_t)i * bytes, bytes);
  return bits;
}

static void check_row(const Kind *kind, int op, int which, const void *row,
                      int n, const char *how) {
  uint64_t a, b;
  pair(kind, which, &a, &b);
  uint64_t want = expected(kind, op, a, b);
  for (int i = 0; i < n; i++)
    if (element(kind, row, i) != want)
      fail_msg("%s %s %llx, %llx, %s: element %d of %d is %llx, not %llx",
               op_names[op], kind->name, (unsigned long long)a,
               (unsigned long long)b, how, i, n,
               (unsigned long long)element(kind, row, i),
               (unsigned long long)want);
}

/* All ops on one row of each pair: what a vector body gives, and a tail. */
static void run_rows(const Kind *kind, int n) {
  char text[1024];
  int at =
      snprintf(text, sizeof text, "program @p(%%a: %s[%d], %%b: %s[%d]) {\n",
               kind->name, n, kind->name, n);
  for (int op = 0; op < OPS; op++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  %%r%d = %s %%a, %%b\n", op, op_names[op]);
  snprintf(text + at, sizeof text - (size_t)at,
           "  return %%r0, %%r1, %%r2, %%r3, %%r4\n}\n");
  ls_program *program = parsed(text);
  ls_executable *run = compiled(program, NULL);
  size_t bytes = (size_t)kind->bits / 8;
  for (int which = 0; which < PAIRS; which++) {
    uint64_t a[ROW], b[ROW], rows[OPS][ROW], x, y;
    pair(kind, which, &x, &y);
    for (int i = 0; i < n; i++) {
      memcpy((char *)a + (size_t)i * bytes, &x, bytes);
      memcpy((char *)b + (size_t)i * bytes, &y, bytes);
    }
    ls_array in[] = {ls_array_of(a, kind->dtype, n),
                     ls_array_of(b, kind->dtype, n)};
    ls_array out[OPS];
    for (int op = 0; op < OPS; op++)
      out[op] = ls_array_of(rows[op], kind->dtype, n);
    assert_int_equal(ls_run(run, in, 2, out, OPS, NULL, &error), LS_OK);
    for (int op = 0; op < OPS; op++)
      check_row(kind, op, which, rows[op], n, "run");
    assert_int_equal(ls_evaluate(program, in, 2, out, OPS, &error), LS_OK);
    for (int op = 0; op < OPS; op++)
      check_row(kind, op, which, rows[op], n, "evaluated");
  }
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

/* The same on constants, which are folded. */
static void fold_rows(const Kind *kind) {
  ls_builder *b = ls_builder_create("folded");
  for (int which = 0; which < PAIRS; which++) {
    uint64_t x, y;
    pair(kind, which, &x, &y);
    if (kind->is_signed) {
      x = (uint64_t)extended(kind, x);
      y = (uint64_t)extended(kind, y);
    }
    ls_value operands[] = {ls_integer_at(LS_HERE, b, kind->dtype, x),
                           ls_integer_at(LS_HERE, b, kind->dtype, y)};
    for (int op = 0; op < OPS; op++)
      ls_output(
          b, "r",
          ls_binary_at(LS_HERE, b, op_names[op], operands[0], operands[1]));
  }
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fail_msg("%s", ls_builder_error(b));
  ls_builder_destroy(b);
  char *text = ls_program_print(program, "simplify", NULL, false, &error);
  assert_non_null(text);
  assert_null(strstr(text, " div "));
  ls_free(text);
  ls_executable *run = compiled(program, NULL);
  uint64_t results[PAIRS * OPS];
  ls_array out[PAIRS * OPS];
  for (int i = 0; i < PAIRS * OPS; i++)
    out[i] = ls_array_of(&results[i], kind->dtype);
  assert_int_equal(ls_run(run, NULL, 0, out, PAIRS * OPS, NULL, &error), LS_OK);
  for (int i = 0; i < PAIRS * OPS; i++)
    check_row(kind, i % OPS, i / OPS, &results[i], 1, "folded");
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

static void test_integers(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    run_rows(&kinds[i], 1);
    run_rows(&kinds[i], 7);
    run_rows(&kinds[i], ROW);
    fold_rows(&kinds[i]);
  }
}

/* -- in place ---------------------------------------------------------- */

/* base = [1,2,3,4]; base[:3] at offset 1 is [1,1,2,3], written over the base
 * itself, which was given away. */
static void test_donated(void **state) {
  (void)state;
  ls_program *program = parsed(
      "program @p(%x: f64[4], %y: f64[2,3], %i: i32[], %j: i32[]) {\n"
      "  %a = slice %x, start=[0], limit=[3]\n"
      "  %b = dynamic_update_slice %x, %a, %i\n"
      "  %c = slice %y, start=[0,1], limit=[2,3]\n"
      "  %d = dynamic_update_slice %y, %c, %j, %j\n"
      "  return %b, %d\n}\n");
  ls_executable *run = compiled(program, NULL);
  for (int way = 0; way < 2; way++) {
    double x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, 4, 5, 6};
    int32_t i = 1, j = 0;
    ls_array in[] = {ls_donate(ls_array_of(x, LS_F64, 4)),
                     ls_donate(ls_array_of(y, LS_F64, 2, 3)),
                     ls_array_of(&i, LS_I32), ls_array_of(&j, LS_I32)};
    ls_array out[] = {ls_array_of(x, LS_F64, 4), ls_array_of(y, LS_F64, 2, 3)};
    ls_status status = way ? ls_evaluate(program, in, 4, out, 2, &error)
                           : ls_run(run, in, 4, out, 2, NULL, &error);
    if (status != LS_OK) fail_msg("%s", error.text);
    const double want_x[] = {1, 1, 2, 3}, want_y[] = {2, 3, 3, 5, 6, 6};
    assert_memory_equal(x, want_x, sizeof x);
    assert_memory_equal(y, want_y, sizeof y);
  }
  ls_executable_destroy(run);
  ls_program_destroy(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_denormals),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_donated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
