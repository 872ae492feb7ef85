/* evaluate_random.c: draws, bit for bit those of JAX with
 * jax_threefry_partitionable on.
 *
 * Everything is Threefry-2x32 with 20 rounds (Salmon et al., 2011) of a key of
 * two words and a counter of two words, which is the flat index of the element
 * drawn: its high and low half.  batch=N: each key of the first N dims draws an
 * array of its own, whose counters start at 0.
 */
#include <string.h>

#include "../ir/normal.h"
#include "evaluate.h"

typedef struct Words {
  uint32_t high, low;
} Words;

static uint32_t rotated(uint32_t word, int by) {
  return word << by | word >> (32 - by);
}

static Words threefry(Words key, Words counter) {
  static const uint8_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {key.high, key.low, key.high ^ key.low ^ 0x1bd11bda};
  uint32_t x = counter.high + keys[0], y = counter.low + keys[1];
  for (int group = 0; group < 5; group++) {
    for (int round = 0; round < 4; round++) {
      x += y;
      y = rotated(y, rotations[group % 2][round]) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + (uint32_t)group + 1;
  }
  return (Words){x, y};
}

static Words halves(uint64_t value) {
  return (Words){(uint32_t)(value >> 32), (uint32_t)value};
}

static Words load_words(const char *memory) {
  uint32_t words[2];
  memcpy(words, memory, sizeof words);
  return (Words){words[0], words[1]};
}

static void store_words(char *memory, Words words) {
  memcpy(memory, (uint32_t[]){words.high, words.low}, 2 * sizeof(uint32_t));
}

/* The bits of draw number `index`, at least `width` of them, in the low end. */
static uint64_t draw(Words key, int64_t index, int width) {
  Words words = threefry(key, halves((uint64_t)index));
  if (width == 64) return (uint64_t)words.high << 32 | words.low;
  return words.high ^ words.low;
}

/* -- keys -------------------------------------------------------------- */

bool rt_random_key(Evaluation *evaluation, const Node *node,
                   const char *const *operands, char *const *results) {
  (void)evaluation;
  (void)operands;
  store_words(results[0], halves((uint64_t)ir_int(node, ATTR_seed)));
  return true;
}

bool rt_random_split(Evaluation *evaluation, const Node *node,
                     const char *const *operands, char *const *results) {
  (void)evaluation;
  int64_t keys = ir_type_elements(node->operands[0]->type) / 2;
  int64_t count = ir_int(node, ATTR_count);
  for (int64_t i = 0; i < keys * count; i++) {
    Words key = load_words(operands[0] + i / count * 8);
    store_words(results[0] + i * 8,
                threefry(key, halves((uint64_t)(i % count))));
  }
  return true;
}

bool rt_random_fold_in(Evaluation *evaluation, const Node *node,
                       const char *const *operands, char *const *results) {
  (void)evaluation;
  int64_t keys = ir_type_elements(node->operands[0]->type) / 2;
  DType dtype = node->operands[1]->type.dtype;
  int64_t size = (int64_t)ir_dtype_bytes(dtype);
  for (int64_t i = 0; i < keys; i++) {
    Scalar data = ir_scalar_load(dtype, operands[1] + i * size);
    Words counter = {0, (uint32_t)data.u};
    store_words(results[0] + i * 8,
                threefry(load_words(operands[0] + i * 8), counter));
  }
  return true;
}

/* -- draws ------------------------------------------------------------- */

/* Which key draws element `at` of the result, and as which of its draws. */
typedef struct Draws {
  int64_t count; /* of all */
  int64_t each;  /* a key */
} Draws;

static Draws draws_of(const Node *node) {
  Type type = node->results[0]->type;
  int batch = (int)ir_int(node, ATTR_batch);
  return (Draws){ir_type_elements(type),
                 rt_product(type.dims + batch, type.rank - batch)};
}

bool rt_random_bits(Evaluation *evaluation, const Node *node,
                    const char *const *operands, char *const *results) {
  (void)evaluation;
  DType dtype = node->results[0]->type.dtype;
  int64_t size = (int64_t)ir_dtype_bytes(dtype);
  Draws draws = draws_of(node);
  for (int64_t at = 0; at < draws.count; at++) {
    Words key = load_words(operands[0] + at / draws.each * 8);
    uint64_t bits = draw(key, at % draws.each, 8 * (int)size);
    ir_scalar_store(dtype, results[0] + at * size, (Scalar){.u = bits});
  }
  return true;
}

static double rounded(DType dtype, double value) {
  return dtype == DT_F64 ? value : ir_round_to(dtype, (float)value);
}

/* In [0, 1): random bits become the fraction of a number in [1, 2).  bf16 has
 * fewer than 8 of them and draws a byte, the others draw their width. */
static double unit_draw(DType dtype, Words key, int64_t index) {
  static const uint8_t fractions[DT_COUNT] = {
      [DT_F16] = 10, [DT_BF16] = 7, [DT_F32] = 23, [DT_F64] = 52};
  int fraction = fractions[dtype];
  int width = fraction < 8 ? 8 : 8 * (int)ir_dtype_bytes(dtype);
  uint64_t bits = draw(key, index, width);
  if (width < 64) bits &= (UINT64_C(1) << width) - 1;
  bits = (bits >> (width - fraction)) << (52 - fraction);
  bits |= UINT64_C(0x3ff) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value - 1;
}

/* In [low, high): rounded after each step, never below low. */
static double uniform_draw(DType dtype, Words key, int64_t index, double low,
                           double high) {
  double span = rounded(dtype, high - low);
  double scaled = rounded(dtype, unit_draw(dtype, key, index) * span);
  Scalar bounds[2] = {{.f = low}, {.f = rounded(dtype, scaled + low)}};
  return ir_scalar_apply(OP_max, WORD_NONE, dtype, bounds).f;
}

bool rt_random_uniform(Evaluation *evaluation, const Node *node,
                       const char *const *operands, char *const *results) {
  (void)evaluation;
  DType dtype = node->results[0]->type.dtype;
  int64_t size = (int64_t)ir_dtype_bytes(dtype);
  double low = ir_round_to(dtype, ir_number(node, ATTR_minimum));
  double high = ir_round_to(dtype, ir_number(node, ATTR_maximum));
  Draws draws = draws_of(node);
  for (int64_t at = 0; at < draws.count; at++) {
    Words key = load_words(operands[0] + at / draws.each * 8);
    double value = uniform_draw(dtype, key, at % draws.each, low, high);
    ir_scalar_store(dtype, results[0] + at * size, (Scalar){.f = value});
  }
  return true;
}

/* Of a uniform draw from the numbers of the dtype between -1 and 1. */
bool rt_random_normal(Evaluation *evaluation, const Node *node,
                      const char *const *operands, char *const *results) {
  (void)evaluation;
  DType dtype = node->results[0]->type.dtype;
  int64_t size = (int64_t)ir_dtype_bytes(dtype);
  double low = -ir_below_one(dtype);
  Draws draws = draws_of(node);
  for (int64_t at = 0; at < draws.count; at++) {
    Words key = load_words(operands[0] + at / draws.each * 8);
    double uniform = uniform_draw(dtype, key, at % draws.each, low, 1);
    Scalar value = {.f = rounded(dtype, ir_normal(uniform))};
    ir_scalar_store(dtype, results[0] + at * size, value);
  }
  return true;
}
