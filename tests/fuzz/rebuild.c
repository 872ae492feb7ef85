/* rebuild.c: a copy of a named program with one edit and without dead code.
 *
 * Comes in: a program and an Edit.  Goes out: a finished program, or NULL if
 * the edit makes none.  Shrinking uses it to take things away, judging to make
 * every float on the way visible as a result. */
#include <stdlib.h>
#include <string.h>

#include "rebuild.h"

/* -- what is still needed ---------------------------------------------- */

void rebuild_mark(Rebuild *r, const Value *value) {
  if (value == r->edit->replaced) value = r->edit->by;
  if (!value || r->live[value->id]) return;
  r->live[value->id] = r->changed = true;
}

static void mark_scan(Rebuild *r, const Node *node) {
  const Block *body = node->body;
  for (int i = 0; i < node->n_results; i++) {
    bool carry = i < node->n_carries;
    bool needed = r->live[node->results[i]->id] ||
                  (carry && r->live[body->params[i]->id]);
    if (!needed) continue;
    rebuild_mark(r, body->yields[i]);
    if (carry) {
      rebuild_mark(r, node->operands[i]);
      if (body->params[i] != r->edit->replaced)
        rebuild_mark(r, body->params[i]);
    }
  }
  for (int i = node->n_carries; i < node->n_operands; i++)
    if (r->live[body->params[i]->id]) rebuild_mark(r, node->operands[i]);
  rebuild_mark_block(r, body);
}

bool rebuild_is_live(const Rebuild *r, const Node *node) {
  for (int i = 0; i < node->n_results; i++)
    if (r->live[node->results[i]->id]) return true;
  return false;
}

static void mark_node(Rebuild *r, const Node *node) {
  if (node == r->edit->inlined)
    rebuild_mark_inlined(r, node);
  else if (node->op == OP_scan)
    mark_scan(r, node);
  else if (node->op == OP_while)
    rebuild_mark_while(r, node);
  else if (node->op == OP_cond)
    rebuild_mark_cond(r, node);
  else if (rebuild_is_live(r, node))
    for (int k = 0; k < node->n_operands; k++)
      rebuild_mark(r, node->operands[k]);
}

void rebuild_mark_block(Rebuild *r, const Block *block) {
  for (int i = block->n_nodes; i-- > 0;) mark_node(r, block->nodes[i]);
}

static void find_live(Rebuild *r) {
  const Program *from = r->copier.from;
  if (r->edit->expose) {
    memset(r->live, true, (size_t)from->n_values);
    return;
  }
  for (int i = 0; i < from->body->n_yields; i++)
    if (i != r->edit->dropped) rebuild_mark(r, from->body->yields[i]);
  do {
    r->changed = false;
    rebuild_mark_block(r, from->body);
  } while (r->changed);
}

/* -- copying ----------------------------------------------------------- */

void rebuild_expose(const Rebuild *r, Exposed *exposed, Value *value) {
  if (!r->edit->expose || !value || !ir_is_float(value->type.dtype)) return;
  if (exposed->n == exposed->room) {
    int room = exposed->room ? exposed->room * 2 : 16;
    Value **more = realloc(exposed->values, (size_t)room * sizeof *more);
    if (!more) return;
    exposed->values = more;
    exposed->room = room;
  }
  exposed->values[exposed->n++] = value;
}

/* Uses of the replaced value take what the edit says. */
void rebuild_replace(Rebuild *r, Block *to) {
  const Value *value = r->edit->replaced;
  Value *by = r->edit->by ? ir_mapped(&r->copier, r->edit->by) : NULL;
  if (!by)
    by = ir_make_splat(to, value->type.dtype, (Scalar){0}, value->type.rank,
                       value->type.dims, (Place){0});
  ir_map(&r->copier, value, by);
}

static bool keeps(const Rebuild *r, const Node *node, int i) {
  const Block *body = node->body;
  if (i < node->n_carries)
    return r->live[node->results[i]->id] || r->live[body->params[i]->id];
  return r->live[body->params[i]->id];
}

static void copy_params(Rebuild *r, const Node *node, Block *body,
                        Value **operands, NodeSpec *spec) {
  const Block *from = node->body;
  for (int i = 0; i < from->n_params; i++) {
    if (keeps(r, node, i)) {
      Value *operand = ir_mapped(&r->copier, node->operands[i]);
      Type type = from->params[i]->type;
      type.axes = operand ? operand->type.axes : 0;
      operands[spec->n_operands++] = operand;
      spec->n_carries += i < node->n_carries;
      ir_map(&r->copier, from->params[i],
             ir_block_param(body, type, from->params[i]->name));
    }
    if (from->params[i] == r->edit->replaced) rebuild_replace(r, body);
  }
}

/* Which of a list attribute's entries stay, one a kept xs or ys. */
static int scan_attrs(const Rebuild *r, const Node *node, int extra,
                      int64_t *dims, Attr *attrs) {
  int n = 0, used = 0, first = node->n_carries;
  IntList xs = ir_ints(node, ATTR_xs_dims), ys = ir_ints(node, ATTR_ys_dims);
  for (int i = 0; i < node->n_attrs; i++)
    if (node->attrs[i].key != ATTR_xs_dims &&
        node->attrs[i].key != ATTR_ys_dims)
      attrs[n++] = node->attrs[i];
  for (int i = 0; i < xs.n; i++)
    if (keeps(r, node, first + i)) dims[used++] = xs.v[i];
  if (used) attrs[n++] = (Attr)IR_INTS(xs_dims, dims, used);
  dims += used;
  used = 0;
  for (int i = first; i < node->n_results; i++)
    if (r->live[node->results[i]->id])
      dims[used++] = ys.n ? ys.v[i - first] : 0;
  for (int i = 0; i < extra; i++) dims[used++] = 0;
  if (used) attrs[n++] = (Attr)IR_INTS(ys_dims, dims, used);
  return n;
}

static void map_results(Rebuild *r, const Node *node, const Node *copy,
                        Exposed *outer) {
  int used = 0;
  for (int i = 0; copy && i < node->n_results; i++) {
    bool kept =
        i < node->n_carries ? keeps(r, node, i) : r->live[node->results[i]->id];
    if (kept) ir_map(&r->copier, node->results[i], copy->results[used++]);
  }
  for (int i = 0; copy && i < copy->n_results; i++)
    rebuild_expose(r, outer, copy->results[i]);
}

static void copy_scan(Rebuild *r, const Node *node, Block *to, Exposed *outer) {
  Exposed inner = {0};
  Program *program = r->copier.to;
  size_t room = (size_t)(node->n_operands + node->n_results + 1);
  Value **operands = ir_alloc(program, room * sizeof *operands);
  Block *body = ir_block_begin(to);
  NodeSpec spec = {.op = OP_scan, .operands = operands, .body = body};
  if (!operands || !body) return;
  copy_params(r, node, body, operands, &spec);
  rebuild_copy_nodes(r, node->body, body, &inner);
  room += (size_t)inner.n;
  Value **yields = ir_alloc(program, room * sizeof *yields);
  int64_t *dims = ir_alloc(program, room * sizeof *dims);
  Attr attrs[ATTR_COUNT];
  int n = 0;
  for (int i = 0; i < node->n_results && yields; i++)
    if (i < node->n_carries ? keeps(r, node, i) : r->live[node->results[i]->id])
      yields[n++] = ir_mapped(&r->copier, node->body->yields[i]);
  for (int i = 0; i < inner.n && yields; i++) yields[n++] = inner.values[i];
  ir_block_yield(body, yields, n);
  if (dims) {
    spec.n_attrs = scan_attrs(r, node, inner.n, dims, attrs);
    spec.attrs = attrs;
    map_results(r, node, ir_node(to, &spec), outer);
  }
  free(inner.values);
}

static void copy_node(Rebuild *r, const Node *node, Block *to,
                      Exposed *exposed) {
  bool live = rebuild_is_live(r, node);
  if (live && node == r->edit->inlined) {
    rebuild_copy_inlined(r, node, to, exposed);
  } else if (live && node->op == OP_scan) {
    copy_scan(r, node, to, exposed);
  } else if (live && node->op == OP_while) {
    rebuild_copy_while(r, node, to, exposed);
  } else if (live && node->op == OP_cond) {
    rebuild_copy_cond(r, node, to, exposed);
  } else if (live) {
    Node *copy = ir_copy_node(&r->copier, to, node);
    for (int i = 0; copy && i < copy->n_results; i++)
      rebuild_expose(r, exposed, copy->results[i]);
  }
  for (int i = 0; i < node->n_results; i++)
    if (node->results[i] == r->edit->replaced) rebuild_replace(r, to);
}

void rebuild_copy_nodes(Rebuild *r, const Block *from, Block *to,
                        Exposed *exposed) {
  for (int i = 0; i < from->n_nodes && !r->copier.to->error.failed; i++)
    copy_node(r, from->nodes[i], to, exposed);
}

/* -- the whole --------------------------------------------------------- */

static void begin(Rebuild *r) {
  const Program *from = r->copier.from;
  Program *to = r->copier.to = ir_program_create(from->name, NAMED);
  if (!to || !ir_copy_callees(to, from)) return;
  for (int a = 0; a < from->n_axes; a++)
    ir_axis_declare(to, from->axes[a].name, from->axes[a].size, (Place){0});
  for (int i = 0; i < from->body->n_params; i++) {
    const Value *param = from->body->params[i];
    if (r->live[param->id])
      ir_map(&r->copier, param,
             ir_block_param(to->body, param->type, param->name));
    if (param == r->edit->replaced) rebuild_replace(r, to->body);
  }
}

static void end(Rebuild *r, const Exposed *exposed) {
  Program *to = r->copier.to;
  const Program *from = r->copier.from;
  size_t room = (size_t)(from->body->n_yields + exposed->n + 1);
  Value **yields = ir_alloc(to, room * sizeof *yields);
  const char **names = ir_alloc(to, room * sizeof *names);
  int n = 0;
  if (!yields || !names) return;
  for (int i = 0; i < from->body->n_yields; i++) {
    if (i == r->edit->dropped) continue;
    names[n] = from->result_names[i];
    yields[n++] = ir_mapped(&r->copier, from->body->yields[i]);
  }
  for (int i = 0; i < exposed->n; i++) {
    names[n] = ir_format(to, "exposed%d", i);
    yields[n++] = exposed->values[i];
  }
  ir_block_yield(to->body, yields, n);
  ir_result_names(to, names);
}

Program *rebuild(const Program *program, const Edit *edit) {
  Rebuild r = {.copier = {.from = program}, .edit = edit};
  Exposed exposed = {0};
  Program *to = NULL;
  r.live = calloc((size_t)program->n_values + 1, sizeof *r.live);
  r.copier.map = calloc((size_t)program->n_values + 1, sizeof(Value *));
  if (r.live && r.copier.map) {
    find_live(&r);
    begin(&r);
    if (r.copier.to) {
      rebuild_copy_nodes(&r, program->body, r.copier.to->body, &exposed);
      end(&r, &exposed);
      to = ir_finish(r.copier.to, NULL);
    }
  }
  free(exposed.values);
  free(r.live);
  free(r.copier.map);
  if (to && !to->error.failed) return to;
  ir_program_destroy(to);
  return NULL;
}
