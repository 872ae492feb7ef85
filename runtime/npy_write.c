/* npy_write.c: writes NumPy's array files, in version 1.0.
 *
 * Comes in: an array, row-major and in native byte order.  Goes out: a file
 * whose elements start at a multiple of 64 bytes, or a message that starts
 * with its path. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

enum {
  ALIGN = 64,
  START = 10,        /* magic, version, length */
  HEADER_ROOM = 4096 /* IR_MAX_RANK dims of 20 digits fit well */
};

static char kind_of(DType dtype) {
  if (dtype == DT_BOOL) return 'b';
  if (dtype == DT_BF16) return 'u'; /* its bits: NumPy has no bf16 */
  if (ir_is_float(dtype)) return 'f';
  return ir_is_signed(dtype) ? 'i' : 'u';
}

/* The whole header, its start included; returns its length. */
static size_t make_header(char header[HEADER_ROOM], DType dtype, int rank,
                          const int64_t *dims) {
  bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  size_t bytes = ir_dtype_bytes(dtype);
  char order = bytes == 1 ? '|' : little ? '<' : '>';
  size_t at = START;
  memcpy(header, "\x93NUMPY\1\0", 8);
  at += (size_t)sprintf(header + at,
                        "{'descr': '%c%c%zu', 'fortran_order': False, "
                        "'shape': (",
                        order, kind_of(dtype), bytes);
  for (int d = 0; d < rank; d++)
    at += (size_t)sprintf(header + at, "%s%lld", d ? ", " : "",
                          (long long)dims[d]);
  at += (size_t)sprintf(header + at, "%s), }", rank == 1 ? "," : "");
  while ((at + 1) % ALIGN != 0) header[at++] = ' ';
  header[at++] = '\n';
  header[8] = (char)((at - START) & 0xff);
  header[9] = (char)((at - START) >> 8);
  return at;
}

/* False: more than any memory. */
static bool count_bytes(DType dtype, int rank, const int64_t *dims,
                        size_t *bytes) {
  *bytes = ir_dtype_bytes(dtype);
  for (int d = 0; d < rank; d++)
    if (dims[d] == 0) return *bytes = 0, true;
  for (int d = 0; d < rank; d++)
    if (dims[d] < 0 || __builtin_mul_overflow(*bytes, (size_t)dims[d], bytes))
      return false;
  return true;
}

char *rt_npy_write(const char *path, DType dtype, int rank, const int64_t *dims,
                   const void *data) {
  char header[HEADER_ROOM], *message = NULL;
  const char *wrong = NULL;
  size_t bytes = 0, length = 0;
  FILE *file = NULL;
  if (rank > IR_MAX_RANK)
    wrong = "more dims than NPY files are read with";
  else if (!count_bytes(dtype, rank, dims, &bytes))
    wrong = "the array is beyond any memory";
  else if (!(file = fopen(path, "wbe")))
    wrong = strerror(errno);
  if (file) {
    length = make_header(header, dtype, rank, dims);
    bool fine = fwrite(header, 1, length, file) == length &&
                fwrite(data, 1, bytes, file) == bytes;
    if (fclose(file) != 0 || !fine) wrong = strerror(errno);
  }
  if (wrong && asprintf(&message, "%s: cannot write: %s", path, wrong) < 0)
    message = NULL;
  return message;
}
