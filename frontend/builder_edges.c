/* builder_edges.c: what a program's edge is made of: types, axes, inputs,
 * results.
 *
 * Comes in: public types and names.  Goes out: parameters and results of the
 * draft, with axis names as numbers; messages name the axes that there are. */
#include <string.h>

#include "../ir/text.h"
#include "frontend.h"

/* -- types ------------------------------------------------------------- */

bool front_type(const Call *call, const ls_type *type, Type *out) {
  if (type->dtype < LS_BOOL || type->dtype > LS_F64)
    return front_misuse(call, "the type has no dtype");
  if (type->rank < 0 || type->rank > LS_MAX_RANK)
    return front_misuse(call, "the type has rank %d; the most is %d",
                        type->rank, LS_MAX_RANK);
  for (int d = 0; d < type->rank; d++)
    if (type->dims[d] < 0)
      return front_wrong(call, "dim %d of the type has the negative size %lld",
                         d, (long long)type->dims[d]);
  *out = (Type){(DType)type->dtype, type->rank, type->dims, 0};
  return true;
}

bool front_plain_type(const Call *call, const ls_type *type, Type *out) {
  if (!front_type(call, type, out)) return false;
  if (type->axes == NULL) return true;
  return front_misuse(call, "axes are inferred here: the type names none");
}

bool front_ints(const Call *call, const ls_ints *list, const char *what) {
  if (list->count >= 0 && list->count <= LS_MAX_RANK) return true;
  return front_misuse(call, "%s has %d entries; the most is %d", what,
                      list->count, LS_MAX_RANK);
}

/* -- axes -------------------------------------------------------------- */

static bool axis_number(const Call *call, const char *name, size_t length,
                        int64_t *number) {
  Program *draft = call->builder->draft;
  const char *names[IR_MAX_AXES];
  for (int a = 0; a < draft->n_axes; a++) {
    names[a] = draft->axes[a].name;
    *number = a;
    if (strlen(names[a]) == length && memcmp(names[a], name, length) == 0)
      return true;
  }
  const char *close = ir_closest(name, length, names, draft->n_axes);
  return front_wrong(call, "no axis is called '%s'; %s%s%s%s",
                     ir_show(name, length).text, close ? "did you mean " : "",
                     close ? close : "", close ? "? " : "",
                     ir_scope_text(draft));
}

int front_axes(const Call *call, const char *names,
               int64_t numbers[IR_MAX_AXES]) {
  if (names == NULL) {
    front_misuse(call, "the axis is NULL; %s",
                 ir_scope_text(call->builder->draft));
    return -1;
  }
  int n = 0;
  for (;;) {
    while (*names == ' ') names++;
    size_t length = strcspn(names, ", ");
    const char *end = names + length;
    while (*end == ' ') end++;
    if (*end != ',' && *end != 0) length = strcspn(names, ",");
    if (n == IR_MAX_AXES) {
      front_wrong(call, "more than %d axes are named; %s", IR_MAX_AXES,
                  ir_scope_text(call->builder->draft));
      return -1;
    }
    if (!axis_number(call, names, length, &numbers[n++])) return -1;
    names += strcspn(names, ",");
    if (*names++ == 0) return n;
  }
}

const char *front_axes_text(Program *program, uint64_t axes) {
  const char *text = NULL;
  for (int a = 0; a < program->n_axes; a++)
    if (axes >> a & 1)
      text = ir_format(program, "%s%s%s", text ? text : "", text ? "," : "",
                       program->axes[a].name);
  return text;
}

void ls_axis_declare_at(ls_place here, ls_builder *b, const char *name,
                        int64_t size) {
  Call call;
  if (!front_begin(&call, here, b, "axis_declare")) return;
  if (!front_is_name(name)) {
    front_misuse(&call, "a name is letters, digits and _, not '%s'",
                 name ? name : "NULL");
    return;
  }
  if (ir_axis_declare(b->draft, name, size, call.place) < 0)
    front_take_error(&call);
}

/* -- edges ------------------------------------------------------------- */

bool front_input_name_free(const Call *call, const char *name,
                           const Value *input) {
  const Block *body = call->builder->draft->body;
  if (input && (input->node || input->block != body)) return true;
  for (int i = 0; i < body->n_params; i++)
    if (body->params[i] != input && strcmp(body->params[i]->name, name) == 0)
      return front_wrong(call, "there is an input %s already (number %d)", name,
                         i);
  return true;
}

static bool input_name(const Call *call, const char *name) {
  if (!front_is_name(name))
    return front_misuse(call, "a name is letters, digits and _, not '%s'",
                        name ? name : "NULL");
  return front_input_name_free(call, name, NULL);
}

static bool outside_regions(const Call *call) {
  const Region *open = call->builder->open;
  if (open == NULL) return true;
  return front_misuse(call, "not inside a %s: the one at %s:%d is open",
                      front_region_word(open), front_region_file(open),
                      open->place.line);
}

ls_value ls_input_at(ls_place here, ls_builder *b, const char *name,
                     ls_type type) {
  Call call;
  Type inner;
  if (!front_begin(&call, here, b, "input") || !outside_regions(&call) ||
      !input_name(&call, name) || !front_type(&call, &type, &inner))
    return (ls_value){0};
  int64_t numbers[IR_MAX_AXES];
  int n = type.axes ? front_axes(&call, type.axes, numbers) : 0;
  if (n < 0) return (ls_value){0};
  for (int i = 0; i < n; i++) {
    if (inner.axes >> numbers[i] & 1) {
      front_wrong(&call, "axis %s is named twice; %s",
                  b->draft->axes[numbers[i]].name, ir_scope_text(b->draft));
      return (ls_value){0};
    }
    inner.axes |= UINT64_C(1) << numbers[i];
  }
  return front_handle(&call, ir_block_param(b->draft->body, inner, name));
}

static bool add_output(ls_builder *b, Value *value, const char *name) {
  if (!front_grow((void **)&b->outputs, b->n_outputs, &b->output_room,
                  sizeof *b->outputs) ||
      !front_grow((void **)&b->output_names, b->n_outputs, &b->output_name_room,
                  sizeof *b->output_names))
    return false;
  b->output_names[b->n_outputs] = name;
  b->outputs[b->n_outputs++] = value;
  return true;
}

void ls_output_at(ls_place here, ls_builder *b, const char *name,
                  ls_value handle) {
  Call call;
  if (!front_begin(&call, here, b, "output") || !outside_regions(&call)) return;
  Value *value = front_value(&call, handle, "the value", b->block);
  if (value == NULL) return;
  if (name == NULL && value->name == NULL) {
    front_misuse(&call, "the value has no name: give it one here");
    return;
  }
  if (name && !front_is_name(name)) {
    front_misuse(&call, "a name is letters, digits and _, not '%s'", name);
    return;
  }
  const char *copy = name ? ir_copy_string(b->draft, name) : NULL;
  if (value->name == NULL) value->name = copy;
  if ((name && copy == NULL) || !add_output(b, value, copy))
    front_out_of_memory(&call);
}
