/* status.c: what an answer looks like, and the small values of the interface.
 *
 * Comes in: a status and a format.  Goes out: an ls_error, filled.  Here are
 * also version, dtype names, and the makers of types, lists and arrays behind
 * the header's macros. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

#define SAME(public_name, internal)                           \
  _Static_assert((int)LS_##public_name == (int)DT_##internal, \
                 "ls_dtype and DType have the same order")
SAME(BOOL, BOOL);
SAME(I8, I8);
SAME(I16, I16);
SAME(I32, I32);
SAME(I64, I64);
SAME(U8, U8);
SAME(U16, U16);
SAME(U32, U32);
SAME(U64, U64);
SAME(F16, F16);
SAME(BF16, BF16);
SAME(F32, F32);
SAME(F64, F64);
_Static_assert((int)LS_F64 + 1 == (int)DT_COUNT, "no dtype is missing");
_Static_assert((int)LS_FAST == (int)NUMERICS_FAST &&
                   (int)LS_STRICT == (int)NUMERICS_STRICT,
               "ls_numerics and Numerics agree");
_Static_assert((int)LS_GEMM_AUTO == (int)GEMM_AUTO &&
                   (int)LS_GEMM_BLAS == (int)GEMM_BLAS &&
                   (int)LS_GEMM_PACKED == (int)GEMM_PACKED &&
                   (int)LS_GEMM_INLINE == (int)GEMM_INLINE,
               "ls_gemm and Gemm agree");

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *ls_version(void) {
  return TEXT(LS_VERSION_MAJOR) "." TEXT(LS_VERSION_MINOR) "." TEXT(
      LS_VERSION_PATCH);
}

const char *ls_status_text(ls_status status) {
  static const char *const texts[] = {"fine",
                                      "results differ",
                                      "a call was used wrongly",
                                      "a file or an array is not right",
                                      "the program is wrong",
                                      "failed at run time",
                                      "cancelled"};
  size_t n = sizeof texts / sizeof *texts;
  return (size_t)status < n ? texts[status] : "unknown status";
}

void ls_free(void *text) { free(text); }

size_t ls_dtype_bytes(ls_dtype dtype) {
  if (dtype < LS_BOOL || dtype > LS_F64) return 0;
  return ir_dtype_bytes((DType)dtype);
}

const char *ls_dtype_name(ls_dtype dtype) {
  if (dtype < LS_BOOL || dtype > LS_F64) return NULL;
  return ir_dtype_name((DType)dtype);
}

/* -- types, lists, arrays ---------------------------------------------- */

/* A rank that does not fit is kept, with the dims that do, so that the call
 * that gets it can say the number. */
static int copy_dims(int64_t *dims, int count, const int64_t *values) {
  int kept = count < LS_MAX_RANK ? count : LS_MAX_RANK;
  for (int d = 0; d < kept; d++) dims[d] = values[d];
  return count;
}

ls_ints ls_ints_make(int count, const int64_t *values) {
  ls_ints list = {0};
  list.count = copy_dims(list.at, count, values);
  return list;
}

ls_type ls_type_make(int count, const int64_t *values) {
  ls_type type = {.dtype = LS_NO_DTYPE};
  if (count < 1) return type;
  type.dtype = (ls_dtype)values[0];
  type.rank = copy_dims(type.dims, count - 1, values + 1);
  return type;
}

ls_array ls_array_make(const void *data, int count, const int64_t *values) {
  ls_array array = {.dtype = LS_NO_DTYPE};
  if (count < 1) return array;
  array.dtype = (ls_dtype)values[0];
  array.rank = copy_dims(array.dims, count - 1, values + 1);
  array.data = (void *)(uintptr_t)data; /* inputs are never written */
  return array;
}

size_t ls_array_bytes(ls_array array) {
  size_t bytes = ls_dtype_bytes(array.dtype);
  bool empty = false;
  if (array.rank < 0 || array.rank > LS_MAX_RANK) return 0;
  for (int d = 0; d < array.rank; d++) {
    if (array.dims[d] < 0) return 0;
    empty |= array.dims[d] == 0;
    if (!empty && __builtin_mul_overflow(bytes, (size_t)array.dims[d], &bytes))
      return 0;
  }
  return empty ? 0 : bytes;
}

/* -- errors ------------------------------------------------------------ */

ls_status front_error(ls_error *error, ls_status status, const char *format,
                      ...) {
  if (error == NULL) return status;
  error->status = status;
  va_list list;
  va_start(list, format);
  vsnprintf(error->text, sizeof error->text, format, list);
  va_end(list);
  return status;
}

ls_status front_fine(ls_error *error) {
  if (error) {
    error->status = LS_OK;
    error->text[0] = 0;
  }
  return LS_OK;
}

ls_status front_no_memory(ls_error *error) {
  return front_error(error, LS_FAILED, "out of memory");
}

ls_status front_diagnostic(ls_error *error, const Diagnostic *diagnostic,
                           const char *text, size_t length) {
  if (diagnostic->out_of_memory) return front_no_memory(error);
  char *message = ir_error_text(diagnostic, text, length);
  if (message == NULL) return front_no_memory(error);
  ls_status status = diagnostic->usage ? LS_BAD_ARGUMENT : LS_BAD_PROGRAM;
  front_error(error, status, "%s", message);
  free(message);
  return status;
}

bool front_grow(void **array, int64_t used, int64_t *room, size_t element) {
  if (used < *room) return true;
  int64_t wanted = *room ? *room * 2 : 16;
  size_t bytes;
  if (__builtin_mul_overflow((size_t)wanted, element, &bytes)) return false;
  void *bigger = realloc(*array, bytes);
  if (bigger == NULL) return false;
  *array = bigger;
  *room = wanted;
  return true;
}
