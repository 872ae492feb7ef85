/* sources.c: NAME=SOURCE.
 *
 * Comes in: the words of the command line and the program's parameters.  Goes
 * out: one array per parameter, of exactly its type.  A wrong word is wrong
 * usage; a wrong file is a bad input. */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* -- made-up values ---------------------------------------------------- */

static char *element(const Array *array, int64_t i) {
  return (char *)array->data + i * (int64_t)ir_dtype_bytes(array->type.dtype);
}

static int fill_zeros(const Array *array) {
  memset(array->data, 0, array->bytes);
  return FINE;
}

static Scalar whole(DType dtype, int64_t number) {
  return ir_scalar_convert(dtype, DT_I64, (Scalar){.i = number});
}

static int fill_ones(const Array *array) {
  Scalar one = whole(array->type.dtype, 1);
  for (int64_t i = 0; i < array->elements; i++)
    ir_scalar_store(array->type.dtype, element(array, i), one);
  return FINE;
}

static int fill_iota(const Array *array) {
  DType dtype = array->type.dtype;
  for (int64_t i = 0; i < array->elements; i++)
    ir_scalar_store(dtype, element(array, i), whole(dtype, i));
  return FINE;
}

static int fill_eye(const Array *array) {
  if (array->rank < 2)
    return tool_error(BAD_USAGE, "%s=eye: an array of %d dim%s has no diagonal",
                      array->name, array->rank, array->rank == 1 ? "" : "s");
  Scalar one = whole(array->type.dtype, 1);
  int64_t rows = array->dims[array->rank - 2];
  int64_t columns = array->dims[array->rank - 1];
  fill_zeros(array);
  for (int64_t i = 0; i < array->elements; i++)
    if (i / columns % rows == i % columns)
      ir_scalar_store(array->type.dtype, element(array, i), one);
  return FINE;
}

/* -- random:SEED[,LO,HI] ----------------------------------------------- */

/* By definition the value of a program, random_uniform of random_fold_in of
 * random_key, so that program is built and run.  The bits depend on the flat
 * position only, so a flat array will do. */

typedef struct Draw {
  int64_t seed;
  double low, high;
} Draw;

static bool read_draw(const char *text, Draw *draw) {
  char copy[256], *rest = copy, *field[4] = {0};
  int n = 0;
  if (strlen(text) >= sizeof copy) return false;
  strcpy(copy, text);
  while (rest && n < 4) field[n++] = strsep(&rest, ",");
  *draw = (Draw){.low = 0, .high = 1};
  if (rest || (n != 1 && n != 3)) return false;
  return tool_read_int(field[0], &draw->seed) &&
         (n == 1 || (tool_read_number(field[1], &draw->low) &&
                     tool_read_number(field[2], &draw->high)));
}

static Program *draw_program(const Array *array, const Draw *draw,
                             int position) {
  static const Place nowhere = {0};
  Program *program = ir_program_create("draw", BATCHED);
  if (!program) return NULL;
  Block *body = program->body;
  Type flat = {array->type.dtype, 1, &array->elements, 0};
  Scalar number = {.u = (uint64_t)position};
  Value *key = ir_make(body, OP_random_key, 0, NULL,
                       IR_ATTRS(IR_INT(seed, draw->seed)), NULL, NULL, nowhere);
  Value *data = ir_make_splat(body, DT_U32, number, 0, NULL, nowhere);
  Value *folded = ir_make(body, OP_random_fold_in, IR_VALUES(key, data), 0,
                          NULL, NULL, NULL, nowhere);
  Value *drawn = ir_make(
      body, OP_random_uniform, IR_VALUES(folded),
      IR_ATTRS(IR_NUMBER(minimum, draw->low), IR_NUMBER(maximum, draw->high)),
      &flat, "drawn", nowhere);
  const char *name = "drawn";
  ir_block_yield(body, &drawn, 1);
  ir_result_names(program, &name);
  return program;
}

static int fill_random(const Array *array, const Draw *draw, int position) {
  if (!ir_is_float(array->type.dtype))
    return tool_error(BAD_USAGE,
                      "%s is %s: random draws floats only (iota, zeros, ones "
                      "and .npy files work)",
                      array->name, ir_dtype_name(array->type.dtype));
  if (array->elements == 0) return FINE;
  Program *program = draw_program(array, draw, position);
  int code = FINE;
  if (!program || program->error.out_of_memory)
    code = tool_error(FAILED, "no memory");
  else if (program->error.failed)
    code = tool_error(BAD_USAGE, "%s=random: %s", array->name,
                      program->error.message);
  char *wrong = code == FINE
                    ? rt_evaluate(program, NULL, (void *const *)&array->data)
                    : NULL;
  if (wrong) code = tool_error(FAILED, "%s=random: %s", array->name, wrong);
  free(wrong);
  ir_program_destroy(program);
  return code;
}

/* -- files ------------------------------------------------------------- */

static void print_shape(FILE *out, DType dtype, int rank, const int64_t *dims) {
  fprintf(out, "%s[", ir_dtype_name(dtype));
  for (int d = 0; d < rank; d++)
    fprintf(out, "%s%lld", d ? "," : "", (long long)dims[d]);
  fputc(']', out);
}

static bool fits(const Array *array, const Npy *npy) {
  DType stored = array->type.dtype == DT_BF16 ? DT_U16 : array->type.dtype;
  if (npy->dtype != stored || npy->rank != array->rank) return false;
  for (int d = 0; d < npy->rank; d++)
    if (npy->dims[d] != array->dims[d]) return false;
  return true;
}

static int misfit(const Program *program, const Array *array, const char *path,
                  const Npy *npy) {
  fprintf(stderr, "lockstep: %s=%s: the file holds ", array->name, path);
  print_shape(stderr, npy->dtype, npy->rank, npy->dims);
  fprintf(stderr, ", parameter %%%s is %s", array->name,
          ir_type_text(program, array->type).text);
  if (array->type.dtype == DT_BF16 || array->type.axes) {
    fprintf(stderr, ", stored as ");
    print_shape(stderr,
                array->type.dtype == DT_BF16 ? DT_U16 : array->type.dtype,
                array->rank, array->dims);
  }
  fputc('\n', stderr);
  return BAD_INPUT;
}

static int fill_file(const Program *program, Array *array, const char *path) {
  Npy npy;
  char *wrong = rt_npy_read(path, &npy);
  if (wrong || !npy.data) {
    tool_error(BAD_INPUT, "%s=%s", array->name, wrong ? wrong : path);
    free(wrong);
    return BAD_INPUT;
  }
  int code = FINE;
  if (fits(array, &npy))
    memcpy(array->data, npy.data, array->bytes);
  else
    code = misfit(program, array, path, &npy);
  rt_npy_free(&npy);
  return code;
}

/* -- the words --------------------------------------------------------- */

typedef struct Named {
  const char *name;
  int (*fill)(const Array *array);
} Named;

static const Named named_sources[] = {{"zeros", fill_zeros},
                                      {"ones", fill_ones},
                                      {"iota", fill_iota},
                                      {"eye", fill_eye}};
enum { NAMED_COUNT = sizeof named_sources / sizeof *named_sources };

static int fill_source(const Program *program, Array *array, int position,
                       const char *source) {
  Draw draw;
  for (int i = 0; i < NAMED_COUNT; i++)
    if (strcmp(source, named_sources[i].name) == 0)
      return named_sources[i].fill(array);
  if (strncmp(source, "random:", 7) == 0) {
    if (read_draw(source + 7, &draw))
      return fill_random(array, &draw, position);
    return tool_error(BAD_USAGE,
                      "%s=%s: random:SEED or random:SEED,LO,HI is "
                      "wanted",
                      array->name, source);
  }
  if (strchr(source, '/') || strchr(source, '.'))
    return fill_file(program, array, source);
  static const char *const words[] = {"zeros", "ones",        "iota",
                                      "eye",   "random:SEED", "PATH.npy"};
  char what[96];
  snprintf(what, sizeof what, "source of %.64s:", array->name);
  return tool_unknown(BAD_USAGE, what, source, words, 6);
}

static int find_param(const Program *program, const char *name, size_t length) {
  for (int i = 0; i < program->body->n_params; i++) {
    const char *other = program->body->params[i]->name;
    if (strlen(other) == length && memcmp(other, name, length) == 0) return i;
  }
  return -1;
}

static int unknown_param(const Program *program, const char *binding,
                         size_t length) {
  int n = program->body->n_params;
  const char **names = calloc((size_t)n + 1, sizeof *names);
  char *name = strndup(binding, length);
  int code = FAILED;
  for (int i = 0; names && i < n; i++)
    names[i] = program->body->params[i]->name;
  if (names && name) code = tool_unknown(BAD_USAGE, "input", name, names, n);
  free(names);
  free(name);
  return code;
}

/* Which source each parameter has; NULL: none. */
static int match(const Request *request, const Program *program,
                 const char **sources) {
  for (int i = 0; i < request->n_bindings; i++) {
    const char *binding = request->bindings[i];
    size_t length = strcspn(binding, "=");
    /* %NAME is how the program spells it; allow both. */
    size_t skip = binding[0] == '%';
    int at = find_param(program, binding + skip, length - skip);
    if (at < 0) return unknown_param(program, binding + skip, length - skip);
    if (sources[at])
      return tool_error(BAD_USAGE, "input %s is given twice: %s and %s",
                        program->body->params[at]->name, sources[at],
                        binding + length + 1);
    sources[at] = binding + length + 1;
  }
  return FINE;
}

static int missing(const Program *program, const char **sources) {
  int n = 0;
  for (int i = 0; i < program->body->n_params; i++) n += !sources[i];
  if (n == 0) return FINE;
  fprintf(stderr, "lockstep: no source for input%s", n > 1 ? "s" : "");
  for (int i = 0, k = 0; i < program->body->n_params; i++)
    if (!sources[i])
      fprintf(stderr, "%s %s: %s", k++ ? "," : "",
              program->body->params[i]->name,
              ir_type_text(program, program->body->params[i]->type).text);
  fprintf(stderr, " (give each NAME=SOURCE, as %s=zeros)\n",
          program->body->params[0]->name);
  return BAD_USAGE;
}

static int make_input(const Program *program, int i, const char *source,
                      Array *array) {
  const Value *param = program->body->params[i];
  int code = tool_array(program, param->name, param->type, array);
  if (code != FINE) return code;
  array->data = malloc(array->bytes ? array->bytes : 1);
  if (!array->data)
    return tool_error(FAILED, "%s: no memory for %zu bytes", array->name,
                      array->bytes);
  if (!source) source = ir_is_float(param->type.dtype) ? "random:0" : "iota";
  return fill_source(program, array, i, source);
}

int tool_inputs(const Request *request, const Program *program, bool fill,
                Array **inputs) {
  int n = program->body->n_params;
  const char **sources = calloc((size_t)n + 1, sizeof *sources);
  *inputs = calloc((size_t)n + 1, sizeof(Array));
  int code = sources && *inputs ? FINE : tool_error(FAILED, "no memory");
  if (code == FINE) code = match(request, program, sources);
  if (code == FINE && !fill) code = missing(program, sources);
  for (int i = 0; code == FINE && i < n; i++)
    code = make_input(program, i, sources[i], &(*inputs)[i]);
  free(sources);
  return code;
}
