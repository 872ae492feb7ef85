/* dot.c: a program as a picture for Graphviz.
 *
 * One box a node, one ellipse a parameter, an edge from each value to each use
 * of it; a body is a cluster, from its parameters to its yields.  Edges into a
 * body are drawn from where the value is defined. */
#include <stdlib.h>

#include "text.h"

typedef struct Picture {
  const Program *program;
  Buffer out;
  Name *names;
} Picture;

static void put(Picture *picture, const char *text) {
  ir_put_text(&picture->out, text);
}

static void put_indent(Picture *picture, const Block *block) {
  for (int i = 0; i <= block->depth; i++) put(picture, "  ");
}

static void put_escaped(Picture *picture, const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') put(picture, "\\");
    ir_put(&picture->out, c, 1);
  }
}

/* The box that a value comes out of: "nN" of its node, "vN" of a parameter. */
static void put_source(Picture *picture, const Value *value) {
  put(picture, value->node ? "n" : "v");
  ir_put_int(&picture->out, value->node ? value->node->id : value->id);
}

static void put_value(Picture *picture, const Value *value) {
  put(picture, "%");
  ir_put_name(&picture->out, picture->names[value->id]);
  put(picture, ": ");
  ir_put_type(&picture->out, picture->program, value->type);
}

static void put_param(Picture *picture, const Value *param) {
  put_indent(picture, param->block);
  put_source(picture, param);
  put(picture, " [shape=ellipse, label=\"");
  put_value(picture, param);
  put(picture, "\"];\n");
}

static void put_edge(Picture *picture, const Block *block, const Value *from,
                     const char *to, int id, const char *style) {
  put_indent(picture, block);
  put_source(picture, from);
  put(picture, " -> ");
  put(picture, to);
  ir_put_int(&picture->out, id);
  put(picture, style);
  put(picture, ";\n");
}

/* What tells two nodes of one op apart: spec, axis, form. */
static void put_title(Picture *picture, const Node *node) {
  put(picture, ir_ops[node->op].name);
  const char *spec = ir_string(node, ATTR_spec);
  if (spec) {
    put(picture, " ");
    put_escaped(picture, spec);
  }
  IntList axes = ir_ints(node, ATTR_axis);
  for (int i = 0; i < axes.n; i++) {
    put(picture, i ? ", " : " over ");
    put(picture, picture->program->axes[axes.v[i]].name);
  }
  const Attr *form = ir_attr(node, ATTR_form);
  if (form) {
    put(picture, " ");
    put(picture, ir_words[form->i]);
  }
  if (node->op == OP_blocks) {
    put(picture, " of ");
    ir_put_int(&picture->out, ir_int(node, ATTR_size));
  }
  const Attr *length = ir_attr(node, ATTR_length);
  if (length) {
    put(picture, " x ");
    ir_put_int(&picture->out, length->i);
  }
}

static void put_box(Picture *picture, const Node *node) {
  put_indent(picture, node->block);
  put(picture, "n");
  ir_put_int(&picture->out, node->id);
  put(picture, " [label=\"");
  put_title(picture, node);
  for (int r = 0; r < node->n_results; r++) {
    put(picture, "\\n");
    put_value(picture, node->results[r]);
  }
  put(picture, "\"];\n");
}

static void put_block(Picture *picture, const Block *block);

/* A body, and how values go in and come out: dashed. */
static void put_cluster(Picture *picture, const Node *node, int b) {
  const Block *body = node->bodies[b];
  const char *word = ir_body_word(node->op, b);
  put_indent(picture, node->block);
  put(picture, "subgraph cluster_");
  ir_put_int(&picture->out, node->id);
  if (b) put(picture, "_");
  if (b) ir_put_int(&picture->out, b);
  put(picture, " {\n");
  put_indent(picture, body);
  put(picture, "label=\"");
  if (word)
    put(picture, word);
  else
    put_title(picture, node);
  put(picture, "\";\n");
  put_block(picture, body);
  put_indent(picture, node->block);
  put(picture, "}\n");
  for (int i = 0; i < node->n_operands && i < body->n_params; i++)
    put_edge(picture, node->block, node->operands[i], "v", body->params[i]->id,
             " [style=dashed]");
  for (int i = 0; i < body->n_yields; i++)
    put_edge(picture, node->block, body->yields[i], "n", node->id,
             " [style=dashed]");
}

static void put_node(Picture *picture, const Node *node) {
  put_box(picture, node);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    put_cluster(picture, node, b);
  if (node->body && node->op != OP_cond) return;
  for (int i = 0; i < node->n_operands; i++)
    put_edge(picture, node->block, node->operands[i], "n", node->id, "");
}

static void put_block(Picture *picture, const Block *block) {
  for (int i = 0; i < block->n_params; i++)
    put_param(picture, block->params[i]);
  for (int i = 0; i < block->n_nodes; i++) put_node(picture, block->nodes[i]);
}

static void put_results(Picture *picture) {
  const Program *program = picture->program;
  for (int i = 0; i < program->body->n_yields; i++) {
    const char *name = program->result_names ? program->result_names[i] : NULL;
    put(picture, "  r");
    ir_put_int(&picture->out, i);
    put(picture, " [shape=ellipse, style=bold, label=\"");
    put_escaped(picture, name ? name : "");
    put(picture, "\"];\n");
    put_edge(picture, program->body, program->body->yields[i], "r", i, "");
  }
}

char *ir_dot(const Program *program) {
  Picture picture = {.program = program, .names = ir_names(program)};
  if (picture.names == NULL) return NULL;
  put(&picture, "digraph \"");
  put_escaped(&picture, program->name);
  put(&picture, "\" {\n  node [shape=box];\n");
  put_block(&picture, program->body);
  put_results(&picture);
  put(&picture, "}\n");
  free(picture.names);
  return ir_buffer_take(&picture.out);
}
