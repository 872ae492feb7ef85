/* infer_whole.c: the rules of ops that take whole arrays to whole arrays:
 * running sums and the like, sort, calls of C functions.  scatter_add is beside
 * take, in infer_shape.c. */
#include <string.h>

#include "graph.h"

bool infer_cumulative(Infer *in) {
  Type type = infer_type(in, 0);
  if (type.dtype == DT_BOOL)
    return infer_error(in, "wants numbers, not bool; use convert");
  if (type.rank == 0)
    return infer_error(in, "a scalar has no dim to run along");
  return infer_dim(in, "dim", &in->attr[ATTR_dim].i, type.rank) &&
         infer_one(in, type.dtype, type.rank, type.dims);
}

bool infer_sort(Infer *in) {
  Type key = infer_type(in, 0);
  if (key.rank == 0) return infer_error(in, "a scalar has no dim to sort");
  if (!infer_dim(in, "dim", &in->attr[ATTR_dim].i, key.rank) ||
      !infer_results(in, in->n))
    return false;
  for (int i = 0; i < in->n; i++) {
    Type type = infer_type(in, i);
    if (!ir_shape_equal(key, type))
      return infer_error(in,
                         "operand %d is %s, but the keys are %s: all have one "
                         "shape",
                         i + 1, ir_type_text(in->program, type).text,
                         ir_type_text(in->program, key).text);
    in->out[i] = type;
  }
  return true;
}

/* -- call -------------------------------------------------------------- */

/* "; did you mean a?" or "; there is a, b", or "; none is". */
static const char *callees_text(Infer *in, const char *symbol) {
  enum { MOST = 16 };
  const Program *program = in->program;
  const char *names[MOST], *list = "";
  int n = program->n_callees < MOST ? program->n_callees : MOST;
  for (int i = 0; i < n && list; i++) {
    names[i] = program->callees[i].name;
    list = ir_format(in->program, "%s%s%.60s", list, i ? ", " : "", names[i]);
  }
  if (n == 0 || list == NULL) return "the program has no functions";
  const char *close = ir_closest(symbol, strlen(symbol), names, n);
  if (close)
    list = ir_format(in->program, "did you mean %s?", close);
  else
    list = ir_format(in->program, "there is %s%s", list,
                     n < program->n_callees ? ", ..." : "");
  return list ? list : "";
}

bool infer_call(Infer *in) {
  const char *symbol = in->attr[ATTR_symbol].s;
  const Type *type = in->spec->type;
  if (ir_callee(in->program, symbol) == NULL)
    return infer_error(in, "no function is registered as \"%.60s\"; %s", symbol,
                       callees_text(in, symbol));
  return infer_one(in, type->dtype, type->rank, type->dims);
}
