/* program.c: finished programs: read, print, ask, evaluate.
 *
 * Comes in: a verified ir Program, from the builder or from text.  Goes out:
 * an immutable ls_program that any number of executables share; its owners are
 * counted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/runtime.h"
#include "frontend.h"

/* -- life -------------------------------------------------------------- */

static bool fill_edge(Program *ir, Edge *edge, const char *name, Type type) {
  edge->name = name;
  edge->type = type;
  edge->axes = front_axes_text(ir, type.axes);
  int64_t *dims =
      ir_alloc(ir, (size_t)(type.rank + ir->n_axes) * sizeof *dims + 1);
  if (dims == NULL) return false;
  for (int a = 0; a < ir->n_axes; a++)
    if (type.axes >> a & 1) dims[edge->rank++] = ir->axes[a].size;
  for (int d = 0; d < type.rank; d++) dims[edge->rank++] = type.dims[d];
  edge->dims = dims;
  edge->bytes = ir_dtype_bytes(type.dtype);
  bool empty = false;
  for (int d = 0; d < edge->rank; d++) empty |= dims[d] == 0;
  for (int d = 0; d < edge->rank && !empty; d++)
    edge->bytes *= (size_t)dims[d]; /* inference refused what overflows */
  if (empty) edge->bytes = 0;
  return true;
}

static bool fill_edges(ls_program *made) {
  Program *ir = made->ir;
  const Block *body = ir->body;
  made->n_inputs = body->n_params;
  made->n_results = body->n_yields;
  size_t n = (size_t)(body->n_params + body->n_yields);
  made->inputs = ir_alloc(ir, n * sizeof(Edge) + 1);
  if (made->inputs == NULL) return false;
  made->results = made->inputs + body->n_params;
  for (int i = 0; i < body->n_params; i++)
    if (!fill_edge(ir, &made->inputs[i], body->params[i]->name,
                   body->params[i]->type))
      return false;
  for (int i = 0; i < body->n_yields; i++)
    if (!fill_edge(ir, &made->results[i], ir->result_names[i],
                   body->yields[i]->type))
      return false;
  return true;
}

ls_program *front_program(Program *ir) {
  ls_program *made = calloc(1, sizeof *made);
  if (made) {
    made->ir = ir;
    atomic_init(&made->owners, 1);
    if (fill_edges(made)) return made;
  }
  free(made);
  ir_program_destroy(ir);
  return NULL;
}

void front_program_share(const ls_program *program) {
  atomic_fetch_add(&((ls_program *)(uintptr_t)program)->owners, 1);
}

void ls_program_destroy(ls_program *program) {
  if (program == NULL || atomic_fetch_sub(&program->owners, 1) > 1) return;
  ir_program_destroy(program->ir);
  free(program->file);
  free(program);
}

/* -- text in ----------------------------------------------------------- */

/* file: owned by the program from here on, for the places of its nodes. */
static ls_program *take_parsed(Program *ir, char *file, const char *text,
                               size_t length, ls_error *error) {
  if (ir && !ir->error.failed) ir_verify(ir);
  if (ir == NULL || ir->error.failed) {
    if (ir)
      front_diagnostic(error, &ir->error, text, length);
    else
      front_no_memory(error);
    ir_program_destroy(ir);
    free(file);
    return NULL;
  }
  ls_program *made = front_program(ir);
  if (made == NULL) {
    free(file);
    front_no_memory(error);
    return NULL;
  }
  made->file = file;
  front_fine(error);
  return made;
}

ls_program *ls_program_parse_calling(const char *text, size_t length,
                                     const char *file, const ls_size *sizes,
                                     int n_sizes, const ls_callee *callees,
                                     int n_callees, ls_error *error) {
  bool listed = n_sizes >= 0 && (n_sizes == 0 || sizes);
  if (text == NULL || !listed || n_callees < 0 || (n_callees && !callees)) {
    front_error(error, LS_BAD_ARGUMENT, "ls_program_parse: %s is NULL",
                text == NULL ? "text"
                : listed     ? "callees"
                             : "sizes");
    return NULL;
  }
  SizeOverride *overrides = calloc((size_t)n_sizes + 1, sizeof *overrides);
  Callee *functions = calloc((size_t)n_callees + 1, sizeof *functions);
  char *name = strdup(file ? file : "program");
  Program *ir = NULL;
  for (int i = 0; overrides && i < n_sizes; i++)
    overrides[i] =
        (SizeOverride){sizes[i].name ? sizes[i].name : "", sizes[i].value};
  for (int i = 0; functions && i < n_callees; i++)
    functions[i] =
        (Callee){callees[i].name, callees[i].function, callees[i].user};
  if (overrides && functions && name)
    ir = ir_parse_calling(text, length, name, overrides, n_sizes, functions,
                          n_callees);
  free(overrides);
  free(functions);
  return take_parsed(ir, name, text, length, error);
}

ls_program *ls_program_parse(const char *text, size_t length, const char *file,
                             const ls_size *sizes, int n_sizes,
                             ls_error *error) {
  return ls_program_parse_calling(text, length, file, sizes, n_sizes, NULL, 0,
                                  error);
}

/* The whole file, malloc'd.  NULL: *error says why. */
static char *read_text(const char *path, size_t *length, ls_error *error) {
  size_t room = 1 << 14;
  char *text = NULL;
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    front_error(error, LS_BAD_FILE, "%s: %s", path, strerror(errno));
    return NULL;
  }
  *length = 0;
  for (;;) {
    char *bigger = realloc(text, room);
    if (bigger == NULL) break;
    text = bigger;
    *length += fread(text + *length, 1, room - *length, in);
    bool bad = ferror(in);
    if (*length < room) {
      fclose(in);
      if (!bad) return text;
      front_error(error, LS_BAD_FILE, "%s: cannot be read", path);
      free(text);
      return NULL;
    }
    room *= 2;
  }
  fclose(in);
  free(text);
  front_no_memory(error);
  return NULL;
}

ls_program *ls_program_read(const char *path, const ls_size *sizes, int n_sizes,
                            ls_error *error) {
  return ls_program_read_calling(path, sizes, n_sizes, NULL, 0, error);
}

ls_program *ls_program_read_calling(const char *path, const ls_size *sizes,
                                    int n_sizes, const ls_callee *callees,
                                    int n_callees, ls_error *error) {
  size_t length;
  if (path == NULL) {
    front_error(error, LS_BAD_ARGUMENT, "ls_program_read: the path is NULL");
    return NULL;
  }
  char *text = read_text(path, &length, error);
  if (text == NULL) return NULL;
  ls_program *program = ls_program_parse_calling(
      text, length, path, sizes, n_sizes, callees, n_callees, error);
  free(text);
  return program;
}

/* -- text out ---------------------------------------------------------- */

/* Every pass by name, for messages. */
static ls_status unknown_pass(ls_error *error, const char *name) {
  const char *names[64];
  char list[512] = "";
  size_t used = 0;
  int n = 0;
  for (; n < pass_count && n < 64 && used < sizeof list; n++) {
    names[n] = pass_table[n].name;
    used += (size_t)snprintf(list + used, sizeof list - used, " %s", names[n]);
  }
  const char *close = ir_closest(name, strlen(name), names, n);
  return front_error(error, LS_BAD_ARGUMENT,
                     "there is no pass %s%s%s%s; the passes are%s", name,
                     close ? "; did you mean " : "", close ? close : "",
                     close ? "?" : "", list);
}

/* The program after a pass, the caller's; *made is NULL for the original. */
static ls_status run_until(const ls_program *program, const char *after,
                           const ls_options *options, Program **made,
                           ls_error *error) {
  Options inner;
  *made = NULL;
  if (program == NULL)
    return front_error(error, LS_BAD_ARGUMENT, "the program is NULL");
  if (front_options(options, &inner, error) != LS_OK) return LS_BAD_ARGUMENT;
  if (after == NULL) return LS_OK;
  int last = pass_find(after);
  if (last < 0) return unknown_pass(error, after);
  *made = pass_run(program->ir, &inner, last, NULL, NULL);
  if (*made == NULL) return front_no_memory(error);
  if (!(*made)->error.failed) return LS_OK;
  front_diagnostic(error, &(*made)->error, NULL, 0);
  ir_program_destroy(*made);
  return LS_BAD_PROGRAM;
}

static char *take_text(char *text, Program *made, ls_error *error) {
  ir_program_destroy(made);
  if (text == NULL)
    front_no_memory(error);
  else
    front_fine(error);
  return text;
}

char *ls_program_print(const ls_program *program, const char *after,
                       const ls_options *options, bool places,
                       ls_error *error) {
  Program *made;
  if (run_until(program, after, options, &made, error) != LS_OK) return NULL;
  return take_text(
      ir_print(made ? made : program->ir, places ? PRINT_PLACES : 0), made,
      error);
}

char *ls_program_dot(const ls_program *program, const char *after,
                     const ls_options *options, ls_error *error) {
  Program *made;
  if (run_until(program, after, options, &made, error) != LS_OK) return NULL;
  return take_text(ir_dot(made ? made : program->ir), made, error);
}

const char *ls_pass_name(int i) {
  return i >= 0 && i < pass_count ? pass_table[i].name : NULL;
}

/* -- introspection ----------------------------------------------------- */

static const Edge *input_edge(const ls_program *program, int i) {
  bool there = program && i >= 0 && i < program->n_inputs;
  return there ? &program->inputs[i] : NULL;
}

static const Edge *result_edge(const ls_program *program, int i) {
  bool there = program && i >= 0 && i < program->n_results;
  return there ? &program->results[i] : NULL;
}

static ls_type edge_type(const Edge *edge) {
  ls_type type = {.dtype = LS_NO_DTYPE};
  if (edge == NULL) return type;
  type.dtype = (ls_dtype)edge->type.dtype;
  type.rank = edge->type.rank;
  type.axes = edge->axes;
  for (int d = 0; d < edge->type.rank && d < LS_MAX_RANK; d++)
    type.dims[d] = edge->type.dims[d];
  return type;
}

static ls_array edge_array(const Edge *edge) {
  ls_array array = {.dtype = LS_NO_DTYPE};
  if (edge == NULL) return array;
  array.dtype = (ls_dtype)edge->type.dtype;
  array.rank = edge->rank;
  array.axes = edge->axes;
  for (int d = 0; d < edge->rank && d < LS_MAX_RANK; d++)
    array.dims[d] = edge->dims[d];
  return array;
}

const char *ls_program_name(const ls_program *program) {
  return program ? program->ir->name : NULL;
}

int ls_program_inputs(const ls_program *program) {
  return program ? program->n_inputs : 0;
}

int ls_program_results(const ls_program *program) {
  return program ? program->n_results : 0;
}

const char *ls_program_input_name(const ls_program *program, int i) {
  const Edge *edge = input_edge(program, i);
  return edge ? edge->name : NULL;
}

const char *ls_program_result_name(const ls_program *program, int i) {
  const Edge *edge = result_edge(program, i);
  return edge ? edge->name : NULL;
}

ls_type ls_program_input_type(const ls_program *program, int i) {
  return edge_type(input_edge(program, i));
}

ls_type ls_program_result_type(const ls_program *program, int i) {
  return edge_type(result_edge(program, i));
}

ls_array ls_program_input_array(const ls_program *program, int i) {
  return edge_array(input_edge(program, i));
}

ls_array ls_program_result_array(const ls_program *program, int i) {
  return edge_array(result_edge(program, i));
}

/* -- the reference ----------------------------------------------------- */

typedef struct Operands {
  bool *strided;
  void **packed; /* NULL where the input is read where it lies */
  const void **inputs;
  void **results;
} Operands;

static void operands_free(Operands *operands, int n) {
  for (int i = 0; operands->packed && i < n; i++) free(operands->packed[i]);
  free(operands->strided);
  free(operands->packed);
  free(operands->inputs);
  free(operands->results);
}

static bool operands_make(Operands *operands, int n_inputs, int n_results) {
  operands->strided = calloc((size_t)n_inputs + 1, sizeof(bool));
  operands->packed = calloc((size_t)n_inputs + 1, sizeof(void *));
  operands->inputs = calloc((size_t)n_inputs + 1, sizeof(void *));
  operands->results = calloc((size_t)n_results + 1, sizeof(void *));
  return operands->strided && operands->packed && operands->inputs &&
         operands->results;
}

static bool pack_inputs(const ls_program *program, const ls_array *inputs,
                        Operands *operands) {
  for (int i = 0; i < program->n_inputs; i++) {
    operands->inputs[i] = inputs[i].data;
    if (!operands->strided[i]) continue;
    operands->packed[i] = malloc(program->inputs[i].bytes + 1);
    if (operands->packed[i] == NULL) return false;
    front_pack(&inputs[i], operands->packed[i]);
    operands->inputs[i] = operands->packed[i];
  }
  return true;
}

static ls_status evaluate(const ls_program *program, const ls_array *inputs,
                          const ls_array *results, Operands *operands,
                          ls_error *error) {
  if (!pack_inputs(program, inputs, operands)) return front_no_memory(error);
  for (int i = 0; i < program->n_results; i++)
    operands->results[i] = results[i].data;
  char *message = rt_evaluate(program->ir, operands->inputs, operands->results);
  if (message == NULL) return front_fine(error);
  front_error(error, LS_FAILED, "%s", message);
  free(message);
  return LS_FAILED;
}

ls_status ls_evaluate(const ls_program *program, const ls_array *inputs,
                      int n_inputs, const ls_array *results, int n_results,
                      ls_error *error) {
  Operands operands = {0};
  if (program == NULL)
    return front_error(error, LS_BAD_ARGUMENT, "the program is NULL");
  ls_status status;
  if (!operands_make(&operands, program->n_inputs, program->n_results))
    status = front_no_memory(error);
  else
    status = front_check_arrays(program, inputs, n_inputs, results, n_results,
                                operands.strided, error);
  if (status == LS_OK)
    status = evaluate(program, inputs, results, &operands, error);
  operands_free(&operands, program->n_inputs);
  return status;
}
