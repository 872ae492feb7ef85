/* parse_type.c: integers, axes, dtypes and types.
 *
 * Integers are sums of products of numbers and declared sizes; they are
 * reckoned in 128 bits and must fit 64. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

__extension__ typedef __int128 Wide;

static bool sum_too_large(Parser *p, Place place) {
  return ir_parse_error(p, place, "the number does not fit in 64 bits");
}

static bool parse_factor(Parser *p, Wide *value) {
  Token token = p->cursor.token;
  int64_t size;
  if (token.kind == TOKEN_NAME) {
    if (!ir_size_value(p, token, &size)) return false;
    *value = size;
    ir_lex_next(p);
    return true;
  }
  if (token.kind != TOKEN_INT)
    return ir_parse_error(p, token.place, "expected an integer, found %s",
                          ir_show_token(token).text);
  Wide sum = 0;
  for (size_t i = 0; i < token.length; i++) {
    sum = sum * 10 + (token.text[i] - '0');
    if (sum > (Wide)UINT64_MAX)
      return ir_parse_error(p, token.place, "%s does not fit in 64 bits",
                            ir_show_token(token).text);
  }
  *value = sum;
  ir_lex_next(p);
  return true;
}

static bool parse_term(Parser *p, Wide *value) {
  if (!parse_factor(p, value)) return false;
  while (ir_is_mark(p->cursor.token, '*')) {
    Wide factor;
    ir_lex_next(p);
    Place place = p->cursor.token.place;
    if (!parse_factor(p, &factor)) return false;
    if (__builtin_mul_overflow(*value, factor, value))
      return sum_too_large(p, place);
  }
  return true;
}

bool ir_parse_int(Parser *p, int64_t *value) {
  Token first = p->cursor.token;
  bool minus = ir_accept(p, '-');
  Wide sum = 0;
  for (;;) {
    Wide term;
    if (!parse_term(p, &term)) return false;
    if (minus ? __builtin_sub_overflow(sum, term, &sum)
              : __builtin_add_overflow(sum, term, &sum))
      return sum_too_large(p, first.place);
    minus = ir_is_mark(p->cursor.token, '-');
    if (!minus && !ir_is_mark(p->cursor.token, '+')) break;
    ir_lex_next(p);
  }
  if (sum < INT64_MIN || sum > INT64_MAX) return sum_too_large(p, first.place);
  *value = (int64_t)sum;
  return true;
}

/* [a,b,...] of integers, onto the stack and from there into the draft. */
bool ir_parse_int_list(Parser *p, IntList *list) {
  if (!ir_expect(p, '[', "before a list of integers")) return false;
  size_t mark = p->ints.used;
  bool more = !ir_is_mark(p->cursor.token, ']');
  while (more) {
    int64_t value;
    if (!ir_parse_int(p, &value)) return false;
    int64_t *top = IR_PUSH(p, ints, int64_t);
    if (top == NULL) return false;
    *top = value;
    more = ir_accept(p, ',');
  }
  if (!ir_expect(p, ']', "at the end of the list")) return false;
  size_t n = p->ints.used - mark;
  if (n > INT32_MAX / sizeof(int64_t))
    return ir_parse_error(p, p->cursor.token.place, "the list is too long");
  int64_t *copy = ir_alloc(p->draft, n * sizeof *copy + 1);
  if (copy == NULL) return false;
  if (n) memcpy(copy, &IR_AT(p, ints, int64_t, mark), n * sizeof *copy);
  p->ints.used = mark;
  *list = (IntList){copy, (int)n};
  return true;
}

/* -- axes -------------------------------------------------------------- */

static bool unknown_axis(Parser *p, Token name) {
  Program *draft = p->draft;
  const char *names[IR_MAX_AXES], *scope = ir_scope_text(draft);
  int64_t size;
  if (ir_size_find(p, name, &size))
    return ir_parse_error(p, name.place, "%s is a size, not an axis; %s",
                          ir_show_token(name).text, scope);
  if (draft->n_axes == 0)
    return ir_parse_error(p, name.place, "no axis is called %s: %s",
                          ir_show_token(name).text, scope);
  for (int a = 0; a < draft->n_axes; a++) names[a] = draft->axes[a].name;
  ShownText hint = ir_did_you_mean(name, names, draft->n_axes);
  return ir_parse_error(p, name.place, "no axis is called %s%s %s",
                        ir_show_token(name).text, *hint.text ? hint.text : ";",
                        scope);
}

bool ir_parse_axis(Parser *p, int *axis) {
  Token name = p->cursor.token;
  if (name.kind != TOKEN_NAME)
    return ir_parse_error(p, name.place,
                          "expected the name of an axis, found %s; %s",
                          ir_show_token(name).text, ir_scope_text(p->draft));
  for (int a = 0; a < p->draft->n_axes; a++)
    if (ir_is_name(name, p->draft->axes[a].name)) {
      *axis = a;
      ir_lex_next(p);
      return true;
    }
  return unknown_axis(p, name);
}

/* -- types ------------------------------------------------------------- */

bool ir_parse_dtype(Parser *p, DType *dtype) {
  Token name = p->cursor.token;
  if (name.kind != TOKEN_NAME)
    return ir_parse_error(p, name.place, "expected a dtype, found %s",
                          ir_show_token(name).text);
  if (ir_dtype_find(name.text, name.length, dtype)) {
    ir_lex_next(p);
    return true;
  }
  const char *names[DT_COUNT];
  for (int i = 0; i < DT_COUNT; i++) names[i] = ir_dtype_name((DType)i);
  return ir_parse_error(
      p, name.place,
      "no dtype is called %s%s (bool i8 i16 i32 i64 u8 u16 u32 "
      "u64 f16 bf16 f32 f64)",
      ir_show_token(name).text, ir_did_you_mean(name, names, DT_COUNT).text);
}

static bool parse_braces(Parser *p, Written *written) {
  written->braces = ir_accept(p, '{');
  if (!written->braces) return true;
  do {
    Place place = p->cursor.token.place;
    int axis;
    if (!ir_parse_axis(p, &axis)) return false;
    if (written->type.axes >> axis & 1)
      return ir_parse_error(p, place, "axis %s stands twice in the braces; %s",
                            p->draft->axes[axis].name, ir_scope_text(p->draft));
    written->type.axes |= UINT64_C(1) << axis;
  } while (ir_accept(p, ','));
  return ir_expect(p, '}', "after the axes of a type");
}

bool ir_parse_type(Parser *p, Written *written) {
  IntList dims;
  *written = (Written){.place = p->cursor.token.place};
  if (!ir_parse_dtype(p, &written->type.dtype) || !ir_parse_int_list(p, &dims))
    return false;
  written->type.rank = dims.n;
  written->type.dims = dims.v;
  if (!parse_braces(p, written)) return false;
  const char *what = p->op ? p->op : "the type";
  return infer_check_size(p->draft, written->place, what, written->type);
}
