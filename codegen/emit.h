/* emit.h: what the files of codegen/ share while one module is emitted.
 *
 * module.c walks the program and knows where values lie; kernel.c turns a
 * kernel into loops; element.c gives the value of any node at an index, by
 * asking its operands for theirs ("pull"); element_*.c hold the ops.
 *
 * Lanes.  Inside a vectorised loop, gen->lanes > 1 elements are computed at
 * once: an index may depend on the lane, and an LLVM value is either uniform
 * (scalar) or a vector of gen->lanes.  Ops splat uniform operands as needed.
 *
 * In registers: bool is i1; f16 and bf16 are f32 values that are already
 * rounded; everything else is itself. */
#ifndef LOCKSTEP_CODEGEN_EMIT_H
#define LOCKSTEP_CODEGEN_EMIT_H

#include <llvm-c/Core.h>

#include "../ir/functions.h"
#include "codegen.h"

typedef LLVMValueRef Ssa;

/* The index in one dim: v + lane * coefficient, v a scalar i64; or, if lane is
 * IX_VECTOR, v is a vector of i64. */
#define IX_VECTOR INT64_MIN
typedef struct Ix {
  Ssa v;
  int64_t lane;
} Ix;

/* Where a value lies: strides in elements, one a dim. */
typedef struct Buffer {
  Ssa pointer;
  int64_t *strides;
  bool placed; /* gen_place(frame, place) made it, and can again */
  const struct Frame *frame;
  int64_t place;
} Buffer;

typedef struct Memo {
  const Value *value;
  Ix *ix;
  Ssa ssa;
  int next; /* older entry of the same value; -1: none */
} Memo;

/* How a kernel is vectorised. */
typedef enum LaneMode {
  SCALAR,
  OUTPUT_LANES, /* lanes along the last dim of the result */
  SUM_LANES     /* lanes along the innermost summed dim */
} LaneMode;

enum { MAX_POINTS = 16 };

/* What is known of an open loop's index. */
enum { MOST_RANGES = 64 };
typedef struct IndexRange {
  Ssa index;
  int64_t first, last;
} IndexRange;

/* The machine to make code for. */
typedef struct Host {
  char *cpu, *features, *triple;
} Host;
typedef struct Held Held; /* held.h */

typedef struct Gen {
  const Program *program; /* whose values are emitted: in blocks, narrowed */
  const Program *whole;
  const Options *options;
  const Host *host;
  bool strict;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef b;
  Ssa function;
  LLVMBasicBlockRef entry; /* for allocas */
  LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr;
  Ssa inputs, results, arena; /* parts.c has the list of these */
  Ssa team;  /* RtTeam of the runtime; NULL: the program needs none */
  Ssa watch; /* RtWatch of the runtime */
  bool has_team;
  struct Part *part;     /* the function being emitted */
  int64_t scratch_start; /* in the arena, behind all places */
  Buffer *buffers;       /* by value id; what gen_buffer hands out */
  int *yield;            /* by value id: which of its block; -1: none */
  Buffer *found;         /* by value id: the same in one of the parts */
  struct Work *work;     /* by node id (parts.c) */
  int64_t *units;        /* by node id (watch.c); NULL: not watched */
  bool has_fma;
  FunctionSet functions; /* the vector routines that the CPU can run */
  int vector_bytes;
  /* the kernel being emitted */
  const Node *kernel;
  int lanes; /* active here: 1 is scalar */
  int width; /* of vectors in this kernel */
  LaneMode mode;
  bool flat;           /* one index counts through whole arrays */
  const Value *stored; /* a node of the kernel that lies in memory: the
                          product that BLAS has made */
  Held *held;          /* by value id, in a kernel of form=loop; else NULL */
  Held *held_table;    /* its memory */
  LLVMBasicBlockRef before_loop; /* of such a kernel */
  Memo *memos;
  int n_memos, memo_room;
  int *memo_of; /* newest memo by value id; -1: none */
  int depth;    /* of emit_value, views counted fourfold */
  IndexRange ranges[MOST_RANGES];
  int n_ranges; /* loops open now; those beyond MOST_RANGES have none */
  /* inside of a blocks node: where the results' parts lie, by yield of the
     program that stands for the body (blocks.c); else NULL */
  const Node *blocks;
  const Buffer *parts;
  void *narrowed; /* chain of those programs, freed at the end */
  char *error;    /* malloc'd; the first one */
  void *scratch;  /* chain of blocks freed at the end */
} Gen;

/* -- module.c ---------------------------------------------------------- */
void *gen_alloc(Gen *gen, size_t bytes); /* zeroed, freed with gen */
void gen_error(Gen *gen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
Buffer gen_buffer(Gen *gen, const Value *value);
bool gen_is_contiguous(Type type, const int64_t *strides);

/* A counted loop, rotated; trip counts are static.  No code for zero trips:
 * the caller must not come here then. */
typedef struct Loop {
  Ssa index;
  LLVMBasicBlockRef before, body;
  int64_t step, limit;
  Ssa leave;   /* i1: leave it now; NULL: never.  To be set before its end */
  bool single; /* one trip: no loop at all */
} Loop;
void loop_begin(Gen *gen, Loop *loop, int64_t from, int64_t limit,
                int64_t step);
/* A value that changes from trip to trip. */
Ssa loop_phi(Gen *gen, Loop *loop, Ssa init);
/* next[i] is what phis[i] becomes. */
void loop_end(Gen *gen, Loop *loop, Ssa *phis, Ssa *next, int n);

/* A scan or while being emitted: where the step writes. */
typedef struct Frame {
  const Node *loop;
  Ssa *next;      /* of each carry */
  Buffer *slices; /* of each y */
} Frame;
Ssa gen_number(Gen *gen, int64_t value); /* i64 */
int64_t *gen_row_major(Gen *gen, Type type);
/* Where a result of a kernel, scan, while or cond lies; place as in an `at`
 * attribute. */
Buffer gen_place(Gen *gen, const Frame *frame, const Value *value,
                 int64_t place);
Ssa gen_table_entry(Gen *gen, Ssa table, int i);
void emit_node(Gen *gen, const Node *node, const Frame *frame);

/* -- parts.c ----------------------------------------------------------- */
/* A function of the module.  What is emitted between begin and end goes into
 * it; the function around it calls it there.  The outermost is lockstep_main.
 */
enum { MOST_GIVEN = 8 };
typedef struct Part {
  struct Part *outer;
  Ssa function, given[MOST_GIVEN];
  LLVMBasicBlockRef entry, resume; /* resume: where outer goes on */
  Ssa table;                       /* of what outer hands to it: */
  Ssa *handed;                     /* outer's values, */
  int n_handed, room;
} Part;
void part_begin(Gen *gen, Part *part);
void part_end(Gen *gen, Part *part);
void part_give(Gen *gen, Ssa arena);
/* A pointer of this function, or of one around it, as this one has it. */
Ssa part_pointer(Gen *gen, Ssa pointer);
/* A value's buffer with a pointer that is good in this function. */
Buffer part_buffer(Gen *gen, const Value *value, Buffer buffer);
/* The nodes of a block; in parts, if there is much work in it. */
void emit_block(Gen *gen, const Block *block, const Frame *frame);
bool part_splits(const Gen *gen, const Block *block);
bool part_measure(Gen *gen); /* the work in the program, before all others */

/* -- watch.c ----------------------------------------------------------- */
/* What long loops report: units of work of a step (scan, while) or of the whole
 * (kernel), by node id, and their sum over a run.  *units is NULL if the
 * program is short; false: no memory. */
bool watch_measure(const Program *program, const Options *options,
                   int64_t **units, double *total);
int64_t watch_units(const Gen *gen, const Node *node); /* 0: it is not long */
/* So much more is done.  An i1: the run is to stop; NULL for no units. */
Ssa watch_step(Gen *gen, int64_t units);
/* The same at the end of step `index` of a scan, by the team as well. */
Ssa watch_scan(Gen *gen, const Node *scan, Ssa index);

/* -- scan.c, branch.c -------------------------------------------------- */
void emit_scan(Gen *gen, const Node *scan, const Frame *outer);
/* The number of a step, the step dim of an xs or ys, and step `step` of one. */
Ssa scan_step(Gen *gen, const Node *scan, Ssa index);
int64_t scan_step_dim(const Node *scan, AttrKey key, int i);
Buffer scan_slice(Gen *gen, Buffer whole, Type type, int64_t dim, Ssa step);
void emit_while(Gen *gen, const Node *loop, const Frame *outer);
void emit_cond(Gen *gen, const Node *cond, const Frame *outer);

/* -- team.c ------------------------------------------------------------ */
/* The part of a team's kernel that is this thread's: indices [from, to) of one
 * dim, which are tiles [first, last). dim -1: all of it. */
typedef struct Deal {
  int dim;
  int64_t size, tile; /* of the dim; of a tile along it */
  Ssa first, last, from, to;
} Deal;
/* A loop from `from` while below `limit`. */
typedef struct Span {
  Ssa index, limit;
  int64_t step;
  LLVMBasicBlockRef body, after;
} Span;
Ssa team_number(Gen *gen); /* this thread's, i64 */
/* All threads wait here for each other. */
void team_meet(Gen *gen);
/* What stands between these is thread 0's. */
LLVMBasicBlockRef team_alone_begin(Gen *gen);
void team_alone_end(Gen *gen, LLVMBasicBlockRef after);
/* As emit_copy, between two meetings. */
void team_copy(Gen *gen, const Value *value, Buffer to);
Deal team_deal(Gen *gen, const Node *kernel);
/* This thread's part, [first, last), of `count` things. */
void team_share(Gen *gen, int64_t count, Ssa *first, Ssa *last);
Ssa team_tile_start(Gen *gen, const Deal *deal, Ssa tile);
void span_begin(Gen *gen, Span *span, Ssa from, Ssa limit, int64_t step);
void span_end(Gen *gen, Span *span);

/* -- blocks.c ---------------------------------------------------------- */
/* results: where they lie, all of the dim. */
void emit_blocks(Gen *gen, const Node *blocks, const Buffer *results);
void blocks_close(Gen *gen); /* frees what emit_blocks made */

/* -- kernel.c ---------------------------------------------------------- */
void emit_kernel(Gen *gen, const Node *kernel, const Buffer *outputs);
/* The kernel's results of one shape at a point, and what stores them. */
void emit_results(Gen *gen, const Node *kernel, const Buffer *outputs,
                  Type shape, const Ix *point);
/* kernel_width.c: lanes of a kernel's vectors; does it compute a function; is
 * the node an array of random numbers? */
int kernel_width(const Gen *gen, const Node *kernel);
bool kernel_is_dear(const Node *kernel);
bool draws_numbers(const Node *node);
/* sweep.c: several sums over one space in one nest; false: it is no such
 * kernel, and nothing is emitted. */
bool emit_sweep(Gen *gen, const Node *kernel, const Buffer *outputs);
/* Write value into buffer `to` (of its type). */
void emit_copy(Gen *gen, const Value *value, Buffer to);

/* -- breaks.c ---------------------------------------------------------- */
/* Where, inside a dim, what a kernel reads changes its source. */
enum { MOST_BREAKS = 15 };
typedef struct Breaks {
  int n;                   /* -1: at too many places */
  int64_t at[MOST_BREAKS]; /* ascending */
} Breaks;
/* One Breaks a dim of shape, for the kernel's results of that shape; NULL:
 * none at all. */
Breaks *find_breaks(Gen *gen, const Node *kernel, Type shape, int lane_dim);

/* -- held.c, held_loop.c ------------------------------------------------ */
/* A kernel of form=loop. */
void emit_loop(Gen *gen, const Node *kernel, const Buffer *outputs);
/* What such a kernel holds, or has loaded before its loop; NULL: neither. */
Ssa held_value(Gen *gen, const Value *value, const Ix *ix);

/* -- whole.c ----------------------------------------------------------- */
void emit_whole(Gen *gen, const Node *kernel, const Buffer *outputs);
bool whole_has_rule(Op op);
/* What a symbol of a function of the host starts with; its name follows. */
#define CALLEE_PREFIX "lockstep_callee_"

/* -- gemm.c ------------------------------------------------------------ */
/* Indices [from, to) of dim `dim` of the result; dim -1: all of it. */
typedef struct GemmPart {
  int dim;
  Ssa from, to;
} GemmPart;
void emit_gemm(Gen *gen, const Node *einsum, Ssa a, Ssa b, Ssa c,
               GemmPart part);

/* -- packed.c ---------------------------------------------------------- */
/* Indices [from, to) of dim `dim` of the result; dim -1: all of it.  Any part
 * has the bits that the whole has.  Parts of the last dim start and end at
 * multiples of PRODUCT_MOST_COLUMNS (passes/product.h), or at its end. */
typedef struct PackedPart {
  int dim;
  Ssa from, to;
} PackedPart;
/* False: the kernel is none that can be packed. */
bool emit_packed(Gen *gen, const Node *kernel, const Buffer *outputs, int width,
                 PackedPart part);

/* -- element.c --------------------------------------------------------- */
Ssa emit_value(Gen *gen, const Value *value, const Ix *ix);
void emit_store(Gen *gen, Buffer buffer, Type type, const Ix *ix, Ssa value);
Ssa load_element(Gen *gen, const Value *value, const Ix *ix);
/* In the function's frame. */
Ssa entry_array(Gen *gen, LLVMTypeRef type, unsigned n);
void emit_window_index(Gen *gen, const Node *update, const Ix *at, Ix *to);
void memo_add(Gen *gen, const Value *value, const Ix *ix, Ssa ssa);
int memo_mark(Gen *gen);
void memo_release(Gen *gen, int mark);
/* Emitters, by op (elementwise ones apart): the value of node at ix. */
typedef Ssa Emitter(Gen *gen, const Node *node, const Ix *ix);
extern Emitter *const emitters[OP_COUNT];
bool emit_has_rule(Op op); /* in any table */

Emitter emit_arithmetic, emit_iota, emit_broadcast, emit_reshape,
    emit_transpose, emit_slice, emit_concatenate, emit_pad, emit_reverse,
    emit_dynamic_slice, emit_dynamic_update_slice, emit_take, emit_reduce,
    emit_einsum, emit_random_key, emit_random_split, emit_random_fold_in,
    emit_random_bits, emit_random_uniform, emit_random_normal;

/* element_functions.c: an op of functions.def on values of a float dtype, and
 * pow on integers. */
Ssa emit_function(Gen *gen, Op op, DType dtype, Ssa *x, int n);
Ssa emit_integer_power(Gen *gen, DType dtype, Ssa *x);
/* element_normal.c: sqrt(2) erfinv(uniform), uniform in (-1, 1). */
Ssa emit_normal(Gen *gen, DType dtype, Ssa uniform);

/* The heavy node of a kernel at several points at once; fills sums[]. */
void emit_sums(Gen *gen, const Node *node, Ix *const *points, int n_points,
               Ssa *sums);
/* Which lane mode suits the kernel's reduction or contraction. */
LaneMode lane_mode(const Gen *gen, const Node *heavy, Type result, int width);

/* -- lanes and indices (lanes.c) --------------------------------------- */
bool is_vector(Ssa value);
Ssa splat(Gen *gen, Ssa value);       /* to gen->lanes, if uniform */
void match(Gen *gen, Ssa *a, Ssa *b); /* splat one if the other needs it */
/* condition ? yes : no; a uniform condition chooses whole vectors. */
Ssa choose(Gen *gen, Ssa condition, Ssa yes, Ssa no);
LLVMTypeRef lane_type(Gen *gen, LLVMTypeRef scalar, Ssa like);
Ssa constant_like(Gen *gen, Ssa like, double value); /* of like's type */
Ssa int_like(Gen *gen, Ssa like, int64_t value);
Ssa ix_value(Gen *gen, Ix ix); /* scalar if lane is 0, else vector */
Ix ix_const(Gen *gen, int64_t value);
Ix ix_scaled(Gen *gen, Ix ix, int64_t scale, int64_t offset);
Ix ix_add(Gen *gen, Ix a, Ix b);
Ix ix_of(Gen *gen, Ssa value); /* i64, scalar or vector */
/* Between which numbers ix lies in all lanes and trips; false: not known. */
bool ix_range(const Gen *gen, Ix ix, int64_t *least, int64_t *most);
Ssa least(Gen *gen, Ssa a, Ssa b); /* of two indices */
Ssa intrinsic(Gen *gen, const char *name, Ssa *operands, int n);

/* -- types (types.c) --------------------------------------------------- */
LLVMTypeRef register_type(Gen *gen, DType dtype);
LLVMTypeRef memory_type(Gen *gen, DType dtype);
Ssa from_memory(Gen *gen, DType dtype, Ssa loaded);
Ssa to_memory(Gen *gen, DType dtype, Ssa value);
Ssa literal(Gen *gen, DType dtype, Scalar value);
Ssa convert(Gen *gen, DType to, DType from, Ssa value);
Ssa bitcast(Gen *gen, DType to, DType from, Ssa value);
Ssa round_to(Gen *gen, DType dtype, Ssa value); /* f16, bf16 from f32 */
/* a op b in a dtype, as ops.def has it (add, mul, max, and, ...). */
Ssa arithmetic(Gen *gen, Op op, DType dtype, Ssa a, Ssa b);
Ssa multiply_add(Gen *gen, DType dtype, Ssa a, Ssa b, Ssa sum);

/* Shared by jit.c and module.c. */
bool host_open(Host *host);
void host_close(Host *host);
int host_vector_bytes(const char *features); /* host.c */
bool host_fuses(const char *features);       /* a multiply-add */
/* The module for a program; NULL: *error. */
LLVMModuleRef emit_module(LLVMContextRef context, const Program *program,
                          const Options *options, const Host *host,
                          char **error);

#endif
