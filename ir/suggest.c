/* suggest.c: which known word was meant by a misspelt one.
 *
 * The distance is Damerau and Levenshtein's (insert, delete, replace, swap two
 * neighbours), letters compared without case; a third of the word may be
 * wrong. */
#include "ir.h"

#include <ctype.h>
#include <string.h>

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

const char *ir_closest(const char *word, size_t length,
                       const char *const *candidates, int n) {
  if (length == 0 || length > LONGEST) return NULL;
  const char *closest = NULL;
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
  return closest;
}
