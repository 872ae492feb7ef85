/* write.h: random loops whose sums over devices are to leave them, as text. */
#ifndef LOCKSTEP_TESTS_HOIST_WRITE_H
#define LOCKSTEP_TESTS_HOIST_WRITE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Obstacle {
  NO_OBSTACLE,
  NONLINEAR,   /* tanh before the sum */
  CHANGING,    /* the varying factor is an x */
  EXTREME,     /* the largest, not the sum */
  TOO_SHORT,   /* one step */
  NARROW,      /* f16 */
  GROUPS,      /* named form only */
  WIDENED_INT, /* what has wrapped is not what would be widened */
  OBSTACLES
} Obstacle;

/* What a seed makes.  With trace each step's carry is a result, too. */
typedef struct Drawn {
  bool explicit; /* devices are a dim, not an axis */
  int devices;
  Obstacle obstacle;
  const char *dtype;
  char *text; /* free() it; NULL: no memory */
} Drawn;
Drawn write_program(uint64_t seed, bool stays, bool trace);

#endif
