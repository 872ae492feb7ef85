/* hardware.h: the host, for the library and for the tool. */
#ifndef LOCKSTEP_FRONTEND_HARDWARE_H
#define LOCKSTEP_FRONTEND_HARDWARE_H

#include "../passes/passes.h"
#include "../runtime/runtime.h"

/* Found once for each process, the same in all processes of one machine. */
const Hardware *front_hardware(void);

/* What predictions of time need: a machine and its cycles in a millisecond. */
typedef struct Clock {
  Hardware hardware;
  double cycles_per_ms;
} Clock;
/* Speeds as they were measured; what was not stays as `facts` have it.  Without
 * a measurement (NULL), 3 GHz. */
Clock front_clock(const Hardware *facts, const Machine *measured);

#endif
