/* parse_literal.c: the literal of a constant, and the type behind it.
 *
 * The type says how the elements are stored, and it stands last: the literal
 * is passed over once for the type, then read.  Memory is bounded by what a
 * literal may have, not by what the file has. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { MOST_ELEMENTS = 65536 };

typedef struct Reader {
  Parser *p;
  Type type;
  char *data;
  size_t width;
  int64_t n;                 /* elements read */
  bool uniform;              /* so far */
  uint64_t first;            /* its bits */
  int depth;                 /* of open brackets */
  int64_t seen[IR_MAX_RANK]; /* items in each */
} Reader;

/* -- one element ------------------------------------------------------- */

static const char *const words[] = {"true", "false", "inf", "nan"};

static bool cannot_hold(Reader *r, Token token, bool minus, const char *why) {
  bool name = token.kind == TOKEN_NAME && ir_is_float(r->type.dtype);
  return ir_parse_error(r->p, token.place, "%s%s is %s %s%s", minus ? "-" : "",
                        ir_show_token(token).text, why,
                        ir_dtype_name(r->type.dtype),
                        ir_did_you_mean(token, words + 2, name ? 2 : 0).text);
}

static bool read_bool(Reader *r, Token token, bool minus, Scalar *value) {
  value->u = ir_is_name(token, "true");
  if (!minus && (value->u || ir_is_name(token, "false"))) return true;
  return ir_parse_error(r->p, token.place,
                        "expected true or false for a bool, found %s%s%s",
                        minus ? "-" : "", ir_show_token(token).text,
                        ir_did_you_mean(token, words, minus ? 0 : 2).text);
}

static bool read_integer(Reader *r, Token token, bool minus, Scalar *value) {
  DType dtype = r->type.dtype;
  if (token.kind != TOKEN_INT)
    return cannot_hold(r, token, minus, "no value of");
  uint64_t sum = 0;
  bool fits = true;
  for (size_t i = 0; i < token.length && fits; i++)
    fits = !__builtin_mul_overflow(sum, 10, &sum) &&
           !__builtin_add_overflow(sum, (uint64_t)(token.text[i] - '0'), &sum);
  int bits = 8 * (int)ir_dtype_bytes(dtype);
  uint64_t most = UINT64_MAX >> (64 - bits);
  if (ir_is_signed(dtype)) most = minus ? most / 2 + 1 : most / 2;
  if (!ir_is_signed(dtype) && minus) most = 0;
  if (!fits || sum > most)
    return cannot_hold(r, token, minus, "out of range for");
  value->u = minus ? -sum : sum;
  return true;
}

static bool read_float(Reader *r, Token token, bool minus, Scalar *value) {
  if (ir_is_name(token, "inf")) {
    value->f = (double)INFINITY;
  } else if (ir_is_name(token, "nan") && !minus) {
    value->f = (double)NAN;
    return true;
  } else if (token.kind == TOKEN_INT || token.kind == TOKEN_FLOAT) {
    char few[64];
    char *text = few;
    if (token.length < sizeof few) {
      memcpy(few, token.text, token.length);
      few[token.length] = '\0';
    } else {
      text = ir_format(r->p->draft, "%.*s", (int)token.length, token.text);
    }
    if (text == NULL) return false;
    value->f = ir_read_float(r->type.dtype, text);
  } else {
    return cannot_hold(r, token, minus, "no value of");
  }
  if (minus) value->f = -value->f;
  return true;
}

/* A declared size stands for its digits. */
static Token size_as_number(Parser *p, Token token, char digits[24],
                            bool *minus) {
  int64_t size;
  if (token.kind != TOKEN_NAME || !ir_size_find(p, token, &size)) return token;
  for (int i = 0; i < 4; i++)
    if (ir_is_name(token, words[i])) return token;
  uint64_t magnitude = size < 0 ? -(uint64_t)size : (uint64_t)size;
  *minus = size < 0;
  token.length = (size_t)snprintf(digits, 24, "%" PRIu64, magnitude);
  token.kind = TOKEN_INT;
  token.text = digits;
  return token;
}

static bool read_scalar(Reader *r, Scalar *value) {
  Parser *p = r->p;
  char digits[24];
  bool minus = ir_accept(p, '-');
  Token token = p->cursor.token;
  if (!minus) token = size_as_number(p, token, digits, &minus);
  DType dtype = r->type.dtype;
  bool read = dtype == DT_BOOL     ? read_bool(r, token, minus, value)
              : ir_is_float(dtype) ? read_float(r, token, minus, value)
                                   : read_integer(r, token, minus, value);
  if (read) ir_lex_next(p);
  return read && !ir_failed(p);
}

static bool read_element(Reader *r) {
  Place place = r->p->cursor.token.place;
  Scalar value = {.u = 0};
  uint64_t bits = 0;
  if (!read_scalar(r, &value)) return false;
  ir_scalar_store(r->type.dtype, &bits, value);
  if (r->n == 0) r->first = bits;
  r->uniform &= bits == r->first;
  if (r->n >= MOST_ELEMENTS && !r->uniform)
    return ir_parse_error(r->p, place,
                          "a literal has at most %d elements, unless they are "
                          "all the same; make it an input",
                          MOST_ELEMENTS);
  if (r->n < MOST_ELEMENTS && r->n < ir_type_elements(r->type))
    memcpy(r->data + (size_t)r->n * r->width, &bits, r->width);
  r->n++;
  return true;
}

/* -- lists ------------------------------------------------------------- */

static bool wrong_depth(Reader *r, Place place) {
  return ir_parse_error(r->p, place,
                        "the literal's brackets do not fit %s, which has %d "
                        "dim%s",
                        ir_type_text(r->p->draft, r->type).text, r->type.rank,
                        r->type.rank == 1 ? "" : "s");
}

/* An item has ended: close the brackets that end here. */
static bool close_lists(Reader *r) {
  Parser *p = r->p;
  while (r->depth > 0) {
    r->seen[r->depth - 1]++;
    if (ir_accept(p, ',')) return true;
    Place place = p->cursor.token.place;
    if (!ir_expect(p, ']', "in a list of literals")) return false;
    r->depth--;
    int64_t seen = r->seen[r->depth], size = r->type.dims[r->depth];
    if (seen != size)
      return ir_parse_error(p, place,
                            "the literal has %" PRId64
                            " element%s along dim "
                            "%d, %s has %" PRId64,
                            seen, seen == 1 ? "" : "s", r->depth,
                            ir_type_text(p->draft, r->type).text, size);
  }
  return true;
}

static bool read_lists(Reader *r) {
  Parser *p = r->p;
  do {
    Place place = p->cursor.token.place;
    if (!ir_accept(p, '[')) {
      if (r->depth != r->type.rank) return wrong_depth(r, place);
      if (!read_element(r) || !close_lists(r)) return false;
      continue;
    }
    if (r->depth == r->type.rank) return wrong_depth(r, place);
    r->seen[r->depth++] = 0;
    if (!ir_is_mark(p->cursor.token, ']')) continue;
    /* An empty list: as if an item before it had ended, not counted. */
    r->seen[r->depth - 1] = -1;
    if (!close_lists(r)) return false;
  } while (r->depth > 0);
  return true;
}

/* -- the constant ------------------------------------------------------ */

/* Go past the literal without reading it. */
static bool skip_literal(Parser *p) {
  Place start = p->cursor.token.place;
  Token token;
  int depth = 0;
  do {
    token = p->cursor.token;
    if (ir_is_mark(token, '[')) depth++;
    if (ir_is_mark(token, ']')) depth--;
    if (depth > IR_MAX_RANK)
      return ir_parse_error(p, token.place,
                            "brackets are nested more than %d "
                            "deep",
                            IR_MAX_RANK);
    bool part = token.kind == TOKEN_NAME || token.kind == TOKEN_INT ||
                token.kind == TOKEN_FLOAT || ir_is_mark(token, '[') ||
                ir_is_mark(token, ']') || ir_is_mark(token, ',') ||
                ir_is_mark(token, '-');
    if (!part || depth < 0) {
      if (depth > 0 && token.kind == TOKEN_END)
        return ir_parse_error(p, start, "the list is not closed");
      return ir_parse_error(p, token.place, "expected a literal, found %s",
                            ir_show_token(token).text);
    }
    ir_lex_next(p);
  } while (depth > 0 || ir_is_mark(token, '-'));
  return !ir_failed(p);
}

static bool read_literal(Parser *p, Type type, ReadLiteral *literal) {
  Reader r = {.p = p, .type = type, .uniform = true};
  int64_t n = ir_type_elements(type);
  bool splat = !ir_is_mark(p->cursor.token, '[');
  if (n > MOST_ELEMENTS) n = MOST_ELEMENTS;
  r.width = ir_dtype_bytes(type.dtype);
  r.data = ir_alloc(p->draft, (size_t)(n > 1 && !splat ? n : 1) * r.width);
  if (r.data == NULL) return false;
  if (splat) {
    if (!read_element(&r)) return false;
    memcpy(r.data, &r.first, r.width);
  } else if (!read_lists(&r)) {
    return false;
  }
  *literal = (ReadLiteral){r.data, r.uniform};
  return true;
}

bool ir_parse_constant(Parser *p, Place op, Written *type,
                       ReadLiteral *literal) {
  Cursor start = p->cursor;
  if (!skip_literal(p)) return false;
  if (!ir_accept(p, ':')) {
    TokenKind kind = p->cursor.token.kind;
    if (kind != TOKEN_NAME && kind != TOKEN_VALUE && kind != TOKEN_END)
      return ir_expect(p, ':', "after the literal");
    return ir_parse_error(p, op, "needs its result type to be written");
  }
  if (!ir_parse_type(p, type)) return false;
  Cursor end = p->cursor;
  p->cursor = start;
  if (!read_literal(p, type->type, literal)) return false;
  p->cursor = end;
  return true;
}
