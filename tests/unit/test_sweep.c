/* test_sweep: several sums over one space (passes/sweep.c, fuse_sweep.c,
 * codegen/sweep.c).  Drawn programs agree with the evaluator and fire often
 * enough; the seed program holds one matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "runtime/runtime.h"

/* -- drawn programs ---------------------------------------------------- */

static uint64_t seed;

static int below(int n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)n);
}

enum { MOST = 3, SUMS = 3, ROOM = 4096 };

typedef struct Text {
  char at[ROOM];
  size_t length;
} Text;

static void put(Text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text->at + text->length, ROOM - text->length, format, list);
  va_end(list);
  assert_true(n >= 0 && (size_t)n < ROOM - text->length);
  text->length += (size_t)n;
}

static void put_dims(Text *text, const int *dims, int rank, int set) {
  int n = 0;
  put(text, "[");
  for (int d = 0; d < rank; d++)
    if (set >> d & 1) put(text, n++ ? ",%d" : "%d", dims ? dims[d] : d);
  put(text, "]");
}

/* Letters of a set of dims, in some order. */
static void put_letters(Text *text, int rank, int set) {
  int first = rank ? below(rank) : 0;
  for (int i = 0; i < rank; i++) {
    int d = (i + first) % rank;
    if (set >> d & 1) put(text, "%c", 'a' + d);
  }
}

/* Sum number i of %x; it keeps `kept` of all dims. */
static void put_sum(Text *text, int i, const char *dtype, const int *dims,
                    int rank, int kept) {
  static const char *const ops[] = {"reduce_sum", "reduce_max", "reduce_min"};
  int all = (1 << rank) - 1, with = 1 + below(all);
  if (below(2)) {
    put(text, "  %%s%d = %s %%x, dims=", i, ops[below(3)]);
    put_dims(text, NULL, rank, all & ~kept);
    put(text, "\n");
  } else {
    put(text, "  %%v%d = iota dim=0 : %s", i, dtype);
    put_dims(text, dims, rank, with);
    put(text, "\n  %%s%d = einsum %%x, %%v%d, spec=\"", i, i);
    for (int d = 0; d < rank; d++) put(text, "%c", 'a' + d);
    put(text, ",");
    for (int d = 0; d < rank; d++)
      if (with >> d & 1) put(text, "%c", 'a' + d);
    put(text, "->");
    put_letters(text, rank, kept);
    put(text, "\"\n");
  }
  put(text, below(2) ? "  %%r%d = add %%s%d, %%s%d\n" : "  %%r%d = neg %%s%d\n",
      i, i, i);
}

static Program *draw(void) {
  static const int sizes[] = {1, 2, 3, 5, 8, 16, 17, 33, 70};
  static const char *const dtypes[] = {"f64", "f64", "f32", "i32"};
  Text text = {.length = 0};
  const char *dtype = dtypes[below(4)];
  int rank = 1 + below(MOST), dims[MOST], n = 2 + below(SUMS - 1);
  for (int d = 0; d < rank; d++) dims[d] = sizes[below(9)];
  int all = (1 << rank) - 1;
  put(&text, "program @p() {\n");
  if (*dtype == 'i') {
    put(&text, "  %%i = iota dim=%d : i32", below(rank));
    put_dims(&text, dims, rank, all);
    put(&text, "\n  %%x = mul %%i, %%i\n");
  } else {
    put(&text, "  %%k = random_key seed=%d\n", below(9));
    put(&text, "  %%u = random_uniform %%k, low=-1, high=1 : %s", dtype);
    put_dims(&text, dims, rank, all);
    put(&text, "\n  %%x = mul %%u, %%u\n");
  }
  int kept = all;
  for (int i = 0; i < n; i++) {
    kept = below(4) ? kept & ~(1 << below(rank)) : below(all);
    if (kept == all) kept = 0;
    put_sum(&text, i, dtype, dims, rank, kept);
  }
  put(&text, "  return %%r0, %%r1%s\n}\n", n > 2 ? ", %r2" : "");
  Program *program = ir_parse(text.at, text.length, "drawn", NULL, 0);
  if (program->error.failed)
    fail_msg("%s\n%s", program->error.message, text.at);
  return program;
}

/* -- values ------------------------------------------------------------ */

static Program *plan(const Program *program, const Options *options) {
  Program *planned = pass_run(program, options, pass_count - 1, NULL, NULL);
  assert_non_null(planned);
  if (planned->error.failed) fail_msg("%s", planned->error.message);
  return planned;
}

/* Kernels with more than one sum. */
static int count_swept(const Program *planned) {
  int swept = 0;
  for (int i = 0; i < planned->body->n_nodes; i++) {
    const Node *node = planned->body->nodes[i];
    int sums = 0;
    for (int k = 0; node->op == OP_kernel && k < node->body->n_nodes; k++) {
      OpClass class = ir_ops[node->body->nodes[k]->op].class;
      sums += class == REDUCE || class == EINSUM;
    }
    swept += sums > 1;
  }
  return swept;
}

static double element(Type type, const void *data, int64_t i) {
  if (type.dtype == DT_F64) return ((const double *)data)[i];
  if (type.dtype == DT_F32) return (double)((const float *)data)[i];
  return ((const int32_t *)data)[i];
}

static void compare(Type type, const void *got, const void *want) {
  double close = type.dtype == DT_F64 ? 1e-12 : type.dtype == DT_F32 ? 1e-4 : 0;
  for (int64_t i = 0; i < ir_type_elements(type); i++) {
    double a = element(type, got, i), b = element(type, want, i);
    if (!(fabs(a - b) <= close * (1 + fabs(b))))
      fail_msg("element %lld is %.17g, not %.17g", (long long)i, a, b);
  }
}

static void run_both(const Program *program, const Program *planned,
                     const Options *options) {
  void *want[SUMS], *got[SUMS];
  int n = program->body->n_yields;
  char *message = NULL;
  for (int i = 0; i < n; i++) {
    size_t bytes = (size_t)ir_type_bytes(program->body->yields[i]->type) + 64;
    want[i] = calloc(1, bytes);
    got[i] = calloc(1, bytes);
    assert_true(want[i] && got[i]);
  }
  message = rt_evaluate(program, NULL, want);
  if (message) fail_msg("%s", message);
  Executable *x = cg_compile(planned, options, NULL, &message);
  if (x == NULL) fail_msg("%s", message);
  void *arena = aligned_alloc(64, (cg_arena_bytes(x) + 127) / 64 * 64);
  assert_non_null(arena);
  rt_blas_enter();
  cg_run(x, NULL, got, arena);
  rt_blas_leave();
  for (int i = 0; i < n; i++) {
    compare(program->body->yields[i]->type, got[i], want[i]);
    free(want[i]);
    free(got[i]);
  }
  free(arena);
  cg_destroy(x);
}

static void test_drawn(void **state) {
  (void)state;
  enum { PROGRAMS = 120 };
  int swept = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    seed = (uint64_t)i;
    Options options = {0};
    Program *program = draw(), *planned = plan(program, &options);
    swept += count_swept(planned);
    run_both(program, planned, &options);
    ir_program_destroy(planned);
    options.numerics = NUMERICS_STRICT;
    planned = plan(program, &options);
    assert_int_equal(count_swept(planned), 0);
    ir_program_destroy(planned);
    ir_program_destroy(program);
  }
  assert_in_range(swept, PROGRAMS / 3, PROGRAMS);
}

/* -- the seed program -------------------------------------------------- */

static const char seed_program[] =
    "axis devices = 8\n"
    "program @seed() {\n"
    "  %k = random_key seed=0\n"
    "  %device = axis_index axis=devices\n"
    "  %key = random_fold_in %k, %device\n"
    "  %other = random_fold_in %key, %device\n"
    "  %J = random_uniform %key : f64[256,256]\n"
    "  %y0 = random_uniform %other : f64[256,1]\n"
    "  %eps = constant 1e-06 : f64[]\n"
    "  %y = scan length=1000, carry(%c = %y0) {\n"
    "    %Jc = einsum %J, %c, spec=\"mn,ni->mi\"\n"
    "    %d = mul %eps, %Jc\n"
    "    %u = psum %d, axis=devices\n"
    "    %n = add %c, %u\n"
    "    yield carry(%n)\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* One matrix in the arena, and one sweep that draws it. */
static void test_seed(void **state) {
  (void)state;
  Options options = {0};
  Program *program =
      ir_parse(seed_program, sizeof seed_program - 1, "seed", NULL, 0);
  Program *planned = plan(program, &options);
  assert_int_equal(count_swept(planned), 1);
  double bytes = (double)pass_arena_bytes(planned);
  assert_true(bytes < 1.5 * 256 * 256 * 8);
  ir_program_destroy(planned);
  ir_program_destroy(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_drawn),
                                     cmocka_unit_test(test_seed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
