/* unique.c: results of equal names get _2, _3, ...  In time that grows with the
 * number of names, even if all are equal: each remembers the next suffix. */
#include "unique.h"

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ir_out_of_memory(unique->program)
#include <uthash.h>

typedef struct UsedName {
  const char *name;
  int next; /* suffixes below it are taken */
  UT_hash_handle hh;
} UsedName;

static UsedName *find(const Unique *unique, const char *name) {
  UsedName *used;
  HASH_FIND_STR(unique->table, name, used);
  return used;
}

const char *ir_unique_name(Unique *unique, const char *name) {
  Program *program = unique->program;
  UsedName *base = find(unique, name);
  for (bool taken = base != NULL; taken && !program->error.failed;) {
    const char *text = ir_format(program, "%s_%d", base->name, base->next++);
    taken = text && find(unique, text);
    name = text;
  }
  UsedName *used = ir_alloc(program, sizeof *used);
  if (used == NULL || program->error.failed) return NULL;
  used->name = name;
  used->next = 2;
  HASH_ADD_KEYPTR(hh, unique->table, name, strlen(name), used);
  return program->error.failed ? NULL : name;
}

void ir_unique_end(Unique *unique) { HASH_CLEAR(hh, unique->table); }
