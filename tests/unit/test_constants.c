/* test_constants.c: operands that are constants, as far as codegen.
 *
 * The simplifier folds what is constant by the evaluator's own routines; here
 * it is left out, so that LLVM meets the constants: as immediates, and as
 * arrays of the module.  Whatever it folds must have the evaluator's bits (any
 * NaN for a NaN), and calls of maths routines it must not fold at all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "codegen/codegen.h"
#include "runtime/runtime.h"

enum { CORNERS = 8, PAIRS = CORNERS * CORNERS, ELEMENT = 8 };

/* -inf and 6e4 saturate on the way to an integer; 3e-310 is subnormal. */
static const char *const reals[CORNERS] = {"nan", "-inf", "-0",     "0.3",
                                           "1",   "-2.5", "3e-310", "6e4"};

static void write_corner(FILE *text, DType dtype, int i) {
  Scalar corners[CORNERS] = {{.i = 0},
                             {.i = 1},
                             {.i = -1},
                             {.i = 7},
                             {.i = 8},
                             {.i = 64},
                             ir_scalar_least(dtype),
                             ir_scalar_greatest(dtype)};
  if (ir_is_float(dtype))
    fputs(reals[i], text);
  else if (dtype == DT_BOOL)
    fputs(i % 2 ? "true" : "false", text);
  else if (ir_is_signed(dtype))
    fprintf(text, "%lld", (long long)ir_scalar_wrap(dtype, corners[i].u).i);
  else
    fprintf(text, "%llu",
            (unsigned long long)ir_scalar_wrap(dtype, corners[i].u).u);
}

/* -- programs ---------------------------------------------------------- */

/* %a0, %a1, ...: each corner; %a, %b: all pairs of them. */
static void write_constants(FILE *text, DType dtype) {
  const char *name = ir_dtype_name(dtype);
  for (int i = 0; i < CORNERS; i++) {
    fprintf(text, "  %%a%d = constant ", i);
    write_corner(text, dtype, i);
    fprintf(text, " : %s[]\n", name);
  }
  for (int operand = 0; operand < 2; operand++) {
    fprintf(text, "  %%%c = constant [", "ab"[operand]);
    for (int p = 0; p < PAIRS; p++) {
      if (p) fputs(", ", text);
      write_corner(text, dtype, operand ? p / CORNERS : p % CORNERS);
    }
    fprintf(text, "] : %s[%d]\n", name, PAIRS);
  }
}

static void write_type(FILE *text, Op op, DType to, bool array) {
  if (op != OP_convert) return;
  fprintf(text, array ? " : %s[%d]" : " : %s[]", ir_dtype_name(to), PAIRS);
}

/* Nodes of one op, to convert to one dtype; returns how many. */
static int write_nodes(FILE *text, Op op, DType to, int first) {
  const char *name = ir_ops[op].name;
  int n = 0, arity = ir_ops[op].arity, pairs = arity == 1 ? CORNERS : PAIRS;
  for (int p = 0; p < pairs; p++) {
    fprintf(text, "  %%r%d = %s %%a%d", first + n++, name, p % CORNERS);
    if (arity == 2) fprintf(text, ", %%a%d", p / CORNERS);
    write_type(text, op, to, false);
    fputc('\n', text);
  }
  fprintf(text, "  %%r%d = %s %%a", first + n++, name);
  if (arity == 2) fputs(", %b", text);
  write_type(text, op, to, true);
  fputc('\n', text);
  return n;
}

/* Malloc'd; *length is set. */
static char *text_of(Op op, DType dtype, DType to) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  assert_non_null(file);
  fputs("program @constants() {\n", file);
  write_constants(file, dtype);
  int n = write_nodes(file, op, to, 0);
  for (int i = 0; i < n; i++)
    fprintf(file, "%s%%r%d", i ? ", " : "  return ", i);
  fputs("\n}\n", file);
  assert_int_equal(fclose(file), 0);
  return text;
}

/* -- running ----------------------------------------------------------- */

typedef struct Results {
  int n;
  void **data;
} Results;

static Results make_results(const Program *program) {
  Results results = {.n = program->body->n_yields};
  results.data = calloc((size_t)results.n + 1, sizeof *results.data);
  assert_non_null(results.data);
  for (int i = 0; i < results.n; i++) {
    results.data[i] = calloc(PAIRS, ELEMENT);
    assert_non_null(results.data[i]);
  }
  return results;
}

static void free_results(Results results) {
  for (int i = 0; i < results.n; i++) free(results.data[i]);
  free(results.data);
}

static void run_compiled(const Program *planned, const Options *options,
                         Results results) {
  char *error = NULL;
  Executable *executable = cg_compile(planned, options, NULL, &error);
  if (!executable) fail_msg("%s", error);
  size_t bytes = cg_arena_bytes(executable);
  void *arena = aligned_alloc(64, (bytes + 64) / 64 * 64);
  assert_non_null(arena);
  cg_run(executable, NULL, results.data, arena);
  free(arena);
  cg_destroy(executable);
}

static bool same_bits(DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype) && isnan(a.f)) return isnan(b.f);
  return a.u == b.u;
}

static void compare(const Program *program, const char *text, Results got,
                    Results wanted) {
  for (int i = 0; i < got.n; i++) {
    Type type = program->body->yields[i]->type;
    size_t each = ir_dtype_bytes(type.dtype);
    for (int64_t k = 0; k < ir_type_elements(type); k++) {
      size_t at = (size_t)k * each;
      Scalar a = ir_scalar_load(type.dtype, (char *)got.data[i] + at);
      Scalar b = ir_scalar_load(type.dtype, (char *)wanted.data[i] + at);
      if (!same_bits(type.dtype, a, b))
        fail_msg("result %d [%lld] differs in\n%s", i, (long long)k, text);
    }
  }
}

/* -- one op on one dtype ----------------------------------------------- */

/* Is the line a call of the op's routine, of one element or of a vector, whose
 * operands are constants? */
static bool is_call_of_constants(Op op, const char *line, size_t length) {
  char text[4096], name[64];
  if (length >= sizeof text) return false;
  memcpy(text, line, length);
  text[length] = 0;
  int n = snprintf(name, sizeof name, "@lockstep_%s", ir_ops[op].name);
  const char *at = strstr(text, name);
  if (!at || !strstr(text, " call ")) return false;
  at += n;
  return (*at == '(' || strncmp(at, "_f", 2) == 0) && !strchr(at, '%');
}

/* Calls of a maths routine on the spot's constants: one for each scalar. */
static void expect_calls(Op op, const Program *planned,
                         const Options *options) {
  char *error = NULL, *text = cg_text(planned, options, CODE_LLVM, &error);
  int n = 0;
  if (!text) fail_msg("%s", error);
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    n += is_call_of_constants(op, line, length);
    line += length + (line[length] != 0);
  }
  int wanted = ir_ops[op].arity == 1 ? CORNERS : PAIRS;
  if (n < wanted)
    fail_msg("%s: %d of %d calls are left", ir_ops[op].name, n, wanted);
  free(text);
}

static bool has_routine(Op op) {
  switch (op) {
#define COMPOSED(op, arity)
#define FUNCTION(op, arity, how) case OP_##op:
#include "ir/functions.def"
#undef FUNCTION
    return true;
    default:
      return false;
  }
}

static bool is_function(Op op) {
  switch (op) {
#define FUNCTION(op, arity, how) case OP_##op:
#include "ir/functions.def"
#undef FUNCTION
    return true;
    default:
      return false;
  }
}

static void run(Op op, DType dtype, const Program *program, const char *text) {
  Options options = {.threads = 1,
                     .numerics = dtype % 2 ? NUMERICS_STRICT : NUMERICS_FAST,
                     .without = UINT64_C(1) << pass_find("simplify")};
  Results got = make_results(program), wanted = make_results(program);
  Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
  assert_non_null(planned);
  if (planned->error.failed) fail_msg("%s", planned->error.message);
  char *message = rt_evaluate(program, NULL, wanted.data);
  if (message) fail_msg("%s", message);
  run_compiled(planned, &options, got);
  compare(program, text, got, wanted);
  if (dtype == DT_F64 && has_routine(op)) expect_calls(op, planned, &options);
  free_results(got);
  free_results(wanted);
  ir_program_destroy(planned);
}

/* False: the op does not take the dtype. */
static bool check(Op op, DType dtype, DType to) {
  char *text = text_of(op, dtype, to);
  Program *program = ir_parse(text, strlen(text), "test", NULL, 0);
  assert_non_null(program);
  bool taken = !program->error.failed;
  if (taken) run(op, dtype, program, text);
  ir_program_destroy(program);
  free(text);
  return taken;
}

static int check_dtypes(Op op) {
  int taken = 0;
  for (int d = 0; d < DT_COUNT; d++) {
    if (op != OP_convert) taken += check(op, (DType)d, DT_F64);
    for (int to = 0; op == OP_convert && to < DT_COUNT; to++)
      taken += check(op, (DType)d, (DType)to);
  }
  return taken;
}

/* -- the tests --------------------------------------------------------- */

static void functions(void **state) {
  (void)state;
  for (int op = 0; op < OP_COUNT; op++)
    if (is_function((Op)op)) assert_true(check_dtypes((Op)op) >= 4);
}

/* All others of one or two operands; compare and bitcast need more to say. */
static void arithmetic(void **state) {
  (void)state;
  for (int op = 0; op < OP_COUNT; op++)
    if (ir_ops[op].class == ELEMENTWISE && !is_function((Op)op) &&
        ir_ops[op].arity <= 2 && op != OP_compare && op != OP_bitcast)
      assert_true(check_dtypes((Op)op) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions),
      cmocka_unit_test(arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
