/* work.c: how many operations ops are.
 *
 * Comes in: an op with its types, or a node.  Goes out: operations, on one
 * device.  Every pass that counts counts here. */
#include <string.h>

#include "model.h"

static double elements(Type type) { return (double)ir_type_elements(type); }

double pass_extent(uint64_t labels, const int64_t *size) {
  double product = 1;
  for (; labels; labels &= labels - 1)
    product *= (double)size[__builtin_ctzll(labels)];
  return product;
}

/* -- einsum ------------------------------------------------------------ */

static uint64_t letters_in(const char *text, int n) {
  uint64_t set = 0;
  for (int i = 0; i < n; i++)
    set |= UINT64_C(1) << (text[i] < 'a' ? text[i] - 'A' + 26 : text[i] - 'a');
  return set;
}

enum { LETTERS = 52 };

double pass_einsum_flops(const char *spec, int n, const Type *operands) {
  uint64_t labels[LETTERS], joined = 0;
  int64_t size[LETTERS] = {0};
  double flops = 0;
  const char *c = spec;
  for (int i = 0; i < n; i++) {
    int rank = operands[i].rank;
    labels[i] = letters_in(c, rank);
    for (int d = 0; d < rank; d++)
      size[__builtin_ctzll(letters_in(c + d, 1))] = operands[i].dims[d];
    c += rank + 1; /* and a comma, or the first sign of the arrow */
  }
  uint64_t out = letters_in(c + 1, (int)strlen(c + 1));
  for (int i = 0; i < n; i++) {
    uint64_t later = out;
    joined |= labels[i];
    for (int k = i + 1; k < n; k++) later |= labels[k];
    bool sums = (joined & ~later) != 0;
    flops += pass_extent(joined, size) * ((i > 0) + sums);
    joined &= later;
  }
  return flops;
}

double pass_nest_flops(const Einsum *einsum) {
  uint64_t all = 0;
  bool contracts = false;
  for (int l = 0; l < einsum->n_labels; l++) {
    all |= UINT64_C(1) << l;
    contracts |= !einsum->in_out[l];
  }
  return pass_extent(all, einsum->size) *
         (einsum->n_terms - 1 + (contracts ? 1 : 0));
}

/* -- any op ------------------------------------------------------------ */

/* A function costs about as much as so many additions. */
enum { DEAR_WORK = 20 };

double pass_op_work(Op op, const char *spec, Type result, int n,
                    const Type *operands) {
  double first = n ? elements(operands[0]) : 0;
  bool dear = ir_ops[op].flags & DEAR;
  switch (ir_ops[op].class) {
    case ELEMENTWISE:
    case RANDOM:
      return dear ? elements(result) * DEAR_WORK : elements(result);
    case REDUCE:
    case COLLECTIVE:
      return first;
    case WHOLE:
      return first * DEAR_WORK;
    case EINSUM:
      return pass_einsum_flops(spec, n, operands);
    default:
      return 0;
  }
}

/* -- for people -------------------------------------------------------- */

/* What sort compares counts nothing, and what a C function does is not known.
 */
static double whole_flops(const Node *node) {
  if (node->op == OP_sort || node->op == OP_call) return 0;
  return elements(node->operands[node->n_operands - 1]->type);
}

double pass_node_flops(const Node *node) {
  if (node->n_results == 0) return 0;
  Type type = node->results[0]->type;
  DType from = node->n_operands ? node->operands[0]->type.dtype : type.dtype;
  if (!ir_is_float(type.dtype) && !ir_is_float(from)) return 0;
  Einsum e;
  switch (ir_ops[node->op].class) {
    case ELEMENTWISE:
      return node->op == OP_bitcast ? 0 : elements(type);
    case REDUCE:
      return elements(node->operands[0]->type);
    case EINSUM:
      ir_einsum_read(node, &e);
      return pass_nest_flops(&e);
    case RANDOM:
      return elements(type);
    case WHOLE:
      return whole_flops(node);
    default:
      return 0;
  }
}

/* -- loops ------------------------------------------------------------- */

int64_t pass_scan_length(const Node *scan) {
  int64_t length = ir_int(scan, ATTR_length);
  if (length >= 0 || scan->n_operands == scan->n_carries) return length;
  IntList dims = ir_ints(scan, ATTR_xs_dims);
  return scan->operands[scan->n_carries]->type.dims[dims.n ? dims.v[0] : 0];
}
