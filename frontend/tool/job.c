/* job.c: from a request to something that runs.
 *
 * Comes in: a file, options, sources.  Goes out: an executable with its input
 * arrays, room for its results and its arena.  How much memory all of it takes
 * is compared with what the machine has before any is touched. */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static void *aligned_room(size_t bytes) {
  const size_t align = 64;
  if (bytes > SIZE_MAX - align) return NULL;
  bytes = (bytes + align) & ~(align - 1);
  return aligned_alloc(align, bytes);
}

int tool_array(const Program *program, const char *name, Type type,
               Array *array) {
  *array = (Array){.name = name, .type = type, .elements = 1};
  for (int a = 0; a < program->n_axes; a++)
    if (type.axes >> a & 1) array->dims[array->rank++] = program->axes[a].size;
  for (int d = 0; d < type.rank; d++) array->dims[array->rank++] = type.dims[d];
  bool empty = false, fits = true;
  for (int d = 0; d < array->rank; d++) empty |= array->dims[d] == 0;
  if (empty) array->elements = 0;
  for (int d = 0; d < array->rank && !empty; d++)
    fits &= !__builtin_mul_overflow(array->elements, array->dims[d],
                                    &array->elements);
  int64_t bytes = 0;
  fits &= !__builtin_mul_overflow(array->elements,
                                  (int64_t)ir_dtype_bytes(type.dtype), &bytes);
  if (!fits)
    return tool_error(BAD_PROGRAM, "%s: %s has more bytes than any memory",
                      name, ir_type_text(program, type).text);
  array->bytes = (size_t)bytes;
  return FINE;
}

void tool_arrays_free(Array *arrays, int n) {
  for (int i = 0; arrays && i < n; i++) free(arrays[i].data);
  free(arrays);
}

/* -- memory ------------------------------------------------------------ */

static int demand(const Program *program, double arena) {
  const Block *body = program->body;
  double bytes = arena, memory = (double)rt_memory_bytes();
  Array array;
  int code = FINE;
  for (int i = 0; code == FINE && i < body->n_params; i++) {
    code = tool_array(program, body->params[i]->name, body->params[i]->type,
                      &array);
    bytes += (double)array.bytes;
  }
  for (int i = 0; code == FINE && i < body->n_yields; i++) {
    code = tool_array(program, program->result_names[i], body->yields[i]->type,
                      &array);
    bytes += (double)array.bytes;
  }
  if (code == FINE && memory > 0 && bytes > memory)
    code = tool_error(FAILED,
                      "inputs, results and arena take %.0f bytes (%.3g GiB), "
                      "the machine has %.3g GiB",
                      bytes, bytes / 0x1p30, memory / 0x1p30);
  return code;
}

int tool_results(const Program *program, Array **results) {
  int n = program->body->n_yields, code = FINE;
  *results = calloc((size_t)n + 1, sizeof(Array));
  if (!*results) return tool_error(FAILED, "no memory");
  for (int i = 0; code == FINE && i < n; i++) {
    Array *array = &(*results)[i];
    code = tool_array(program, program->result_names[i],
                      program->body->yields[i]->type, array);
    if (code == FINE && !(array->data = aligned_room(array->bytes)))
      code = tool_error(FAILED, "%s: no memory for %zu bytes", array->name,
                        array->bytes);
    if (code == FINE) memset(array->data, 0, array->bytes);
  }
  return code;
}

/* -- the job ----------------------------------------------------------- */

static int compile(const Request *request, Job *job) {
  double start = rt_now();
  int code = tool_passes(request, &job->file, pass_count - 1, &job->planned);
  job->passes_ms = (rt_now() - start) * 1e3;
  if (code == FINE)
    code = demand(job->file.program, (double)pass_arena_bytes(job->planned));
  if (code != FINE) return code;
  char *error = NULL;
  job->executable =
      cg_compile(job->planned, &request->options, &job->times, &error);
  if (!job->executable)
    code = tool_error(FAILED, "%s: cannot compile: %s", request->file,
                      error ? error : "no memory");
  free(error);
  return code;
}

static int gather(Job *job) {
  const Block *body = job->file.program->body;
  job->input_data = calloc((size_t)body->n_params + 1, sizeof(void *));
  job->result_data = calloc((size_t)body->n_yields + 1, sizeof(void *));
  if (!job->input_data || !job->result_data)
    return tool_error(FAILED, "no memory");
  for (int i = 0; i < body->n_params; i++)
    job->input_data[i] = job->inputs[i].data;
  for (int i = 0; i < body->n_yields; i++)
    job->result_data[i] = job->results[i].data;
  return FINE;
}

int tool_job(const Request *request, bool fill, Job *job) {
  *job = (Job){0};
  int code = tool_load(request, &job->file);
  if (code == FINE) code = demand(job->file.program, 0);
  if (code == FINE)
    code = tool_inputs(request, job->file.program, fill, &job->inputs);
  if (code == FINE) code = compile(request, job);
  if (code == FINE) code = tool_results(job->file.program, &job->results);
  if (code == FINE) code = gather(job);
  if (code != FINE) return code;
  size_t bytes = cg_arena_bytes(job->executable);
  job->arena = aligned_room(bytes);
  if (!job->arena)
    return tool_error(FAILED, "no memory for an arena of %zu bytes", bytes);
  return FINE;
}

/* For a modest machine nothing is measured: its predictions are the same
 * everywhere. */
Clock tool_clock(const Request *request, const Machine *measured) {
  const Hardware *facts = &request->options.hardware;
  return front_clock(facts, facts->vector > 0 ? measured : NULL);
}

void tool_job_run(const Job *job) {
  cg_run(job->executable, job->input_data, job->result_data, job->arena);
}

void tool_job_free(Job *job) {
  const Program *program = job->file.program;
  if (program && program->body) {
    tool_arrays_free(job->inputs, program->body->n_params);
    tool_arrays_free(job->results, program->body->n_yields);
  }
  free(job->input_data);
  free(job->result_data);
  free(job->arena);
  cg_destroy(job->executable);
  ir_program_destroy(job->planned);
  tool_close(&job->file);
}
