/* unique.h: names of which no two are equal (unique.c). */
#ifndef LOCKSTEP_IR_UNIQUE_H
#define LOCKSTEP_IR_UNIQUE_H

#include "ir.h"

/* The names given out so far.  Starts as { .program = ... }. */
typedef struct Unique {
  Program *program; /* which owns the names, and all errors */
  struct UsedName *table;
} Unique;

/* The name, or the first of name_2, name_3, ... that is free.  NULL: no memory
 * (in program->error).  Names must outlive the table. */
const char *ir_unique_name(Unique *unique, const char *name);
void ir_unique_end(Unique *unique);

#endif
