/* places_names.c: how the messages of the places verifier call a value, a node
 * and a range of memory. */
#include "places.h"

const char *ir_places_value(Places *p, const Value *value) {
  if (p->names == NULL) p->names = ir_names(p->program);
  if (p->names == NULL) return "a value";
  Name name = p->names[value->id];
  if (name.base == NULL) return ir_format(p->program, "%%%d", name.suffix);
  if (name.suffix == 0) return ir_format(p->program, "%%%s", name.base);
  return ir_format(p->program, "%%%s_%d", name.base, name.suffix);
}

const char *ir_places_node(Places *p, const Node *node) {
  const char *op = ir_ops[node->op].name;
  if (node->n_results == 0) return op;
  return ir_format(p->program, "%s %s", op,
                   ir_places_value(p, node->results[0]));
}

const char *ir_places_range(Places *p, Range range) {
  long long start = range.start, end = range.end;
  int result = range.space - FIRST_RESULT_SPACE;
  if (range.space == ARENA_SPACE)
    return ir_format(p->program, "arena [%lld,%lld)", start, end);
  if (p->program->result_names == NULL)
    return ir_format(p->program, "result %d [%lld,%lld)", result, start, end);
  return ir_format(p->program, "result %s [%lld,%lld)",
                   p->program->result_names[result], start, end);
}
