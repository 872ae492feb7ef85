/* model.c: cycles for operations and for bytes, on a machine.
 *
 * Comes in: operations, bytes that are moved, and the size of what the loop
 * around touches, which says from where the bytes come.  Goes out: cycles.
 * Choices compare such numbers.
 *
 * A loop that touches more than a cache holds does not lose it at once: what
 * it reads last is still there.  Between 3/4 and 3/2 of a cache's size the
 * share of its hits falls from all to none, so a price has no cliff that a
 * few bytes could push it over. */
#include "model.h"

/* Where the machine is not known: about what a core of the last ten years has,
 * on the low side. */
static const Hardware modest = {
    .vector = 32,
    .flops = 16,
    .bandwidth = {64, 32, 12, 5},
    .cache = {32 << 10, 512 << 10, 8 << 20},
    .memory = INT64_C(4) << 30,
};

static double known(double value, double guess) {
  return value > 0 ? value : guess;
}

static int64_t known_bytes(int64_t value, int64_t guess) {
  return value > 0 ? value : guess;
}

Hardware pass_machine(const Hardware *hardware) {
  Hardware machine = *hardware;
  if (machine.vector <= 0) machine.vector = modest.vector;
  machine.flops = known(machine.flops, modest.flops);
  for (int i = 0; i < 4; i++)
    machine.bandwidth[i] = known(machine.bandwidth[i], modest.bandwidth[i]);
  for (int i = 0; i < 3; i++)
    machine.cache[i] = known_bytes(machine.cache[i], modest.cache[i]);
  machine.memory = known_bytes(machine.memory, modest.memory);
  return machine;
}

/* The two inner caches and the arithmetic are each core's own; the outer cache
 * is one, but gives every core its own stream; two cores saturate memory. */
Hardware pass_team(const Hardware *hardware, int threads) {
  Hardware team = pass_machine(hardware);
  if (threads < 1) threads = 1;
  team.flops *= threads;
  for (int i = 0; i < 3; i++) team.bandwidth[i] *= threads;
  team.bandwidth[3] *= threads < 2 ? threads : 2;
  for (int i = 0; i < 2; i++) team.cache[i] *= threads;
  return team;
}

/* How much of what is touched a cache of that size still gives. */
static double hits(double cache, double touched) {
  double share = 2 - touched / (0.75 * cache);
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

double pass_move_cycles(const Hardware *hardware, double bytes,
                        double touched) {
  Hardware machine = pass_machine(hardware);
  double left = bytes, cycles = 0;
  for (int level = 0; level < 3 && left > 0; level++) {
    double here = left * hits((double)machine.cache[level], touched);
    cycles += here / machine.bandwidth[level];
    left -= here;
  }
  return cycles + left / machine.bandwidth[3];
}

int pass_level(const Hardware *hardware, double touched) {
  Hardware machine = pass_machine(hardware);
  int level = 0;
  while (level < 3 && hits((double)machine.cache[level], touched) < 0.5)
    level++;
  return level;
}

double pass_cycles(const Hardware *hardware, double flops, double bytes,
                   double touched) {
  double compute = flops / known(hardware->flops, modest.flops);
  double move = pass_move_cycles(hardware, bytes, touched);
  return compute > move ? compute : move;
}

int64_t pass_cache(const Hardware *hardware, int i) {
  return hardware->cache[i] > 0 ? hardware->cache[i] : modest.cache[i];
}

double pass_memory(const Hardware *hardware) {
  return known((double)hardware->memory, (double)modest.memory);
}
