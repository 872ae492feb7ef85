/* frontend.h: what the files of frontend/ share, and the tool may use.
 *
 * The public header is lockstep.h.  Here stand the structs behind its handles
 * and the helpers that cross files (prefix front_). */
#ifndef LOCKSTEP_FRONTEND_H
#define LOCKSTEP_FRONTEND_H

#include <stdarg.h>
#include <stdatomic.h>

#include "../codegen/codegen.h"
#include "../ir/ir.h"
#include "../passes/passes.h"
#include "lockstep.h"

/* -- errors (status.c) ------------------------------------------------- */

/* Fill *error (may be NULL).  Returns status. */
ls_status front_error(ls_error *error, ls_status status, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));
ls_status front_fine(ls_error *error);
ls_status front_no_memory(ls_error *error);
/* From what a program says of itself.  text: the file's content, or NULL. */
ls_status front_diagnostic(ls_error *error, const Diagnostic *diagnostic,
                           const char *text, size_t length);

/* Room for one more element in a malloc'd array; doubling.  false: memory. */
bool front_grow(void **array, int64_t used, int64_t *room, size_t element);

/* -- the builder ------------------------------------------------------- */

/* A C scalar: becomes a constant where it is used, in the dtype that its place
 * wants, as early as the first use and as seldom as scopes allow. */
typedef struct Number {
  DType dtype;  /* DT_COUNT: none of its own */
  bool integer; /* number.i (or .u), else number.f */
  Scalar number;
  Value *made; /* the last constant made of it */
  const char *name;
  Place place;
} Number;

/* What an ls_value of id i + 1 stands for: one of the two. */
typedef struct Entry {
  Value *value;
  Number *literal;
} Entry;

/* What an ls_value of id -(i + 1) stands for. */
typedef struct Ticket {
  ls_scan *scan;
  int y;
} Ticket;

/* What lies between a begin and an end: a scan, a while, a cond.  Each of their
 * structs starts with it. */
typedef enum RegionKind { REGION_SCAN, REGION_WHILE, REGION_COND } RegionKind;

typedef struct Region {
  RegionKind kind;
  ls_builder *builder;
  struct Region *made_before; /* list of all, for their destruction */
  struct Region *around;      /* the open one around this one */
  Place place;                /* of the begin */
  Block *outside;
  Block *bodies[IR_BODIES]; /* those that have begun; the last is open */
  Node *node;               /* once ended */
} Region;

typedef struct Carry {
  Value *init, *param, *next;
  Value *asked; /* while: the test's parameter; param is the step's */
} Carry;

typedef struct Xs {
  Value *whole, *param;
} Xs;

struct ls_scan {
  Region region;
  ls_scan_options options;
  Carry *carries;
  Xs *xs;
  Value **ys;
  int64_t n_carries, n_xs, n_ys, carry_room, xs_room, y_room;
};

struct ls_while {
  Region region;
  Carry *carries;
  int64_t n_carries, carry_room;
  int64_t first_entry; /* of the handles that its body has made */
};

/* What one branch yields; a C scalar waits for the other one's dtype. */
typedef struct Yield {
  Entry entry;
  Place place;
} Yield;

struct ls_cond {
  Region region;
  Value *predicate;
  Yield *yields[IR_BODIES];
  int64_t n_yields[IR_BODIES], yield_room[IR_BODIES];
};

struct ls_builder {
  Program *draft; /* NULL: finished, or out of memory */
  Block *block;   /* nodes go to its end */
  Region *open, *regions;
  Entry *entries;
  Ticket *tickets;
  Value **outputs;
  const char **output_names;
  int64_t n_entries, n_tickets, n_outputs;
  int64_t entry_room, ticket_room, output_room, output_name_room;
  Op last_op;
  bool finished;
  ls_status status;
  char *text; /* of the first error; NULL when memory ran out */
};

/* One call of the user's: for messages and for the place of what it makes. */
typedef struct Call {
  ls_builder *builder;
  const char *name; /* without ls_ */
  Place place;
} Call;

/* May this call go on?  No: the builder has failed already, or is NULL; misuse
 * of a finished builder is recorded. */
bool front_begin(Call *call, ls_place here, ls_builder *builder,
                 const char *name);
/* Record misuse, or an error of the program.  Always false. */
bool front_misuse(const Call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool front_wrong(const Call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Take over the error that the draft has. */
void front_take_error(const Call *call);

/* The handle of a value; NULL takes over the draft's error. */
ls_value front_handle(const Call *call, Value *value);
ls_value front_literal_handle(const Call *call, Number *literal);
void front_out_of_memory(const Call *call);
/* The entry behind a handle, checked: of this builder, no ticket, in scope.
 * NULL after an error.  what: "operand 1". */
Entry *front_entry(const Call *call, ls_value value, const char *what);
/* Is a value of that block visible at the end of this one? */
bool front_visible(const Block *where, const Block *defined);
/* The value behind a handle, a C scalar in its own dtype, made in block. */
Value *front_value(const Call *call, ls_value value, const char *what,
                   Block *block);
/* A C scalar as a constant of dtype at the end of block. */
Value *front_literal(const Call *call, Number *literal, DType dtype,
                     Block *block);

/* -- regions (builder_region.c) ---------------------------------------- */

/* "scan", "while", "cond"; and the file that it begins in, never NULL. */
const char *front_region_word(const Region *region);
const char *front_region_file(const Region *region);
/* The one that has this body; NULL: it is the program's. */
const Region *front_region_of(const ls_builder *builder, const Block *body);
/* A new one of `bytes`, its first body open.  NULL after an error. */
void *front_region_begin(const Call *call, RegionKind kind, size_t bytes);
/* For any call on a region, which may be NULL: as front_begin. */
bool front_region_call(Call *call, ls_place here, Region *region,
                       const char *name);
/* For calls that add to it: it must be the innermost open one. */
bool front_region_add(Call *call, ls_place here, Region *region,
                      const char *name);
/* Its second body, in place of the first. */
bool front_region_next_body(const Call *call, Region *region);
/* Make the node; calls then record outside again. */
void front_region_end(const Call *call, Region *region, NodeSpec *spec);
/* After the end: has it ended? */
bool front_region_ended(const Call *call, const Region *region);
void front_regions_destroy(ls_builder *builder);

/* Carries.  What ls_..._next gives, a C scalar in its carry's dtype. */
Value *front_next_value(const Call *call, ls_value next, const Carry *carry,
                        Block *body);
bool front_fits_carry(const Call *call, const Carry *carry, int64_t number,
                      const Value *next);
/* "y" if the carry has a name, else "number 0". */
const char *front_carry_text(const Call *call, const Carry *carry,
                             int64_t number);
/* The number of the carry behind a handle, among n; -1 after an error. */
int64_t front_find_carry(const Call *call, const Region *region,
                         const Carry *carries, int64_t n, ls_value handle);

/* dtype and dims of a public type, dims pointing into *type; not its axes. */
bool front_type(const Call *call, const ls_type *type, Type *out);
/* The same for a type that may name no axes. */
bool front_plain_type(const Call *call, const ls_type *type, Type *out);
bool front_ints(const Call *call, const ls_ints *list, const char *what);
/* Names to axis numbers, in the order written.  The count; -1 after errors. */
int front_axes(const Call *call, const char *names,
               int64_t numbers[IR_MAX_AXES]);
bool front_is_name(const char *text);
/* May an input have this name?  input: which one it is for, NULL: a new one; a
 * value that is no input may have any. */
bool front_input_name_free(const Call *call, const char *name,
                           const Value *input);
/* axes as "a,b" in the program's arena; NULL: none. */
const char *front_axes_text(Program *program, uint64_t axes);

/* -- programs (program.c) ---------------------------------------------- */

/* One input or result as it lies in memory: device dims first. */
typedef struct Edge {
  const char *name;
  Type type;        /* what one device sees */
  const char *axes; /* NULL: invariant */
  int rank;
  const int64_t *dims;
  size_t bytes; /* of the whole array */
} Edge;

struct ls_program {
  Program *ir;       /* verified, never changed */
  char *file;        /* parsed from; places point to it */
  atomic_int owners; /* its creator and its executables */
  Edge *inputs, *results;
  int n_inputs, n_results;
};

/* Takes over program, which must be right.  NULL: memory, program destroyed. */
ls_program *front_program(Program *program);
void front_program_share(const ls_program *program);

/* Public options to internal ones. */
ls_status front_options(const ls_options *options, Options *out,
                        ls_error *error);

/* -- running (arrays.c, executable.c, run.c) --------------------------- */

/* Arrays against the program's edges, overlap included.  strided, one an
 * input, says which must be packed before they are read. */
ls_status front_check_arrays(const ls_program *program, const ls_array *inputs,
                             int n_inputs, const ls_array *results,
                             int n_results, bool *strided, ls_error *error);
void front_pack(const ls_array *array, void *packed);

struct ls_executable {
  ls_program *program;
  Executable *native;
  ls_counters counters;
  atomic_llong runs;
  size_t arena_bytes;  /* rounded up to WORKSPACE_ALIGN */
  size_t staged_bytes; /* every input, packed */
  bool calls_blas;
};

enum { WORKSPACE_ALIGN = 64 };

#endif
