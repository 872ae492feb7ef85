/* product.h: an einsum of two operands as the packed kernel sees it, for
 * schedule, for the workspace and for code generation.
 *
 *   C[outer, more, row, column] = sum over sums of
 *     left[outer, more, row, sums] * right[outer, sums, column]
 *
 * in which the dims of each array may stand in any order, but for the result's
 * last, which is the column.  `right` is packed in panels of a few vectors of
 * columns, `left` in panels of a few rows. */
#ifndef LOCKSTEP_PASSES_PRODUCT_H
#define LOCKSTEP_PASSES_PRODUCT_H

#include "passes.h"

typedef struct Product {
  Einsum e;
  DType dtype;
  int left, right; /* operands: of the rows, of the columns */
  int row, column; /* labels; row is -1 where there is one row */
  int n_outer, n_more, n_sums;
  int8_t outer[52]; /* labels of the result that right has too */
  int8_t more[52];  /* further labels of rows */
  int8_t sums[52];  /* in the strict order */
  int64_t m, n;     /* extents of row and column */
  int64_t depth;    /* of the sums */
  int64_t inner;    /* of the sums but the first */
} Product;

/* NULL, or why the einsum is no such product: a phrase for people. */
const char *product_of(const Node *einsum, Product *product);

/* What is packed at a time: rows, columns, and indices of the first sum. */
typedef struct Blocks {
  int64_t rows, columns, depth;
} Blocks;
Blocks product_blocks(const Product *product, const Hardware *hardware);
/* What the kernel says, but no more than there is. */
bool product_read_blocks(const Node *kernel, const Product *product,
                         Blocks *blocks);

/* No tile of the machine's registers is larger: what a block may be rounded up
 * by. */
enum { PRODUCT_MOST_ROWS = 16, PRODUCT_MOST_COLUMNS = 64 };
/* Cycles of one thread (product_price.c). */
double product_inline_cycles(const Product *product, const Hardware *hardware);
double product_packed_cycles(const Product *product, const Hardware *hardware);

/* Bytes of a packed block of left, and of right; INT64_MAX past 2^63. */
int64_t product_left_bytes(const Product *product, Blocks blocks);
int64_t product_right_bytes(const Product *product, Blocks blocks);
/* Scratch of a kernel that is by=packed; 0 for another. */
int64_t product_scratch(const Node *kernel);

#endif
