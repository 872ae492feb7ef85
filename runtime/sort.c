/* sort.c: one line of a sort, without allocating.
 *
 * Comes in: keys of any dtype, at any stride, and scratch.  Each key becomes an
 * unsigned number whose order is that of the keys, paired with its index; pairs
 * are sorted by digits of 8 bits, the lowest first, each pass stable (a digit
 * in which all keys agree needs no pass); few are sorted by insertion.  Goes
 * out: the pairs in order, at the start of the scratch, from which every
 * operand is put in order. */
#include "sort.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 48, DIGITS = 256, MOST_WIDTH = 8 };

typedef struct Pair {
  uint64_t key;
  int64_t index;
} Pair;

/* -- keys -------------------------------------------------------------- */

static uint64_t load(const char *from, int64_t width) {
  uint8_t b;
  uint16_t h;
  uint32_t w;
  uint64_t d;
  switch (width) {
    case 1:
      memcpy(&b, from, 1);
      return b;
    case 2:
      memcpy(&h, from, 2);
      return h;
    case 4:
      memcpy(&w, from, 4);
      return w;
    default:
      memcpy(&d, from, 8);
      return d;
  }
}

/* A float's bits grow with its size; those of negative ones are turned
 * around. */
static uint64_t float_key(uint64_t bits, uint64_t sign, uint64_t infinity) {
  uint64_t size = bits & (sign - 1);
  if (size > infinity) return sign | (sign - 1); /* NaN */
  if (size == 0 || bits == size) return sign | size;
  return ~bits & (sign | (sign - 1));
}

static void fill(Pair *pairs, int64_t n, const char *keys, int64_t step,
                 int64_t width, bool is_signed, uint64_t infinity) {
  uint64_t sign = UINT64_C(1) << (8 * width - 1);
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits = load(keys + i * step, width);
    if (infinity)
      bits = float_key(bits, sign, infinity);
    else if (is_signed)
      bits ^= sign;
    pairs[i] = (Pair){bits, i};
  }
}

/* -- order ------------------------------------------------------------- */

static void insert(Pair *pairs, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    Pair pair = pairs[i];
    int64_t at = i;
    for (; at > 0 && pairs[at - 1].key > pair.key; at--)
      pairs[at] = pairs[at - 1];
    pairs[at] = pair;
  }
}

static int digit(uint64_t key, int64_t place) {
  return (int)(key >> (8 * place) & (DIGITS - 1));
}

/* How often each digit occurs in each place. */
static void count(const Pair *pairs, int64_t n, int64_t width,
                  int64_t counts[MOST_WIDTH][DIGITS]) {
  memset(counts, 0, (size_t)width * sizeof *counts);
  for (int64_t i = 0; i < n; i++)
    for (int64_t place = 0; place < width; place++)
      counts[place][digit(pairs[i].key, place)]++;
}

/* From one list to the other, by one digit; starts: its counts. */
static void deal(const Pair *from, Pair *to, int64_t n, int64_t place,
                 int64_t *starts) {
  int64_t sum = 0;
  for (int d = 0; d < DIGITS; d++) {
    int64_t own = starts[d];
    starts[d] = sum;
    sum += own;
  }
  for (int64_t i = 0; i < n; i++)
    to[starts[digit(from[i].key, place)]++] = from[i];
}

static bool is_sorted(const Pair *pairs, int64_t n) {
  for (int64_t i = 1; i < n; i++)
    if (pairs[i - 1].key > pairs[i].key) return false;
  return true;
}

static void sort_by_digits(Pair *pairs, int64_t n, int64_t width) {
  int64_t counts[MOST_WIDTH][DIGITS];
  Pair *from = pairs, *to = pairs + n;
  count(pairs, n, width, counts);
  for (int64_t place = 0; place < width; place++) {
    if (counts[place][digit(from[0].key, place)] == n) continue;
    deal(from, to, n, place, counts[place]);
    Pair *swap = from;
    from = to;
    to = swap;
  }
  if (from != pairs) memcpy(pairs, from, (size_t)n * sizeof *pairs);
}

void lockstep_sort(void *scratch, int64_t n, const char *keys, int64_t step,
                   int64_t width, int64_t is_signed, int64_t infinity) {
  Pair *pairs = scratch;
  fill(pairs, n, keys, step, width, is_signed != 0, (uint64_t)infinity);
  if (n <= FEW)
    insert(pairs, n);
  else if (!is_sorted(pairs, n))
    sort_by_digits(pairs, n, width);
}

/* -- moving ------------------------------------------------------------ */

#define MOVE(bytes)                                                       \
  for (int64_t i = 0; i < n; i++)                                         \
    memcpy(to + i * to_step, from + pairs[i].index * from_step, (bytes)); \
  break

void lockstep_permute(const void *scratch, int64_t n, int64_t width,
                      const char *from, int64_t from_step, char *to,
                      int64_t to_step) {
  const Pair *pairs = scratch;
  switch (width) { /* a copy of constant size is one instruction */
    case 1:
      MOVE(1);
    case 2:
      MOVE(2);
    case 4:
      MOVE(4);
    default:
      MOVE(8);
  }
}
