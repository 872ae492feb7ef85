/* test_blocks.c: scans that are independent along a dim have the same bits in
 * blocks of any size as without, and as the evaluator.
 *
 * Programs are drawn from templates that are all independent along n: shapes
 * [n], [n,3], [n,3,3] and [3,n] fit on each other.  Blocks of 1, 2, 3, 5 and 8
 * elements, with the dim turned to the last place or not, and sizes of n down
 * to 0 make remainders, single elements and nothing at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "codegen/codegen.h"
#include "ir/blocks.h"
#include "runtime/runtime.h"

enum { TEXT_ROOM = 16384, SHAPES = 4, POOL = 32, LINES = 7, DRAWS = 40 };

/* -- templates --------------------------------------------------------- */

/* $v $m $q $t: an operand of shape [n] [n,3] [n,3,3] [3,n]; $1 ... $9: values
 * of the template's own; $r: its result (left out where there is one line). */
typedef struct Template {
  char shape;
  const char *text;
} Template;

static const Template templates[] = {
    {'v', "add $v, $v"},
    {'v', "mul $v, %s0"},
    {'v', "tanh $v"},
    {'v', "reduce_sum $m, dims=[1]"},
    {'v', "reduce_max $q, dims=[1,2]"},
    {'v', "reduce_sum $t, dims=[0]"},
    {'v', "einsum $m, $m, spec=\"ni,ni->n\""},
    {'v', "einsum $t, $m, spec=\"in,ni->n\""},
    {'v', "einsum $q, spec=\"nii->n\""},
    {'v', "$1 = slice $m, start=[0,1], limit=[n,2]\n$r = reshape $1 : f64[n]"},
    {'v', "take $m, %one, dim=1"},
    {'v',
     "$1 = dynamic_slice $m, %zero, %one, sizes=[n,1]\n"
     "$r = reshape $1 : f64[n]"},
    {'v', "$1 = argmax $m, dim=1\n$r = convert $1 : f64[n]"},
    {'m', "sub $m, $m"},
    {'m', "mul $m, %row0"},
    {'m', "einsum %w0, $m, spec=\"ij,nj->ni\""},
    {'m', "einsum $q, $m, spec=\"nij,nj->ni\""},
    {'m', "broadcast $v, dims=[0] : f64[n,3]"},
    {'m', "transpose $t, perm=[1,0]"},
    {'m', "reverse $m, dims=[1]"},
    {'m', "cumsum $m, dim=1"},
    {'m', "sort $m, dim=1"},
    {'m', "reduce_sum $q, dims=[2]"},
    {'m', "take $m, %turn, dim=1"},
    {'m',
     "$1 = slice $m, start=[0,1], limit=[n,3]\n"
     "$2 = slice $m, start=[0,0], limit=[n,1]\n"
     "$r = concatenate $1, $2, dim=1"},
    {'m', "$1 = compare $m, $m, op=lt\n$r = select $1, $m, $m"},
    {'m',
     "$1 = slice $m, start=[0,0], limit=[n,1]\n"
     "$r = dynamic_update_slice $m, $1, %zero, %one"},
    {'m', "$1 = pad $m, %s0, low=[0,1], high=[0,-1]\n$r = add $1, $m"},
    {'m',
     "$r = scan length=3, carry($1 = $m) {\n$2 = mul $1, $m\n"
     "yield carry($2)\n}"},
    {'m',
     "$r = cond %flag then {\n$1 = add $m, $m\nyield $1\n} else {\n"
     "yield $m\n}"},
    {'m',
     "$r, $1 = while carry($2 = $m, $3 = %zero) cond {\n"
     "$4 = compare $3, %two, op=lt\nyield $4\n} do {\n$5 = add $2, $m\n"
     "$6 = add $3, %one\nyield carry($5, $6)\n}"},
    {'q', "mul $q, $q"},
    {'q', "einsum $q, $q, spec=\"nij,njk->nik\""},
    {'q', "einsum $m, $m, spec=\"ni,nj->nij\""},
    {'q', "einsum %w0, $q, spec=\"ij,njk->nik\""},
    {'q', "transpose $q, perm=[0,2,1]"},
    {'q',
     "$1 = reshape $q : f64[n,9]\n$2 = neg $1\n"
     "$r = reshape $2 : f64[n,3,3]"},
    {'t', "add $t, $v"},
    {'t', "transpose $m, perm=[1,0]"},
    {'t', "cumsum $t, dim=0"},
    {'t',
     "$1, $r = scan carry($2 = $v), xs($3 = $t) {\n$4 = add $2, $3\n"
     "$5 = mul $4, $3\nyield carry($4), ys($5)\n}"},
};

/* -- drawing ----------------------------------------------------------- */

static const char shapes[] = "vmqt";
static const char *const types[] = {"f64[n]", "f64[n,3]", "f64[n,3,3]",
                                    "f64[3,n]"};

typedef struct Draw {
  uint64_t random;
  char text[TEXT_ROOM];
  size_t length;
  char pool[SHAPES][POOL][8];
  int n[SHAPES], next;
} Draw;

static uint64_t below(Draw *d, uint64_t n) {
  d->random = d->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (d->random >> 33) % n;
}

static void put(Draw *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(Draw *d, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(d->text + d->length, TEXT_ROOM - d->length, format, list);
  va_end(list);
  assert_true(n >= 0 && d->length + (size_t)n < TEXT_ROOM);
  d->length += (size_t)n;
}

static int shape_of(char c) { return (int)(strchr(shapes, c) - shapes); }

static void know(Draw *d, int shape, const char *name) {
  assert_true(d->n[shape] < POOL);
  snprintf(d->pool[shape][d->n[shape]++], 8, "%s", name);
}

static const char *any(Draw *d, int shape) {
  int n = d->n[shape], back = (int)below(d, 2) ? (int)below(d, 3) : n;
  return d->pool[shape][back < n ? n - 1 - back : (int)below(d, (uint64_t)n)];
}

static void put_line(Draw *d, const Template *t) {
  char name[8];
  if (strstr(t->text, "$r") == NULL) put(d, "%%x%d = ", d->next);
  for (const char *c = t->text; *c; c++) {
    if (*c != '$')
      put(d, "%c", *c);
    else if (*++c == 'r')
      put(d, "%%x%d", d->next);
    else if (*c >= '1' && *c <= '9')
      put(d, "%%u%d_%c", d->next, *c);
    else
      put(d, "%s", any(d, shape_of(*c)));
  }
  put(d, "\n");
  snprintf(name, sizeof name, "%%x%d", d->next++);
  know(d, shape_of(t->shape), name);
}

/* Carries c0, c1, ... of the shapes, two xs, two ys. */
static void put_scan(Draw *d, const int *carries, int n_carries) {
  char name[8];
  for (int i = 0; i < n_carries; i++) put(d, "%s%%r%d", i ? ", " : "", i);
  put(d, ", %%y0, %%y1 = scan reverse=%s, xs_dims=[0,1], ys_dims=[1,0]",
      below(d, 2) ? "true" : "false");
  for (int i = 0; i < n_carries; i++)
    put(d, "%s%%c%d = %%%c0", i ? ", " : ", carry(", i, shapes[carries[i]]);
  put(d, "), xs(%%z0 = %%za, %%z1 = %%zb) {\n");
  for (int i = 0; i < n_carries; i++) {
    snprintf(name, sizeof name, "%%c%d", i);
    know(d, carries[i], name);
  }
  know(d, 0, "%z0");
  know(d, 1, "%z1");
  int lines = LINES + (int)below(d, LINES);
  for (int i = 0; i < lines; i++)
    put_line(d, &templates[below(d, sizeof templates / sizeof *templates)]);
  put(d, "yield carry(");
  for (int i = 0; i < n_carries; i++)
    put(d, "%s%s", i ? ", " : "", any(d, carries[i]));
  put(d, "), ys(%s, %s)\n}\n", any(d, 0), any(d, 3));
}

static void draw(Draw *d, int64_t n) {
  int carries[3], n_carries = 1 + (int)below(d, 3);
  for (int i = 0; i < n_carries; i++) carries[i] = (int)below(d, SHAPES);
  put(d, "size n = %d\nprogram @drawn(", (int)n);
  for (int s = 0; s < SHAPES; s++) {
    char name[8];
    put(d, "%%%c0: %s, ", shapes[s], types[s]);
    snprintf(name, sizeof name, "%%%c0", shapes[s]);
    know(d, s, name);
  }
  put(d,
      "%%za: f64[3,n], %%zb: f64[n,3,3], %%w0: f64[3,3], %%row0: f64[3], "
      "%%s0: f64[], %%flag: bool[]) {\n%%zero = constant 0 : i32[]\n"
      "%%one = constant 1 : i32[]\n%%two = constant 2 : i32[]\n"
      "%%turn = constant [2,0,1] : i32[3]\n");
  put_scan(d, carries, n_carries);
  put(d, "return %%y0, %%y1");
  for (int i = 0; i < n_carries; i++) put(d, ", %%r%d", i);
  put(d, "\n}\n");
}

/* -- running ----------------------------------------------------------- */

typedef struct Arrays {
  void **data;
  size_t *bytes;
  int n;
} Arrays;

static Arrays arrays_of(Value *const *values, int n, uint64_t seed) {
  Arrays arrays = {calloc((size_t)n + 1, sizeof(void *)),
                   calloc((size_t)n + 1, sizeof(size_t)), n};
  Draw random = {.random = seed};
  for (int i = 0; i < n; i++) {
    Type type = values[i]->type;
    arrays.bytes[i] = (size_t)ir_type_bytes(type);
    arrays.data[i] = calloc(1, arrays.bytes[i] + 8);
    for (int64_t k = 0; seed && k < ir_type_elements(type); k++) {
      Scalar x = {.f = ((double)below(&random, 2001) - 1000) / 1000};
      if (type.dtype == DT_BOOL) x.u = seed & 1;
      ir_scalar_store(
          type.dtype,
          (char *)arrays.data[i] + (size_t)k * ir_dtype_bytes(type.dtype), x);
    }
  }
  return arrays;
}

static void arrays_free(Arrays *arrays) {
  for (int i = 0; i < arrays->n; i++) free(arrays->data[i]);
  free(arrays->data);
  free(arrays->bytes);
}

static int count_op(const Block *block, Op op) {
  int n = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    n += node->op == op;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      n += count_op(node->bodies[b], op);
  }
  return n;
}

/* A NaN's payload is not promised. */
static void same_bits(const Arrays *got, const Arrays *want, const char *text) {
  for (int i = 0; i < got->n; i++)
    for (size_t k = 0; k < got->bytes[i] / 8; k++) {
      double a = ((double *)got->data[i])[k], b = ((double *)want->data[i])[k];
      if (memcmp(&a, &b, 8) == 0 || (a != a && b != b)) continue;
      print_error("%s\nresult %d[%zu] is %.17g, not %.17g\n", text, i, k, a, b);
      fail();
    }
}

static Program *planned_of(const Program *program, const Options *options,
                           const char *text) {
  Program *planned = pass_run(program, options, pass_count - 1, NULL, NULL);
  assert_non_null(planned);
  if (planned->error.failed) {
    print_error("%s\n%s\n", text, planned->error.message);
    fail();
  }
  return planned;
}

/* Compile and run; how many blocks nodes the plan has. */
static int run(const Program *program, const Options *options,
               const Arrays *inputs, const Arrays *results, const char *text) {
  char *error = NULL;
  Program *planned = planned_of(program, options, text);
  int blocks = count_op(planned->body, OP_blocks);
  Executable *code = cg_compile(planned, options, NULL, &error);
  if (code == NULL) print_error("%s\n%s\n", text, error);
  assert_non_null(code);
  size_t bytes = (cg_arena_bytes(code) + 127) / 64 * 64;
  void *arena = aligned_alloc(64, bytes);
  memset(arena, 0xff, bytes); /* NaN, wherever it is read unwritten */
  cg_run(code, (const void *const *)inputs->data, results->data, arena);
  free(arena);
  cg_destroy(code);
  ir_program_destroy(planned);
  return blocks;
}

/* The text of the plan means the same again, and stripped. */
static void check_text(const Program *program, const Options *options,
                       const char *text) {
  Program *planned = planned_of(program, options, text);
  char *first = ir_print(planned, 0);
  Program *read = ir_parse(first, strlen(first), "plan", NULL, 0);
  assert_false(read->error.failed);
  char *second = ir_print(read, 0);
  assert_string_equal(first, second);
  Program *bare = ir_strip(read);
  assert_int_equal(count_op(bare->body, OP_blocks), 0);
  assert_true(ir_verify(bare));
  ir_program_destroy(bare);
  ir_program_destroy(read);
  ir_program_destroy(planned);
  free(first);
  free(second);
}

static int check_draw(uint64_t seed) {
  static const int64_t sizes[] = {13, 8, 5, 2, 1, 0, 17};
  static const int64_t blocks[] = {1, 2, 3, 5, 8, -1, -2, -3, -8};
  Draw d = {.random = seed * 977 + 1};
  draw(&d, sizes[seed % 7]);
  Program *program = ir_parse(d.text, d.length, "drawn", NULL, 0);
  if (program->error.failed)
    print_error("%s\n%s\n", d.text, program->error.message);
  assert_false(program->error.failed);
  const Block *body = program->body;
  Arrays in = arrays_of(body->params, body->n_params, seed + 1);
  Arrays want = arrays_of(body->yields, body->n_yields, 0);
  Arrays got = arrays_of(body->yields, body->n_yields, 0);
  char *error = rt_evaluate(program, (const void *const *)in.data, want.data);
  assert_null(error);
  Options options = {.numerics = NUMERICS_STRICT, .threads = 1};
  options.block = blocks[seed % 9];
  int n_blocks = run(program, &options, &in, &got, d.text);
  same_bits(&got, &want, d.text);
  check_text(program, &options, d.text);
  options.without = UINT64_C(1) << pass_find("interchange");
  assert_int_equal(run(program, &options, &in, &got, d.text), 0);
  same_bits(&got, &want, d.text);
  arrays_free(&in);
  arrays_free(&want);
  arrays_free(&got);
  ir_program_destroy(program);
  return n_blocks > 0;
}

static void test_drawn(void **state) {
  (void)state;
  const char *count = getenv("LOCKSTEP_BLOCKS_DRAWS");
  uint64_t draws = count ? strtoull(count, NULL, 10) : DRAWS, cut = 0;
  for (uint64_t seed = 0; seed < draws; seed++)
    cut += (uint64_t)check_draw(seed);
  assert_true(cut * 10 >= draws * 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_drawn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
