/* parse_body.c: the bodies of loops, branches and kernels: their parameters,
 * from what the node binds, their nodes, their yield. */
#include <inttypes.h>
#include <string.h>

#include "text.h"

static IntList xs_dims(const Parser *p, const NodeDraft *draft) {
  for (size_t i = draft->attrs; i < p->attrs.used; i++) {
    const Attr *attr = &IR_AT(p, attrs, Attr, i);
    if (attr->key == ATTR_xs_dims) return attr->ints;
  }
  return (IntList){0};
}

/* The type of one step's x: without the step dim. */
static bool slice_type(Parser *p, Binding binding, int64_t dim, Type *type) {
  Type whole = binding.value->type;
  if (dim < 0) dim += whole.rank;
  if (dim < 0 || dim >= whole.rank)
    return ir_parse_error(
        p, binding.param.place,
        "%s is a slice of %s, which has no dim %" PRId64 " to step along",
        ir_show_token(binding.param).text, ir_type_text(p->draft, whole).text,
        dim < 0 ? dim - whole.rank : dim);
  int64_t *dims = ir_alloc(p->draft, (size_t)whole.rank * sizeof *dims);
  if (dims == NULL) return false;
  for (int d = 0, k = 0; d < whole.rank; d++)
    if (d != dim) dims[k++] = whole.dims[d];
  *type = whole;
  type->rank--;
  type->dims = dims;
  return true;
}

static bool add_param(Parser *p, NodeDraft *draft, int b, Binding binding,
                      Type type) {
  char *name = ir_value_name(p, binding.param);
  Value *param = ir_block_param(draft->bodies[b], type, name);
  if (param == NULL) return false;
  ir_scope_define(p, binding.param, param);
  if (b > 0) return !ir_failed(p);
  draft->n_carries += !binding.is_xs;
  return ir_push_value(p, binding.value);
}

/* Of body b: carries first, then xs, in whichever order they were written. */
static bool add_params(Parser *p, NodeDraft *draft, int b) {
  size_t end = p->bindings.used;
  int64_t n_xs = 0;
  for (size_t i = draft->bindings; i < end; i++) {
    Binding binding = IR_AT(p, bindings, Binding, i);
    n_xs += binding.is_xs;
    if (binding.is_xs) continue;
    if (!add_param(p, draft, b, binding, binding.value->type)) return false;
  }
  IntList dims = xs_dims(p, draft);
  if (dims.n && dims.n != n_xs)
    return ir_parse_error(p, draft->place,
                          "xs_dims has %d dim%s for %" PRId64 " xs", dims.n,
                          dims.n == 1 ? "" : "s", n_xs);
  for (size_t i = draft->bindings, x = 0; i < end; i++) {
    Binding binding = IR_AT(p, bindings, Binding, i);
    Type type;
    if (!binding.is_xs) continue;
    if (!slice_type(p, binding, dims.n ? dims.v[x++] : 0, &type) ||
        !add_param(p, draft, b, binding, type))
      return false;
  }
  return !ir_failed(p);
}

static bool parse_loop_yields(Parser *p, Op op, Place place, int n_carries) {
  size_t mark = p->values.used;
  bool more = true;
  if (ir_is_name(p->cursor.token, "carry")) {
    ir_lex_next(p);
    if (!ir_expect(p, '(', "after carry") || !ir_parse_values(p) ||
        !ir_expect(p, ')', "after the next carries"))
      return false;
    more = ir_accept(p, ',');
    if (more && !ir_is_name(p->cursor.token, "ys"))
      return ir_parse_error(p, p->cursor.token.place,
                            "expected ys(...), found %s",
                            ir_show_token(p->cursor.token).text);
  }
  if (p->cursor.token.kind == TOKEN_VALUE)
    return ir_parse_error(p, p->cursor.token.place,
                          "expected carry(...) or ys(...), found %s",
                          ir_show_token(p->cursor.token).text);
  size_t carries = p->values.used - mark;
  if (carries != (size_t)n_carries)
    return ir_parse_error(p, place, "has %d carr%s, but its body yields %zu",
                          n_carries, n_carries == 1 ? "y" : "ies", carries);
  if (!more || !ir_is_name(p->cursor.token, "ys")) return true;
  if (op == OP_while)
    return ir_parse_error(p, p->cursor.token.place,
                          "has no ys: they are a scan's");
  ir_lex_next(p);
  return ir_expect(p, '(', "after ys") && ir_parse_values(p) &&
         ir_expect(p, ')', "after the ys");
}

static bool parse_word(Parser *p, const NodeDraft *draft, int b) {
  const char *word = ir_body_word(draft->op, b);
  Token token = p->cursor.token;
  if (word == NULL) return true;
  if (!ir_is_name(token, word))
    return ir_parse_error(p, token.place, "expected `%s {`, found %s", word,
                          ir_show_token(token).text);
  ir_lex_next(p);
  return true;
}

static bool parse_inside(Parser *p, const NodeDraft *draft, int b) {
  Block *block = draft->bodies[b];
  if (!ir_expect(p, '{', "before the body") ||
      !ir_parse_nodes(p, block, "yield"))
    return false;
  Place place = p->cursor.token.place;
  size_t mark = p->values.used;
  ir_lex_next(p);
  p->op = ir_ops[draft->op].name;
  if (draft->op == OP_scan || (draft->op == OP_while && b == WHILE_STEP)) {
    if (!parse_loop_yields(p, draft->op, place, draft->n_carries)) return false;
  } else if (!ir_is_mark(p->cursor.token, '}') && !ir_parse_values(p)) {
    return false;
  }
  if (!ir_expect(p, '}', "after the yield")) return false;
  size_t n = p->values.used - mark;
  ir_block_yield(block, n ? &IR_AT(p, values, Value *, mark) : NULL, (int)n);
  p->values.used = mark;
  return !ir_failed(p);
}

static bool parse_body(Parser *p, NodeDraft *draft, int b) {
  size_t mark = p->visible.used;
  draft->bodies[b] = ir_block_begin(draft->block);
  bool read = draft->bodies[b] && parse_word(p, draft, b) &&
              add_params(p, draft, b) && parse_inside(p, draft, b);
  ir_scope_leave(p, mark);
  return read;
}

bool ir_parse_bodies(Parser *p, NodeDraft *draft) {
  OpClass class = ir_ops[draft->op].class;
  int n = draft->op == OP_while || draft->op == OP_cond ? 2 : 1;
  if (class != CONTROL && class != WRAPPER) return true;
  if (draft->block->depth + 1 >= IR_MAX_NESTING)
    return ir_parse_error(
        p, draft->place, "bodies are nested more than %d deep", IR_MAX_NESTING);
  for (int b = 0; b < n; b++)
    if (!parse_body(p, draft, b)) return false;
  return true;
}
