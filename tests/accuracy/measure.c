/* measure.c: one op on one dtype, batch after batch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"

typedef struct Measurement {
  Code code;
  Judge judge;
  Random random;
  Batch batch, again; /* `again`: computed another way */
  int64_t done;
} Measurement;

static void operands_of(const Measurement *m, const Batch *batch, int at,
                        double x[2]) {
  for (int i = 0; i < 2; i++)
    x[i] =
        format_load(m->code.format, batch->x[i] + at * m->code.format->bytes);
}

static void fill(Measurement *m) {
  double x[2];
  if (m->code.subject->domain == DRAWS) {
    m->batch.key[0] = (uint32_t)random_bits(&m->random);
    m->batch.key[1] = (uint32_t)random_bits(&m->random);
    return;
  }
  for (int at = 0; at < BATCH; at++) {
    sample(&m->random, m->code.subject, m->code.format, m->done + at, x);
    for (int i = 0; i < 2; i++)
      format_store(m->code.format, m->batch.x[i] + at * m->code.format->bytes,
                   x[i]);
  }
}

static void judge_batch(Measurement *m, int64_t n, Cell *cell) {
  double x[2];
  for (int at = 0; at < n; at++) {
    operands_of(m, &m->batch, at, x);
    double got =
        format_load(m->code.format, m->batch.y + at * m->code.format->bytes);
    Verdict verdict = judge_value(&m->judge, x, got);
    cell->count++;
    cell->misrounded += !verdict.nearest;
    bool worse = verdict.ulps > cell->worst.ulps;
    if (cell->count > 1 && !worse) continue;
    cell->worst = verdict;
    cell->x[0] = x[0];
    cell->x[1] = x[1];
    cell->got = got;
  }
}

/* The same bits when computed another way? */
static bool compare(Measurement *m, Way way, Cell *cell) {
  int bytes = m->code.format->bytes;
  m->again = m->batch;
  if (!code_run(&m->code, way, &m->again, &cell->error)) return false;
  for (int at = 0; at < BATCH; at++) {
    bool same = format_same(m->code.format, m->batch.y + at * bytes,
                            m->again.y + at * bytes) &&
                format_same(m->code.format, m->batch.x[0] + at * bytes,
                            m->again.x[0] + at * bytes);
    if (same) continue;
    if (cell->apart++ == 0) {
      cell->apart_way = way;
      operands_of(m, &m->batch, at, cell->apart_x);
    }
  }
  return true;
}

static bool measure_batch(Measurement *m, int64_t wanted, Cell *cell) {
  bool first = m->done == 0;
  fill(m);
  if (!code_run(&m->code, FAST, &m->batch, &cell->error)) return false;
  judge_batch(m, wanted < BATCH ? wanted : BATCH, cell);
  m->done += BATCH;
  if (!compare(m, EVALUATED, cell)) return false;
  if (!first) return true;
  return compare(m, STRICT, cell) &&
         (m->code.subject->domain == DRAWS || compare(m, FOLDED, cell));
}

void measure(const Subject *subject, const Format *format, int64_t count,
             uint64_t seed, Cell *cell) {
  Measurement *m = calloc(1, sizeof *m);
  *cell = (Cell){.broken = true};
  if (m == NULL) return;
  m->random.state = seed;
  judge_open(&m->judge, subject, format);
  bool good = code_create(&m->code, subject, format, &cell->error);
  int64_t total = sample_fixed(subject, format);
  if (total < 65536) total += count; /* else these are all values */
  while (good && m->done < total)
    good = measure_batch(m, total - m->done, cell);
  cell->broken = !good;
  code_destroy(&m->code);
  judge_close(&m->judge);
  free(m);
}
