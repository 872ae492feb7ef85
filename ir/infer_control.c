/* infer_control.c: the rules of nodes that have a body.  A body's parameters
 * were made before its nodes; here they are held against what comes in and
 * what the body yields. */
#include <string.h>

#include "graph.h"

static Place place_of(const Value *value) {
  return value->node ? value->node->place : (Place){0};
}

static const char *carry_name(const Infer *in, int i) {
  const char *name = in->spec->body->params[i]->name;
  return name ? ir_format(in->program, "%%%s", name)
              : ir_format(in->program, "number %d", i);
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
  const Block *body = in->spec->body;
  const Value *init = in->spec->operands[i], *next = body->yields[i];
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
    return infer_error(in, "%s has %d entries for %d values", ir_attr_name(key),
                       list.n, n);
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
      return infer_error(in,
                         "xs number %d is a scalar: it has "
                         "no steps",
                         i - n_carries);
    int64_t dim = step_dim(in, ATTR_xs_dims, i - n_carries);
    if (*length < 0) *length = xs.dims[dim];
    if (xs.dims[dim] != *length)
      return infer_error(in,
                         "the steps disagree: xs number %d has %lld, "
                         "expected %lld",
                         i - n_carries, (long long)xs.dims[dim],
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

bool infer_kernel(Infer *in) {
  const Block *body = in->spec->body;
  int64_t form = in->attr[ATTR_form].i, by = infer_int(in, ATTR_by);
  in->has_axes = true;
  if (body == NULL) return infer_error(in, "has no body");
  if (form < WORD_map || form > WORD_call)
    return infer_error(in, "form= is one of map reduce contract loop call");
  if (by != WORD_NONE && (by < WORD_inline || by > WORD_blas))
    return infer_error(in, "by= is one of inline packed blas");
  if (!infer_results(in, body->n_yields)) return false;
  for (int i = 0; i < body->n_yields; i++) in->out[i] = body->yields[i]->type;
  return true;
}
