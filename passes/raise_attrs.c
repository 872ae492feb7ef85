/* raise_attrs.c: the attributes of a node whose operands and results lose dims.
 *
 * Comes in: a node, and the dim that each port loses, which the node walks by
 * one index or sums over (dims_labels.c).  Goes out: the attributes that make
 * it do the same for what is left. */
#include <string.h>

#include "raise.h"

static int64_t *room_for(Program *arena, int n) {
  return ir_alloc(arena, (size_t)n * sizeof(int64_t) + 1);
}

Type raise_type(Program *arena, Type type, int dropped) {
  if (dropped < 0) return type;
  int64_t *dims = room_for(arena, type.rank);
  if (dims == NULL) return type;
  int n = 0;
  for (int d = 0; d < type.rank; d++)
    if (d != dropped) dims[n++] = type.dims[d];
  type.dims = dims;
  type.rank = n;
  return type;
}

/* The list without entry `at`; its numbers are dims, of which `gone` goes. */
static IntList without(Program *arena, IntList list, int at, int gone) {
  int64_t *numbers = room_for(arena, list.n);
  int n = 0;
  if (numbers == NULL) return (IntList){0};
  for (int i = 0; i < list.n; i++) {
    if (i == at) continue;
    numbers[n++] = gone >= 0 && list.v[i] > gone ? list.v[i] - 1 : list.v[i];
  }
  return (IntList){numbers, n};
}

static int index_of(IntList list, int dim) {
  for (int i = 0; i < list.n; i++)
    if (list.v[i] == dim) return i;
  return -1;
}

static const char *spec_without(Program *arena, const Node *node,
                                const int *dropped) {
  const char *spec = ir_string(node, ATTR_spec);
  char *text = ir_copy_string(arena, spec), *to = text, letter = 0;
  Einsum e;
  ir_einsum_read(node, &e);
  for (int i = 0; i < e.n_terms; i++)
    if (dropped[i] >= 0) letter = e.letter[e.term[i][dropped[i]]];
  if (text == NULL) return spec;
  for (const char *c = spec; *c; c++)
    if (*c != letter) *to++ = *c;
  *to = 0;
  return text;
}

/* Whose dims does the attribute `dim` number? */
static bool numbers_result(Op op) {
  return op == OP_iota || op == OP_unmap || op == OP_all_gather;
}

static Attr changed(Program *arena, const Node *node, Attr attr,
                    const int *dropped) {
  int first = dropped[0], result = dropped[node->n_operands];
  int whose =
      node->n_operands == 0 || numbers_result(node->op) ? result : first;
  int batch = (int)ir_int(node, ATTR_batch);
  switch (attr.key) {
    case ATTR_dim:
      attr.i -= whose >= 0 && attr.i > whose;
      break;
    case ATTR_batch:
      attr.i -= first >= 0 && first < batch;
      break;
    case ATTR_dims:
      if (node->op == OP_broadcast)
        attr.ints = without(arena, attr.ints, first, result);
      else
        attr.ints =
            without(arena, attr.ints, index_of(attr.ints, first), first);
      break;
    case ATTR_perm:
      attr.ints = without(arena, attr.ints, index_of(attr.ints, first), first);
      break;
    case ATTR_start:
    case ATTR_limit:
    case ATTR_stride:
    case ATTR_low:
    case ATTR_high:
    case ATTR_interior:
      attr.ints = without(arena, attr.ints, first, -1);
      break;
    case ATTR_sizes:
      attr.ints = without(arena, attr.ints, first - batch, -1);
      break;
    case ATTR_spec:
      attr.s = spec_without(arena, node, dropped);
      break;
    default:
      break;
  }
  return attr;
}

int raise_attrs(Program *arena, const Node *node, const int *dropped,
                Attr *attrs) {
  for (int i = 0; i < node->n_attrs; i++)
    attrs[i] = changed(arena, node, node->attrs[i], dropped);
  return node->n_attrs;
}
