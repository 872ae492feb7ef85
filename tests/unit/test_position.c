/* test_position.c: a value depends on its operands alone.  Every elementwise
 * op on every dtype that it takes, in one program many times: whole arrays
 * (vector bodies and tails), slices of many lengths, reversed and transposed
 * views, single elements, the steps of a scan, inside a reduction, one operand
 * the same for all; with buffers at any offset.  The evaluator gives the bits
 * that it gives for the whole array, and compiled code the evaluator's (any
 * NaN equals any NaN). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "frontend/lockstep.h"
#include "ir/ir.h"

enum { POOL = 71, MAX_FORMS = 24 };

/* One op on one dtype; after: what follows the operands in the text. */
typedef struct Case {
  Op op;
  DType dtype, to; /* of the operands, of the result */
  char after[24];
} Case;

/* Result %rF of the program: the op on %rF_0, %rF_1, ...  Its element k must be
 * that of pool element from[k], where that is not negative. */
typedef struct Form {
  int number; /* F */
  int count;
  int from[POOL];
} Form;

typedef struct Text {
  char text[8192];
  size_t length;
  Form forms[MAX_FORMS];
  int n_forms;
  const Case *what;
  int arity;
} Text;

static void add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(Text *text, const char *format, ...) {
  va_list list;
  size_t room = sizeof text->text - text->length;
  va_start(list, format);
  int n = vsnprintf(text->text + text->length, room, format, list);
  va_end(list);
  assert_true(n >= 0 && (size_t)n < room);
  text->length += (size_t)n;
}

/* -- the program ------------------------------------------------------- */

static DType operand_dtype(const Case *what, int i) {
  return what->op == OP_select && i == 0 ? DT_BOOL : what->dtype;
}

static const char *operand_name(const Case *what, int i) {
  return ir_dtype_name(operand_dtype(what, i));
}

static Form *next_form(Text *text, int count) {
  assert_true(text->n_forms < MAX_FORMS);
  Form *form = &text->forms[text->n_forms];
  form->number = text->n_forms++;
  form->count = count;
  for (int k = 0; k < count; k++) form->from[k] = k;
  return form;
}

/* %RESULT = OP %rF_0, %rF_1, ... : to[SHAPE] */
static void add_op(Text *text, const Form *form, const char *result,
                   const char *shape) {
  add(text, "  %%%s = %s", result, ir_ops[text->what->op].name);
  for (int i = 0; i < text->arity; i++)
    add(text, "%s %%r%d_%d", i ? "," : "", form->number, i);
  add(text, "%s : %s[%s]\n", text->what->after, ir_dtype_name(text->what->to),
      shape);
}

static void add_result(Text *text, const Form *form, const char *shape) {
  char result[16];
  snprintf(result, sizeof result, "r%d", form->number);
  add_op(text, form, result, shape);
}

static void add_slice(Text *text, int start, int count) {
  char shape[16];
  Form *form = next_form(text, count);
  snprintf(shape, sizeof shape, "%d", count);
  for (int i = 0; i < text->arity; i++)
    add(text, "  %%r%d_%d = slice %%x%d, start=[%d], limit=[%d]\n",
        form->number, i, i, start, start + count);
  add_result(text, form, shape);
  for (int k = 0; k < count; k++) form->from[k] = start + k;
}

/* Operand i of the form is element `at` of the pool, of rank 0. */
static void add_scalar(Text *text, const Form *form, int i, int at) {
  add(text, "  %%v%d_%d = slice %%x%d, start=[%d], limit=[%d]\n", form->number,
      i, i, at, at + 1);
  add(text, "  %%r%d_%d = reshape %%v%d_%d : %s[]\n", form->number, i,
      form->number, i, operand_name(text->what, i));
}

static void add_element(Text *text, int at) {
  Form *form = next_form(text, 1);
  for (int i = 0; i < text->arity; i++) add_scalar(text, form, i, at);
  add_result(text, form, "");
  form->from[0] = at;
}

/* 14 x 5 of the first 70, transposed: neighbours lie 5 apart. */
static void add_transposed(Text *text) {
  Form *form = next_form(text, 70);
  for (int i = 0; i < text->arity; i++) {
    add(text, "  %%t%d = slice %%x%d, start=[0], limit=[70]\n", i, i);
    add(text, "  %%u%d = reshape %%t%d : %s[14,5]\n", i, i,
        operand_name(text->what, i));
    add(text, "  %%r%d_%d = transpose %%u%d, perm=[1,0]\n", form->number, i, i);
  }
  add_result(text, form, "5,14");
  for (int k = 0; k < 70; k++) form->from[k] = k % 14 * 5 + k / 14;
}

static void add_reversed(Text *text) {
  Form *form = next_form(text, POOL);
  for (int i = 0; i < text->arity; i++)
    add(text, "  %%r%d_%d = reverse %%x%d, dims=[0]\n", form->number, i, i);
  add_result(text, form, "71");
  for (int k = 0; k < POOL; k++) form->from[k] = POOL - 1 - k;
}

/* The greatest of three equal values: the op stands inside a reduction. */
static void add_reduced(Text *text) {
  Form *form = next_form(text, POOL);
  for (int i = 0; i < text->arity; i++)
    add(text, "  %%r%d_%d = broadcast %%x%d, dims=[0] : %s[71,3]\n",
        form->number, i, i, operand_name(text->what, i));
  add_op(text, form, "three", "71,3");
  add(text, "  %%r%d = reduce_max %%three, dims=[1]\n", form->number);
}

static void add_scan(Text *text) {
  Form *form = next_form(text, POOL);
  add(text, "  %%r%d = scan xs(", form->number);
  for (int i = 0; i < text->arity; i++)
    add(text, "%s%%r%d_%d = %%x%d", i ? ", " : "", form->number, i, i);
  add(text, ") {\n");
  add_op(text, form, "step", "");
  add(text, "    yield ys(%%step)\n  }\n");
}

/* Operand number `which` is one element for all. */
static void add_uniform(Text *text, int which) {
  enum { ONE = 41 };
  Form *form = next_form(text, POOL);
  for (int i = 0; i < text->arity; i++)
    if (i == which)
      add_scalar(text, form, i, ONE);
    else
      add(text, "  %%r%d_%d = slice %%x%d, start=[0], limit=[71]\n",
          form->number, i, i);
  add_result(text, form, "71");
  for (int k = 0; k < POOL; k++) form->from[k] = k == ONE ? k : -1;
}

/* Ops with a routine of their own get every form; the rest, which are one or
 * two instructions, in turn a few of them. */
static void add_forms(Text *text) {
  static const int lengths[] = {1, 3, 8, 17, 33};
  const Case *what = text->what;
  int turn = (int)what->op + 3 * (int)what->dtype + 5 * (int)what->to;
  bool all = ir_ops[what->op].flags & DEAR;
  add_slice(text, 0, POOL);
  for (int i = 0; i < 5; i++)
    if (all || turn / 5 % 5 == i) add_slice(text, i, lengths[i]);
  if (all || turn % 5 == 0) add_element(text, 37);
  if (all || turn % 5 == 1) add_transposed(text);
  if (all || turn % 5 == 2) add_reversed(text);
  if (all || turn % 5 == 3) add_reduced(text);
  if (all || turn % 5 == 4) add_scan(text);
  for (int i = 0; i < text->arity && text->arity > 1; i++)
    if (all || turn % text->arity == i) add_uniform(text, i);
}

static void write_program(Text *text, const Case *what) {
  text->what = what;
  text->arity = ir_ops[what->op].arity;
  add(text, "program @p(");
  for (int i = 0; i < text->arity; i++)
    add(text, "%s%%x%d: %s[%d]", i ? ", " : "", i, operand_name(what, i), POOL);
  add(text, ") {\n");
  add_forms(text);
  add(text, "  return");
  for (int i = 0; i < text->n_forms; i++)
    add(text, "%s %%r%d", i ? "," : "", i);
  add(text, "\n}\n");
}

/* -- operands ---------------------------------------------------------- */

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static Scalar element_of(DType dtype, uint64_t seed) {
  static const double special[] = {
      0,    -0.0,   1,        -1,   0.5,       -0.75, 1e-40, 3e-310,
      1e30, -1e300, INFINITY, 88.5, -INFINITY, NAN,   2,     -30.25};
  uint64_t bits = mix(seed * UINT64_C(0x9e3779b97f4a7c15));
  if (dtype == DT_BOOL) return (Scalar){.u = bits & 1};
  if (!ir_is_float(dtype))
    return ir_scalar_wrap(dtype, bits & 1 ? bits >> 9 : bits >> 9 & 31);
  if (bits % 3 == 0) return (Scalar){.f = special[bits / 3 % 16]};
  double unit = (double)(bits >> 11) * 0x1p-53;
  return (Scalar){.f = (bits & 4 ? 4 : 1) * (2 * unit - 1)};
}

/* -- running ----------------------------------------------------------- */

/* A buffer of n elements, skew bytes behind a multiple of 64. */
static char *buffer(size_t bytes, size_t skew, void **block) {
  *block = aligned_alloc(64, (bytes + skew + 127) / 64 * 64);
  assert_non_null(*block);
  memset(*block, 0x5a, (bytes + skew + 127) / 64 * 64);
  return (char *)*block + skew;
}

static bool same(DType dtype, const char *a, const char *b) {
  if (memcmp(a, b, ir_dtype_bytes(dtype)) == 0) return true;
  if (!ir_is_float(dtype)) return false;
  double x = ir_scalar_load(dtype, a).f, y = ir_scalar_load(dtype, b).f;
  return x != x && y != y;
}

/* What the evaluator makes of each form. */
typedef char Expected[MAX_FORMS][POOL * 8];

static int differs(const Text *text, const char *how, int r, int k) {
  print_error("%s %s%s, %s: %%r%d[%d] has other bits\n%s",
              ir_ops[text->what->op].name, ir_dtype_name(text->what->dtype),
              text->what->after, how, r, k, text->text);
  return 1;
}

/* The evaluator's forms among themselves. */
static int compare_forms(const Text *text, Expected expected) {
  size_t bytes = ir_dtype_bytes(text->what->to);
  for (int r = 0; r < text->n_forms; r++)
    for (int k = 0; k < text->forms[r].count; k++) {
      int from = text->forms[r].from[k];
      if (from >= 0 && !same(text->what->to, expected[r] + (size_t)k * bytes,
                             expected[0] + (size_t)from * bytes))
        return differs(text, "evaluated", r, k);
    }
  return 0;
}

static int compare_results(const Text *text, const ls_array *results,
                           Expected expected, const char *how) {
  size_t bytes = ir_dtype_bytes(text->what->to);
  for (int r = 0; r < text->n_forms; r++)
    for (int k = 0; k < text->forms[r].count; k++)
      if (!same(text->what->to, (char *)results[r].data + (size_t)k * bytes,
                expected[r] + (size_t)k * bytes))
        return differs(text, how, r, k);
  return 0;
}

typedef struct Buffers {
  void *blocks[3 + MAX_FORMS];
  int n;
  ls_array inputs[3], results[MAX_FORMS];
} Buffers;

static void fill(const Text *text, const ls_program *program, size_t input_skew,
                 size_t result_skew, Buffers *buffers) {
  buffers->n = 0;
  for (int i = 0; i < ls_program_inputs(program); i++) {
    DType dtype = operand_dtype(text->what, i);
    ls_array *input = &buffers->inputs[i];
    *input = ls_program_input_array(program, i);
    char *data = buffer(ls_array_bytes(*input), input_skew,
                        &buffers->blocks[buffers->n++]);
    for (int k = 0; k < POOL; k++)
      ir_scalar_store(dtype, data + (size_t)k * ir_dtype_bytes(dtype),
                      element_of(dtype, (uint64_t)(k * 3 + i)));
    input->data = data;
  }
  for (int r = 0; r < text->n_forms; r++) {
    ls_array *result = &buffers->results[r];
    *result = ls_program_result_array(program, r);
    result->data = buffer(ls_array_bytes(*result), result_skew,
                          &buffers->blocks[buffers->n++]);
  }
}

static int run_evaluator(const Text *text, const ls_program *program,
                         Expected expected) {
  Buffers buffers;
  fill(text, program, 0, 0, &buffers);
  assert_int_equal(
      ls_evaluate(program, buffers.inputs, ls_program_inputs(program),
                  buffers.results, text->n_forms, NULL),
      LS_OK);
  for (int r = 0; r < text->n_forms; r++)
    memcpy(expected[r], buffers.results[r].data,
           ls_array_bytes(buffers.results[r]));
  for (int i = 0; i < buffers.n; i++) free(buffers.blocks[i]);
  return compare_forms(text, expected);
}

static int run_compiled(const Text *text, const ls_executable *executable,
                        size_t input_skew, size_t result_skew,
                        Expected expected) {
  const ls_program *program = ls_executable_program(executable);
  Buffers buffers;
  char how[64];
  fill(text, program, input_skew, result_skew, &buffers);
  assert_int_equal(
      ls_run(executable, buffers.inputs, ls_program_inputs(program),
             buffers.results, text->n_forms, NULL, NULL),
      LS_OK);
  snprintf(how, sizeof how, "inputs %zu bytes off, results %zu", input_skew,
           result_skew);
  int wrong = compare_results(text, buffers.results, expected, how);
  for (int i = 0; i < buffers.n; i++) free(buffers.blocks[i]);
  return wrong;
}

/* How often it was wrong; -1: the op does not take this dtype. */
static int try_case(const Case *what) {
  Text *text = calloc(1, sizeof *text);
  Expected expected;
  ls_error error;
  assert_non_null(text);
  write_program(text, what);
  ls_program *program =
      ls_program_parse(text->text, text->length, "p", NULL, 0, &error);
  int wrong = -1;
  if (program) {
    ls_executable *executable = ls_compile(program, NULL, &error);
    assert_non_null(executable);
    size_t in = ir_dtype_bytes(what->dtype), out = ir_dtype_bytes(what->to);
    wrong = run_evaluator(text, program, expected);
    wrong += run_compiled(text, executable, 0, 0, expected);
    wrong += run_compiled(text, executable, in, out, expected);
    wrong += run_compiled(text, executable, 3 * in, 5 * out, expected);
    wrong += run_compiled(text, executable, 1, 0, expected);
    ls_executable_destroy(executable);
    ls_program_destroy(program);
  }
  free(text);
  return wrong;
}

/* -- the walk ---------------------------------------------------------- */

typedef struct Tally {
  int taken, wrong;
} Tally;

static void try_dtype(Op op, DType dtype, Tally *tally) {
  static const char *const relations[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  Case what = {op, dtype, dtype, ""};
  bool converts = op == OP_convert || op == OP_bitcast;
  int variants = converts ? DT_COUNT : op == OP_compare ? 6 : 1;
  for (int v = 0; v < variants; v++) {
    if (op == OP_compare || op == OP_is_finite) what.to = DT_BOOL;
    if (op == OP_compare)
      snprintf(what.after, sizeof what.after, ", op=%s", relations[v]);
    if (converts) what.to = (DType)v;
    int wrong = try_case(&what);
    tally->taken += wrong >= 0;
    tally->wrong += wrong > 0;
  }
}

static void wherever_it_stands(void **state) {
  (void)state;
  Tally all = {0};
  for (int op = 0; op < OP_COUNT; op++) {
    if (ir_ops[op].class != ELEMENTWISE) continue;
    Tally own = {0};
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
      try_dtype((Op)op, (DType)dtype, &own);
    if (own.taken == 0) print_error("%s takes no dtype\n", ir_ops[op].name);
    all.wrong += own.wrong + (own.taken == 0);
  }
  assert_int_equal(all.wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wherever_it_stands)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
