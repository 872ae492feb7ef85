/* print.c: a program as text, which ir_parse reads back.
 *
 * Comes in: a program at any stage, finished.  Goes out: its canonical text:
 * print(parse(print(p))) == print(p), byte for byte. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

typedef struct Printer {
  const Program *program;
  Buffer out;
  Name *names;
  bool places;
} Printer;

static const char *const stage_names[] = {"named", "batched", "kernels"};

static void put(Printer *printer, const char *text) {
  ir_put_text(&printer->out, text);
}

static void put_value(Printer *printer, const Value *value) {
  put(printer, "%");
  ir_put_name(&printer->out, printer->names[value->id]);
}

static void put_values(Printer *printer, Value *const *values, int n) {
  for (int i = 0; i < n; i++) {
    if (i) put(printer, ", ");
    put_value(printer, values[i]);
  }
}

static void put_indent(Printer *printer, int depth) {
  for (int i = 0; i < depth; i++) put(printer, "  ");
}

/* A comment ends with the line, so what would end it is not printed. */
static void put_place(Printer *printer, Place place) {
  if (!printer->places || place.line == 0) return;
  put(printer, "  # ");
  for (const char *c = place.file ? place.file : ""; *c; c++)
    ir_put(&printer->out, (unsigned char)*c < ' ' ? "?" : c, 1);
  put(printer, ":");
  ir_put_int(&printer->out, place.line);
}

/* -- attributes -------------------------------------------------------- */

static void put_ints(Printer *printer, IntList list) {
  put(printer, "[");
  for (int i = 0; i < list.n; i++) {
    if (i) put(printer, ",");
    ir_put_int(&printer->out, list.v[i]);
  }
  put(printer, "]");
}

static void put_axes(Printer *printer, IntList list) {
  if (list.n != 1) put(printer, "[");
  for (int i = 0; i < list.n; i++) {
    if (i) put(printer, ",");
    put(printer, printer->program->axes[list.v[i]].name);
  }
  if (list.n != 1) put(printer, "]");
}

static void put_place_number(Printer *printer, int64_t place) {
  static const char *const words[] = {"result", "ys", "carry"};
  if (place < 0)
    put(printer, words[-1 - place]);
  else
    ir_put_int(&printer->out, place);
}

static void put_lists(Printer *printer, IntLists lists, AttrKind kind) {
  put(printer, "[");
  for (int i = 0; i < lists.n; i++) {
    if (i) put(printer, ",");
    if (kind == LISTS) {
      put_ints(printer, lists.v[i]);
      continue;
    }
    if (lists.v[i].n != 1) put(printer, "[");
    for (int k = 0; k < lists.v[i].n; k++) {
      if (k) put(printer, ",");
      put_place_number(printer, lists.v[i].v[k]);
    }
    if (lists.v[i].n != 1) put(printer, "]");
  }
  put(printer, "]");
}

static void put_attr(Printer *printer, const Attr *attr) {
  AttrKind kind = ir_attr_kind(attr->key);
  put(printer, ir_attr_name(attr->key));
  put(printer, "=");
  switch (kind) {
    case INT:
      ir_put_int(&printer->out, attr->i);
      break;
    case NUMBER:
      ir_put_number(&printer->out, DT_F64, (Scalar){.f = attr->f});
      break;
    case BOOL:
      put(printer, attr->i ? "true" : "false");
      break;
    case WORD:
      put(printer, ir_words[attr->i]);
      break;
    case STRING:
      put(printer, "\"");
      put(printer, attr->s);
      put(printer, "\"");
      break;
    case DTYPE:
      put(printer, ir_dtype_name((DType)attr->i));
      break;
    case INTS:
      put_ints(printer, attr->ints);
      break;
    case AXES:
      put_axes(printer, attr->ints);
      break;
    case LISTS:
    case PLACES:
      put_lists(printer, attr->lists, kind);
      break;
  }
}

/* -- literals ---------------------------------------------------------- */

static void put_element(Printer *printer, const Node *node, int64_t position) {
  ir_put_number(&printer->out, node->results[0]->type.dtype,
                ir_literal_at(node, position));
}

/* All elements the same, any NaN being equal to any other? */
static bool is_uniform(const Node *node) {
  Type type = node->results[0]->type;
  if (node->splat) return true;
  size_t width = ir_dtype_bytes(type.dtype);
  const char *data = node->literal;
  bool is_float = ir_is_float(type.dtype);
  Scalar first = ir_literal_at(node, 0);
  int64_t n = ir_type_elements(type);
  for (int64_t i = 1; i < n; i++) {
    if (memcmp(data, data + (size_t)i * width, width) == 0) continue;
    if (!is_float || first.f == first.f) return false;
    Scalar element = ir_literal_at(node, i);
    if (element.f == element.f) return false;
  }
  return true;
}

/* One element a turn; brackets open and close where its index in the last
 * dims is all 0 or at its end. */
static void put_literal(Printer *printer, const Node *node) {
  Type type = node->results[0]->type;
  int64_t n = ir_type_elements(type);
  if (n == 0 && !node->splat) {
    put(printer, type.dtype == DT_BOOL ? "false" : "0");
    return;
  }
  if (is_uniform(node)) {
    put_element(printer, node, 0);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    if (i) put(printer, ",");
    int64_t span = 1;
    for (int d = type.rank - 1; d >= 0; d--) {
      span *= type.dims[d];
      if (i % span == 0) put(printer, "[");
    }
    put_element(printer, node, i);
    span = 1;
    for (int d = type.rank - 1; d >= 0; d--) {
      span *= type.dims[d];
      if ((i + 1) % span == 0) put(printer, "]");
    }
  }
}

/* -- nodes ------------------------------------------------------------- */

static void put_comma(Printer *printer, int *items) {
  put(printer, (*items)++ ? ", " : " ");
}

static void put_binding(Printer *printer, const char *word,
                        Value *const *params, Value *const *values, int n,
                        int *items) {
  if (n == 0) return;
  put_comma(printer, items);
  put(printer, word);
  put(printer, "(");
  for (int i = 0; i < n; i++) {
    if (i) put(printer, ", ");
    put_value(printer, params[i]);
    put(printer, " = ");
    put_value(printer, values[i]);
  }
  put(printer, ")");
}

/* Operands, attributes; of a scan its bindings stand before its places. */
static void put_items(Printer *printer, const Node *node) {
  int items = 0, attr = 0;
  if (ir_ops[node->op].flags & LITERAL) {
    put_comma(printer, &items);
    put_literal(printer, node);
  }
  bool binds = node->op == OP_scan || node->op == OP_while;
  for (int i = 0; i < node->n_operands && !binds; i++) {
    put_comma(printer, &items);
    put_value(printer, node->operands[i]);
  }
  for (; attr < node->n_attrs && node->attrs[attr].key != ATTR_at; attr++) {
    put_comma(printer, &items);
    put_attr(printer, &node->attrs[attr]);
  }
  if (binds && node->n_operands > 0) {
    int carries = node->n_carries;
    put_binding(printer, "carry", node->body->params, node->operands, carries,
                &items);
    put_binding(printer, "xs", node->body->params + carries,
                node->operands + carries, node->n_operands - carries, &items);
  }
  for (; attr < node->n_attrs; attr++) {
    put_comma(printer, &items);
    put_attr(printer, &node->attrs[attr]);
  }
}

const char *ir_body_word(Op op, int b) {
  static const char *const words[OP_COUNT][IR_BODIES] = {
      [OP_while] = {"cond", "do"}, [OP_cond] = {"then", "else"}};
  return words[op][b];
}

static void put_yield(Printer *printer, const Block *body) {
  const Node *owner = body->owner;
  put(printer, body->n_yields ? "yield " : "yield");
  bool loops = owner->op == OP_scan ||
               (owner->op == OP_while && body == owner->bodies[WHILE_STEP]);
  if (!loops) {
    put_values(printer, body->yields, body->n_yields);
    return;
  }
  int carries = owner->n_carries, ys = body->n_yields - carries;
  if (carries) {
    put(printer, "carry(");
    put_values(printer, body->yields, carries);
    put(printer, ")");
  }
  if (carries && ys > 0) put(printer, ", ");
  if (ys > 0) {
    put(printer, "ys(");
    put_values(printer, body->yields + carries, ys);
    put(printer, ")");
  }
}

static void put_nodes(Printer *printer, const Block *block);

static void put_body(Printer *printer, const Node *node, int b) {
  const Block *body = node->bodies[b];
  const char *word = ir_body_word(node->op, b);
  if (word) put(printer, " ");
  if (word) put(printer, word);
  put(printer, " {");
  if (b == 0) put_place(printer, node->place);
  put(printer, "\n");
  put_nodes(printer, body);
  put_indent(printer, body->depth + 1);
  put_yield(printer, body);
  put(printer, "\n");
  put_indent(printer, body->depth);
  put(printer, "}");
}

static void put_node(Printer *printer, const Node *node) {
  put_indent(printer, node->block->depth + 1);
  put_values(printer, node->results, node->n_results);
  if (node->n_results) put(printer, " = ");
  put(printer, ir_ops[node->op].name);
  put_items(printer, node);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    put_body(printer, node, b);
  for (int i = 0; i < node->n_results; i++) {
    put(printer, i ? ", " : " : ");
    ir_put_type(&printer->out, printer->program, node->results[i]->type);
  }
  if (node->body == NULL) put_place(printer, node->place);
  put(printer, "\n");
}

static void put_nodes(Printer *printer, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) put_node(printer, block->nodes[i]);
}

/* -- programs ---------------------------------------------------------- */

static void put_header(Printer *printer) {
  const Program *program = printer->program;
  if (program->stage != NAMED) {
    put(printer, "stage ");
    put(printer, stage_names[program->stage]);
    put(printer, "\n");
    return;
  }
  for (int a = 0; a < program->n_axes; a++) {
    put(printer, "axis ");
    put(printer, program->axes[a].name);
    put(printer, " = ");
    ir_put_int(&printer->out, program->axes[a].size);
    put(printer, "\n");
  }
  if (program->n_axes) put(printer, "\n");
}

static void put_signature(Printer *printer) {
  const Block *body = printer->program->body;
  put(printer, "program @");
  put(printer, printer->program->name);
  put(printer, "(");
  for (int i = 0; i < body->n_params; i++) {
    if (i) put(printer, ", ");
    put_value(printer, body->params[i]);
    put(printer, ": ");
    ir_put_type(&printer->out, printer->program, body->params[i]->type);
  }
  put(printer, ") {\n");
}

static void put_results(Printer *printer) {
  const Block *body = printer->program->body;
  const char **names = printer->program->result_names;
  put(printer, "  return");
  for (int i = 0; i < body->n_yields; i++) {
    put(printer, i ? ", " : " ");
    size_t start = printer->out.length + 1;
    put_value(printer, body->yields[i]);
    if (names == NULL || names[i] == NULL || printer->out.failed) continue;
    size_t length = printer->out.length - start;
    if (strlen(names[i]) == length &&
        memcmp(names[i], printer->out.text + start, length) == 0)
      continue;
    put(printer, " as ");
    put(printer, names[i]);
  }
  put(printer, "\n}\n");
}

char *ir_print(const Program *program, unsigned flags) {
  Printer printer = {.program = program,
                     .names = ir_names(program),
                     .places = flags & PRINT_PLACES};
  if (printer.names == NULL) return NULL;
  LocaleGuard guard = ir_locale_enter();
  put_header(&printer);
  put_signature(&printer);
  put_nodes(&printer, program->body);
  put_results(&printer);
  ir_locale_leave(guard);
  free(printer.names);
  return ir_buffer_take(&printer.out);
}
