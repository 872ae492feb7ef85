/* callees.c: the C functions that a program's `call` nodes may name.
 *
 * Comes in: names with functions, from the builder or the host of a parser.
 * Goes out: a table that every copy of the program carries, so that inference,
 * the evaluator and the loader of generated code find the function by name. */
#include <ctype.h>
#include <string.h>

#include "graph.h"

const Callee *ir_callee(const Program *program, const char *name) {
  for (int i = 0; i < program->n_callees; i++)
    if (strcmp(program->callees[i].name, name) == 0)
      return &program->callees[i];
  return NULL;
}

/* A name is part of a symbol of the object file. */
static bool is_name(const char *name) {
  enum { LONGEST = 200 };
  if (name == NULL || strlen(name) > LONGEST ||
      !(isalpha((unsigned char)*name) || *name == '_'))
    return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  return true;
}

/* The table is short and grows seldom: each entry makes a new one. */
static bool add(Program *program, Callee callee) {
  size_t n = (size_t)program->n_callees;
  Callee *grown = ir_alloc(program, (n + 1) * sizeof *grown);
  callee.name = ir_copy_string(program, callee.name);
  if (grown == NULL || callee.name == NULL) return false;
  if (n) memcpy(grown, program->callees, n * sizeof *grown);
  grown[n] = callee;
  program->callees = grown;
  program->n_callees++;
  return true;
}

bool ir_register(Program *program, Callee callee, Place place) {
  if (program->error.failed) return false;
  if (!is_name(callee.name))
    return ir_error(program, place,
                    "call: a function's name is up to 200 letters, digits and "
                    "_, not '%.60s'",
                    callee.name ? callee.name : "NULL");
  if (callee.function == NULL)
    return ir_error(program, place, "call: the function %.60s is NULL",
                    callee.name);
  const Callee *known = ir_callee(program, callee.name);
  if (known == NULL) return add(program, callee);
  if (known->function == callee.function && known->user == callee.user)
    return true;
  return ir_error(program, place,
                  "call: another function, or the same with another user "
                  "pointer, is registered as %.60s",
                  callee.name);
}

bool ir_copy_callees(Program *to, const Program *from) {
  for (int i = 0; i < from->n_callees; i++)
    if (!add(to, from->callees[i])) return false;
  return true;
}
