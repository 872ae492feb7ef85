/* parse_node.c: nodes.
 *
 * A node's parts are read onto the parser's stacks, bodies first, and leave
 * them when ir_emit has made it.  What the user wrote of its types is kept for
 * ir_finish, which alone knows the axes. */
#include <string.h>

#include "text.h"

static const OpInfo *info_of(const NodeDraft *draft) {
  return &ir_ops[draft->op];
}

/* A name of digits only is no name. */
char *ir_value_name(Parser *p, Token token) {
  bool digits = true;
  for (size_t i = 0; i < token.length; i++)
    digits &= token.text[i] >= '0' && token.text[i] <= '9';
  if (digits) return NULL;
  char *name = ir_alloc(p->draft, token.length + 1);
  if (name) memcpy(name, token.text, token.length);
  return name;
}

bool ir_push_value(Parser *p, Value *value) {
  Value **top = value ? IR_PUSH(p, values, Value *) : NULL;
  if (top) *top = value;
  return top != NULL;
}

static bool parse_value(Parser *p) {
  Token token = p->cursor.token;
  if (token.kind != TOKEN_VALUE)
    return ir_parse_error(p, token.place, "expected a value (%%name), found %s",
                          ir_show_token(token).text);
  if (!ir_push_value(p, ir_scope_find(p, token))) return false;
  ir_lex_next(p);
  return true;
}

bool ir_parse_values(Parser *p) {
  do
    if (!parse_value(p)) return false;
  while (ir_accept(p, ','));
  return true;
}

/* -- NAMES = OP -------------------------------------------------------- */

static bool parse_result_names(Parser *p) {
  if (p->cursor.token.kind != TOKEN_VALUE) return true;
  do {
    Token token = p->cursor.token;
    if (token.kind != TOKEN_VALUE)
      return ir_parse_error(p, token.place,
                            "expected a value (%%name), found %s",
                            ir_show_token(token).text);
    if (!ir_scope_check(p, token)) return false;
    Token *top = IR_PUSH(p, tokens, Token);
    if (top == NULL) return false;
    *top = token;
    ir_lex_next(p);
  } while (ir_accept(p, ','));
  return ir_expect(p, '=', "after the names of results");
}

static bool not_a_value(Parser *p, Token token) {
  return ir_parse_error(p, token.place,
                        "a value is written with a percent sign: %%%s",
                        ir_show_token(token).text);
}

static bool parse_op(Parser *p, NodeDraft *draft) {
  Token token = p->cursor.token;
  draft->place = token.place;
  if (token.kind != TOKEN_NAME)
    return ir_parse_error(p, token.place,
                          "expected the name of an op, found %s",
                          ir_show_token(token).text);
  if (ir_op_find(token.text, token.length, &draft->op)) {
    p->op = info_of(draft)->name;
    ir_lex_next(p);
    return true;
  }
  Token next = ir_lex_peek(p);
  if (draft->results == p->tokens.used &&
      (ir_is_mark(next, '=') || ir_is_mark(next, ',')))
    return not_a_value(p, token);
  const char *names[OP_COUNT + 2] = {"yield", "return"};
  for (int op = 0; op < OP_COUNT; op++) names[op + 2] = ir_ops[op].name;
  return ir_parse_error(p, token.place, "no op is called %s%s",
                        ir_show_token(token).text,
                        ir_did_you_mean(token, names, OP_COUNT + 2).text);
}

/* -- items ------------------------------------------------------------- */

/* carry(%c = %init, ...) or xs(%x = %xs, ...) */
static bool parse_bindings(Parser *p, NodeDraft *draft) {
  Token word = p->cursor.token;
  bool is_xs = ir_is_name(word, "xs");
  bool loops = draft->op == OP_scan || (draft->op == OP_while && !is_xs);
  static const char *const words[] = {"carry", "xs"};
  if (!loops || (!is_xs && !ir_is_name(word, "carry")))
    return ir_parse_error(
        p, word.place, "takes no %s(...)%s", ir_show_token(word).text,
        ir_did_you_mean(word, words, draft->op == OP_scan ? 2 : loops).text);
  for (size_t i = draft->bindings; i < p->bindings.used; i++)
    if (IR_AT(p, bindings, Binding, i).is_xs == is_xs)
      return ir_parse_error(p, word.place, "%s(...) is given twice",
                            ir_show_token(word).text);
  ir_lex_next(p);
  ir_lex_next(p);
  do {
    Token param = p->cursor.token;
    if (param.kind != TOKEN_VALUE)
      return ir_parse_error(p, param.place,
                            "expected a value (%%name), found %s",
                            ir_show_token(param).text);
    if (!ir_scope_check(p, param)) return false;
    ir_lex_next(p);
    if (!ir_expect(p, '=', "after the name of a carry or x") || !parse_value(p))
      return false;
    Binding *top = IR_PUSH(p, bindings, Binding);
    if (top == NULL) return false;
    Value *value = IR_AT(p, values, Value *, --p->values.used);
    *top = (Binding){param, value, is_xs};
  } while (ir_accept(p, ','));
  return ir_expect(p, ')', "after the bindings");
}

static bool parse_item(Parser *p, NodeDraft *draft) {
  Token token = p->cursor.token;
  if (token.kind == TOKEN_VALUE) {
    if (draft->op == OP_scan || draft->op == OP_while)
      return ir_parse_error(p, token.place,
                            "takes its operands in carry(...)%s",
                            draft->op == OP_scan ? " and xs(...)" : "");
    return parse_value(p);
  }
  if (token.kind == TOKEN_NAME) {
    Token next = ir_lex_peek(p);
    if (ir_is_mark(next, '=')) return ir_parse_attr(p, draft->op, draft->attrs);
    if (ir_is_mark(next, '(')) return parse_bindings(p, draft);
    if (ir_scope_has(p, token)) return not_a_value(p, token);
  }
  return ir_parse_error(p, token.place,
                        "expected an operand (%%name) or an attribute "
                        "(name=...), found %s",
                        ir_show_token(token).text);
}

/* Or does the next node start here, or what else follows an op without
 * items? */
static bool starts_item(const Parser *p) {
  Token token = p->cursor.token;
  if (token.kind == TOKEN_END) return false;
  if (token.kind == TOKEN_MARK)
    return ir_is_mark(token, '-') || ir_is_mark(token, '[') ||
           ir_is_mark(token, '(');
  if (token.kind != TOKEN_VALUE && token.kind != TOKEN_NAME) return true;
  Token next = ir_lex_peek(p);
  bool equals = ir_is_mark(next, '=');
  if (token.kind == TOKEN_VALUE) return !equals;
  return equals || ir_is_mark(next, '(') || ir_scope_has(p, token);
}

/* After the last item: the next one, were it not for the comma. */
static bool check_comma(Parser *p) {
  Token token = p->cursor.token, next = ir_lex_peek(p);
  bool value = token.kind == TOKEN_VALUE && !ir_is_mark(next, '=') &&
               !ir_is_mark(next, ',');
  bool name = token.kind == TOKEN_NAME &&
              (ir_is_mark(next, '=') || ir_is_mark(next, '('));
  if (!value && !name) return true;
  return ir_parse_error(p, token.place, "a comma is missing before %s",
                        ir_show_token(token).text);
}

static bool parse_items(Parser *p, NodeDraft *draft) {
  if (info_of(draft)->flags & LITERAL) {
    Written *type = IR_PUSH(p, types, Written);
    Written written;
    if (type == NULL ||
        !ir_parse_constant(p, draft->place, &written, &draft->literal))
      return false;
    IR_AT(p, types, Written, p->types.used - 1) = written;
    return true;
  }
  if (!starts_item(p)) return true;
  do
    if (!parse_item(p, draft)) return false;
  while (ir_accept(p, ','));
  return check_comma(p);
}

/* -- making the node --------------------------------------------------- */

static bool parse_types(Parser *p) {
  if (!ir_accept(p, ':')) return true;
  do {
    Written written;
    if (!ir_parse_type(p, &written)) return false;
    Written *top = IR_PUSH(p, types, Written);
    if (top == NULL) return false;
    *top = written;
  } while (ir_accept(p, ','));
  return true;
}

/* Remember what was written of a value's type. */
static bool note_written(Parser *p, const Value *value, Written written) {
  while (p->written.used <= (size_t)value->id) {
    Written *top = IR_PUSH(p, written, Written);
    if (top == NULL) return false;
    *top = (Written){.type = {.dtype = DT_COUNT}};
  }
  IR_AT(p, written, Written, (size_t)value->id) = written;
  return true;
}

static bool name_results(Parser *p, const NodeDraft *draft, const Node *node) {
  size_t names = p->tokens.used - draft->results;
  size_t types = p->types.used - draft->types;
  size_t n = (size_t)node->n_results;
  const char *s = n == 1 ? "" : "s";
  if (names != n)
    return ir_parse_error(p, draft->place,
                          "has %zu result%s, but %zu name%s given", n, s, names,
                          names == 1 ? " is" : "s are");
  if (types && types != n)
    return ir_parse_error(p, draft->place,
                          "has %zu result%s, but %zu type%s written", n, s,
                          types, types == 1 ? " is" : "s are");
  bool typed = info_of(draft)->flags & TYPED;
  for (size_t i = 0; i < n; i++) {
    Token name = IR_AT(p, tokens, Token, draft->results + i);
    Value *value = node->results[i];
    value->name = ir_value_name(p, name);
    ir_scope_define(p, name, value);
    if (types == 0) continue;
    Written written = IR_AT(p, types, Written, draft->types + i);
    /* Only the types that say a shape may leave the braces to inference. */
    written.braces |= !typed;
    if (!note_written(p, value, written)) return false;
  }
  return !ir_failed(p);
}

static bool make_node(Parser *p, const NodeDraft *draft) {
  NodeSpec spec = {.op = draft->op,
                   .n_operands = (int)(p->values.used - draft->values),
                   .n_attrs = (int)(p->attrs.used - draft->attrs),
                   .literal = draft->literal.data,
                   .splat = draft->literal.splat,
                   .n_carries = draft->n_carries,
                   .place = draft->place};
  memcpy(spec.bodies, draft->bodies, sizeof spec.bodies);
  if (spec.n_operands)
    spec.operands = &IR_AT(p, values, Value *, draft->values);
  if (spec.n_attrs) spec.attrs = &IR_AT(p, attrs, Attr, draft->attrs);
  if (p->types.used > draft->types && (info_of(draft)->flags & TYPED))
    spec.type = &IR_AT(p, types, Written, draft->types).type;
  const Node *node = ir_emit(draft->block, &spec);
  return node && name_results(p, draft, node);
}

static bool parse_node(Parser *p, Block *block) {
  NodeDraft draft = {.block = block,
                     .results = p->tokens.used,
                     .values = p->values.used,
                     .attrs = p->attrs.used,
                     .bindings = p->bindings.used,
                     .types = p->types.used};
  bool made = parse_result_names(p) && parse_op(p, &draft) &&
              parse_items(p, &draft) && ir_parse_bodies(p, &draft) &&
              parse_types(p) && make_node(p, &draft);
  p->op = NULL;
  p->tokens.used = draft.results;
  p->values.used = draft.values;
  p->attrs.used = draft.attrs;
  p->bindings.used = draft.bindings;
  p->types.used = draft.types;
  return made && !ir_failed(p);
}

bool ir_parse_nodes(Parser *p, Block *block, const char *end) {
  p->op = NULL;
  for (;;) {
    Token token = p->cursor.token;
    if (ir_is_name(token, end)) return true;
    bool wrong_end = ir_is_name(token, "yield") || ir_is_name(token, "return");
    if (wrong_end || (token.kind != TOKEN_VALUE && token.kind != TOKEN_NAME))
      return ir_parse_error(p, token.place, "expected a node or %s, found %s",
                            end, ir_show_token(token).text);
    if (!parse_node(p, block)) return false;
  }
}
