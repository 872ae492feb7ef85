/* error_text.c: a diagnostic as people read it: place and message, the line it
 * is about, a caret under the column. */
#include <string.h>

#include "text.h"

enum { WIDEST = 100 };

static void put_line(Buffer *out, const char *text) {
  ir_put_text(out, text);
  ir_put(out, "\n", 1);
}

/* The line's extent; false: the text has fewer lines. */
static bool find_line(const char *text, size_t length, int line,
                      const char **start, const char **end) {
  const char *last = text + length;
  *start = text;
  for (int i = 1; i < line; i++) {
    const char *newline = memchr(*start, '\n', (size_t)(last - *start));
    if (newline == NULL) return false;
    *start = newline + 1;
  }
  const char *newline = memchr(*start, '\n', (size_t)(last - *start));
  *end = newline ? newline : last;
  if (*end > *start && (*end)[-1] == '\r') --*end;
  return true;
}

/* Tabs stay, so that the caret is below its column at any tab width; bytes
 * that a terminal might take amiss do not. */
static void put_source(Buffer *out, const char *from, const char *to) {
  for (const char *c = from; c < to; c++) {
    unsigned char byte = (unsigned char)*c;
    bool odd = (byte < ' ' && byte != '\t') || byte == 0x7f;
    ir_put(out, odd ? "?" : c, 1);
  }
}

static void put_caret(Buffer *out, const char *from, const char *to) {
  for (const char *c = from; c < to; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte >= 0x80 && byte < 0xc0) continue; /* inside a character */
    ir_put(out, byte == '\t' ? "\t" : " ", 1);
  }
  ir_put(out, "^\n", 2);
}

/* Of a very long line, what is around the column. */
static void put_excerpt(Buffer *out, const char *start, const char *end,
                        int column) {
  const char *at = start + (column > 0 ? column - 1 : 0);
  if (at > end) at = end;
  const char *from = at - start > WIDEST ? at - WIDEST / 2 : start;
  const char *to = end - from > 2 * WIDEST ? from + 2 * WIDEST : end;
  if (from > start) ir_put_text(out, "...");
  put_source(out, from, to);
  put_line(out, to < end ? "..." : "");
  if (column <= 0) return;
  if (from > start) ir_put_text(out, "   ");
  put_caret(out, from, at);
}

char *ir_error_text(const Diagnostic *error, const char *text, size_t length) {
  Buffer out = {0};
  Place place = error->place;
  if (place.file) {
    ir_put_text(&out, place.file);
    if (place.line > 0) {
      ir_put_text(&out, ":");
      ir_put_int(&out, place.line);
    }
    if (place.line > 0 && place.column > 0) {
      ir_put_text(&out, ":");
      ir_put_int(&out, place.column);
    }
    ir_put_text(&out, ": ");
  }
  ir_put_text(&out, "error: ");
  put_line(&out, error->message ? error->message : "out of memory");
  const char *start, *end;
  if (text && place.line > 0 &&
      find_line(text, length, place.line, &start, &end))
    put_excerpt(&out, start, end, place.column);
  if (error->detail && *error->detail) {
    ir_put_text(&out, error->detail);
    if (error->detail[strlen(error->detail) - 1] != '\n') ir_put(&out, "\n", 1);
  }
  return ir_buffer_take(&out);
}
