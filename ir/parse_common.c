/* parse_common.c: what all of the parser stands on: errors with their context,
 * expected tokens, stacks that grow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

ShownText ir_show(const char *text, size_t length) {
  ShownText shown = {""};
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (used > sizeof shown.text - 8) {
      memcpy(shown.text + used, "...", 4);
      return shown;
    }
    if (c >= ' ' && c < 0x7f)
      shown.text[used++] = (char)c;
    else
      used += (size_t)snprintf(shown.text + used, 5, "\\x%02x", c);
  }
  shown.text[used] = '\0';
  return shown;
}

ShownText ir_show_token(Token token) {
  ShownText shown = {"the end of the file"};
  if (token.kind == TOKEN_END) return shown;
  /* The sign of a value and the opening quote stand before the text. */
  bool sign = token.kind == TOKEN_VALUE || token.kind == TOKEN_STRING;
  bool quote = token.kind == TOKEN_STRING;
  return ir_show(token.text - sign, token.length + sign + quote);
}

bool ir_parse_error(Parser *p, Place place, const char *format, ...) {
  if (ir_failed(p)) return false;
  char message[512];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  return ir_error(p->draft, place, "%s%s%s%s%s", p->op ? p->op : "",
                  p->op ? ": " : "", p->attr ? p->attr : "",
                  p->attr ? ": " : "", message);
}

bool ir_failed(Parser *p) { return p->draft->error.failed; }

bool ir_is_mark(Token token, char mark) {
  return token.kind == TOKEN_MARK && *token.text == mark;
}

bool ir_is_name(Token token, const char *name) {
  return token.kind == TOKEN_NAME && strlen(name) == token.length &&
         memcmp(name, token.text, token.length) == 0;
}

bool ir_accept(Parser *p, char mark) {
  if (!ir_is_mark(p->cursor.token, mark)) return false;
  ir_lex_next(p);
  return true;
}

bool ir_expect(Parser *p, char mark, const char *where) {
  if (ir_accept(p, mark)) return !ir_failed(p);
  return ir_parse_error(p, p->cursor.token.place, "expected %c %s, found %s",
                        mark, where, ir_show_token(p->cursor.token).text);
}

ShownText ir_did_you_mean(Token word, const char *const *candidates, int n) {
  ShownText shown = {""};
  const char *closest = ir_closest(word.text, word.length, candidates, n);
  if (closest)
    snprintf(shown.text, sizeof shown.text, "; did you mean %s?", closest);
  return shown;
}

void *ir_push(Parser *p, Stack *stack, size_t count, size_t size) {
  if (stack->room - stack->used < count) {
    size_t room = stack->room ? stack->room * 2 : 16;
    while (room - stack->used < count) room *= 2;
    void *items = realloc(stack->items, room * size);
    if (items == NULL) {
      ir_out_of_memory(p->draft);
      p->draft->error.out_of_memory = true;
      return NULL;
    }
    stack->items = items;
    stack->room = room;
  }
  void *top = (char *)stack->items + stack->used * size;
  stack->used += count;
  return top;
}
