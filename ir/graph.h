/* graph.h: what the files of ir/ share.  An Infer is the frame of one
 * inference: operands and attributes come in, result types go out. */
#ifndef LOCKSTEP_IR_GRAPH_H
#define LOCKSTEP_IR_GRAPH_H

#include "ir.h"

enum { INFER_SCRATCH = 512, INFER_RESULTS = 4 };

typedef struct Infer {
  Program *program;
  const NodeSpec *spec;
  const OpInfo *info;
  Op op;
  int n;                 /* operands */
  Attr attr[ATTR_COUNT]; /* valid where `has` has the bit; a rule
                            normalises them in place */
  uint64_t has;
  Type *out; /* results, axes filled in by infer_finish */
  int n_out;
  bool has_axes; /* the rule has set the axes itself */
  Type out_room[INFER_RESULTS];
  int64_t scratch[INFER_SCRATCH];
  int scratch_used;
} Infer;

void infer_start(Infer *in, Program *program, const NodeSpec *spec);
bool infer_finish(Infer *in); /* axes and sizes of the results */

/* "op: message (operands ...)" at the node's place.  Always false. */
bool infer_error(Infer *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Does a value of this type fit 2^63 bytes, all its devices counted? */
bool infer_check_size(Program *program, Place place, const char *what,
                      Type type);

/* program.c: bytes copied into the arena; room for one more pointer in a
 * growing array; a value of block, its type's dims copied. */
void *graph_copy(Program *program, const void *from, size_t bytes);
void *graph_grow(Program *program, void *array, int used, int *room);
Value *graph_value(Block *block, Type type, const char *name);
/* attrs.c: a spec's attributes into the frame, checked; and out of it. */
bool graph_take_attrs(Infer *in, const NodeSpec *spec);
bool graph_keep_attrs(Infer *in, Node *node);

static inline Type infer_type(const Infer *in, int i) {
  return in->spec->operands[i]->type;
}
static inline bool infer_has(const Infer *in, AttrKey key) {
  return in->has >> key & 1;
}
int64_t *infer_ints(Infer *in, int n); /* zeroed scratch; NULL: memory */
void infer_set_ints(Infer *in, AttrKey key, const int64_t *v, int n);
int64_t infer_int(const Infer *in, AttrKey key); /* or its default */
bool infer_results(Infer *in, int n);            /* room for n results */
bool infer_one(Infer *in, DType dtype, int rank, const int64_t *dims);
/* Has operand i the dtype of operand 0? */
bool infer_same_dtype(Infer *in, int i);
/* Normalise a dim number in [-rank, rank) in place. */
bool infer_dim(Infer *in, const char *what, int64_t *dim, int rank);

#define OP(name, arity, class, rule, ...) bool infer_##rule(Infer *in);
#include "ops.def"
#undef OP

#endif
