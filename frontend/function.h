/* function.h: an ls_function, shared by its table (function.c) and its tracing
 * (trace.c). */
#ifndef LOCKSTEP_FUNCTION_H
#define LOCKSTEP_FUNCTION_H

#include <pthread.h>

#include "frontend.h"

typedef struct Traced Traced; /* one set of input types, in function.c */

typedef struct NamedAxis {
  char *name;
  int64_t size;
} NamedAxis;

struct ls_function {
  char *name;
  ls_trace *trace;
  void *user;
  ls_options options;
  char *without; /* options.without, copied */
  NamedAxis axes[IR_MAX_AXES];
  int n_axes;
  pthread_rwlock_t lock;  /* guards the table */
  pthread_mutex_t making; /* held while tracing and compiling */
  Traced *table;
  atomic_llong traces, compiles, hits;
};

/* Trace for inputs of these types, and compile.  Under f->making. */
ls_executable *front_trace(ls_function *f, const ls_array *inputs, int n_inputs,
                           ls_error *error);

#endif
