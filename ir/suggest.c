/* suggest.c: which known word was meant by another.
 *
 * First what other systems call it, then what is spelt alike, then what was cut
 * short.  The distance is Damerau and Levenshtein's (insert, delete, replace,
 * swap two neighbours), letters compared without case; a third of the word may
 * be wrong. */
#include "ir.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 48 };

static int least(int a, int b) { return a < b ? a : b; }

static bool same(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Three rows of the usual table are enough: a swap looks two back. */
static int distance(const char *a, int n, const char *b, int m) {
  int rows[3][LONGEST + 1];
  for (int j = 0; j <= m; j++) rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *row = rows[i % 3], *last = rows[(i + 2) % 3];
    const int *before = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = last[j - 1] + !same(a[i - 1], b[j - 1]);
      best = least(best, least(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
          same(a[i - 2], b[j - 1]))
        best = least(best, before[j - 2] + 1);
      row[j] = best;
    }
  }
  return rows[n % 3][m];
}

/* -- words of other systems -------------------------------------------- */

static const struct {
  const char *theirs, *ours;
} synonyms[] = {
    {"absolute", "abs"},
    {"allgather", "all_gather"},
    {"allreduce", "psum"},
    {"all_reduce", "psum"},
    {"alltoall", "all_to_all"},
    {"arange", "iota"},
    {"cast", "convert"},
    {"astype", "convert"},
    {"cat", "concatenate"},
    {"const", "constant"},
    {"divide", "div"},
    {"dot", "einsum"},
    {"matmul", "einsum"},
    {"matrix_multiply", "einsum"},
    {"equal", "compare"},
    {"less", "lt"},
    {"greater", "gt"},
    {"fori_loop", "scan"},
    {"for", "scan"},
    {"gather", "take"},
    {"if", "cond"},
    {"while_loop", "while"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"mod", "rem"},
    {"remainder", "rem"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"negate", "neg"},
    {"permute", "transpose"},
    {"power", "pow"},
    {"sigmoid", "logistic"},
    {"subtract", "sub"},
    {"sum", "reduce_sum"},
    {"prod", "reduce_prod"},
    {"any", "reduce_or"},
    {"all", "reduce_and"},
    {"where", "select"},
    {"flip", "reverse"},
    {"broadcast_to", "broadcast"},
    {"broadcast_in_dim", "broadcast"},
    {"reduce_scatter", "psum_scatter"},
    {"axis", "dim"},
    {"axes", "dims"},
    {"carries", "carry"},
    {"init", "carry"},
    {"axis", "dims"},
    {"equation", "spec"},
    {"subscripts", "spec"},
    {"end", "limit"},
    {"stop", "limit"},
    {"begin", "start"},
    {"permutation", "perm"},
    {"perm", "pairs"},
    {"dtype", "accumulate"},
    {"size", "count"},
    {"num", "count"},
    {"double", "f64"},
    {"float", "f32"},
    {"half", "f16"},
    {"int", "i32"},
    {"long", "i64"},
    {"unsigned", "u32"},
    {"char", "i8"},
    {"bfloat16", "bf16"},
    {"float16", "f16"},
    {"float32", "f32"},
    {"float64", "f64"},
    {"boolean", "bool"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"yes", "true"},
    {"no", "false"},
};

static const char *same_meaning(const char *word, size_t length,
                                const char *const *candidates, int n) {
  for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++) {
    if (strlen(synonyms[s].theirs) != length ||
        strncasecmp(synonyms[s].theirs, word, length) != 0)
      continue;
    for (int i = 0; i < n; i++)
      if (strcmp(candidates[i], synonyms[s].ours) == 0) return candidates[i];
  }
  return NULL;
}

static const char *cut_short(const char *word, size_t length,
                             const char *const *candidates, int n) {
  for (int i = 0; i < n && length > 1; i++)
    if (strncasecmp(candidates[i], word, length) == 0) return candidates[i];
  return NULL;
}

/* -- the closest ------------------------------------------------------- */

const char *ir_closest(const char *word, size_t length,
                       const char *const *candidates, int n) {
  if (length == 0 || length > LONGEST) return NULL;
  const char *closest = same_meaning(word, length, candidates, n);
  if (closest) return closest;
  int best = length < 3 ? 1 : (int)(length + 1) / 3;
  for (int i = 0; i < n; i++) {
    size_t size = strlen(candidates[i]);
    if (size == 0 || size > LONGEST) continue;
    int off = distance(word, (int)length, candidates[i], (int)size);
    /* Nothing in common is no misspelling. */
    if (off > best || off >= (int)length || (closest && off == best)) continue;
    closest = candidates[i];
    best = off;
  }
  if (closest == NULL) closest = cut_short(word, length, candidates, n);
  return closest;
}
