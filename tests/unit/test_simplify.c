/* test_simplify.c: simplify and contract keep the meaning of small programs
 * drawn from templates, and change nothing when run again.
 *
 * Values have one of three shapes, T[], T[3] and T[3,3], so that most templates
 * fit on each other and rules meet.  Strict results must have the evaluator's
 * bits, inputs with NaN, infinities and both zeros among them.  Fast programs
 * are drawn from sums and products only, over small whole numbers: all is
 * exact, so that results must be equal however sums were reordered. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "passes/pass.h"
#include "runtime/runtime.h"

enum { TEXT_ROOM = 16384, SHAPES = 3, POOL = 32, DRAWS = 250, LINES = 14 };

/* -- templates --------------------------------------------------------- */

/* In a template: $s $v $m an operand of that shape, $1 $2 $3 values of its own,
 * $r the result (left out where there is one line), $T the dtype, $D any dtype,
 * $B the unsigned one of the same width, $c a constant.  Letters of `where`: r
 * ring of numbers (all that fast draws), f floats, i ints, n numbers. */
typedef struct Template {
  char shape, where;
  const char *text;
} Template;

static const Template templates[] = {
    {'m', 'r', "add $m, $m"},
    {'m', 'r', "sub $m, $m"},
    {'m', 'r', "mul $m, $m"},
    {'m', 'r', "mul $s, $m"},
    {'m', 'r', "mul $m, $s"},
    {'m', 'r', "neg $m"},
    {'m', 'n', "max $m, $m"},
    {'m', 'n', "min $m, $s"},
    {'m', 'r', "add $m, $s"},
    {'m', 'n', "abs $m"},
    {'m', 'n', "sign $m"},
    {'m', 'n', "div $m, $m"},
    {'m', 'n', "rem $m, $s"},
    {'m', 'n', "div $s, $m"},
    {'m', 'i', "and $m, $m"},
    {'m', 'i', "or $m, $s"},
    {'m', 'i', "xor $m, $m"},
    {'m', 'i', "not $m"},
    {'m', 'i', "shift_left $m, $s"},
    {'m', 'i', "shift_right_arithmetic $m, $m"},
    {'m', 'f', "floor $m"},
    {'m', 'f', "round $m"},
    {'m', 'f', "sqrt $m"},
    {'m', 'n', "$1 = compare $m, $m, op=lt\n$r = select $1, $m, $m"},
    {'m', 'n',
     "$1 = compare $m, $m, op=gt\n$2 = not $1\n$r = select $2, $m, $m"},
    {'m', 'n',
     "$1 = compare $m, $m, op=eq\n$2 = not $1\n$r = select $2, $m, $m"},
    {'m', 'n',
     "$1 = compare $m, $m, op=le\n$2 = not $1\n$r = convert $2 : $T[3,3]"},
    {'m', 'n',
     "$1 = compare $m, $m, op=ge\n$2 = constant true : bool[]\n"
     "$3 = not $2\n$4 = select $1, $2, $3\n$r = convert $4 : $T[3,3]"},
    {'m', 'n', "$1 = convert $m : $D[3,3]\n$r = convert $1 : $T[3,3]"},
    {'m', 'n',
     "$1 = convert $m : $D[3,3]\n$2 = convert $1 : $D[3,3]\n"
     "$r = convert $2 : $T[3,3]"},
    {'m', 'n',
     "$1 = convert $m : $D[3,3]\n$2 = convert $1 : $D[3,3]\n"
     "$3 = convert $2 : $D[3,3]\n$r = convert $3 : $T[3,3]"},
    {'m', 'n', "$1 = bitcast $m : $B[3,3]\n$r = bitcast $1 : $T[3,3]"},
    {'m', 'r',
     "$1 = constant 2 : $T[]\n$2 = mul $m, $1\n$3 = constant 4 : "
     "$T[]\n$r = mul $3, $2"},
    {'m', 'r', "$1 = constant 4 : $T[]\n$2 = mul $m, $1\n$r = div $2, $1"},
    {'m', 'r', "constant [[1,2,3],[0,4,0],[1,1,2]] : $T[3,3]"},
    {'m', 'r', "iota dim=1 : $T[3,3]"},
    {'m', 'r',
     "$1 = iota dim=0 : $T[1,3]\n$2 = reshape $1 : $T[3]\n"
     "$r = broadcast $2, dims=[0] : $T[3,3]"},
    {'m', 'r',
     "$1 = reshape $m : $T[9]\n$2 = reshape $1 : $T[1,9]\n"
     "$r = reshape $2 : $T[3,3]"},
    {'m', 'r',
     "$1 = reshape $v : $T[3,1]\n"
     "$r = broadcast $1, dims=[0,1] : $T[3,3]"},
    {'m', 'r',
     "$1 = broadcast $v, dims=[0] : $T[3,1]\n"
     "$2 = reshape $1 : $T[3]\n$r = einsum $2, $v, "
     "spec=\"i,j->ij\""},
    {'m', 'r',
     "$1 = slice $m, start=[0,0], limit=[2,3]\n"
     "$2 = slice $m, start=[2,0], limit=[3,3]\n"
     "$r = concatenate $1, $2, dim=0"},
    {'m', 'r',
     "$1 = slice $m, start=[0,0], limit=[3,1]\n"
     "$2 = slice $m, start=[0,1], limit=[3,3]\n"
     "$r = concatenate $2, $1, dim=1"},
    {'m', 'r',
     "$1 = concatenate $m, $m, $m, dim=0\n"
     "$r = slice $1, start=[3,0], limit=[6,3]"},
    {'m', 'r',
     "$1 = concatenate $m, $m, $m, dim=0\n"
     "$r = slice $1, start=[0,0], limit=[9,3], stride=[4,1]"},
    {'m', 'r',
     "$1 = broadcast $v, dims=[1] : $T[6,3]\n"
     "$r = slice $1, start=[1,0], limit=[6,3], stride=[2,1]"},
    {'m', 'r',
     "$1 = broadcast $m, dims=[1,2] : $T[2,3,3]\n"
     "$2 = slice $1, start=[1,1,0], limit=[2,3,3]\n"
     "$3 = reshape $2 : $T[2,3]\n$r = pad $3, $s, low=[1,0], "
     "high=[0,0]"},
    {'m', 'r',
     "$1 = pad $m, $s, low=[1,-1], high=[0,1], interior=[1,0]\n"
     "$2 = slice $1, start=[0,0], limit=[6,3], stride=[2,1]\n"
     "$r = slice $2, start=[0,0], limit=[3,3]"},
    {'m', 'r',
     "$1 = pad $m, $s, low=[-1,0], high=[0,-2]\n"
     "$r = pad $1, $s, low=[1,0], high=[0,2]"},
    {'m', 'r',
     "$1 = reshape $m : $T[3,1,3]\n"
     "$r = einsum $1, $m, spec=\"aib,bc->ac\""},
    {'m', 'r',
     "$1 = broadcast $m, dims=[1,2] : $T[3,3,3]\n"
     "$r = einsum $1, $m, spec=\"aij,ai->ij\""},
    {'m', 'r',
     "$1 = broadcast $m, dims=[0,2] : $T[3,2,3]\n"
     "$r = reduce_sum $1, dims=[1]"},
    {'m', 'n',
     "$1 = broadcast $v, dims=[1] : $T[4,3]\n"
     "$2 = reduce_max $1, dims=[0]\n"
     "$r = broadcast $2, dims=[1] : $T[3,3]"},
    {'m', 'r', "take $m, %same, dim=1"},
    {'m', 'r', "take $m, %same, dim=0"},
    {'m', 'r', "dynamic_update_slice $m, $m, %three, %three"},
    {'m', 'n',
     "einsum $m, $m, $m, $m, $m, $m, $m, $m, $m, $m, $m, $m, "
     "spec=\"ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm->am\""},
    {'m', 'n', "clamp $s, $m, $m"},
    {'m', 'r', "transpose $m, perm=[1,0]"},
    {'m', 'r', "reverse $m, dims=[0]"},
    {'m', 'r', "reverse $m, dims=[0,1]"},
    {'m', 'r', "broadcast $v, dims=[0] : $T[3,3]"},
    {'m', 'r', "broadcast $v, dims=[1] : $T[3,3]"},
    {'m', 'r', "broadcast $s, dims=[] : $T[3,3]"},
    {'m', 'r', "concatenate $m, dim=0"},
    {'m', 'r', "slice $m, start=[0,0], limit=[3,3]"},
    {'m', 'r', "pad $m, $s, low=[0,0], high=[0,0]"},
    {'m', 'r', "einsum $m, $m, spec=\"mk,kn->mn\""},
    {'m', 'r', "einsum $m, $m, spec=\"km,kn->nm\""},
    {'m', 'r', "einsum $m, $m, $m, spec=\"ab,bc,cd->ad\""},
    {'m', 'r', "einsum $v, $v, spec=\"i,j->ij\""},
    {'m', 'r', "einsum $s, $m, spec=\",ij->ji\""},
    {'m', 'r', "einsum $m, spec=\"ij->ji\""},
    {'m', 'r', "einsum $m, $m, $v, spec=\"ij,ij,j->ij\""},
    {'m', 'n', "constant $c : $T[3,3]"},
    {'v', 'r', "add $v, $v"},
    {'v', 'r', "mul $v, $s"},
    {'v', 'r', "neg $v"},
    {'v', 'r', "reverse $v, dims=[0]"},
    {'v', 'r', "broadcast $s, dims=[] : $T[3]"},
    {'v', 'r', "reduce_sum $m, dims=[0]"},
    {'v', 'r', "reduce_sum $m, dims=[1]"},
    {'v', 'n', "reduce_max $m, dims=[1]"},
    {'v', 'n', "reduce_min $m, dims=[0]"},
    {'v', 'n', "$1 = argmax $m, dim=1\n$r = convert $1 : $T[3]"},
    {'v', 'n',
     "$1 = transpose $m, perm=[1,0]\n$2 = argmin $1, dim=1\n"
     "$r = convert $2 : $T[3]"},
    {'v', 'n',
     "$1 = broadcast $v, dims=[0] : $T[3,3]\n$2 = argmax $1, dim=0\n"
     "$r = convert $2 : $T[3]"},
    {'v', 'n',
     "$1 = reshape $m : $T[3,1,3]\n$2 = argmin $1, dim=0\n"
     "$3 = reshape $2 : i32[3]\n$r = convert $3 : $T[3]"},
    {'v', 'i', "reduce_or $m, dims=[0]"},
    {'v', 'i', "reduce_prod $m, dims=[0]"},
    {'v', 'r', "einsum $m, $v, spec=\"mk,k->m\""},
    {'v', 'r', "einsum $m, $m, spec=\"ij,jk->k\""},
    {'v', 'r', "einsum $m, spec=\"ij->j\""},
    {'v', 'r', "einsum $m, spec=\"ii->i\""},
    {'v', 'r', "einsum $m, $m, $v, spec=\"ii,jk,k->j\""},
    {'v', 'r', "take $m, %three, dim=0"},
    {'v', 'r', "take $v, %range, dim=0"},
    {'v', 'r', "take $v, %down, dim=0"},
    {'v', 'r', "take $v, %same, dim=0"},
    {'v', 'r', "$1 = iota dim=0 : i32[3]\n$r = take $v, $1, dim=0"},
    {'v', 'r',
     "$1 = slice $m, start=[1,0], limit=[2,3]\n"
     "$2 = reshape $1 : $T[3]\n$r = einsum $m, $2, "
     "spec=\"mk,k->m\""},
    {'v', 'r',
     "$1 = slice $m, start=[0,1], limit=[3,2]\n"
     "$2 = einsum $m, $1, spec=\"mk,kn->mn\"\n"
     "$r = reshape $2 : $T[3]"},
    {'v', 'r',
     "$1 = concatenate $v, $v, dim=0\n"
     "$r = dynamic_slice $1, %three, sizes=[3]"},
    {'v', 'r', "constant [1,2,3] : $T[3]"},
    {'v', 'r', "take $m, %three, dim=1"},
    {'v', 'n',
     "$1 = slice $m, start=[1,0], limit=[1,3]\n$r = reduce_max $1, dims=[0]"},
    {'v', 'n',
     "$1 = slice $m, start=[1,0], limit=[1,3]\n$r = reduce_prod $1, dims=[0]"},
    {'v', 'i',
     "$1 = slice $m, start=[1,0], limit=[1,3]\n$r = reduce_and $1, dims=[0]"},
    {'v', 'r',
     "$1 = slice $m, start=[1,0], limit=[1,3]\n$r = reduce_sum $1, dims=[0]"},
    {'m', 'r',
     "$1 = slice $m, start=[1,0], limit=[1,3]\n"
     "$2 = slice $m, start=[2,0], limit=[2,3]\n"
     "$r = einsum $1, $2, spec=\"km,kn->mn\""},
    {'v', 'r', "dynamic_slice $v, %three, sizes=[3]"},
    {'v', 'r', "dynamic_update_slice $v, $v, %three"},
    {'v', 'n', "constant $c : $T[3]"},
    {'s', 'r', "mul $s, $s"},
    {'s', 'r', "add $s, $s"},
    {'s', 'r', "reduce_sum $v"},
    {'s', 'r', "reduce_sum $m"},
    {'s', 'n', "reduce_max $v"},
    {'s', 'r', "einsum $v, $v, spec=\"i,i->\""},
    {'s', 'r', "einsum $m, $m, $s, spec=\"ij,ij,->\""},
    {'s', 'n', "constant $c : $T[]"},
};

/* -- drawing ----------------------------------------------------------- */

typedef struct Draw {
  uint64_t random;
  const char *dtype, *bits;
  bool floats, ring;
  char text[TEXT_ROOM];
  size_t length;
  char pool[SHAPES][POOL][8]; /* names of values, by shape */
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

static int shape_of(char c) { return c == 's' ? 0 : c == 'v' ? 1 : 2; }

static const char *shape_text(int shape) {
  static const char *const texts[] = {"[]", "[3]", "[3,3]"};
  return texts[shape];
}

/* The newest values are drawn more often, so that rules meet. */
static const char *any(Draw *d, int shape) {
  int n = d->n[shape], back = (int)below(d, 3) ? (int)below(d, 3) : n;
  return d->pool[shape][back < n ? n - 1 - back : (int)below(d, (uint64_t)n)];
}

static const char *constant(Draw *d) {
  static const char *const all[] = {"0",  "1",   "2",   "4",    "-1",
                                    "-0", "0.5", "inf", "-inf", "nan"};
  uint64_t ints = d->dtype[0] == 'u' ? 4 : 5;
  return all[below(d, d->ring ? 6 : d->floats ? 10 : ints)];
}

static void keep(Draw *d, int shape) {
  if (d->n[shape] < POOL)
    snprintf(d->pool[shape][d->n[shape]++], 8, "%%x%d", d->next);
  d->next++;
}

static const char *any_dtype(Draw *d) {
  static const char *const all[] = {"bool", "i8",  "i16", "i32", "i64",
                                    "u8",   "u16", "u32", "u64", "f16",
                                    "bf16", "f32", "f64"};
  return all[below(d, 13)];
}

static void put_hole(Draw *d, char hole) {
  if (hole == 'T')
    put(d, "%s", d->dtype);
  else if (hole == 'D')
    put(d, "%s", any_dtype(d));
  else if (hole == 'B')
    put(d, "%s", d->bits);
  else if (hole == 'c')
    put(d, "%s", constant(d));
  else if (hole == 'r')
    put(d, "%%x%d", d->next);
  else if (hole >= '1' && hole <= '9')
    put(d, "%%t%d_%c", d->next, hole);
  else
    put(d, "%s", any(d, shape_of(hole)));
}

static void draw_line(Draw *d, const Template *t) {
  put(d, "  ");
  if (strstr(t->text, "$r") == NULL) put(d, "%%x%d = ", d->next);
  for (const char *c = t->text; *c; c++) {
    if (*c == '$')
      put_hole(d, *++c);
    else if (*c == '\n')
      put(d, "\n  ");
    else
      put(d, "%c", *c);
  }
  put(d, "\n");
  keep(d, shape_of(t->shape));
}

static bool fits(const Draw *d, const Template *t) {
  if (d->ring) return t->where == 'r' || strstr(t->text, "$c");
  switch (t->where) {
    case 'f':
      return d->floats;
    case 'i':
      return !d->floats;
    default:
      return true;
  }
}

static void draw_lines(Draw *d, int n) {
  while (n > 0) {
    const Template *t =
        &templates[below(d, sizeof templates / sizeof *templates)];
    if (!fits(d, t)) continue;
    draw_line(d, t);
    n--;
  }
}

static void see(Draw *d, int shape, const char *letter, int number) {
  snprintf(d->pool[shape][d->n[shape]++], 8, "%%%s%d", letter, number);
}

/* A loop whose body sees what is outside; what it makes is not seen after. */
static void draw_scan(Draw *d) {
  int before[SHAPES], n = d->next++;
  bool xs = below(d, 2);
  put(d, "  %%x%d, %%o%d, %%y%d = scan ", n, n, n);
  if (xs)
    put(d, "xs_dims=[%d,%d], ", (int)below(d, 2), (int)below(d, 2));
  else
    put(d, "length=%d, ", (int)below(d, 4));
  put(d, "ys_dims=[%d], carry(%%c%d = %s, ", (int)below(d, 2), n, any(d, 1));
  put(d, "%%k%d = %s)", n, any(d, 2));
  if (xs) put(d, ", xs(%%s%d = %s, ", n, any(d, 2));
  if (xs) put(d, "%%q%d = %s)", n, any(d, 2));
  put(d, " {\n");
  memcpy(before, d->n, sizeof before);
  see(d, 1, "c", n);
  see(d, 2, "k", n);
  if (xs) see(d, 1, "s", n);
  if (xs) see(d, 1, "q", n);
  draw_lines(d, d->ring ? 3 : 6);
  put(d, "  yield carry(%s, ", any(d, 1));
  put(d, "%s), ys(%s)\n  }\n", any(d, 2), any(d, 1));
  memcpy(d->n, before, sizeof before);
  see(d, 1, "x", n);
  see(d, 2, "o", n);
  int next = d->next;
  put(d, "  %%w%d = pad %%y%d, %%x0, low=[0,0], high=[3,3]\n", next, n);
  put(d, "  %%x%d = slice %%w%d, start=[0,0], limit=[3,3]\n", next, next);
  keep(d, 2);
}

static void draw_program(Draw *d) {
  d->length = 0;
  d->next = 0;
  memset(d->n, 0, sizeof d->n);
  put(d, "stage batched\nprogram @drawn(");
  for (int shape = 0; shape < SHAPES; shape++)
    for (int i = 0; i < 2; i++) {
      put(d, "%s%%x%d: %s%s", d->next ? ", " : "", d->next, d->dtype,
          shape_text(shape));
      keep(d, shape);
    }
  put(d,
      ") {\n  %%three = constant 3 : i32[]\n"
      "  %%range = constant [0,1,2] : i32[3]\n"
      "  %%down = constant [2,1,0] : i32[3]\n"
      "  %%same = constant 1 : i32[3]\n");
  draw_lines(d, d->ring ? 4 : LINES / 2);
  draw_scan(d);
  draw_lines(d, d->ring ? 4 : LINES / 2);
  put(d, "  return %s as r0, %s as r1, %s as r2, %s as r3\n}\n", any(d, 0),
      any(d, 1), any(d, 2), any(d, 2));
}

/* -- running ----------------------------------------------------------- */

static Program *parse(const char *text) {
  Program *program = ir_parse(text, strlen(text), "drawn", NULL, 0);
  if (program->error.failed)
    fail_msg("%s:%d: %s\n%s", program->error.message, program->error.place.line,
             "parse", text);
  return program;
}

typedef struct Arrays {
  int n;
  void *data[16];
} Arrays;

static Arrays room(Value *const *values, int n) {
  Arrays arrays = {.n = n};
  assert_true(n <= 16);
  for (int i = 0; i < n; i++) {
    arrays.data[i] = calloc(1, (size_t)ir_type_bytes(values[i]->type) + 8);
    assert_non_null(arrays.data[i]);
  }
  return arrays;
}

static void drop(Arrays *arrays) {
  for (int i = 0; i < arrays->n; i++) free(arrays->data[i]);
}

static Scalar special(Draw *d, DType dtype) {
  static const double floats[] = {0.0, -0.0, 1,      -1,  INFINITY, -INFINITY,
                                  NAN, 0.1,  5e-324, 3.5, -7.25,    1e30};
  static const int64_t ints[] = {0, 1, -1, 2, INT64_MIN, INT64_MAX, 100, 7};
  if (!ir_is_float(dtype))
    return ir_scalar_wrap(dtype, (uint64_t)ints[below(d, 8)]);
  return (Scalar){.f = floats[below(d, 12)]};
}

static Arrays inputs_of(Draw *d, const Program *program) {
  const Block *body = program->body;
  Arrays arrays = room(body->params, body->n_params);
  for (int i = 0; i < body->n_params; i++) {
    Type type = body->params[i]->type;
    for (int64_t k = 0; k < ir_type_elements(type); k++) {
      Scalar x = special(d, type.dtype);
      if (d->ring) x = (Scalar){.f = (double)below(d, 5) - 2};
      ir_scalar_store(
          type.dtype,
          (char *)arrays.data[i] + (size_t)k * ir_dtype_bytes(type.dtype), x);
    }
  }
  return arrays;
}

static Arrays run(const Program *program, const Arrays *inputs) {
  const Block *body = program->body;
  Arrays results = room(body->yields, body->n_yields);
  char *message =
      rt_evaluate(program, (const void *const *)inputs->data, results.data);
  if (message) fail_msg("%s", message);
  return results;
}

/* The same bits, any NaN like any other; in fast -0 equals 0, and what passed
 * the whole numbers that f64 holds is let be. */
static bool same(const Draw *d, DType dtype, Scalar a, Scalar b) {
  if (!ir_is_float(dtype)) return a.u == b.u;
  if (d->ring) return a.f == b.f || !(fabs(a.f) < 0x1p45);
  if (isnan(a.f) || isnan(b.f)) return isnan(a.f) && isnan(b.f);
  return a.f == b.f && !signbit(a.f) == !signbit(b.f);
}

static void compare(const Draw *d, const char *pass, const Program *program,
                    const Arrays *want, const Arrays *got) {
  for (int i = 0; i < want->n; i++) {
    Type type = program->body->yields[i]->type;
    size_t width = ir_dtype_bytes(type.dtype);
    for (int64_t k = 0; k < ir_type_elements(type); k++) {
      size_t at = (size_t)k * width;
      Scalar a = ir_scalar_load(type.dtype, (char *)want->data[i] + at);
      Scalar b = ir_scalar_load(type.dtype, (char *)got->data[i] + at);
      if (same(d, type.dtype, a, b)) continue;
      char *after = ir_print(program, 0);
      fail_msg("%s: r%d[%d] is %.17g, should be %.17g\n%s%s", pass, i, (int)k,
               ir_is_float(type.dtype) ? b.f : (double)b.i,
               ir_is_float(type.dtype) ? a.f : (double)a.i, d->text, after);
    }
  }
}

static void check_pass(const Draw *d, const char *name, const Program *after,
                       const Program *again, const Arrays *inputs,
                       const Arrays *want) {
  assert_false(after->error.failed);
  char *once = ir_print(after, 0), *twice = ir_print(again, 0);
  if (strcmp(once, twice) != 0)
    fail_msg("%s on its own output:\n%s\n%s", name, once, twice);
  free(once);
  free(twice);
  Arrays got = run(after, inputs);
  compare(d, name, after, want, &got);
  drop(&got);
}

static void check_program(Draw *d, Numerics numerics) {
  Options options = {.numerics = numerics};
  Program *program = parse(d->text);
  Arrays inputs = inputs_of(d, program), want = run(program, &inputs);
  Program *simple = pass_simplify(program, &options);
  Program *simpler = pass_simplify(simple, &options);
  Program *pairs = pass_contract(simple, &options);
  Program *again = pass_contract(pairs, &options);
  if (!ir_verify(simple) || !ir_verify(pairs))
    fail_msg(
        "%s\n%s",
        simple->error.failed ? simple->error.message : pairs->error.message,
        d->text);
  check_pass(d, "simplify", simple, simpler, &inputs, &want);
  check_pass(d, "contract", pairs, again, &inputs, &want);
  drop(&inputs);
  drop(&want);
  ir_program_destroy(program);
  ir_program_destroy(simple);
  ir_program_destroy(simpler);
  ir_program_destroy(pairs);
  ir_program_destroy(again);
}

static void strict_keeps_every_bit(void **state) {
  (void)state;
  static const char *const dtypes[] = {"f64", "f32", "f16", "bf16",
                                       "i32", "i8",  "u16", "u64"};
  static const char *const bits[] = {"u64", "u32", "u16", "u16",
                                     "u32", "u8",  "i16", "i64"};
  Draw *d = calloc(1, sizeof *d);
  assert_non_null(d);
  for (int i = 0; i < 8 * DRAWS; i++) {
    d->random = (uint64_t)i;
    d->dtype = dtypes[i % 8];
    d->bits = bits[i % 8];
    d->floats = i % 8 < 4;
    draw_program(d);
    check_program(d, NUMERICS_STRICT);
  }
  free(d);
}

static void fast_is_exact_where_sums_are(void **state) {
  (void)state;
  Draw *d = calloc(1, sizeof *d);
  assert_non_null(d);
  for (int i = 0; i < 4 * DRAWS; i++) {
    d->random = (uint64_t)i + 1000000;
    d->dtype = d->bits = "f64";
    d->floats = d->ring = true;
    draw_program(d);
    check_program(d, NUMERICS_FAST);
  }
  free(d);
}

/* Integers are exact in fast, whatever is done to them. */
static void fast_keeps_integers(void **state) {
  (void)state;
  static const char *const dtypes[] = {"i32", "i8", "u16", "u64"};
  static const char *const bits[] = {"u32", "u8", "i16", "i64"};
  Draw *d = calloc(1, sizeof *d);
  assert_non_null(d);
  for (int i = 0; i < 4 * DRAWS; i++) {
    d->random = (uint64_t)i + 2000000;
    d->dtype = dtypes[i % 4];
    d->bits = bits[i % 4];
    draw_program(d);
    check_program(d, NUMERICS_FAST);
  }
  free(d);
}

/* -- size -------------------------------------------------------------- */

/* The most expensive intermediate of a chain of matrices is never made. */
static void chains_are_planned(void **state) {
  (void)state;
  const char *text =
      "stage batched\n"
      "program @chain(%a: f64[50,2], %b: f64[2,60], %c: f64[60,2], "
      "%d: f64[2,70], %e: f64[70,2], %f: f64[2,80], %g: f64[80,2], "
      "%h: f64[2,90], %i: f64[90,2], %j: f64[2,50]) {\n"
      "  %r = einsum %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, "
      "spec=\"ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak\"\n"
      "  return %r\n}\n";
  Options options = {.numerics = NUMERICS_FAST};
  Program *program = parse(text);
  Program *pairs = pass_contract(program, &options);
  assert_int_equal(pairs->body->n_nodes, 9);
  for (int i = 0; i < 8; i++)
    assert_true(ir_type_elements(pairs->body->nodes[i]->results[0]->type) <=
                100);
  ir_program_destroy(program);
  ir_program_destroy(pairs);
}

/* Time is linear in the length of a chain, and the stack does not grow. */
static void long_chains_pass(void **state) {
  (void)state;
  enum { LENGTH = 50000 };
  Options options = {.numerics = NUMERICS_FAST};
  for (Op op = OP_neg; op <= OP_add; op += OP_add - OP_neg) {
    Program *program = ir_program_create("chain", BATCHED);
    Type type = {DT_F64, 0, NULL, 0};
    Value *x = ir_block_param(program->body, type, "x"), *value = x;
    for (int i = 0; i < LENGTH; i++)
      value = ir_make(program->body, op, op == OP_add ? 2 : 1,
                      (Value *[]){value, x}, 0, NULL, NULL, NULL, (Place){0});
    ir_block_yield(program->body, &value, 1);
    ir_result_names(program, (const char *[]){"y"});
    Program *simple = pass_simplify(program, &options);
    assert_false(simple->error.failed);
    assert_int_equal(simple->body->n_nodes, op == OP_add ? LENGTH : 0);
    ir_program_destroy(program);
    ir_program_destroy(simple);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strict_keeps_every_bit),
      cmocka_unit_test(fast_is_exact_where_sums_are),
      cmocka_unit_test(fast_keeps_integers),
      cmocka_unit_test(chains_are_planned),
      cmocka_unit_test(long_chains_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
