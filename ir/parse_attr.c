/* parse_attr.c: the attributes of a node, NAME=ELEMENT.
 *
 * Which names an op takes is in its row of ops.def; how the element is read
 * depends on the attribute's kind alone, by the table at the end. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool read_int(Parser *p, Attr *attr) {
  return ir_parse_int(p, &attr->i);
}

/* A lone number is read as a float at once, so that -0 keeps its sign. */
static bool read_number(Parser *p, Attr *attr) {
  Token first = p->cursor.token, digits = first;
  bool bad = ir_is_name(first, "true") || ir_is_name(first, "false") ||
             first.kind == TOKEN_STRING || first.kind == TOKEN_VALUE;
  if (bad)
    return ir_parse_error(p, first.place, "expected a number, found %s",
                          ir_show_token(first).text);
  if (ir_is_mark(first, '-')) digits = ir_lex_peek(p);
  bool special = ir_is_name(digits, "inf") || ir_is_name(digits, "nan");
  if (special || digits.kind == TOKEN_FLOAT || digits.kind == TOKEN_INT) {
    Cursor start = p->cursor;
    if (ir_accept(p, '-')) special &= !ir_is_name(digits, "nan");
    ir_lex_next(p);
    Token next = p->cursor.token;
    bool alone = !ir_is_mark(next, '+') && !ir_is_mark(next, '-') &&
                 !ir_is_mark(next, '*');
    if (alone || digits.kind != TOKEN_INT) {
      char *text = ir_format(p->draft, "%.*s", (int)digits.length, digits.text);
      if (text == NULL) return false;
      attr->f = ir_read_float(DT_F64, text);
      if (ir_is_mark(first, '-')) attr->f = -attr->f;
      return true;
    }
    p->cursor = start;
  }
  int64_t value;
  if (!ir_parse_int(p, &value)) return false;
  attr->f = (double)value;
  return true;
}

static bool read_bool(Parser *p, Attr *attr) {
  Token token = p->cursor.token;
  attr->i = ir_is_name(token, "true");
  static const char *const words[] = {"true", "false"};
  if (!attr->i && !ir_is_name(token, "false"))
    return ir_parse_error(p, token.place, "expected true or false, found %s%s",
                          ir_show_token(token).text,
                          ir_did_you_mean(token, words, 2).text);
  ir_lex_next(p);
  return true;
}

/* The words of an attribute lie side by side in ir_words. */
static bool read_word(Parser *p, Attr *attr) {
  Word first = WORD_eq, last = WORD_ge;
  if (attr->key == ATTR_form) first = WORD_map, last = WORD_call;
  if (attr->key == ATTR_by) first = WORD_inline, last = WORD_blas;
  Token token = p->cursor.token;
  Buffer all = {0};
  for (int word = (int)first; word <= (int)last; word++) {
    if (ir_is_name(token, ir_words[word])) {
      attr->i = word;
      ir_lex_next(p);
      free(all.text);
      return true;
    }
    if (all.length) ir_put_text(&all, " ");
    ir_put_text(&all, ir_words[word]);
  }
  char *list = ir_buffer_take(&all);
  ir_parse_error(
      p, token.place, "%s is none of %s%s", ir_show_token(token).text,
      list ? list : "the words it takes",
      ir_did_you_mean(token, &ir_words[first], last - first + 1).text);
  free(list);
  return false;
}

static bool read_string(Parser *p, Attr *attr) {
  Token token = p->cursor.token;
  if (token.kind != TOKEN_STRING)
    return ir_parse_error(p, token.place, "expected \"text\", found %s",
                          ir_show_token(token).text);
  char *text = ir_alloc(p->draft, token.length + 1);
  if (text == NULL) return false;
  memcpy(text, token.text, token.length);
  attr->s = text;
  ir_lex_next(p);
  return true;
}

static bool read_dtype(Parser *p, Attr *attr) {
  DType dtype;
  if (!ir_parse_dtype(p, &dtype)) return false;
  attr->i = dtype;
  return true;
}

static bool read_ints(Parser *p, Attr *attr) {
  return ir_parse_int_list(p, &attr->ints);
}

/* One axis, or a list of them. */
static bool read_axes(Parser *p, Attr *attr) {
  int64_t axes[IR_MAX_AXES];
  int n = 0;
  bool list = ir_accept(p, '[');
  do {
    int axis;
    Place place = p->cursor.token.place;
    if (!ir_parse_axis(p, &axis)) return false;
    for (int i = 0; i < n; i++)
      if (axes[i] == axis)
        return ir_parse_error(p, place, "axis %s is given twice; %s",
                              p->draft->axes[axis].name,
                              ir_scope_text(p->draft));
    axes[n++] = axis;
  } while (list && ir_accept(p, ','));
  if (list && !ir_expect(p, ']', "at the end of the list")) return false;
  int64_t *copy = ir_alloc(p->draft, (size_t)n * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, axes, (size_t)n * sizeof *copy);
  attr->ints = (IntList){copy, n};
  return true;
}

static bool read_place(Parser *p, int64_t *place) {
  static const char *const words[] = {"result", "ys", "carry"};
  for (int i = 0; i < 3; i++)
    if (ir_is_name(p->cursor.token, words[i])) {
      *place = -1 - i;
      ir_lex_next(p);
      return true;
    }
  Token first = p->cursor.token;
  if (!ir_parse_int(p, place)) return false;
  if (*place >= 0) return true;
  return ir_parse_error(p, first.place, "a place in the arena is not negative");
}

/* One list of `lists`: of integers, or the places that a result takes in
 * turn, of which one alone needs no brackets. */
static bool read_inner_list(Parser *p, AttrKind kind, IntList *list) {
  if (kind == LISTS) return ir_parse_int_list(p, list);
  bool brackets = ir_accept(p, '[');
  size_t mark = p->ints.used;
  do {
    int64_t *top = IR_PUSH(p, ints, int64_t), place;
    if (top == NULL || !read_place(p, &place)) return false;
    IR_AT(p, ints, int64_t, p->ints.used - 1) = place;
  } while (brackets && ir_accept(p, ','));
  if (brackets && !ir_expect(p, ']', "at the end of the list")) return false;
  size_t n = p->ints.used - mark;
  int64_t *copy = ir_alloc(p->draft, n * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, &IR_AT(p, ints, int64_t, mark), n * sizeof *copy);
  p->ints.used = mark;
  *list = (IntList){copy, (int)n};
  return true;
}

static bool read_lists(Parser *p, Attr *attr) {
  if (!ir_expect(p, '[', "before a list")) return false;
  size_t mark = p->lists.used;
  bool more = !ir_is_mark(p->cursor.token, ']');
  while (more) {
    IntList list;
    if (!read_inner_list(p, ir_attr_kind(attr->key), &list)) return false;
    IntList *top = IR_PUSH(p, lists, IntList);
    if (top == NULL) return false;
    *top = list;
    more = ir_accept(p, ',');
  }
  if (!ir_expect(p, ']', "at the end of the list")) return false;
  size_t n = p->lists.used - mark;
  IntList *copy = ir_alloc(p->draft, n * sizeof *copy + 1);
  if (copy == NULL) return false;
  if (n) memcpy(copy, &IR_AT(p, lists, IntList, mark), n * sizeof *copy);
  p->lists.used = mark;
  attr->lists = (IntLists){copy, (int)n};
  return true;
}

static bool (*const readers[])(Parser *, Attr *) = {
    [INT] = read_int,      [NUMBER] = read_number, [BOOL] = read_bool,
    [WORD] = read_word,    [STRING] = read_string, [DTYPE] = read_dtype,
    [INTS] = read_ints,    [LISTS] = read_lists,   [AXES] = read_axes,
    [PLACES] = read_lists,
};

static bool unknown_attr(Parser *p, Op op, Token name) {
  const char *names[ATTR_COUNT];
  int n = 0;
  uint64_t allowed = ir_ops[op].required | ir_ops[op].optional;
  Buffer all = {0};
  for (int key = 0; key < ATTR_COUNT; key++) {
    if (!(allowed >> key & 1)) continue;
    if (n) ir_put_text(&all, " ");
    names[n++] = ir_attr_name((AttrKey)key);
    ir_put_text(&all, names[n - 1]);
  }
  char *list = n ? ir_buffer_take(&all) : NULL;
  ir_parse_error(p, name.place, "takes no %s%s (it takes %s)",
                 ir_show_token(name).text, ir_did_you_mean(name, names, n).text,
                 list ? list : "no attributes");
  free(list);
  return false;
}

bool ir_parse_attr(Parser *p, Op op, size_t first) {
  Token name = p->cursor.token;
  uint64_t allowed = ir_ops[op].required | ir_ops[op].optional;
  int key = 0;
  while (key < ATTR_COUNT && (!(allowed >> key & 1) ||
                              !ir_is_name(name, ir_attr_name((AttrKey)key))))
    key++;
  if (key == ATTR_COUNT) return unknown_attr(p, op, name);
  for (size_t i = first; i < p->attrs.used; i++)
    if (IR_AT(p, attrs, Attr, i).key == (AttrKey)key)
      return ir_parse_error(p, name.place, "%s is given twice",
                            ir_attr_name((AttrKey)key));
  ir_lex_next(p);
  ir_lex_next(p);
  Attr attr = {.key = (AttrKey)key};
  p->attr = ir_attr_name((AttrKey)key);
  bool read = readers[ir_attr_kind((AttrKey)key)](p, &attr);
  p->attr = NULL;
  Attr *top = read ? IR_PUSH(p, attrs, Attr) : NULL;
  if (top) *top = attr;
  return top != NULL;
}
