/* hardware.h: the host, for the library and for the tool. */
#ifndef LOCKSTEP_FRONTEND_HARDWARE_H
#define LOCKSTEP_FRONTEND_HARDWARE_H

#include "../passes/passes.h"

/* Found once for each process, the same in all processes of one machine. */
const Hardware *front_hardware(void);

#endif
