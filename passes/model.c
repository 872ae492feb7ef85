/* model.c: what work is expected to take, for passes that must choose.
 *
 * Comes in: operations, bytes that are moved, and the size of what the loop
 * around touches, which says from where the bytes come.  Goes out: cycles of
 * one thread.  Choices compare such numbers; they need be right only against
 * each other. */
#include "passes.h"

/* Where the machine is not known: about what a core of the last ten years has,
 * on the low side. */
static const Hardware modest = {
    .flops = 16,
    .bandwidth = {64, 32, 12, 5},
    .cache = {32 << 10, 512 << 10, 8 << 20},
    .memory = INT64_C(4) << 30,
};

static double known(double value, double guess) {
  return value > 0 ? value : guess;
}

double pass_cycles(const Hardware *hardware, double flops, double bytes,
                   double touched) {
  int level = 0;
  while (level < 3 && touched > known((double)hardware->cache[level],
                                      (double)modest.cache[level]))
    level++;
  double compute = flops / known(hardware->flops, modest.flops);
  double move =
      bytes / known(hardware->bandwidth[level], modest.bandwidth[level]);
  return compute > move ? compute : move;
}

double pass_memory(const Hardware *hardware) {
  return known((double)hardware->memory, (double)modest.memory);
}
