/* buffer.c: text that grows, and how numbers and types are spelt.
 *
 * Owns the one spelling of every number: what is printed here, the parser
 * reads back to the same bits. */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(Buffer *out, size_t n) {
  if (out->failed) return false;
  if (out->room - out->length > n) return true;
  size_t room = out->room ? out->room : 256;
  while (room - out->length <= n) {
    if (room > SIZE_MAX / 4) return !(out->failed = true);
    room *= 2;
  }
  char *text = realloc(out->text, room);
  if (text == NULL) return !(out->failed = true);
  out->text = text;
  out->room = room;
  return true;
}

void ir_put(Buffer *out, const char *bytes, size_t n) {
  if (!make_room(out, n)) return;
  memcpy(out->text + out->length, bytes, n);
  out->length += n;
}

void ir_put_text(Buffer *out, const char *text) {
  ir_put(out, text, strlen(text));
}

char *ir_buffer_take(Buffer *out) {
  if (make_room(out, 1)) {
    out->text[out->length] = '\0';
    return out->text;
  }
  free(out->text);
  return NULL;
}

static void put_unsigned(Buffer *out, uint64_t value) {
  char digits[20];
  size_t n = 0;
  do digits[sizeof digits - ++n] = (char)('0' + value % 10);
  while (value /= 10);
  ir_put(out, digits + sizeof digits - n, n);
}

void ir_put_int(Buffer *out, int64_t value) {
  if (value < 0) ir_put(out, "-", 1);
  put_unsigned(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void ir_put_short(Buffer *out, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.3g", number);
  for (char *c = text; *c; c++) /* some locales have another point */
    if (*c == ',') *c = '.';
  ir_put_text(out, text);
}

double ir_read_float(DType dtype, const char *text) {
  if (dtype == DT_F32) return strtof(text, NULL);
  return ir_round_to(dtype, strtod(text, NULL));
}

/* The fewest digits that read back to the same value. */
static void put_float(Buffer *out, DType dtype, double value) {
  if (isnan(value)) {
    ir_put_text(out, "nan");
    return;
  }
  if (isinf(value)) {
    ir_put_text(out, value < 0 ? "-inf" : "inf");
    return;
  }
  char text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (ir_read_float(dtype, text) == value) break;
  }
  ir_put_text(out, text);
}

void ir_put_number(Buffer *out, DType dtype, Scalar value) {
  if (dtype == DT_BOOL)
    ir_put_text(out, value.u ? "true" : "false");
  else if (ir_is_float(dtype))
    put_float(out, dtype, value.f);
  else if (ir_is_signed(dtype))
    ir_put_int(out, value.i);
  else
    put_unsigned(out, value.u);
}

void ir_put_type(Buffer *out, const Program *program, Type type) {
  ir_put_text(out, ir_dtype_name(type.dtype));
  ir_put(out, "[", 1);
  for (int d = 0; d < type.rank; d++) {
    if (d) ir_put(out, ",", 1);
    ir_put_int(out, type.dims[d]);
  }
  ir_put(out, "]", 1);
  if (type.axes == 0) return;
  const char *before = "{";
  for (int a = 0; a < program->n_axes; a++)
    if (type.axes >> a & 1) {
      ir_put_text(out, before);
      ir_put_text(out, program->axes[a].name);
      before = ",";
    }
  ir_put(out, "}", 1);
}

char *ir_print_type(const Program *program, Type type) {
  Buffer out = {0};
  ir_put_type(&out, program, type);
  return ir_buffer_take(&out);
}

TypeText ir_type_text(const Program *program, Type type) {
  TypeText shown = {""};
  char *text = ir_print_type(program, type);
  if (text) {
    int length = snprintf(shown.text, sizeof shown.text, "%s", text);
    if (length >= (int)sizeof shown.text)
      memcpy(shown.text + sizeof shown.text - 4, "...", 4);
  }
  free(text);
  return shown;
}

LocaleGuard ir_locale_enter(void) {
  LocaleGuard guard = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
  guard.before = uselocale(guard.c);
  return guard;
}

void ir_locale_leave(LocaleGuard guard) {
  uselocale(guard.before);
  if (guard.c) freelocale(guard.c);
}
