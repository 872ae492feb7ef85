/* interchange.h: what the files of the pass interchange share.
 *
 * interchange.c        which scans, along which dim; the copy
 * interchange_price.c  what a scan takes, whole and in blocks
 * interchange_why.c    the same as lines of text */
#ifndef LOCKSTEP_PASSES_INTERCHANGE_H
#define LOCKSTEP_PASSES_INTERCHANGE_H

#include "../ir/blocks.h"
#include "../ir/text.h"
#include "pass.h"

/* One way to cut a scan. */
typedef struct Choice {
  const Value *result; /* the first result that is read, and its dim */
  int dim;
  int cut;          /* the class */
  int64_t extent;   /* of that dim */
  int64_t size;     /* of a block; 0: none pays */
  bool inner;       /* the dim becomes the innermost */
  double whole, in; /* cycles, as it is and in blocks */
} Choice;

typedef struct Interchange {
  Copier copier;
  const Options *options;
  bool *read;  /* by value id: does anyone read it? */
  bool inside; /* the copy is in blocks */
  PassNote *note;
  void *note_context;
  Name *names;
} Interchange;

/* Fill size, inner and the cycles. */
void interchange_price(const Interchange *pass, const Node *scan, Dims *dims,
                       Choice *choice);
/* Lines for --why-not; nothing without pass->note.  other: a result that lacks
 * the dim, or NULL. */
void interchange_note_mixed(Interchange *pass, const Node *scan,
                            const Choice *choice, DimMixer mixer,
                            const Value *twice, const Value *other);
void interchange_note_priced(Interchange *pass, const Node *scan,
                             const Choice *choice, bool fired);
void interchange_note(Interchange *pass, const Node *scan, const char *text);

#endif
