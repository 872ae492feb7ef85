/* lex.c: the characters of a file as tokens.
 *
 * Comes in: the file's bytes, any bytes.  Goes out: one token at a time, with
 * its place; after the first error, TOKEN_END for ever.  Words and numbers are
 * ASCII; only comments and strings may hold other bytes. */
#include <limits.h>
#include <string.h>

#include "text.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c) { return is_digit(c) || is_letter(c); }

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Place place_at(const Parser *p, const Cursor *cursor, const char *at) {
  return (Place){p->file, cursor->line, (int)(at - cursor->line_start) + 1};
}

static void skip_space(const Parser *p, Cursor *cursor) {
  while (cursor->at < p->end) {
    char c = *cursor->at;
    if (c == '#') {
      const char *line_end =
          memchr(cursor->at, '\n', (size_t)(p->end - cursor->at));
      cursor->at = line_end ? line_end : p->end;
      continue;
    }
    if (!is_space(c)) return;
    cursor->at++;
    if (c == '\n') {
      cursor->line++;
      cursor->line_start = cursor->at;
    }
  }
}

static const char *skip_digits(const char *c, const char *end) {
  while (c < end && is_digit(*c)) c++;
  return c;
}

static const char *skip_word(const char *c, const char *end) {
  while (c < end && is_word(*c)) c++;
  return c;
}

/* Digits, a fraction, an exponent; what a letter follows is a word. */
static const char *lex_number(const char *start, const char *end,
                              TokenKind *kind) {
  const char *c = skip_digits(start, end);
  *kind = TOKEN_INT;
  if (c < end && *c == '.') {
    c = skip_digits(c + 1, end);
    *kind = TOKEN_FLOAT;
  }
  if (c < end && (*c == 'e' || *c == 'E')) {
    const char *exponent = c + 1;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) exponent++;
    const char *after = skip_digits(exponent, end);
    if (after > exponent) {
      c = after;
      *kind = TOKEN_FLOAT;
    }
  }
  if (c < end && is_letter(*c)) {
    *kind = TOKEN_WORD;
    c = skip_word(start, end);
  }
  return c;
}

static const char *lex_string(const char *c, const char *end) {
  while (c < end && *c != '"' && *c != '\n' && *c != '\r' && *c != '\0') c++;
  return c < end && *c == '"' ? c : NULL;
}

/* What is wrong with it; NULL: nothing. */
static const char *lex_one(const Parser *p, Cursor *cursor) {
  Token *token = &cursor->token;
  skip_space(p, cursor);
  const char *start = cursor->at, *c = start;
  *token = (Token){TOKEN_END, start, 0, place_at(p, cursor, start)};
  if (start == p->end) {
    if (cursor->last_end.line) token->place = cursor->last_end;
    return NULL;
  }
  if (is_letter(*c)) {
    token->kind = TOKEN_NAME;
    c = skip_word(c, p->end);
  } else if (is_digit(*c) || (*c == '.' && c + 1 < p->end && is_digit(c[1]))) {
    c = lex_number(c, p->end, &token->kind);
  } else if (*c == '%') {
    token->text = c + 1;
    c = skip_word(c + 1, p->end);
    if (c == token->text) return "a name must follow %";
    token->kind = TOKEN_VALUE;
  } else if (*c == '"') {
    token->text = c + 1;
    c = lex_string(c + 1, p->end);
    if (c == NULL) return "the string is not closed on its line";
    token->kind = TOKEN_STRING;
  } else if (memchr("=,:()[]{}+-*@", *c, 13)) {
    token->kind = TOKEN_MARK;
    c++;
  } else {
    token->length = 1;
    return "unexpected character ";
  }
  token->length = (size_t)(c - token->text);
  cursor->at = token->kind == TOKEN_STRING ? c + 1 : c;
  return NULL;
}

void ir_lex_next(Parser *p) {
  Cursor *cursor = &p->cursor;
  if (ir_failed(p)) {
    cursor->token.kind = TOKEN_END;
    return;
  }
  if (cursor->at > cursor->token.text)
    cursor->last_end = place_at(p, cursor, cursor->at);
  const char *wrong = lex_one(p, cursor);
  if (wrong == NULL) return;
  ir_parse_error(p, cursor->token.place, "%s%s", wrong,
                 ir_show(cursor->token.text, cursor->token.length).text);
  cursor->token.kind = TOKEN_END;
}

Token ir_lex_peek(const Parser *p) {
  Cursor ahead = p->cursor;
  if (lex_one(p, &ahead)) ahead.token.kind = TOKEN_END;
  return ahead.token;
}

/* A byte order mark at the start is passed over. */
void ir_lex_start(Parser *p, const char *text) {
  p->cursor.at = p->cursor.line_start = text;
  p->cursor.line = 1;
  if (p->end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    p->cursor.at += 3;
  p->cursor.token.text = p->cursor.at;
  ir_lex_next(p);
}
