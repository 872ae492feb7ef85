/* arrays.c: the caller's arrays against a program's edges.
 *
 * Comes in: the arrays of one run.  Goes out: a status, and which inputs must
 * be packed before generated code can read them: those with strides, those at
 * an odd address, and donated ones that a result overlaps. */
#include <stdio.h>
#include <string.h>

#include "frontend.h"

/* -- text -------------------------------------------------------------- */

typedef struct ShapeText {
  char text[256];
} ShapeText;

static ShapeText shape_text(ls_dtype dtype, int rank, const int64_t *dims) {
  ShapeText out;
  const char *name = ls_dtype_name(dtype);
  size_t room = sizeof out.text, used;
  used = (size_t)snprintf(out.text, room, "%s[", name ? name : "no dtype");
  for (int d = 0; d < rank && d < LS_MAX_RANK && used < room - 32; d++)
    used += (size_t)snprintf(out.text + used, room - used, "%s%lld",
                             d ? "," : "", (long long)dims[d]);
  snprintf(out.text + used, room - used, "]");
  return out;
}

/* -- one array --------------------------------------------------------- */

static bool same_shape(const Edge *edge, const ls_array *array) {
  if ((int)array->dtype != (int)edge->type.dtype || array->rank != edge->rank ||
      array->rank > LS_MAX_RANK)
    return false;
  for (int d = 0; d < edge->rank; d++)
    if (array->dims[d] != edge->dims[d]) return false;
  return true;
}

static ls_status check_array(const ls_program *program, const char *what,
                             const Edge *edge, const ls_array *array,
                             ls_error *error) {
  bool varies = edge->axes != NULL;
  if (!same_shape(edge, array))
    return front_error(
        error, LS_BAD_FILE, "%s: %s %s is %s%s%s%s, but the array is %s",
        program->ir->name, what, edge->name,
        shape_text((ls_dtype)edge->type.dtype, edge->rank, edge->dims).text,
        varies ? " (the devices of " : "", varies ? edge->axes : "",
        varies ? " come first)" : "",
        shape_text(array->dtype, array->rank, array->dims).text);
  if (array->data == NULL && edge->bytes > 0)
    return front_error(error, LS_BAD_ARGUMENT, "%s: %s %s has no data (NULL)",
                       program->ir->name, what, edge->name);
  return LS_OK;
}

/* Are the strides those of a contiguous row-major array? */
static bool contiguous(const Edge *edge, const ls_array *array) {
  if (array->strides == NULL || edge->bytes == 0) return true;
  int64_t stride = (int64_t)ir_dtype_bytes(edge->type.dtype);
  for (int d = edge->rank - 1; d >= 0; d--) {
    if (edge->dims[d] != 1 && array->strides[d] != stride) return false;
    stride *= edge->dims[d];
  }
  return true;
}

static bool aligned(const Edge *edge, const ls_array *array) {
  return (uintptr_t)array->data % ir_dtype_bytes(edge->type.dtype) == 0;
}

/* The bytes that an array covers: [first, last).  Relative to data they fit an
 * int64_t, or the strides are wrong. */
typedef struct Extent {
  uintptr_t first, last;
} Extent;

static bool extent_of(const Edge *edge, const ls_array *array, Extent *extent) {
  int64_t low = 0, high = (int64_t)ir_dtype_bytes(edge->type.dtype);
  uintptr_t data = (uintptr_t)array->data;
  *extent = (Extent){data, data + edge->bytes};
  if (array->strides == NULL || edge->bytes == 0) return true;
  for (int d = 0; d < edge->rank; d++) {
    int64_t reach;
    if (__builtin_mul_overflow(edge->dims[d] - 1, array->strides[d], &reach) ||
        __builtin_add_overflow(reach < 0 ? low : high, reach,
                               reach < 0 ? &low : &high))
      return false;
  }
  *extent = (Extent){data + (uintptr_t)low, data + (uintptr_t)high};
  return true;
}

static bool overlap(Extent a, Extent b) {
  return a.first < b.last && b.first < a.last;
}

/* -- all of them ------------------------------------------------------- */

static ls_status check_input(const ls_program *program, int i,
                             const ls_array *array, bool *strided,
                             ls_error *error) {
  const Edge *edge = &program->inputs[i];
  Extent extent;
  ls_status status = check_array(program, "input", edge, array, error);
  if (status != LS_OK) return status;
  if (!extent_of(edge, array, &extent))
    return front_error(error, LS_BAD_FILE,
                       "%s: the strides of input %s reach past 2^63 bytes",
                       program->ir->name, edge->name);
  *strided =
      edge->bytes > 0 && (!contiguous(edge, array) || !aligned(edge, array));
  return LS_OK;
}

static ls_status check_result(const ls_program *program, int i,
                              const ls_array *array, ls_error *error) {
  const Edge *edge = &program->results[i];
  ls_status status = check_array(program, "result", edge, array, error);
  if (status != LS_OK) return status;
  if (!contiguous(edge, array))
    return front_error(error, LS_BAD_FILE,
                       "%s: result %s has strides, but results are row-major",
                       program->ir->name, edge->name);
  if (edge->bytes > 0 && !aligned(edge, array))
    return front_error(error, LS_BAD_FILE,
                       "%s: result %s does not lie at a multiple of %zu bytes",
                       program->ir->name, edge->name,
                       ir_dtype_bytes(edge->type.dtype));
  return LS_OK;
}

static Extent result_extent(const ls_program *program, int i,
                            const ls_array *array) {
  uintptr_t data = (uintptr_t)array->data;
  return (Extent){data, data + program->results[i].bytes};
}

/* Result r against every input and every earlier result. */
static ls_status check_overlaps(const ls_program *program,
                                const ls_array *inputs, const ls_array *results,
                                int r, bool *strided, ls_error *error) {
  Extent mine = result_extent(program, r, &results[r]), other;
  if (mine.first == mine.last) return LS_OK;
  const char *name = program->results[r].name;
  for (int i = 0; i < program->n_inputs; i++) {
    if (program->inputs[i].bytes == 0) continue;
    extent_of(&program->inputs[i], &inputs[i], &other);
    if (!overlap(mine, other)) continue;
    if (!inputs[i].donated)
      return front_error(error, LS_BAD_ARGUMENT,
                         "%s: result %s overlaps input %s, which is not "
                         "donated (ls_donate)",
                         program->ir->name, name, program->inputs[i].name);
    strided[i] = true;
  }
  for (int i = 0; i < r; i++)
    if (overlap(mine, result_extent(program, i, &results[i])))
      return front_error(error, LS_BAD_ARGUMENT,
                         "%s: results %s and %s overlap", program->ir->name,
                         program->results[i].name, name);
  return LS_OK;
}

static ls_status check_counts(const ls_program *program, const ls_array *inputs,
                              int n_inputs, const ls_array *results,
                              int n_results, ls_error *error) {
  if (n_inputs != program->n_inputs || n_results != program->n_results)
    return front_error(error, LS_BAD_ARGUMENT,
                       "%s has %d inputs and %d results, not %d and %d",
                       program->ir->name, program->n_inputs, program->n_results,
                       n_inputs, n_results);
  if ((n_inputs > 0 && inputs == NULL) || (n_results > 0 && results == NULL))
    return front_error(error, LS_BAD_ARGUMENT, "%s: the %s are NULL",
                       program->ir->name,
                       n_inputs > 0 && inputs == NULL ? "inputs" : "results");
  return LS_OK;
}

ls_status front_check_arrays(const ls_program *program, const ls_array *inputs,
                             int n_inputs, const ls_array *results,
                             int n_results, bool *strided, ls_error *error) {
  ls_status status =
      check_counts(program, inputs, n_inputs, results, n_results, error);
  for (int i = 0; i < n_inputs && status == LS_OK; i++)
    status = check_input(program, i, &inputs[i], &strided[i], error);
  for (int i = 0; i < n_results && status == LS_OK; i++)
    status = check_result(program, i, &results[i], error);
  for (int i = 0; i < n_results && status == LS_OK; i++)
    status = check_overlaps(program, inputs, results, i, strided, error);
  return status;
}

/* -- packing ----------------------------------------------------------- */

/* Row by row along the last dim, an odometer over the others. */
void front_pack(const ls_array *array, void *packed) {
  size_t width = ls_dtype_bytes(array->dtype);
  int rank = array->rank;
  int64_t at[LS_MAX_RANK] = {0}, strides[LS_MAX_RANK];
  int64_t stride = (int64_t)width;
  for (int d = rank - 1; d >= 0; d--) {
    if (array->dims[d] == 0) return;
    strides[d] = array->strides ? array->strides[d] : stride;
    stride *= array->dims[d];
  }
  int64_t inner = rank ? array->dims[rank - 1] : 1;
  int64_t step = rank ? strides[rank - 1] : 0;
  const char *from = array->data;
  char *to = packed;
  for (;;) {
    if (step == (int64_t)width) {
      memcpy(to, from, (size_t)inner * width);
    } else {
      for (int64_t i = 0; i < inner; i++)
        memcpy(to + (size_t)i * width, from + i * step, width);
    }
    to += (size_t)inner * width;
    int d = rank - 2;
    while (d >= 0 && at[d] + 1 == array->dims[d]) {
      from -= at[d] * strides[d];
      at[d--] = 0;
    }
    if (d < 0) return;
    at[d]++;
    from += strides[d];
  }
}
