/* arrays.c: guarded buffers for a program's parameters and results, and the
 * comparison of two of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { GUARD = 64, FILL = 0xA5 };

int edge_shape(const Program *program, Type type,
               int64_t shape[IR_MAX_AXES + IR_MAX_RANK]) {
  int rank = 0;
  for (int a = 0; a < program->n_axes; a++)
    if (type.axes >> a & 1) shape[rank++] = program->axes[a].size;
  for (int d = 0; d < type.rank; d++) shape[rank++] = type.dims[d];
  return rank;
}

int64_t edge_elements(const Program *program, Type type) {
  int64_t shape[IR_MAX_AXES + IR_MAX_RANK];
  int rank = edge_shape(program, type, shape);
  int64_t n = 1;
  for (int d = 0; d < rank; d++) n *= shape[d];
  return n;
}

static bool buffer_create(Buffers *buffers, int i, size_t bytes,
                          size_t offset) {
  size_t room = GUARD + offset + bytes + GUARD;
  unsigned char *block = aligned_alloc(64, (room + 63) / 64 * 64);
  if (!block) return false;
  memset(block, FILL, room);
  buffers->blocks[i] = block;
  buffers->bytes[i] = bytes;
  buffers->data[i] = block + GUARD + offset;
  return true;
}

bool buffers_create(Buffers *buffers, const Program *program,
                    Value *const *values, int n, unsigned skew) {
  size_t room = n > 0 ? (size_t)n : 1;
  *buffers = (Buffers){.n = n,
                       .data = calloc(room, sizeof(void *)),
                       .bytes = calloc(room, sizeof(size_t)),
                       .blocks = calloc(room, sizeof(unsigned char *))};
  bool fine = buffers->data && buffers->bytes && buffers->blocks;
  for (int i = 0; i < n && fine; i++) {
    size_t each = ir_dtype_bytes(values[i]->type.dtype);
    size_t bytes = (size_t)edge_elements(program, values[i]->type) * each;
    fine = buffer_create(buffers, i, bytes,
                         skew ? (skew + (unsigned)i) % 8 * each : 0);
  }
  if (!fine) buffers_free(buffers);
  return fine;
}

bool buffers_intact(const Buffers *buffers) {
  for (int i = 0; i < buffers->n; i++) {
    const unsigned char *data = buffers->data[i];
    const unsigned char *end = data + buffers->bytes[i];
    for (const unsigned char *p = buffers->blocks[i]; p < data; p++)
      if (*p != FILL) return false;
    for (const unsigned char *p = end; p < end + GUARD; p++)
      if (*p != FILL) return false;
  }
  return true;
}

void buffers_free(Buffers *buffers) {
  for (int i = 0; i < buffers->n && buffers->blocks; i++)
    free(buffers->blocks[i]);
  free(buffers->blocks);
  free(buffers->bytes);
  free(buffers->data);
  *buffers = (Buffers){0};
}

static bool floats_agree(double got, double want, Rule rule) {
  if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
  if (got == want)
    return !rule.exact || got != 0 || signbit(got) == signbit(want);
  if (rule.exact || isinf(got) || isinf(want)) return false;
  return fabs(got - want) <= rule.atol + rule.rtol * fabs(want);
}

static bool elements_agree(DType dtype, Scalar got, Scalar want, Rule rule) {
  return ir_is_float(dtype) ? floats_agree(got.f, want.f, rule)
                            : got.u == want.u;
}

static void element_text(DType dtype, Scalar value, char text[40]) {
  if (ir_is_float(dtype))
    snprintf(text, 40, "%.17g", value.f);
  else if (ir_is_signed(dtype))
    snprintf(text, 40, "%lld", (long long)value.i);
  else
    snprintf(text, 40, "%llu", (unsigned long long)value.u);
}

static void place_text(const Program *program, Type type, int64_t flat,
                       char *text, size_t room) {
  int64_t shape[IR_MAX_AXES + IR_MAX_RANK];
  int64_t index[IR_MAX_AXES + IR_MAX_RANK];
  int rank = edge_shape(program, type, shape);
  for (int d = rank; d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  size_t used = 0;
  text[0] = 0;
  for (int d = 0; d < rank && used + 24 < room; d++)
    used +=
        (size_t)snprintf(text + used, room - used, "%s%lld%s", d ? "," : "[",
                         (long long)index[d], d == rank - 1 ? "]" : "");
}

static char *difference(const Program *program, const Value *value,
                        const char *name, int64_t first, int64_t wrong,
                        Scalar got, Scalar want, Rule rule) {
  DType dtype = value->type.dtype;
  char place[256], left[40], right[40], off[48] = "", how[64] = "exact";
  char *line = NULL;
  place_text(program, value->type, first, place, sizeof place);
  element_text(dtype, got, left);
  element_text(dtype, want, right);
  if (ir_is_float(dtype))
    snprintf(off, sizeof off, ", off by %.3g", fabs(got.f - want.f));
  if (!rule.exact)
    snprintf(how, sizeof how, "rtol %g, atol %g", rule.rtol, rule.atol);
  if (asprintf(&line, "%s%s is %s, expected %s%s; %lld of %lld differ (%s)",
               name, place, left, right, off, (long long)wrong,
               (long long)edge_elements(program, value->type), how) < 0)
    return NULL;
  return line;
}

char *array_compare(const Program *program, const Value *value,
                    const char *name, const void *got, const void *want,
                    Rule rule) {
  DType dtype = value->type.dtype;
  size_t each = ir_dtype_bytes(dtype);
  int64_t n = edge_elements(program, value->type), first = -1, wrong = 0;
  Scalar first_got = {0}, first_want = {0};
  for (int64_t i = 0; i < n && !rule.skip; i++) {
    Scalar a = ir_scalar_load(dtype, (const char *)got + (size_t)i * each);
    Scalar b = ir_scalar_load(dtype, (const char *)want + (size_t)i * each);
    if (elements_agree(dtype, a, b, rule)) continue;
    if (wrong++ == 0) first = i, first_got = a, first_want = b;
  }
  if (!wrong) return NULL;
  return difference(program, value, name, first, wrong, first_got, first_want,
                    rule);
}
