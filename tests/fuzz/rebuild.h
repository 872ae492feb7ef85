/* rebuild.h: what rebuild.c and rebuild_control.c share. */
#ifndef LOCKSTEP_TESTS_REBUILD_H
#define LOCKSTEP_TESTS_REBUILD_H

#include "fuzz.h"

/* Values of the copy that are to become visible. */
typedef struct Exposed {
  Value **values;
  int n, room;
} Exposed;

typedef struct Rebuild {
  Copier copier;
  const Edit *edit;
  bool *live; /* by value id */
  bool changed;
} Rebuild;

/* Is any of its results needed? */
bool rebuild_is_live(const Rebuild *r, const Node *node);
void rebuild_mark(Rebuild *r, const Value *value);
void rebuild_mark_block(Rebuild *r, const Block *block);
void rebuild_expose(const Rebuild *r, Exposed *exposed, Value *value);
/* What the edit replaces has been copied at the end of `to`: replace it. */
void rebuild_replace(Rebuild *r, Block *to);
void rebuild_copy_nodes(Rebuild *r, const Block *from, Block *to,
                        Exposed *exposed);

/* rebuild_control.c */
void rebuild_mark_while(Rebuild *r, const Node *node);
void rebuild_mark_cond(Rebuild *r, const Node *node);
void rebuild_mark_inlined(Rebuild *r, const Node *node);
typedef void CopyNode(Rebuild *r, const Node *node, Block *to, Exposed *outer);
CopyNode rebuild_copy_while, rebuild_copy_cond, rebuild_copy_inlined;

#endif
