/* names.c: the names that a dump gives to values.
 *
 * Comes in: a program, whose values have names that passes may have made equal,
 * or none.  Goes out: one Name a value, such that what is printed reads back
 * and prints the same again.
 *
 * A named value keeps its name unless a value that is visible there has it
 * already; then it gets the first free of _2, _3, ...  The results of a node
 * count as visible in its own body.  Unnamed values are numbered in the order
 * in which they are printed (a node's results, then its body); a number that a
 * parameter or result has as its name (%0) is left out. */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) (naming->failed = true)
#include <uthash.h>

typedef struct Taken {
  const char *name;
  int suffix; /* of name, if this was made from origin's */
  int next;   /* suffixes below it are taken */
  struct Taken *origin;
  struct Taken *below; /* defined before it */
  UT_hash_handle hh;
  char text[]; /* name, where it is not the value's own */
} Taken;

typedef struct Naming {
  const Program *program;
  Name *names;
  int number;
  unsigned char *skipped; /* bit i: a parameter or result is "i" */
  Taken *visible;         /* uthash table */
  Taken *top;
  bool failed;
} Naming;

/* The number that a name of digits spells, or -1. */
static int number_of(const Naming *naming, const char *name) {
  int64_t number = 0;
  if (name[0] == '0' && name[1] != '\0') return -1;
  for (const char *c = name; *c; c++) {
    if (*c < '0' || *c > '9') return -1;
    number = number * 10 + (*c - '0');
    if (number >= naming->program->n_values) return -1;
  }
  return *name ? (int)number : -1;
}

/* A name of digits only counts as a name where something outside goes by it:
 * of a parameter, and of a result that is called the same. */
static void keep_digits(Naming *naming, const Value *value) {
  int number = number_of(naming, value->name);
  if (number >= 0) naming->skipped[number / 8] |= 1u << number % 8;
  naming->names[value->id].base = value->name;
}

static void keep_digits_of_all(Naming *naming) {
  const Program *program = naming->program;
  const Block *body = program->body;
  for (int i = 0; i < body->n_params; i++)
    if (body->params[i]->name) keep_digits(naming, body->params[i]);
  for (int i = 0; program->result_names && i < body->n_yields; i++) {
    const char *name = body->yields[i]->name;
    if (name && program->result_names[i] &&
        strcmp(name, program->result_names[i]) == 0)
      keep_digits(naming, body->yields[i]);
  }
}

static bool is_unnamed(const Naming *naming, const Value *value) {
  if (value->name == NULL) return true;
  return value->name[strspn(value->name, "0123456789")] == '\0' &&
         naming->names[value->id].base == NULL;
}

static Taken *find(Naming *naming, const char *name) {
  Taken *taken;
  HASH_FIND_STR(naming->visible, name, taken);
  return taken;
}

/* name NULL: origin's name with the suffix. */
static Taken *take(Naming *naming, const char *name, Taken *origin,
                   int suffix) {
  size_t length = name ? 0 : strlen(origin->name) + 12;
  Taken *taken = calloc(1, sizeof *taken + length + 1);
  if (taken == NULL) {
    naming->failed = true;
    return NULL;
  }
  if (name == NULL)
    snprintf(taken->text, length + 1, "%s_%d", origin->name, suffix);
  taken->name = name ? name : taken->text;
  taken->suffix = suffix;
  taken->next = 2;
  taken->origin = origin;
  return taken;
}

static void make_visible(Naming *naming, Taken *taken) {
  HASH_ADD_KEYPTR(hh, naming->visible, taken->name, strlen(taken->name), taken);
  if (naming->failed) {
    free(taken);
    return;
  }
  taken->below = naming->top;
  naming->top = taken;
}

static void leave(Naming *naming, Taken *until) {
  while (naming->top != until) {
    Taken *taken = naming->top;
    naming->top = taken->below;
    if (taken->origin && taken->suffix < taken->origin->next)
      taken->origin->next = taken->suffix;
    HASH_DEL(naming->visible, taken);
    free(taken);
  }
}

static void name_number(Naming *naming, const Value *value) {
  int number = naming->number;
  while (number < naming->program->n_values &&
         naming->skipped[number / 8] >> number % 8 & 1)
    number++;
  naming->names[value->id] = (Name){NULL, number};
  naming->number = number + 1;
}

static void name_value(Naming *naming, const Value *value) {
  if (naming->failed) return;
  if (is_unnamed(naming, value)) {
    name_number(naming, value);
    return;
  }
  Taken *origin = find(naming, value->name);
  Taken *taken = NULL;
  if (origin == NULL) {
    taken = take(naming, value->name, NULL, 0);
  } else {
    for (int k = origin->next; taken == NULL && !naming->failed; k++) {
      taken = take(naming, NULL, origin, k);
      if (taken && find(naming, taken->name)) {
        free(taken);
        taken = NULL;
      }
    }
    if (taken) origin->next = taken->suffix + 1;
  }
  if (taken == NULL) return;
  make_visible(naming, taken);
  naming->names[value->id] = (Name){value->name, taken->suffix};
}

static void name_block(Naming *naming, const Block *block);

/* The bodies of a while bind their parameters together: one name for both. */
static void name_bodies(Naming *naming, const Node *node) {
  Taken *mark = naming->top;
  const Block *first = node->bodies[0];
  for (int i = 0; first && i < first->n_params; i++)
    name_value(naming, first->params[i]);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
    const Block *body = node->bodies[b];
    for (int i = 0; b > 0 && i < body->n_params; i++)
      naming->names[body->params[i]->id] = naming->names[first->params[i]->id];
    name_block(naming, body);
  }
  leave(naming, mark);
}

static void name_block(Naming *naming, const Block *block) {
  Taken *mark = naming->top;
  for (int i = 0; i < block->n_nodes && !naming->failed; i++) {
    const Node *node = block->nodes[i];
    for (int r = 0; r < node->n_results; r++)
      name_value(naming, node->results[r]);
    if (node->body) name_bodies(naming, node);
  }
  leave(naming, mark);
}

Name *ir_names(const Program *program) {
  size_t n = (size_t)program->n_values;
  Naming naming = {.program = program,
                   .names = calloc(n + 1, sizeof(Name)),
                   .skipped = calloc(n / 8 + 1, 1)};
  naming.failed = naming.names == NULL || naming.skipped == NULL;
  if (!naming.failed) {
    keep_digits_of_all(&naming);
    for (int i = 0; i < program->body->n_params; i++)
      name_value(&naming, program->body->params[i]);
    name_block(&naming, program->body);
    leave(&naming, NULL);
  }
  free(naming.skipped);
  if (!naming.failed) return naming.names;
  free(naming.names);
  return NULL;
}

void ir_put_name(Buffer *out, Name name) {
  if (name.base) ir_put_text(out, name.base);
  if (name.base && name.suffix) ir_put(out, "_", 1);
  if (name.base == NULL || name.suffix) ir_put_int(out, name.suffix);
}
