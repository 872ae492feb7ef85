/* host.c: what the vectors of this machine are, as generated code uses them.
 *
 * Goes out: the width that kernels are written for and what a core does with
 * it in a cycle, from LLVM's list of the host's features. */
#include <string.h>

#include "emit.h"

int host_vector_bytes(const char *features) {
  if (strstr(features, "+avx512f")) return 64;
  return strstr(features, "+avx") ? 32 : 16;
}

/* x86 names the feature; every 64-bit ARM has it. */
bool host_fuses(const char *features) {
  return strstr(features, "+fma") || strstr(features, "+neon");
}

/* Two units for vectors is what cores of the last ten years have; without
 * fused operations one adds while the other multiplies. */
bool cg_vectors(int *bytes, double *flops) {
  enum { UNITS = 2 };
  Host host;
  bool fine = host_open(&host);
  if (fine) {
    *bytes = host_vector_bytes(host.features);
    *flops = UNITS * (*bytes / 8.0) * (host_fuses(host.features) ? 2 : 1);
  }
  host_close(&host);
  return fine;
}
