/* infer_control.c: the rules of nodes that have a body.  A body's parameters
 * were made before its nodes; here they are held against what comes in and
 * what the body yields. */
#include <string.h>

#include "graph.h"

static Place place_of(const Value *value) {
  return value->node ? value->node->place : (Place){0};
}

/* The body whose params are the carries, and which yields the next ones. */
static const Block *loop_body(const Infer *in) {
  return in->op == OP_while ? in->spec->bodies[WHILE_STEP] : in->spec->body;
}

/* Of a carry, or, behind the carries, of an x. */
static const char *carry_name(const Infer *in, int i) {
  const char *name = loop_body(in)->params[i]->name;
  int first = i < in->spec->n_carries ? 0 : in->spec->n_carries;
  return name ? ir_format(in->program, "%%%s", name)
              : ir_format(in->program, "number %d", i - first);
}

/* " (init at F:3, next at F:9)", as far as the places are known. */
static const char *both_places(Infer *in, const Value *init,
                               const Value *next) {
  Place a = place_of(init), b = place_of(next);
  if (a.line == 0 && b.line == 0) return "";
  if (a.line == 0)
    return ir_format(in->program, "; next at %s:%d", b.file, b.line);
  if (b.line == 0)
    return ir_format(in->program, "; init at %s:%d", a.file, a.line);
  return ir_format(in->program, "; init at %s:%d, next at %s:%d", a.file,
                   a.line, b.file, b.line);
}

static bool same_carry(Infer *in, int i) {
  const Value *init = in->spec->operands[i], *next = loop_body(in)->yields[i];
  if (init->type.dtype == next->type.dtype &&
      ir_shape_equal(init->type, next->type))
    return true;
  return infer_error(
      in, "carry %s starts as %s but its next value is %s%s", carry_name(in, i),
      ir_type_text(in->program, init->type).text,
      ir_type_text(in->program, next->type).text, both_places(in, init, next));
}

/* Where the step dim of entry i lies: 0 where the list is absent. */
static int64_t step_dim(const Infer *in, AttrKey key, int i) {
  return infer_has(in, key) ? in->attr[key].ints.v[i] : 0;
}

/* The rank of entry i, its step dim counted. */
static int step_rank(const Infer *in, AttrKey key, int i) {
  int n_carries = in->spec->n_carries;
  if (key == ATTR_xs_dims) return infer_type(in, n_carries + i).rank;
  return in->spec->body->yields[n_carries + i]->type.rank + 1;
}

/* One step dim for each of n xs or ys; all 0 is the default. */
static bool step_dims(Infer *in, AttrKey key, int n) {
  if (!infer_has(in, key)) return true;
  IntList list = in->attr[key].ints;
  if (list.n != n)
    return infer_error(in, "%s has %d entr%s for %d value%s", ir_attr_name(key),
                       list.n, list.n == 1 ? "y" : "ies", n, n == 1 ? "" : "s");
  int64_t *dims = infer_ints(in, n + 1);
  if (dims == NULL) return false;
  bool zero = true;
  for (int i = 0; i < n; i++) {
    dims[i] = list.v[i];
    if (!infer_dim(in, ir_attr_name(key), &dims[i], step_rank(in, key, i)))
      return false;
    zero &= dims[i] == 0;
  }
  infer_set_ints(in, key, dims, n);
  if (zero) in->has &= ~(UINT64_C(1) << key);
  return true;
}

static bool scan_length(Infer *in, int n_carries, int64_t *length) {
  *length = infer_int(in, ATTR_length);
  if (infer_has(in, ATTR_length) && *length < 0)
    return infer_error(in, "length=%lld is negative", (long long)*length);
  for (int i = n_carries; i < in->n; i++) {
    Type xs = infer_type(in, i);
    if (xs.rank == 0)
      return infer_error(in, "xs %s is a scalar: it has no steps",
                         carry_name(in, i));
    int64_t dim = step_dim(in, ATTR_xs_dims, i - n_carries);
    if (*length < 0) *length = xs.dims[dim];
    if (xs.dims[dim] != *length)
      return infer_error(
          in, "the steps disagree: xs %s has %lld, %s%lld", carry_name(in, i),
          (long long)xs.dims[dim],
          infer_has(in, ATTR_length)
              ? "length="
              : ir_format(in->program, "xs %s has ", carry_name(in, n_carries)),
          (long long)*length);
  }
  if (*length < 0)
    return infer_error(in, "has neither length= nor xs to give it one");
  in->attr[ATTR_length] = (Attr){.key = ATTR_length, .i = *length};
  in->has |= UINT64_C(1) << ATTR_length;
  return true;
}

/* Parameter i of the body is the carry's type, or xs without its step dim. */
static bool scan_param(Infer *in, int n_carries, int i) {
  Type outer = infer_type(in, i), inner = in->spec->body->params[i]->type;
  int64_t dims[IR_MAX_RANK];
  Type expected = outer;
  if (i >= n_carries) {
    int64_t dim = step_dim(in, ATTR_xs_dims, i - n_carries);
    int n = 0;
    for (int d = 0; d < outer.rank; d++)
      if (d != dim) dims[n++] = outer.dims[d];
    expected = (Type){outer.dtype, n, dims, outer.axes};
  }
  if (expected.dtype == inner.dtype && ir_shape_equal(expected, inner))
    return true;
  return infer_error(in, "parameter %s of the body is %s, not %s",
                     carry_name(in, i), ir_type_text(in->program, inner).text,
                     ir_type_text(in->program, expected).text);
}

static bool scan_results(Infer *in, int n_carries, int64_t length) {
  const Block *body = in->spec->body;
  if (!infer_results(in, body->n_yields)) return false;
  for (int i = 0; i < n_carries; i++) {
    in->out[i] = body->params[i]->type;
    in->out[i].axes |= infer_type(in, i).axes | body->yields[i]->type.axes;
  }
  for (int i = n_carries; i < body->n_yields; i++) {
    Type type = body->yields[i]->type;
    if (type.rank + 1 > IR_MAX_RANK)
      return infer_error(in, "a stacked y passes rank %d", IR_MAX_RANK);
    int64_t dim = step_dim(in, ATTR_ys_dims, i - n_carries);
    int64_t *dims = infer_ints(in, type.rank + 1);
    if (dims == NULL) return false;
    for (int d = 0, n = 0; d <= type.rank; d++)
      dims[d] = d == dim ? length : type.dims[n++];
    in->out[i] = (Type){type.dtype, type.rank + 1, dims, type.axes};
  }
  return true;
}

bool infer_scan(Infer *in) {
  const Block *body = in->spec->body;
  int n_carries = in->spec->n_carries;
  int64_t length;
  in->has_axes = true;
  if (body == NULL) return infer_error(in, "has no body");
  if (body->n_params != in->n || n_carries > in->n)
    return infer_error(in, "has %d inputs for %d parameters", in->n,
                       body->n_params);
  if (body->n_yields < n_carries)
    return infer_error(in, "yields %d carries, has %d", body->n_yields,
                       n_carries);
  if (!step_dims(in, ATTR_xs_dims, in->n - n_carries) ||
      !step_dims(in, ATTR_ys_dims, body->n_yields - n_carries))
    return false;
  if (infer_int(in, ATTR_unroll) < 1)
    return infer_error(in, "unroll=%lld is not positive",
                       (long long)infer_int(in, ATTR_unroll));
  if (!scan_length(in, n_carries, &length)) return false;
  for (int i = 0; i < in->n; i++)
    if (!scan_param(in, n_carries, i)) return false;
  for (int i = 0; i < n_carries; i++)
    if (!same_carry(in, i)) return false;
  return scan_results(in, n_carries, length);
}

/* -- while and cond ---------------------------------------------------- */

/* Does a collective (or unmap) over one of `axes` stand in the block? */
static const Node *crossing(const Block *block, uint64_t axes) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i], *found = NULL;
    bool crosses = ir_ops[node->op].class == COLLECTIVE &&
                   node->op != OP_axis_index && node->op != OP_axis_size &&
                   node->op != OP_map;
    IntList own = ir_ints(node, ATTR_axis);
    for (int a = 0; crosses && a < own.n; a++)
      if (axes >> own.v[a] & 1) return node;
    for (int b = 0; b < IR_BODIES && node->bodies[b] && !found; b++)
      found = crossing(node->bodies[b], axes);
    if (found) return found;
  }
  return NULL;
}

/* Where devices take different ways none may wait for the others. */
static bool no_crossing(Infer *in, const Block *block, const Value *predicate) {
  uint64_t axes = predicate->type.axes;
  const Node *node = axes ? crossing(block, axes) : NULL;
  if (node == NULL) return true;
  IntList own = ir_ints(node, ATTR_axis);
  int64_t axis = own.v[0];
  for (int a = 0; a < own.n; a++)
    if (axes >> own.v[a] & 1) axis = own.v[a];
  const char *name = in->program->axes[axis].name;
  return ir_error(
      in->program, node->place,
      "%s: crosses axis %s inside a %s whose predicate, %s, varies over %s: "
      "devices that go another way would be waited for without end (%s); %s",
      ir_ops[node->op].name, name, in->info->name,
      ir_type_text(in->program, predicate->type).text, name,
      ir_operands_text(in->program, node->operands, node->n_operands),
      ir_scope_text(in->program));
}

static bool check_predicate(Infer *in, const Value *predicate) {
  Type type = predicate->type;
  if (type.dtype == DT_BOOL && type.rank == 0) return true;
  return infer_error(in, "the predicate is %s, not bool[]",
                     ir_type_text(in->program, type).text);
}

static bool same_params(Infer *in, const Block *body) {
  for (int i = 0; i < in->n; i++) {
    Type outer = infer_type(in, i), inner = body->params[i]->type;
    if (outer.dtype != inner.dtype || !ir_shape_equal(outer, inner))
      return infer_error(in, "parameter %s of a body is %s, not %s",
                         carry_name(in, i),
                         ir_type_text(in->program, inner).text,
                         ir_type_text(in->program, outer).text);
  }
  return true;
}

bool infer_while(Infer *in) {
  const Block *test = in->spec->bodies[WHILE_TEST];
  const Block *step = in->spec->bodies[WHILE_STEP];
  in->has_axes = true;
  if (test == NULL || step == NULL)
    return infer_error(in, "needs two bodies, cond and do");
  if (test->n_params != in->n || step->n_params != in->n ||
      in->spec->n_carries != in->n)
    return infer_error(in, "has %d carries for %d and %d parameters", in->n,
                       test->n_params, step->n_params);
  if (test->n_yields != 1)
    return infer_error(in, "cond yields %d values, not one predicate",
                       test->n_yields);
  if (step->n_yields != in->n)
    return infer_error(in, "yields %d carries, has %d", step->n_yields, in->n);
  const Value *predicate = test->yields[0];
  if (!check_predicate(in, predicate) || !same_params(in, test) ||
      !same_params(in, step))
    return false;
  for (int i = 0; i < in->n; i++)
    if (!same_carry(in, i)) return false;
  if (!no_crossing(in, test, predicate) || !no_crossing(in, step, predicate) ||
      !infer_results(in, in->n))
    return false;
  for (int i = 0; i < in->n; i++) {
    in->out[i] = step->params[i]->type;
    in->out[i].axes |= infer_type(in, i).axes | step->yields[i]->type.axes |
                       predicate->type.axes;
  }
  return true;
}

static bool same_branches(Infer *in, int i) {
  const Value *a = in->spec->bodies[COND_THEN]->yields[i];
  const Value *b = in->spec->bodies[COND_ELSE]->yields[i];
  if (a->type.dtype == b->type.dtype && ir_shape_equal(a->type, b->type))
    return true;
  return infer_error(in, "result %d is %s in then, but %s in else", i,
                     ir_type_text(in->program, a->type).text,
                     ir_type_text(in->program, b->type).text);
}

bool infer_cond(Infer *in) {
  const Block *yes = in->spec->bodies[COND_THEN];
  const Block *no = in->spec->bodies[COND_ELSE];
  const Value *predicate = in->spec->operands[0];
  in->has_axes = true;
  if (yes == NULL || no == NULL)
    return infer_error(in, "needs two bodies, then and else");
  if (!check_predicate(in, predicate)) return false;
  if (yes->n_params + no->n_params > 0)
    return infer_error(in, "its bodies have parameters");
  if (yes->n_yields != no->n_yields)
    return infer_error(in, "then yields %d value%s, else %d", yes->n_yields,
                       yes->n_yields == 1 ? "" : "s", no->n_yields);
  for (int i = 0; i < yes->n_yields; i++)
    if (!same_branches(in, i)) return false;
  if (!no_crossing(in, yes, predicate) || !no_crossing(in, no, predicate) ||
      !infer_results(in, yes->n_yields))
    return false;
  for (int i = 0; i < yes->n_yields; i++) {
    in->out[i] = yes->yields[i]->type;
    in->out[i].axes |= no->yields[i]->type.axes | predicate->type.axes;
  }
  return true;
}

/* -- kernel ------------------------------------------------------------ */

/* form=call: one node that takes whole arrays, and nothing else; the node goes
 * into no other form. */
static bool call_form(Infer *in) {
  const Block *body = in->spec->body;
  bool call = in->attr[ATTR_form].i == WORD_call;
  const Node *whole = NULL;
  for (int i = 0; i < body->n_nodes && whole == NULL; i++)
    if (ir_ops[body->nodes[i]->op].class == WHOLE) whole = body->nodes[i];
  if (whole == NULL)
    return !call || infer_error(in,
                                "form=call holds a sort, a call or the "
                                "like: one op on whole arrays");
  const char *name = ir_ops[whole->op].name;
  if (!call || body->n_nodes > 1)
    return infer_error(in, "%s stands alone, in a kernel of form=call", name);
  for (int i = 0; i < body->n_yields; i++)
    if (body->yields[i]->node != whole)
      return infer_error(in, "yields something besides what %s makes", name);
  return true;
}

static bool all_straight(Infer *in, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    OpClass class = ir_ops[node->op].class;
    bool fits = class != WHOLE && class != WRAPPER && class != COLLECTIVE &&
                (class != CONTROL || node->op == OP_scan);
    if (!fits)
      return infer_error(in, "form=loop holds no %s", ir_ops[node->op].name);
    if (node->body && !all_straight(in, node->body)) return false;
  }
  return true;
}

/* form=loop: one scan, last in the body, whose results the kernel yields; none
 * stands in another form. */
static bool loop_form(Infer *in) {
  const Block *body = in->spec->body;
  bool loop = in->attr[ATTR_form].i == WORD_loop;
  int n = body->n_nodes;
  const Node *scan = n > 0 ? body->nodes[n - 1] : NULL;
  if (!loop) return true;
  bool fits = scan && scan->op == OP_scan && body->n_yields == scan->n_results;
  for (int i = 0; i + 1 < n && fits; i++)
    fits = body->nodes[i]->op == OP_constant;
  for (int i = 0; i < body->n_yields && fits; i++)
    fits = body->yields[i] == scan->results[i];
  if (!fits)
    return infer_error(in, "form=loop holds one scan, and yields its results");
  return all_straight(in, scan->body);
}

bool infer_kernel(Infer *in) {
  const Block *body = in->spec->body;
  int64_t form = in->attr[ATTR_form].i, by = infer_int(in, ATTR_by);
  in->has_axes = true;
  if (body == NULL) return infer_error(in, "has no body");
  if (form < WORD_map || form > WORD_call)
    return infer_error(in, "form= is one of map reduce contract loop call");
  if (by != WORD_NONE && (by < WORD_inline || by > WORD_blas))
    return infer_error(in, "by= is one of inline packed blas");
  if (!call_form(in) || !loop_form(in) || !infer_results(in, body->n_yields))
    return false;
  for (int i = 0; i < body->n_yields; i++) in->out[i] = body->yields[i]->type;
  return true;
}
