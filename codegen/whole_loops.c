/* whole_loops.c: running sums and the like, and scatter_add: loops over whole
 * arrays in an order that is fixed. */
#include <string.h>

#include "emit.h"
#include "whole.h"

static int vector_width(const Gen *gen, DType dtype) {
  int width = gen->vector_bytes / (int)ir_dtype_bytes(dtype);
  return width > 16 ? 16 : width;
}

/* -- cumsum, cumprod, cummax, cummin ------------------------------------------
 *
 * A total runs along `dim` in a register, in f32 for f16 and bf16: what is
 * stored is rounded, what runs on is not.  Several lines run side by side: the
 * elements of a vector along the last dim, several vectors or, where the last
 * dim is the one that is run along, several rows. */

enum { TILE = 4 };

typedef struct Running {
  Gen *gen;
  const Node *node;
  Buffer to;
  Type type;
  DType sums;
  Op join;
  int dim, side; /* lines lie side by side along `side`; -1: there is one */
  bool vectors;
  Ix at[IR_MAX_RANK];
} Running;

static Op joining_op(Op op) {
  static const uint16_t joins[OP_COUNT] = {[OP_cumsum] = OP_add,
                                           [OP_cumprod] = OP_mul,
                                           [OP_cummax] = OP_max,
                                           [OP_cummin] = OP_min};
  return (Op)joins[op];
}

static Ssa first_total(const Running *r) {
  Scalar one = ir_is_float(r->sums) ? (Scalar){.f = 1} : (Scalar){.u = 1};
  Scalar none = ir_is_float(r->sums) ? (Scalar){.f = -0.0} : (Scalar){.u = 0};
  Scalar start = r->join == OP_add   ? none
                 : r->join == OP_mul ? one
                 : r->join == OP_max ? ir_scalar_least(r->sums)
                                     : ir_scalar_greatest(r->sums);
  return splat(r->gen, literal(r->gen, r->sums, start));
}

/* `lines` of them (of vectors, where gen->lanes is more than 1). */
static void emit_run(Running *r, int lines) {
  Gen *gen = r->gen;
  Ssa totals[TILE], next[TILE], start = first_total(r);
  int64_t size = r->type.dims[r->dim];
  Ix side = r->side < 0 ? ix_const(gen, 0) : r->at[r->side];
  Loop loop;
  loop_begin(gen, &loop, 0, size, 1);
  int mark = memo_mark(gen);
  for (int l = 0; l < lines; l++) totals[l] = loop_phi(gen, &loop, start);
  Ix step = {loop.index, 0};
  bool reverse = ir_int(r->node, ATTR_backward) != 0;
  if (reverse) step = ix_scaled(gen, step, -1, size - 1);
  r->at[r->dim] = step;
  for (int l = 0; l < lines; l++) {
    if (r->side >= 0)
      r->at[r->side] = ix_scaled(gen, side, 1, (int64_t)l * gen->lanes);
    Ssa x = emit_value(gen, r->node->operands[0], r->at);
    next[l] = splat(gen, arithmetic(gen, r->join, r->sums, totals[l], x));
  }
  for (int l = 0; l < lines; l++) {
    if (r->side >= 0)
      r->at[r->side] = ix_scaled(gen, side, 1, (int64_t)l * gen->lanes);
    emit_store(gen, r->to, r->type, r->at, next[l]);
  }
  memo_release(gen, mark);
  loop_end(gen, &loop, totals, next, lines);
  if (r->side >= 0) r->at[r->side] = side;
}

static void emit_lines(Running *r, int d, int lines);

static void emit_side(Running *r, int d, int64_t from, int64_t to, int lines) {
  Loop loop;
  int64_t step = (int64_t)lines * r->gen->lanes;
  if (from >= to) return;
  loop_begin(r->gen, &loop, from, to, step);
  r->at[d] = (Ix){loop.index, r->gen->lanes > 1};
  emit_lines(r, d + 1, lines);
  loop_end(r->gen, &loop, NULL, NULL, 0);
}

/* Tiles of lines, single vectors, single lines. */
static void emit_sides(Running *r, int d) {
  Gen *gen = r->gen;
  int64_t size = r->type.dims[d], width = r->vectors ? gen->width : 1;
  int64_t tiles = size / (TILE * width) * (TILE * width);
  int64_t vectors = size / width * width;
  gen->lanes = (int)width;
  emit_side(r, d, 0, tiles, TILE);
  emit_side(r, d, tiles, vectors, 1);
  gen->lanes = 1;
  emit_side(r, d, vectors, size, 1);
}

static void emit_lines(Running *r, int d, int lines) {
  if (d == r->type.rank) {
    emit_run(r, lines);
  } else if (d == r->dim) {
    emit_lines(r, d + 1, lines);
  } else if (d == r->side) {
    emit_sides(r, d);
  } else {
    Loop loop;
    loop_begin(r->gen, &loop, 0, r->type.dims[d], 1);
    r->at[d] = (Ix){loop.index, 0};
    emit_lines(r, d + 1, lines);
    loop_end(r->gen, &loop, NULL, NULL, 0);
  }
}

void emit_cumulative(Gen *gen, const Whole *whole) {
  const Node *node = whole->node;
  Running r = {.gen = gen,
               .node = node,
               .to = whole->outputs[0],
               .type = node->results[0]->type,
               .join = joining_op(node->op),
               .dim = (int)ir_int(node, ATTR_dim),
               .side = -1};
  r.sums = ir_accumulator(r.type.dtype);
  gen->width = vector_width(gen, r.type.dtype);
  int last = r.type.rank - 1;
  r.vectors = r.dim != last && r.type.dims[last] >= gen->width;
  for (int d = 0; d <= last; d++)
    if (d != r.dim && r.type.dims[d] > 1) r.side = d;
  if (r.vectors) r.side = last;
  emit_lines(&r, 0, 1);
}

/* -- scatter_add --------------------------------------------------------------
 *
 * x is [batch][before][size][after], index [batch][picks], u
 * [batch][before][picks][after].  Loops run over the dims of u in order, so
 * that what is added to one element comes in the order of the index; between
 * the picks and what comes after, the index is read, and what is out of range
 * goes no further. */

typedef struct Scatter {
  Gen *gen;
  const Node *node;
  const Value *result; /* of the kernel: it lies at `to` */
  Buffer to;
  int batch, dim, picks; /* dims of the index behind the batch */
  Ix at[IR_MAX_RANK];    /* in u */
  Ix position;           /* along dim */
} Scatter;

static Ssa all_bytes(Gen *gen, Type type) {
  return gen_number(gen, ir_type_bytes(type));
}

static bool is_zero(const Value *value) {
  Scalar element;
  uint64_t bits = 0;
  if (!ir_is_splat(value, &element)) return false;
  ir_scalar_store(value->type.dtype, &bits, element);
  return bits == 0;
}

/* x, to where the result lies: it may be there already. */
static void emit_base(Gen *gen, const Value *x, Buffer to) {
  Scalar element;
  bool whole = gen_is_contiguous(x->type, to.strides);
  if (whole && is_zero(x)) {
    LLVMBuildMemSet(gen->b, to.pointer, LLVMConstInt(gen->i8, 0, 0),
                    all_bytes(gen, x->type), 1);
    return;
  }
  Buffer from = gen_buffer(gen, x);
  if (!whole || ir_is_splat(x, &element) ||
      !gen_is_contiguous(x->type, from.strides)) {
    emit_copy(gen, x, to);
    return;
  }
  LLVMBasicBlockRef copy, after;
  copy = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  Ssa same = LLVMBuildICmp(gen->b, LLVMIntEQ, from.pointer, to.pointer, "");
  LLVMBuildCondBr(gen->b, same, after, copy);
  LLVMPositionBuilderAtEnd(gen->b, copy);
  LLVMBuildMemCpy(gen->b, to.pointer, 1, from.pointer, 1,
                  all_bytes(gen, x->type));
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

static void emit_addition(Scatter *s) {
  Gen *gen = s->gen;
  const Value *u = s->node->operands[2];
  Type type = s->result->type;
  Ix to[IR_MAX_RANK];
  for (int d = 0; d < type.rank; d++)
    to[d] = d < s->dim    ? s->at[d]
            : d == s->dim ? s->position
                          : s->at[d - 1 + s->picks];
  Ssa sum = arithmetic(gen, OP_add, type.dtype, emit_value(gen, s->result, to),
                       emit_value(gen, u, s->at));
  emit_store(gen, s->to, type, to, sum);
}

static void emit_updates(Scatter *s, int d);

static void emit_part(Scatter *s, int d, int64_t from, int64_t to) {
  Gen *gen = s->gen;
  Loop loop;
  if (from >= to) return;
  loop_begin(gen, &loop, from, to, gen->lanes);
  int mark = memo_mark(gen);
  s->at[d] = (Ix){loop.index, gen->lanes > 1};
  emit_updates(s, d + 1);
  memo_release(gen, mark);
  loop_end(gen, &loop, NULL, NULL, 0);
}

static void emit_dim(Scatter *s, int d) {
  Gen *gen = s->gen;
  Type u = s->node->operands[2]->type;
  int64_t size = u.dims[d], vectors = 0;
  bool inner = d == u.rank - 1 && d >= s->dim + s->picks;
  if (inner) vectors = size / gen->width * gen->width;
  gen->lanes = inner ? gen->width : 1;
  emit_part(s, d, 0, vectors);
  gen->lanes = 1;
  emit_part(s, d, vectors, size);
}

/* The index of this pick; what it points at, if that is there, is updated. */
static void emit_pick(Scatter *s, int d) {
  Gen *gen = s->gen;
  const Value *index = s->node->operands[1];
  Type x = s->result->type;
  Ix at[IR_MAX_RANK];
  for (int i = 0; i < index->type.rank; i++)
    at[i] = i < s->batch ? s->at[i] : s->at[s->dim + i - s->batch];
  Ssa position = emit_value(gen, index, at);
  position = ir_is_signed(index->type.dtype)
                 ? LLVMBuildSExt(gen->b, position, gen->i64, "")
                 : LLVMBuildZExt(gen->b, position, gen->i64, "");
  Ssa inside = LLVMBuildICmp(gen->b, LLVMIntULT, position,
                             gen_number(gen, x.dims[s->dim]), "");
  LLVMBasicBlockRef add, after;
  add = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  after = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, inside, add, after);
  LLVMPositionBuilderAtEnd(gen->b, add);
  int mark = memo_mark(gen);
  s->position = (Ix){position, 0};
  if (d == s->node->operands[2]->type.rank)
    emit_addition(s);
  else
    emit_dim(s, d);
  memo_release(gen, mark);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

static void emit_updates(Scatter *s, int d) {
  if (d == s->dim + s->picks)
    emit_pick(s, d);
  else if (d == s->node->operands[2]->type.rank)
    emit_addition(s);
  else
    emit_dim(s, d);
}

void emit_scatter_add(Gen *gen, const Whole *whole) {
  const Node *node = whole->node;
  Scatter s = {.gen = gen,
               .node = node,
               .result = whole->kernel->results[0],
               .to = whole->outputs[0],
               .batch = (int)ir_int(node, ATTR_batch),
               .dim = (int)ir_int(node, ATTR_dim)};
  s.picks = node->operands[1]->type.rank - s.batch;
  gen->width = vector_width(gen, s.result->type.dtype);
  emit_base(gen, node->operands[0], s.to);
  if (ir_type_elements(node->operands[2]->type) > 0) emit_updates(&s, 0);
}
