/* hardware.c: the host, as the passes see it.
 *
 * Comes in: what runtime and codegen know of the machine.  Goes out: a
 * Hardware of facts that stay what they are, for compiling; or with speeds
 * that were measured, for predictions of time. */
#include <pthread.h>

#include "../codegen/codegen.h"
#include "hardware.h"

/* Bytes a cycle that one core gets from its second cache, its third, and
 * memory: about what Zen 2 to 5 and Skylake to Sapphire Rapids sustain in
 * loops that also write (30 to 50, 10 to 25, 4 to 9).  They are far enough
 * apart that choices do not depend on the digits.  From the first cache every
 * core takes two vectors a cycle. */
static const double outer_bandwidth[3] = {32, 14, 5};

static Hardware host;
static pthread_once_t host_known = PTHREAD_ONCE_INIT;

static void learn_host(void) {
  if (cg_vectors(&host.vector, &host.flops))
    host.bandwidth[0] = 2 * host.vector;
  for (int i = 0; i < 3; i++) {
    host.cache[i] = rt_cache_bytes(i + 1);
    host.bandwidth[i + 1] = outer_bandwidth[i];
  }
  host.memory = rt_memory_allowed();
}

const Hardware *front_hardware(void) {
  pthread_once(&host_known, learn_host);
  return &host;
}

static void set_speed(double *cycle, double giga, double clock_ghz) {
  if (giga > 0) *cycle = giga / clock_ghz;
}

Clock front_clock(const Hardware *facts, const Machine *measured) {
  const double nominal = 3e6;
  Clock clock = {.hardware = *facts, .cycles_per_ms = nominal};
  if (measured == NULL || measured->clock_ghz <= 0) return clock;
  double ghz = measured->clock_ghz, *bandwidth = clock.hardware.bandwidth;
  clock.cycles_per_ms = ghz * 1e6;
  set_speed(&clock.hardware.flops, measured->peak_gflops, ghz);
  for (int i = 0; i < 3; i++)
    set_speed(&bandwidth[i], measured->cache_gbps[i], ghz);
  set_speed(&bandwidth[3], measured->peak_gbps, ghz);
  for (int i = 1; i < 4; i++) /* a disturbed measurement: never more outside */
    if (bandwidth[i] > bandwidth[i - 1]) bandwidth[i] = bandwidth[i - 1];
  return clock;
}
