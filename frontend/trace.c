/* trace.c: from the arrays of a call to a program and its executable.
 *
 * Comes in: arrays whose leading dims may be axes.  Goes out: the program that
 * the user's trace function records for their types, compiled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"

typedef struct Tracing {
  ls_builder *builder;
  const char *names[IR_MAX_AXES]; /* into the user's strings */
  size_t lengths[IR_MAX_AXES];
  int64_t sizes[IR_MAX_AXES];
  int n_axes;
} Tracing;

static int find_axis(const Tracing *tracing, const char *name, size_t length) {
  for (int a = 0; a < tracing->n_axes; a++)
    if (tracing->lengths[a] == length &&
        memcmp(tracing->names[a], name, length) == 0)
      return a;
  return -1;
}

static void add_axis(Tracing *tracing, const char *name, size_t length,
                     int64_t size) {
  char copy[256];
  snprintf(copy, sizeof copy, "%.*s", (int)(length < 255 ? length : 255), name);
  ls_axis_declare_at((ls_place){NULL, 0}, tracing->builder, copy, size);
  if (tracing->n_axes == IR_MAX_AXES) return; /* the builder said so */
  tracing->names[tracing->n_axes] = name;
  tracing->lengths[tracing->n_axes] = length;
  tracing->sizes[tracing->n_axes++] = size;
}

/* One axis name of input i, its dim number d.  *last is the axis before it. */
static ls_status take_axis(Tracing *tracing, const ls_array *input, int i,
                           int d, const char *name, size_t length, int *last,
                           ls_error *error) {
  if (d >= input->rank)
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_function: input %d names more axes than it has dims "
                       "(%d): %s",
                       i, input->rank, input->axes);
  int a = find_axis(tracing, name, length);
  if (a < 0) {
    add_axis(tracing, name, length, input->dims[d]);
    a = tracing->n_axes - 1;
  }
  if (tracing->sizes[a] != input->dims[d])
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_function: axis %.*s is %lld, but dim %d of input %d "
                       "is %lld",
                       (int)length, name, (long long)tracing->sizes[a], d, i,
                       (long long)input->dims[d]);
  if (a <= *last)
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_function: input %d lists its axes (%s) twice, or in "
                       "another order than they were declared or first seen",
                       i, input->axes);
  *last = a;
  return LS_OK;
}

/* The value type of an input: its leading dims are axes. */
static ls_status take_type(Tracing *tracing, const ls_array *input, int i,
                           ls_type *type, ls_error *error) {
  int n = 0, last = -1;
  const char *name = input->axes ? input->axes : "";
  name += strspn(name, ", ");
  while (*name) {
    size_t length = strcspn(name, ", ");
    ls_status status =
        take_axis(tracing, input, i, n++, name, length, &last, error);
    if (status != LS_OK) return status;
    name += length;
    name += strspn(name, ", ");
  }
  *type = (ls_type){.dtype = input->dtype, .rank = input->rank - n};
  for (int d = 0; d < type->rank; d++) type->dims[d] = input->dims[n + d];
  if (n > 0) type->axes = input->axes;
  return LS_OK;
}

static ls_status record(ls_function *f, Tracing *tracing,
                        const ls_array *inputs, int n_inputs, ls_error *error) {
  ls_value *values = calloc((size_t)n_inputs + 1, sizeof *values);
  if (values == NULL) return front_no_memory(error);
  for (int a = 0; a < f->n_axes; a++)
    add_axis(tracing, f->axes[a].name, strlen(f->axes[a].name),
             f->axes[a].size);
  ls_status status = LS_OK;
  for (int i = 0; i < n_inputs && status == LS_OK; i++) {
    char name[32];
    ls_type type;
    status = take_type(tracing, &inputs[i], i, &type, error);
    snprintf(name, sizeof name, "x%d", i);
    if (status == LS_OK)
      values[i] =
          ls_input_at((ls_place){NULL, 0}, tracing->builder, name, type);
  }
  if (status == LS_OK && ls_builder_status(tracing->builder) == LS_OK) {
    atomic_fetch_add(&f->traces, 1);
    f->trace(tracing->builder, values, n_inputs, f->user);
  }
  free(values);
  return status;
}

static ls_program *trace(ls_function *f, const ls_array *inputs, int n_inputs,
                         ls_error *error) {
  Tracing tracing = {.builder = ls_builder_create(f->name)};
  if (tracing.builder == NULL) {
    front_no_memory(error);
    return NULL;
  }
  ls_program *program = NULL;
  if (record(f, &tracing, inputs, n_inputs, error) == LS_OK) {
    program = ls_builder_finish(tracing.builder);
    if (program == NULL)
      front_error(error, ls_builder_status(tracing.builder), "%s",
                  ls_builder_error(tracing.builder));
  }
  ls_builder_destroy(tracing.builder);
  return program;
}

ls_executable *front_trace(ls_function *f, const ls_array *inputs, int n_inputs,
                           ls_error *error) {
  ls_program *program = trace(f, inputs, n_inputs, error);
  if (program == NULL) return NULL;
  ls_executable *executable = ls_compile(program, &f->options, error);
  ls_program_destroy(program);
  if (executable) atomic_fetch_add(&f->compiles, 1);
  return executable;
}
