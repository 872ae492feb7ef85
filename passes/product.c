/* product.c: is an einsum a product for the packed kernel, and in which blocks
 * (product.h).
 *
 * Blocks.  A panel of right, of a few vectors of columns, should take half of
 * the first-level cache, a block of left half of the second, a block of right
 * a quarter of the third, which others use as well.  All blocks of one product
 * are about equal: 300 steps are done as 150 and 150, not as 256 and 44. */
#include "product.h"

#include <string.h>

#include "gemm.h"

/* -- the labels -------------------------------------------------------- */

/* Which terms have a label: bit 0, bit 1. False: one has it twice. */
static bool holders(const Einsum *e, int *in) {
  for (int t = 0; t < 2; t++)
    for (int d = 0; d < e->rank[t]; d++) {
      int label = e->term[t][d];
      if (in[label] & 1 << t) return false;
      in[label] |= 1 << t;
    }
  return true;
}

static void sort_result(Product *p, const int *in) {
  const Einsum *e = &p->e;
  p->row = -1;
  for (int o = 0; o + 1 < e->out_rank; o++) {
    int label = e->out[o];
    if (in[label] & 1 << p->right)
      p->outer[p->n_outer++] = (int8_t)label;
    else if (p->row < 0 || e->size[label] >= e->size[p->row])
      p->row = label;
  }
  for (int o = 0; o + 1 < e->out_rank; o++)
    if (e->out[o] != p->row && !(in[e->out[o]] & 1 << p->right))
      p->more[p->n_more++] = e->out[o];
}

static bool sort_sums(Product *p, const int *in) {
  const Einsum *e = &p->e;
  p->depth = p->inner = 1;
  for (int l = 0; l < e->n_labels; l++)
    if (!e->in_out[l] && in[l] != 3) return false;
  for (int d = 0; d < e->rank[0]; d++) {
    int label = e->term[0][d];
    if (e->in_out[label]) continue;
    if (p->n_sums) p->inner *= e->size[label];
    p->depth *= e->size[label];
    p->sums[p->n_sums++] = (int8_t)label;
  }
  return true;
}

const char *product_of(const Node *einsum, Product *p) {
  int in[52] = {0};
  memset(p, 0, sizeof *p);
  if (einsum->op != OP_einsum || einsum->n_operands != 2)
    return "it is no product of two arrays";
  p->dtype = einsum->results[0]->type.dtype;
  bool real = p->dtype == DT_F32 || p->dtype == DT_F64;
  if (!real || einsum->operands[0]->type.dtype != p->dtype)
    return "it is no f32 or f64 matrix product";
  ir_einsum_read(einsum, &p->e);
  const Einsum *e = &p->e;
  for (int l = 0; l < e->n_labels; l++)
    if (e->size[l] == 0) return "it is empty";
  if (!holders(e, in)) return "an operand is read along a diagonal";
  if (e->out_rank == 0) return "it is one number";
  p->column = e->out[e->out_rank - 1];
  if (in[p->column] == 3) return "the last dim of the result is a batch";
  p->right = in[p->column] == 1 ? 0 : 1;
  p->left = !p->right;
  sort_result(p, in);
  if (!sort_sums(p, in)) return "a sum runs over one operand alone";
  if (p->n_sums == 0) return "it sums nothing";
  p->n = e->size[p->column];
  p->m = p->row < 0 ? 1 : e->size[p->row];
  return NULL;
}

/* -- blocks ------------------------------------------------------------ */

static int64_t pieces(int64_t whole, int64_t most) {
  if (most < 1) most = 1;
  int64_t n = (whole - 1) / most + 1;
  return (whole - 1) / n + 1;
}

Blocks product_blocks(const Product *p, const Hardware *hardware) {
  enum { PANEL = 64 }; /* bytes of a row of a panel, or so */
  int64_t bytes = (int64_t)ir_dtype_bytes(p->dtype),
          first = p->e.size[*p->sums];
  int64_t deep = pass_cache(hardware, 0) / (2 * PANEL);
  Blocks blocks = {.depth = pieces(first, deep / p->inner)};
  int64_t line = bytes * blocks.depth * p->inner;
  blocks.rows = pieces(p->m, pass_cache(hardware, 1) / 2 / line);
  blocks.columns = pieces(p->n, pass_cache(hardware, 2) / 4 / line);
  return blocks;
}

static int64_t at_most(int64_t size, int64_t limit) {
  return size < limit ? size : limit;
}

bool product_read_blocks(const Node *kernel, const Product *p, Blocks *blocks) {
  IntList pack = ir_ints(kernel, ATTR_pack);
  if (pack.n != 3 || pack.v[0] < 1 || pack.v[1] < 1 || pack.v[2] < 1)
    return false;
  *blocks = (Blocks){.rows = at_most(pack.v[0], p->m),
                     .columns = at_most(pack.v[1], p->n),
                     .depth = at_most(pack.v[2], p->e.size[*p->sums])};
  return true;
}

static int64_t block_bytes(const Product *p, Blocks blocks, int64_t across,
                           int64_t more) {
  int64_t bytes = (int64_t)ir_dtype_bytes(p->dtype), line;
  if (__builtin_mul_overflow(blocks.depth, p->inner, &line) ||
      __builtin_mul_overflow(line, bytes, &line) ||
      __builtin_add_overflow(across, more, &across) ||
      __builtin_mul_overflow(line, across, &bytes) ||
      bytes > INT64_MAX - PRODUCT_MOST_COLUMNS)
    return INT64_MAX;
  return bytes + (-bytes & 63);
}

int64_t product_left_bytes(const Product *p, Blocks blocks) {
  return block_bytes(p, blocks, blocks.rows, PRODUCT_MOST_ROWS);
}

int64_t product_right_bytes(const Product *p, Blocks blocks) {
  return block_bytes(p, blocks, blocks.columns, PRODUCT_MOST_COLUMNS);
}

int64_t product_scratch(const Node *kernel) {
  Product product;
  Blocks blocks;
  int64_t bytes;
  const Node *einsum = gemm_einsum(kernel);
  if (ir_int(kernel, ATTR_by) != WORD_packed || einsum == NULL ||
      product_of(einsum, &product) ||
      !product_read_blocks(kernel, &product, &blocks))
    return 0;
  return __builtin_add_overflow(product_left_bytes(&product, blocks),
                                product_right_bytes(&product, blocks), &bytes)
             ? INT64_MAX
             : bytes;
}
