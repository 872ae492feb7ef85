/* ir.h: the typed graph that every other part works on.
 *
 * Owns: programs, blocks, nodes, values, types, attributes; their inference,
 * verification, printing and parsing.  Knows neither LLVM nor BLAS.
 *
 * A Program is an arena.  Its body is a Block: parameters, nodes in definition
 * order, yields.  A Node applies an op to operand Values and defines result
 * Values; a node may own Blocks (a scan's body, a kernel's), which see every
 * outer value.  Nodes are immutable; pointers are stable for the program's
 * life; node and value ids are dense, so a side table is an array.
 *
 * Errors are sticky: the first one is kept in program->error, after which
 * constructors return NULL and quietly accept NULL operands.
 * Threads: a program is built by one thread, and may be read by any number.
 */
#ifndef LOCKSTEP_IR_H
#define LOCKSTEP_IR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- dtypes ------------------------------------------------------------ */

typedef enum DType {
  DT_BOOL,
  DT_I8,
  DT_I16,
  DT_I32,
  DT_I64,
  DT_U8,
  DT_U16,
  DT_U32,
  DT_U64,
  DT_F16,
  DT_BF16,
  DT_F32,
  DT_F64,
  DT_COUNT
} DType;

const char *ir_dtype_name(DType dtype);
bool ir_dtype_find(const char *name, size_t length, DType *dtype);
size_t ir_dtype_bytes(DType dtype);
bool ir_is_float(DType dtype);
bool ir_is_int(DType dtype);    /* signed or unsigned, not bool */
bool ir_is_signed(DType dtype); /* signed integer */

/* One element of any dtype, as the machine holds it: floats as the f64 that
 * equals them, signed integers sign-extended, unsigned and bool zero-extended.
 * (bool is 0 or 1.) */
typedef union Scalar {
  double f;
  int64_t i;
  uint64_t u;
} Scalar;

/* dtype.c: loads, stores (a float is rounded once, to nearest even; an integer
 * wraps) and conversions: a float becomes an integer by
 * saturation (NaN becomes 0), anything not 0 is true. */
Scalar ir_scalar_load(DType dtype, const void *element);
void ir_scalar_store(DType dtype, void *element, Scalar value);
Scalar ir_scalar_convert(DType to, DType from, Scalar value);
double ir_round_to(DType dtype, double value); /* to a float dtype */
double ir_below_one(DType dtype); /* the greatest number less than 1 */
uint16_t ir_f16_from_f64(double value);
double ir_f64_from_f16(uint16_t bits);
uint16_t ir_bf16_from_f64(double value);
double ir_f64_from_bf16(uint16_t bits);

/* The same bits under another dtype of the same width. */
Scalar ir_scalar_bitcast(DType to, DType from, Scalar value);
/* The low bits of an integer (or bool), in canonical form. */
Scalar ir_scalar_wrap(DType dtype, uint64_t bits);
/* The identities of max and min: -inf and inf, or the type's bounds. */
Scalar ir_scalar_least(DType dtype);
Scalar ir_scalar_greatest(DType dtype);

/* -- types ------------------------------------------------------------- */

enum { IR_MAX_RANK = 64, IR_MAX_AXES = 64, IR_MAX_NESTING = 64 };

/* Which body is which.  A while's test yields the predicate. */
enum { WHILE_TEST, WHILE_STEP, COND_THEN = 0, COND_ELSE, IR_BODIES };

/* dtype, dims, and the set of axes that the value varies over (bit a is axis
 * number a of the program).  dims points into a program's arena. */
typedef struct Type {
  DType dtype;
  int rank;
  const int64_t *dims;
  uint64_t axes;
} Type;

bool ir_type_equal(Type a, Type b);  /* field by field, axes included */
bool ir_shape_equal(Type a, Type b); /* rank and dims */
int64_t ir_type_elements(Type type); /* without axes; never overflows:
                                        inference refused such types */
int64_t ir_type_bytes(Type type);

/* -- ops and attributes ------------------------------------------------ */

#define AT_LEAST(n) (-1 - (n))

typedef enum Op {
#define OP(name, ...) OP_##name,
#include "ops.def"
#undef OP
  OP_COUNT
} Op;

typedef enum OpClass {
  LEAF,
  ELEMENTWISE,
  VIEW,
  INDEXED,
  REDUCE,
  EINSUM,
  WHOLE,
  RANDOM,
  COLLECTIVE,
  CONTROL,
  WRAPPER
} OpClass;

typedef enum Stage { NAMED, BATCHED, KERNELS } Stage;

typedef enum OpFlags { TYPED = 1, LITERAL = 2, DEAR = 4 } OpFlags;

typedef enum AttrKind {
  INT,
  NUMBER,
  BOOL,
  WORD,
  STRING,
  DTYPE,
  INTS,
  LISTS,
  AXES,
  PLACES
} AttrKind;

typedef enum AttrKey {
#define ATTR(name, ...) ATTR_##name,
#include "attrs.def"
#undef ATTR
  ATTR_COUNT
} AttrKey;

struct Infer;
typedef struct OpInfo {
  const char *name;
  int arity; /* or AT_LEAST(n) */
  OpClass class;
  bool (*infer)(struct Infer *);
  unsigned flags;
  uint64_t required, optional; /* bit k: attribute key k */
  Stage from, to;
} OpInfo;

extern const OpInfo ir_ops[OP_COUNT];
bool ir_op_find(const char *name, size_t length, Op *op);

typedef struct IntList {
  const int64_t *v;
  int n;
} IntList;

typedef struct IntLists {
  const IntList *v;
  int n;
} IntLists;

/* WORD attributes hold one of these (relations in `op`, kernel `form`, `by`).
 * The order is that of ir_words[]. */
typedef enum Word {
  WORD_NONE,
  WORD_eq,
  WORD_ne,
  WORD_lt,
  WORD_le,
  WORD_gt,
  WORD_ge,
  WORD_map,
  WORD_reduce,
  WORD_contract,
  WORD_loop,
  WORD_call,
  WORD_inline,
  WORD_packed,
  WORD_blas,
  WORD_COUNT
} Word;
extern const char *const ir_words[WORD_COUNT];

/* PLACES: an IntLists, one list a result.  A number >= 0 is a byte offset in
 * the arena; several numbers are taken in turn, step by step. */
enum { PLACE_RESULT = -1, PLACE_YS = -2, PLACE_CARRY = -3 };

typedef struct Attr {
  AttrKey key;
  union {
    int64_t i;      /* INT, BOOL, WORD, DTYPE */
    double f;       /* NUMBER */
    const char *s;  /* STRING */
    IntList ints;   /* INTS; AXES as axis numbers, in the order written */
    IntLists lists; /* LISTS, PLACES */
  };
} Attr;

const char *ir_attr_name(AttrKey key);
AttrKind ir_attr_kind(AttrKey key);

/* -- scalar arithmetic ------------------------------------------------- */

/* scalar.c.  What an ELEMENTWISE op (convert and bitcast apart, see above)
 * gives for one element: the bits that the machine would give.  dtype is that
 * of the operands (select: of the two values; its operand 0 is a bool), and
 * relation is compare's. */
Scalar ir_scalar_apply(Op op, Word relation, DType dtype,
                       const Scalar *operands);
bool ir_scalar_has_rule(Op op);
/* argmax, argmin: does element a, met after b, win over it?  NaN wins over
 * numbers; -0 and +0 are equal. */
bool ir_scalar_wins(Op op, DType dtype, Scalar a, Scalar b);
/* The op on floats of a dtype, for inner loops: round the result to f32 for
 * f32, f16 and bf16, then to the dtype.  NULL: the op has no such form. */
typedef double ScalarFunction(const double *operands);
ScalarFunction *ir_scalar_function(Op op, DType dtype);

/* -- the graph --------------------------------------------------------- */

/* Where the user wrote something.  line 0: nowhere; column 0: not known. */
typedef struct Place {
  const char *file;
  int line, column;
} Place;

typedef struct Program Program;
typedef struct Block Block;
typedef struct Node Node;
typedef struct Value Value;

struct Value {
  int id;       /* dense in its program */
  int index;    /* which result of node, or which param of block */
  Node *node;   /* NULL: a block's parameter */
  Block *block; /* the block in which it is defined */
  Type type;
  const char *name; /* NULL: unnamed */
};

struct Node {
  int id;
  Op op;
  int n_operands, n_results, n_attrs;
  Value *const *operands;
  Value *const *results;
  const Attr *attrs; /* sorted by key, normalised: dims >= 0, no defaults */
  union {
    Block *body;              /* scan, kernel; else NULL */
    Block *bodies[IR_BODIES]; /* in the order in which they are written */
  };
  Block *block;        /* where it stands */
  const void *literal; /* constant: one element if splat, else all of them */
  bool splat;
  int n_carries; /* scan: operands [0, n_carries) are inits, the others
                    xs; params of the body likewise; yields and results
                    are n_carries carries, then ys.  while: all operands,
                    and both bodies have a param for each */
  Place place;
};

struct Block {
  Program *program;
  Node *owner;   /* NULL for the program's body, and until the owner is
                    made */
  Block *parent; /* the block that encloses it */
  int depth;     /* 0 for the program's body */
  Value **params;
  Node **nodes;
  Value **yields;
  int n_params, n_nodes, n_yields;
  int param_room, node_room;
};

typedef struct Axis {
  const char *name;
  int64_t size;
} Axis;

/* A C function that `call` may name, with what is passed through to it. */
typedef void CallFunction(void *result, const void *const *operands,
                          void *user);
typedef struct Callee {
  const char *name;
  CallFunction *function;
  void *user;
} Callee;

/* What went wrong first.  message is one line without place; detail, if any,
 * is further lines (an einsum spec with its caret). */
typedef struct Diagnostic {
  bool failed, out_of_memory;
  Place place;
  const char *message;
  const char *detail;
  bool usage; /* of ir_parse: an override names no size */
} Diagnostic;

struct Program {
  const char *name;
  Stage stage;
  int n_axes;
  Axis axes[IR_MAX_AXES];
  Block *body;               /* params: inputs; yields: results */
  const char **result_names; /* one a yield; never NULL once finished */
  const Callee *callees;     /* every copy of the program has them too */
  int n_callees;
  int n_nodes, n_values;
  Diagnostic error;
  struct Arena *arena;
};

/* graph.c.  Strings and lists given to these are copied into the arena. */
Program *ir_program_create(const char *name, Stage stage); /* NULL: no memory */
void ir_program_destroy(Program *program);                 /* NULL is fine */
void *ir_alloc(Program *program, size_t bytes); /* zeroed; NULL: no memory,
                                                   and the error is set */
char *ir_copy_string(Program *program, const char *text);
char *ir_format(Program *program, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* in the arena */
int ir_axis_declare(Program *program, const char *name, int64_t size,
                    Place place); /* its number; -1: error */
int ir_axis_find(const Program *program, const char *name); /* -1: none */
Block *ir_block_begin(Block *parent);
Value *ir_block_param(Block *block, Type type, const char *name);
void ir_block_yield(Block *block, Value *const *values, int n);
/* yield[v] for every value id v of the block and of those in it: which yield of
 * its block it is (the first); the others keep what they have. */
void ir_number_yields(const Block *block, int *yield);
void ir_result_names(Program *program, const char *const *names);

/* callees.c.  A function for `call` to name; registering it again as it is
 * changes nothing.  False: the name is taken, or no name. */
bool ir_register(Program *program, Callee callee, Place place);
const Callee *ir_callee(const Program *program, const char *name); /* or NULL */
bool ir_copy_callees(Program *to, const Program *from);

/* Record the first error; later ones are dropped. Always returns false. */
bool ir_error(Program *program, Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, for memory that ran out outside of the arena. */
bool ir_out_of_memory(Program *program);

/* Everything about a node to be made. Lists may live on the caller's stack. */
typedef struct NodeSpec {
  Op op;
  int n_operands;
  Value *const *operands;
  int n_attrs;
  const Attr *attrs;   /* any order; defaults may be left out */
  const Type *type;    /* TYPED ops: dtype and dims of the result */
  const void *literal; /* constant */
  bool splat;
  int n_carries; /* scan, while */
  union {
    struct { /* an initialiser that names body clears the second, too */
      Block *body, *second_body;
    };
    Block *bodies[IR_BODIES]; /* scan, kernel: one */
  };
  const char *name; /* of the first result; may be NULL */
  Place place;
} NodeSpec;

/* Check, infer and append one node at the end of block.  Operands must have
 * the shapes that the op wants.  NULL: error (in block->program->error). */
Node *ir_node(Block *block, const NodeSpec *spec);

/* legalise.c.  As ir_node, for what users write: inserts the broadcasts of
 * NumPy's rules and resolves an einsum's ellipsis first. */
Node *ir_emit(Block *block, const NodeSpec *spec);

/* Shorthands for passes: one result, from op, operands and attributes. */
#define IR_VALUES(...)                                                     \
  (int)(sizeof((Value *[]){__VA_ARGS__}) / sizeof(Value *)), (Value *[]) { \
    __VA_ARGS__                                                            \
  }
#define IR_ATTRS(...) \
  (int)(sizeof((Attr[]){__VA_ARGS__}) / sizeof(Attr)), (Attr[]) { __VA_ARGS__ }
#define IR_INT(k, value) {.key = ATTR_##k, .i = (value)}
#define IR_NUMBER(k, value) {.key = ATTR_##k, .f = (value)}
#define IR_STRING(k, value) {.key = ATTR_##k, .s = (value)}
#define IR_INTS(k, pointer, count)                 \
  {                                                \
    .key = ATTR_##k, .ints = {(pointer), (count) } \
  }
Value *ir_make(Block *block, Op op, int n_operands, Value *const *operands,
               int n_attrs, const Attr *attrs, const Type *type,
               const char *name, Place place);
Value *ir_make_splat(Block *block, DType dtype, Scalar value, int rank,
                     const int64_t *dims, Place place);
Value *ir_make_ints(Block *block, DType dtype, const int64_t *values, int n,
                    Place place); /* a rank-1 constant */

/* Attribute access; what is absent reads as its default (0, empty, NULL). */
const Attr *ir_attr(const Node *node, AttrKey key); /* NULL: absent */
int64_t ir_int(const Node *node, AttrKey key);
double ir_number(const Node *node, AttrKey key);
const char *ir_string(const Node *node, AttrKey key);
IntList ir_ints(const Node *node, AttrKey key);
IntLists ir_lists(const Node *node, AttrKey key);
bool ir_attr_equal(const Attr *a, const Attr *b);

/* The constant's element at a flat row-major position. */
Scalar ir_literal_at(const Node *constant, int64_t position);
/* Is it a constant whose elements are all equal?  Then *value is that. */
bool ir_is_splat(const Value *value, Scalar *element);

/* -- teams (team.c) ----------------------------------------------------- */

bool ir_has_team(const Block *block); /* any team=true */
/* A loop or cond that thread 0 of a team walks alone, all having met before. */
bool ir_is_alone(const Node *node);
/* The dim of its results along which a team's kernel has tiles; -1: `tile` is
 * none for a team. */
int ir_dealt_dim(const Node *kernel);

/* -- copying ----------------------------------------------------------- */

/* copy.c: a program is never edited, it is copied, and a pass is a copy with a
 * rule.  For each node, in order, rule may build what stands for it in block
 * `to` and map the node's results (ir_map); or it returns false, and the node
 * is copied as it is.  param_type may give the parameters other types. */
typedef struct Copier {
  const Program *from;
  Program *to;
  Value **map; /* by value id of `from` */
  bool (*rule)(struct Copier *copier, Block *to, const Node *node);
  Type (*param_type)(struct Copier *copier, const Value *param);
  void *context; /* the pass's own */
} Copier;
/* Start: the new program with its axes (at the named stage) and parameters. */
bool ir_copy_begin(Copier *copier, Stage stage);
/* All nodes of a block, and what it yields, into a block of the new program. */
void ir_copy_block(Copier *copier, const Block *from, Block *to);
/* A node as it stands, its body copied by the same rules. */
Node *ir_copy_node(Copier *copier, Block *to, const Node *node);
/* A new body inside `to` with the parameters of `from`, mapped. */
Block *ir_copy_params(Copier *copier, const Block *from, Block *to);
/* Finish: results and their names.  The program, with its error if any; NULL
 * if memory ran out. */
Program *ir_copy_end(Copier *copier);
/* The whole of it: begin, the body, end. */
Program *ir_copy(Copier *copier, Stage stage);
static inline Value *ir_mapped(const Copier *copier, const Value *value) {
  return copier->map[value->id];
}
static inline void ir_map(Copier *copier, const Value *from, Value *to) {
  copier->map[from->id] = to;
}

/* -- axes -------------------------------------------------------------- */

/* axes.c.  While a program is being recorded, the axes of what depends on a
 * scan's carry are a lower bound.  ir_finish finds the least fixpoint and
 * copies the program, once, with final types; every check on axes is made in
 * that copy.  expected (may be NULL): for each value id of the draft, the type
 * that the user wrote for it, or dtype DT_COUNT; expected_place likewise.
 * Consumes the draft. Always returns a program unless memory ran out; look at
 * its error. */
typedef struct Written {
  Type type;   /* dtype DT_COUNT: nothing was written */
  bool braces; /* were axes written? */
  Place place;
} Written;
Program *ir_finish(Program *draft, const Written *written);
/* The fixpoint itself: final axes of each value, by id. */
bool ir_axes_fixpoint(const Program *program, uint64_t *axes);
/* Axes of a node's results from those of its operands (control nodes apart). */
uint64_t ir_axes_rule(const Program *program, Op op, const Attr *attrs,
                      int n_attrs, const uint64_t *operand_axes, int n);

/* -- checking, copying, showing ---------------------------------------- */

/* Infer again and compare; stage legality; at the kernels stage also places
 * (places.c).  False: program->error says what. */
bool ir_verify(Program *program);
bool ir_verify_places(Program *program);

/* Same text, names apart? */
bool ir_equal(const Program *a, const Program *b);
/* Copy without kernels, schedules and places: a batched program. */
Program *ir_strip(const Program *program);

/* Copy a node as it stands into block, with new operands (and bodies already
 * copied; NULL: it has none). Used by passes for whatever they have no rule
 * for. */
Node *ir_clone(Block *block, const Node *node, Value *const *operands,
               Block *const *bodies);

typedef enum PrintFlags { PRINT_PLACES = 1 } PrintFlags;
char *ir_print(const Program *program, unsigned flags); /* free() it */
char *ir_dot(const Program *program);                   /* free() it */
char *ir_print_type(const Program *program, Type type); /* free() it */

/* A type as text in a static-size buffer, for messages. */
typedef struct TypeText {
  char text[160];
} TypeText;
TypeText ir_type_text(const Program *program, Type type);

/* Parse a file. overrides: the sizes given with --size.  Never NULL unless
 * memory ran out; look at ->error.  The caller destroys it.  file (the name)
 * is not copied: it must live as long as the program. */
typedef struct SizeOverride {
  const char *name;
  int64_t value;
} SizeOverride;
Program *ir_parse(const char *text, size_t length, const char *file,
                  const SizeOverride *overrides, int n_overrides);
/* The same with functions that the text's `call`s may name. */
Program *ir_parse_calling(const char *text, size_t length, const char *file,
                          const SizeOverride *overrides, int n_overrides,
                          const Callee *callees, int n_callees);
/* "FILE:LINE:COLUMN: error: ..." with the source line and a caret when text
 * (the file's content) is given; ends with a line end. free() it. */
char *ir_error_text(const Diagnostic *error, const char *text, size_t length);

/* -- einsum ------------------------------------------------------------ */

/* A spec in canonical form: letters, no ellipsis, no blanks, explicit output.
 * Labels are numbered in order of first appearance. */
typedef struct Einsum {
  int n_terms;
  int n_labels;
  char letter[52];
  int64_t size[52];
  int out_rank;
  int8_t out[52];               /* label of each output dim */
  int rank[52];                 /* of each term (at most 52 terms) */
  int8_t term[52][IR_MAX_RANK]; /* label of each dim of each term */
  bool in_out[52];              /* does the label stand in the output? */
} Einsum;

/* Read a canonical spec of a node that has been checked. */
void ir_einsum_read(const Node *einsum, Einsum *out);
/* Write one back; returns text in the program's arena. */
char *ir_einsum_spec(Program *program, const Einsum *e);
/* Resolve what a user wrote against the operands: blanks, implicit output,
 * ellipsis.  On success spec is canonical; stretched[t] has bit d set where
 * dim d of operand t is of size 1 and must be dropped (it broadcasts under the
 * ellipsis). */
bool ir_einsum_resolve(Program *program, const char *written,
                       Value *const *operands, int n, Place place, char **spec,
                       uint64_t *stretched);

/* dtype in which an op accumulates before it rounds to `dtype`. */
DType ir_accumulator(DType dtype);

/* hints.c: "axes in scope: a = 2, b = 4" (or why there is none), "operands
 * %x: f64[3], %y: f32[]"; in the program's arena, for messages. */
const char *ir_scope_text(Program *program);
const char *ir_operands_text(Program *program, Value *const *operands, int n);

/* The candidate that a word was meant to be (misspelt, cut short, or what other
 * systems call it), or NULL if none is close. */
const char *ir_closest(const char *word, size_t length,
                       const char *const *candidates, int n);

#endif
